//! The Japanese texts of `--help`.

use clap::{Arg, Command};

/// The texts by what they describe: a command as it is called (nothing for the program itself), or an argument of it by
/// the name that it has in the source, behind a dot. `*.` stands for all commands; `=` is followed by a value.
const TEXTS: &[(&str, &str)] = &[
    (
        "",
        "Kurosabi（黒錆）は、USIプロトコルに対応した将棋の思考エンジンです。コマンドを付けずに起動すると、標準入出力でUSIのやり取りをします",
    ),
    (
        ".after",
        "USIのコマンドを一つずつ引数にすると、入力したときと同じように順に実行します:\n  kurosabi \"position startpos moves 7g7f\" \"go depth 10\"",
    ),
    ("*.help", "この説明を表示します"),
    ("*.version", "バージョンを表示します"),
    ("*.encoding", "書き込む棋譜の文字コード [既定値: .kifと.ki2ではsjis、ほかはutf8]"),
    (
        "*.lang",
        "表、メッセージ、ページを最初に開いたときの言語 [既定値: 環境変数LANGの言語。Windowsのコンソールでは表示言語]",
    ),
    ("*.notation", "指し手の表記: usi、japanese、western、numeric、kif、ki2 [既定値: usi。--lang jaのときはjapanese]"),
    ("help", "コマンドの説明を表示します"),
    (
        "analyze",
        "局面や棋譜を解析します\n\n局面や対局を1行に1つずつ書いたファイル（SFEN、`sfen …`、`position …`、`startpos moves …`。空行と#で始まる行は無視します）、またはKIF、KI2、CSA、JKFの棋譜を読み込みます。棋譜は本譜のすべての局面を解析し、変化は解析しません。ファイルの種類は内容から判断します。",
    ),
    ("analyze.files", "ファイル、フォルダ、またはパターン。- は標準入力"),
    ("analyze.movetime", "1局面あたりの時間（ミリ秒） [既定値: 制限を指定しないとき1000]"),
    ("analyze.depth", "1局面あたりの深さ。結果は毎回同じになります"),
    ("analyze.nodes", "1局面あたりのノード数。結果は毎回同じになります"),
    (
        "analyze.until_stable",
        "深さ8以上で、最善手が指定した回数の反復で変わらず、評価値の差が30以内になるまで探索します。ほかの制限も有効で、何も指定しなければ60秒で終わります",
    ),
    ("analyze.multipv", "1局面あたりの候補手の数 [既定値: 1]"),
    (
        "analyze.lines",
        "内容にかかわらず、すべての入力を1行に1つの局面や対局として読み込みます。そのようなファイルの一部を渡すときに使います",
    ),
    ("analyze.list", "各入力の中身が行か棋譜かだけを、1行に1つのJSONで出力します。作業を分担するプログラム用です"),
    ("analyze.move_by_move", "1行に書いた対局でも、棋譜と同じように、最後の局面だけでなくすべての局面を解析します"),
    ("analyze.mate_nodes", "対局の各局面で、詰みの見逃しを調べるために詰将棋ソルバーが読む局面数。0で無効になります"),
    ("analyze.jobs", "同時に探索する局面の数 [既定値: CPUのコア数に合わせます]"),
    (
        "analyze.threads",
        "1つの探索のスレッド数 [既定値: 時間で制限するときはコアを探索に割り振ります。--depth、--nodes、--until-stableでは、結果が毎回同じになるように1]",
    ),
    ("analyze.hash", "1つの探索の置換表の大きさ（MiB） [既定値: 64。--nodesが小さいときはそれ以下]"),
    (
        "analyze.options",
        "ほかの引数で設定できないエンジンのオプションを`setoption`と同じように設定します。何度でも指定できます",
    ),
    ("analyze.json", "表の代わりに、1行に1つのJSONを出力します"),
    ("analyze.output", "標準出力の代わりに、このファイルに書き込みます"),
    ("analyze.resume", "続きから実行し、出力ファイルに結果がない対局と局面だけを解析します"),
    ("analyze.kif", "各対局を、GUIがグラフを表示できるコメントを付けたKIFファイルとしても書き込みます"),
    ("analyze.csa", "各対局を、評価値のコメントを付けたCSAファイルとしても書き込みます"),
    ("analyze.html", "各対局を、盤で再生できるHTMLページとしても書き込みます。一覧はindex.htmlです"),
    ("analyze.drills", "見逃した詰みと勝つ手を、検証した上で問題としても書き込みます"),
    (
        "bench",
        "決まった局面を探索して速度を測ります。最後の行は`<N> nodes <M> nps`で、1スレッドならNはどのコンピューターでも同じです",
    ),
    ("bench.depth", "探索の深さ"),
    ("bench.threads", "探索のスレッド数"),
    ("bench.hash", "置換表の大きさ（MiB）"),
    ("completions", "シェルの補完スクリプトを出力します"),
    ("completions.shell", "シェル"),
    ("completions.after", "例:\n  kurosabi completions bash >> ~/.bash_completion"),
    (
        "book",
        "定跡を表示、作成、改良、結合、変換します\n\nやねうら王のテキスト（.db）とバイナリ（.ybb）、Apery（.bin）、ShogiGUI（.sbk）の定跡を、gzipやZstandardで圧縮されたものも含めて読み込みます。種類は内容から判断します。`builtin`は内蔵の定跡です。書き込む定跡の形式は、名前の末尾（.db、.db.gz、.ybb、.bin、.sbk）で決まります。.binは検索だけで一覧はできません。.sbkには重みだけで評価値がありません。",
    ),
    ("book check", "定跡の局面が整列され、すべての指し手が合法であることを確認し、千日手になる最善の進行を数えます"),
    ("book check.book", "定跡"),
    ("book convert", "定跡を、整列し非合法手を除いて、別の形式で書き込みます"),
    ("book convert.book", "読み込む定跡"),
    ("book convert.output", "書き込むファイル: .db、.db.gz、.ybb、.bin、.sbk"),
    ("book cut", "定跡の一部だけを残します。指し手がなくなった局面は削除します"),
    ("book cut.book", "読み込む定跡"),
    ("book cut.output", "書き込む定跡: .db、.db.gz、.ybb、.bin、.sbk"),
    ("book cut.max_ply", "この手数までの局面を残します"),
    ("book cut.min_count", "この回数以上指された手を残します"),
    ("book cut.diff", "その局面の最善手との評価値の差がこの値以内の手を残します"),
    ("book cut.min_depth", "この深さ以上で探索した手を残します"),
    ("book cut.max_moves", "各局面で、良いほうからこの数の手を残します"),
    ("book cut.from", "この局面から定跡の手で到達できる局面だけを残します。SFENかstartpos、続けて指し手"),
    (
        "book make",
        "対局から定跡を作成します。指されたすべての手と、その対局数を記録します\n\nKIF、KI2、CSA、JKF、USIの棋譜と、`kurosabi datagen play`のファイルを読み込みます。",
    ),
    ("book make.games", "対局のファイル、棋譜のフォルダ、またはパターン。- は標準入力"),
    ("book make.output", "書き込む定跡: .db、.db.gz、.ybb、.bin、.sbk"),
    ("book make.max_ply", "各対局から使う手数"),
    ("book make.min_count", "指された回数がこれより少ない手を省きます"),
    ("book make.side", "片方の手だけを使います"),
    ("book make.side=winner", "勝った側。勝者のない対局は省きます"),
    ("book make.scores", "`datagen play`のファイルにある評価値の平均を手に付けます"),
    ("book merge", "定跡を結合します。回数は合計し、同じ手の評価値は最も深く探索したものを残します"),
    ("book merge.books", "読み込む定跡"),
    ("book merge.output", "書き込む定跡: .db、.db.gz、.ybb、.bin、.sbk"),
    (
        "book minimax",
        "定跡の末端の評価値を、ミニマックスで開始局面まで伝えます\n\nすべての手に、定跡内で最善を尽くした進行の評価値と深さを付けます。別の手順で合流する局面も考慮し、定跡の別の局面に進む手がなければ追加します。最善の進行が同じ局面を繰り返すときは、深さ999の引き分けとします。",
    ),
    ("book minimax.book", "読み込む定跡"),
    ("book minimax.output", "書き込む定跡: .db、.db.gz、.ybb、.bin、.sbk"),
    ("book minimax.draw_black", "先手の手に使う、先手から見た引き分けの評価値"),
    ("book minimax.draw_white", "後手の手に使う、後手から見た引き分けの評価値"),
    ("book minimax.listed_only", "定跡にない手を追加しません"),
    ("book show", "局面についての定跡の内容を表示します"),
    ("book show.book", "定跡"),
    ("book show.position", "USIと同じ形式の局面: SFENかstartpos、続けて指し手"),
    ("book show.depth", "何手先まで表示するか"),
    ("book show.moves", "各局面で表示する手の数の上限"),
    ("book show.exact_ply", "手数も同じ局面だけを表示します"),
    (
        "book think",
        "定跡の局面を探索し、良い進行の末端から定跡を広げます\n\n初めに、探索した手がない局面を探索します。--until-sizeか--extendを指定すると、その後、定跡の手で進んだ局面を、良い手で進むものから順に追加します。定跡は1分ごとと最後に書き込みます。Ctrl-Cで中断した後は、同じコマンドで続きから再開できます。ただし--extendは再開したときの定跡から数えます。",
    ),
    ("book think.book", "定跡。なければ作成します"),
    ("book think.nodes", "1局面あたりのノード数"),
    ("book think.multipv", "1局面あたりの候補手の数"),
    ("book think.until_size", "定跡をこの局面数まで広げます"),
    ("book think.extend", "定跡にこの数の局面を追加します。中断すると残りの数を表示します"),
    (
        "book think.only",
        "このファイルにある局面（USIと同じ形式で1行に1つ）のうち、左右や先後を入れ替えても定跡に探索した手がないものだけを探索します。- は標準入力",
    ),
    ("book think.start", "広げ始める局面。USIと同じ形式（SFENかstartpos、続けて指し手）で、何度でも指定できます"),
    ("book think.loss_per_ply", "広げる順序で、最善手よりこの評価値だけ悪い手を1手余分に数えます"),
    ("book think.max_ply", "この手数より先の局面は追加しません"),
    (
        "book think.batch",
        "一度に選ぶ局面の数。選ばれる局面に影響します [既定値: スレッドあたり8、または定跡の100分の1の多いほう]",
    ),
    ("book think.threads", "同時に探索する局面の数。0はコアの数"),
    ("book think.hash", "1つの探索の置換表の大きさ（MiB）"),
    ("book think.eval", "探索に使う評価関数。EvalFileと同じ指定です"),
    (
        "book waiting",
        "まだ探索していない定跡の局面を一覧します\n\n探索した手がない局面、または--leavesを指定すると定跡の手で進んだ局面を、良いものから順に出力します。`book think --only`が読み込む形式で1行に1つです。複数のコンピューターで作業を分担するプログラム用です。",
    ),
    ("book waiting.book", "定跡。ないファイルは空の定跡とみなします"),
    ("book waiting.leaves", "定跡の局面の代わりに、定跡を広げる局面をこの数まで一覧します"),
    ("book waiting.start", "広げ始める局面。USIと同じ形式（SFENかstartpos、続けて指し手）で、何度でも指定できます"),
    ("book waiting.loss_per_ply", "広げる順序で、最善手よりこの評価値だけ悪い手を1手余分に数えます"),
    ("book waiting.max_ply", "この手数より先の局面は追加しません"),
    ("convert", "棋譜をKIF、KI2、CSA、JKF、USI、SFENの間で変換します。ファイルの形式は内容から判断します"),
    ("convert.inputs", "ファイル、フォルダ、またはパターン。- は標準入力"),
    ("convert.to", "書き込む形式: kif、ki2、csa、jkf、usi（指し手の行）、sfen（対局のすべての局面）"),
    ("convert.output", "標準出力の代わりに書き込むファイルかフォルダ。フォルダには対局ごとにファイルを作ります"),
    ("datagen", "エンジン同士の自己対局を行い、対局ファイルを表示します。評価関数を作る人のための道具です"),
    ("datagen count", "ファイルの対局数と局面数を数え、結果、手数、評価値の分布を表示します"),
    ("datagen count.files", "対局ファイル"),
    ("datagen count.unique", "異なる局面の数も数えます（1局面あたり8バイトのメモリを使用します）"),
    (
        "datagen dump",
        "対局を1行ずつ書き出します: 開始局面と序盤の手 | 手と評価値（90が歩1枚、指した側から見た値） | 結果",
    ),
    ("datagen dump.files", "対局ファイル"),
    ("datagen dump.skip", "初めのこの数の対局を飛ばします"),
    ("datagen dump.games", "書き出す対局の数の上限"),
    (
        "datagen dump.positions",
        "代わりに1行に1局面を書き出します: SFEN、指し手、評価値、手番側から見た結果（1、0.5、0）",
    ),
    ("datagen play", "対局を行い、ファイルに追加します。いつでも中断し、再開できます"),
    ("datagen play.file", "対局ファイル。同じ設定のファイルがあれば続きを行います"),
    ("datagen play.positions", "ファイルに入れる局面の数"),
    ("datagen play.games", "ファイルに入れる対局の数"),
    (
        "datagen play.first_game",
        "ファイルの最初の対局の番号。対局は設定と番号だけで決まるので、ほかの番号は別の場所で行えます",
    ),
    ("datagen play.nodes", "1手あたりのノード数の上限"),
    (
        "datagen play.soft_nodes",
        "このノード数に達した反復の終わりで探索を終えます。0で無効になります。3500とし、--nodesをその10倍にすると、平均5200ノードになり、評価値の精度は--nodes 5000より1割ほど良くなります",
    ),
    ("datagen play.seed", "対局のシード"),
    ("datagen play.eval", "評価関数のファイル、または`material`（駒の価値だけ）。指定しなければ内蔵の評価関数"),
    ("datagen play.threads", "スレッド数。0はコアの数"),
    ("datagen play.random_plies", "対局の初めにランダムに指す手数の最小と最大"),
    ("datagen play.openings", "`startpos moves …`の行からなるファイル。一部の対局をここから始めます"),
    ("datagen play.openings_share", "--openingsの局面から始める対局の割合"),
    ("datagen play.random_share", "80手目までにランダムな手を指す確率"),
    ("datagen play.played_out", "途中で勝敗を判定せず、最後まで指す対局の割合"),
    ("datagen play.win_score", "6手の間この評価値（90が歩1枚）であれば勝ちと判定します"),
    ("datagen verify", "すべての対局を再現し、指し手が合法で結果が正しいことを確認します"),
    ("datagen verify.files", "対局ファイル"),
    ("man", "マニュアルページをフォルダに書き込みます"),
    ("man.folder", "フォルダ。なければ作成します。kurosabi.1とコマンドごとのページを書き込みます"),
    ("man.after", "例:\n  kurosabi man ~/.local/share/man/man1"),
    (
        "mate",
        "詰みを探します（詰将棋）。最短で、受け方が最も長く逃げる手順、または不詰を求めます\n\n1行に1つのSFENやUSIの局面、またはKIF、KI2、CSA、JKFのファイルの開始局面を問題とします。",
    ),
    ("mate.files", "ファイル、フォルダ、またはパターン。- は標準入力"),
    ("mate.time", "1つの判定あたりの時間（ミリ秒）"),
    ("mate.nodes", "1つの判定あたりの局面数。結果は毎回同じになります"),
    ("mate.plies", "探す詰みの最大の手数"),
    ("mate.any", "最短でなくても、見つかった詰みを答えとします"),
    ("mate.defend", "手番の側が詰まされているか、詰まないときはどう逃れるかを調べます"),
    (
        "mate.check",
        "問題を検査します: 詰む初手、余詰、駒余り、不要な駒、打ち歩詰めになる手\n\nこのとき最後の無駄合は手数に数えません。解は、受けが最も長く、その中で欠点が最も少ないものです。",
    ),
    (
        "mate.make",
        "`kurosabi datagen play`の対局から、この手数の問題を作ります。解が一つだけの局面を、1局につき1つまで、易しいものから順に出力します",
    ),
    ("mate.count", "作る問題の数"),
    ("mate.threads", "同時に解く問題の数。0はコアの数"),
    ("mate.hash", "1つの問題を解くための表の大きさの上限（MiB）"),
    ("mate.json", "文章の代わりに、1行に1つのJSONを出力します"),
    ("mate.output", "標準出力の代わりに、このファイルに書き込みます"),
    ("mate.kif", "解をそれぞれKIFファイルとしてもこのフォルダに書き込みます。最初の問題は00001.kif"),
    ("mate.resume", "続きから実行し、出力ファイルに結果がない問題だけを解きます"),
    ("parameters", "探索の調整用パラメーターを1行に1つ一覧します: 名前、既定値、最小値、最大値、刻み"),
    ("perft", "合法手の木の葉の数を数えます"),
    ("perft.depth", "木の深さ"),
    ("perft.sfen", "局面 [既定値: 平手の開始局面]"),
    ("perft.divide", "手ごとの数を表示します"),
    ("perft.threads", "スレッド数。0はコアの数"),
    ("referee", "棋譜の勝敗とその理由を、入玉のルールごとに判定します"),
    ("referee.inputs", "棋譜のファイル、フォルダ、またはパターン。形式は問いません。- は標準入力"),
    (
        "referee.max_moves",
        "この手数で引き分けとします [既定値: 棋譜の「最大手数」（CSAでは$MAX_MOVES）、なければ無制限]",
    ),
    ("referee.json", "文章の代わりに、対局ごとに1つのJSONを出力します"),
    (
        "train",
        "対局ファイルから評価関数を学習します\n\n評価関数と同じ場所に、損失の曲線（.csv、.png）と、学習が終わるまでは同じコマンドで続きから再開できるチェックポイントを書き込みます。",
    ),
    ("train.files", "対局ファイル（`kurosabi datagen`）。FILE:0.3 とすると対局の30%を使います"),
    ("train.out", "書き込む評価関数"),
    ("train.name", "評価関数の名前 [既定値: ファイルの名前]"),
    (
        "train.init",
        "学習を始める評価関数。以下の引数の既定値はその構造になります。より小さい評価関数や、出力の重みが一組の評価関数も使えます。何度も指定すると重みの平均から始めます（同じ評価関数から学習したものに有効です）",
    ),
    ("train.width", "第1層の大きさ [既定値: --initと同じ。なければ256]"),
    ("train.stacks", "出力の重みの組: 一組、または玉の段による九組 [既定値: --initと同じ。なければ一組]"),
    ("train.stacks=one", "すべての局面で一組"),
    ("train.stacks=k3k3", "両方の玉がいる段を三つに分けて九組"),
    ("train.first_rows", "第1層の重みの初期値の最大の大きさ"),
    ("train.factoriser", "学習中に第1層の行が共有する重み"),
    ("train.factoriser=none", "なし"),
    ("train.factoriser=piece", "駒ごと"),
    ("train.factoriser=lines", "駒ごと、および駒と段、駒と筋の組み合わせごと"),
    ("train.epochs", "すべての局面を学習する回数。0にすると、--initの評価関数を平均するだけで学習しません"),
    ("train.batch", "1ステップあたりの局面の数"),
    ("train.lr", "学習率の最大値"),
    ("train.final_lr", "最後の学習率の、最大値に対する割合"),
    ("train.schedule", "学習率の下げ方"),
    ("train.schedule=cosine", "余弦の半周期に沿って"),
    ("train.schedule=linear", "一定の差で"),
    ("train.schedule=exponential", "ステップごとに同じ割合で"),
    ("train.schedule=constant", "下げない"),
    ("train.warm_up", "初めに学習率を上げていくステップの数"),
    ("train.decay", "重みの減衰（AdamW）。ステップごとに、この値と学習率の積の割合だけ重みを小さくします"),
    ("train.average", "評価関数とする、重みの移動平均の減衰率（0.999など）。0にすると平均を使いません"),
    ("train.wdl", "目標の値に占める対局の結果の割合。残りは評価値です"),
    ("train.final_wdl", "最後のその割合。そこまで一定の差で変えます [既定値: 初めと同じ]"),
    ("train.scale", "勝ちと負けの比がe対1とみなす評価値（90が歩1枚）。評価関数の評価値の単位は変わりません"),
    ("train.validation", "検証のために除く対局の割合（どのファイルにあっても同じ対局を除きます）、または対局ファイル"),
    ("train.lambda", "TD(λ): 局面の評価値に占める、その後の探索の重み。0にするとその局面の探索だけを使います"),
    ("train.max_score", "評価値がこれより大きい局面を除きます（90が歩1枚）"),
    ("train.thin_above", "評価値がこれより大きい局面は一部だけを使います"),
    ("train.thin_share", "--thin-aboveで使う局面の割合"),
    ("train.min_ply", "対局の初めのこの手数を除きます"),
    ("train.all_positions", "王手の局面や、駒を取る手と成る手の前の局面も使います"),
    ("train.seed", "重みの初期値と局面の順序のシード"),
    ("train.threads", "スレッド数。0はコアの数"),
];

fn find(key: &str) -> Option<&'static str> {
    TEXTS.iter().find(|(known, _)| *known == key).map(|(_, text)| *text)
}

/// The text of an argument, or of what stands behind the arguments.
fn argument_text(path: &str, name: &str) -> Option<&'static str> {
    find(&format!("{path}.{name}")).or_else(|| find(&format!("*.{name}")))
}

/// The text of one of an argument's values.
pub(super) fn value_text(path: &str, argument: &Arg, value: &str) -> Option<&'static str> {
    argument_text(path, &format!("{}={value}", argument.get_id()))
}

/// The command with Japanese texts; its subcommands stay as they are.
pub(super) fn translated(command: Command, path: &str) -> Command {
    // Every command with subcommands has its own `help`.
    let is_help = command.get_name() == "help";
    let mut command = match find(if is_help { "help" } else { path }) {
        Some(text) => command.about(text.split("\n\n").next().unwrap_or(text)).long_about(text),
        None => command,
    };
    if let Some(after) = argument_text(path, "after").filter(|_| command.get_after_help().is_some()) {
        command = command.after_help(after);
    }
    command.mut_args(|argument| {
        let name = argument.get_id().to_string();
        match argument_text(path, &name) {
            Some(text) => argument.help(text).long_help(text),
            None => argument,
        }
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use clap::CommandFactory;

    use super::*;

    /// The keys of all texts that a command and its subcommands have.
    fn keys(command: &Command, path: &str, keys: &mut BTreeSet<String>) {
        keys.insert(path.to_owned());
        if command.get_after_help().is_some() {
            keys.insert(format!("{path}.after"));
        }
        for argument in command.get_arguments() {
            let key = format!("{path}.{}", argument.get_id());
            for value in argument.get_possible_values().iter().filter(|value| value.get_help().is_some()) {
                keys.insert(format!("{key}={}", value.get_name()));
            }
            keys.insert(key);
        }
        for subcommand in command.get_subcommands().filter(|subcommand| subcommand.get_name() != "help") {
            self::keys(subcommand, format!("{path} {}", subcommand.get_name()).trim_start(), keys);
        }
    }

    #[test]
    fn every_command_and_argument_has_a_japanese_text_and_every_text_its_place() {
        let mut command = crate::cli::Cli::command();
        command.build();
        let mut wanted = BTreeSet::from(["help".to_owned(), "parameters".to_owned(), "train".to_owned()]);
        keys(&command, "", &mut wanted);
        let shared = |key: &str| key.split_once('.').map(|(_, name)| format!("*.{name}"));
        let has = |key: &String| find(key).or_else(|| find(&shared(key)?)).is_some();
        let missing: Vec<_> = wanted.iter().filter(|key| !has(key)).collect();
        assert!(missing.is_empty(), "without Japanese: {missing:?}");
        let shared: BTreeSet<_> = wanted.iter().filter_map(|key| shared(key)).collect();
        // The trainer is part of special builds.
        let is_here = |key: &str| cfg!(feature = "train") || !key.starts_with("train.");
        let stale: Vec<_> =
            TEXTS.iter().filter(|(key, _)| is_here(key) && !wanted.contains(*key) && !shared.contains(*key)).collect();
        assert!(stale.is_empty(), "describe nothing: {stale:?}");
    }
}
