//! What `d`, `eval`, `why`, `go perft` and `help` print. Scripts read the lines of all but the last.

use std::io::Write;

use super::output::Output;
use super::queue::Snapshot;
use crate::engine::perft_total;
use crate::eval::EvalReport;
use crate::language::{InJapanese, Language, Text, text};
use crate::position::{Declaration, EnteringKingRule, Position, Repetition};
use crate::records::diagram;
use crate::records::notation::{Notation, square_in_japanese};
use crate::rules::{GameEnd, RepetitionWarning, Rules};
use crate::types::{Color, Move, Outcome, ParseMoveError, Phrase, Square};
use crate::usi::message::{UsiMessage, UsiScore};

/// Answers a question about this state, `isready` also without one.
pub(super) fn answer<W: Write>(output: &Output<W>, question: &UsiMessage, state: Option<&Snapshot>) {
    let language = output.language;
    match (question, state) {
        (UsiMessage::IsReady, _) => output.send(&UsiMessage::ReadyOk),
        (UsiMessage::Display, Some(state)) => output.text(&display(&state.position, state.rule, language)),
        (UsiMessage::Why(mv), Some(state)) => output.text(&why(&state.position, mv, language)),
        (UsiMessage::Eval, Some(state)) => output.text(&eval(&state.evaluation.report(&state.position), language)),
        _ => {}
    }
}

/// The position, and how it stands by the rules. Scripts read the English lines.
pub(super) fn display(position: &Position, rule: EnteringKingRule, language: Language) -> String {
    let checkers = |name: fn(Square) -> String| position.checkers().into_iter().map(name).collect::<Vec<_>>();
    let checks = checkers(|square| square.to_string()).join(" ");
    let checks_ja = Some(checkers(square_in_japanese).join("、")).filter(|names| !names.is_empty());
    let checks_ja = checks_ja.unwrap_or("なし".to_owned());
    let repetition = position.repetition();
    let repetition_ja = match repetition {
        Repetition::Draw => "引き分け",
        Repetition::Win => "連続王手により手番側の勝ち",
        Repetition::Lose => "連続王手により手番側の負け",
        Repetition::None => "なし",
    };
    let (sfen, key, occurrences) = (position.to_sfen(), position.key(), position.occurrences());
    let repetition = repetition.name();
    let mut lines = vec![
        Text { en: position.diagram().to_string(), ja: diagram(position).trim_end().to_owned() },
        text!("Sfen: {sfen}", "SFEN: {sfen}"),
        text!("Key: {key:016x}", "キー: {key:016x}"),
        text!("Checkers: {checks}", "王手をかけている駒: {checks_ja}"),
        text!("Repetition: {repetition}", "千日手: {repetition_ja}"),
        text!("Occurrences: {occurrences}", "この局面になった回数: {occurrences}"),
    ];
    if (Rules { king_rule: rule, max_moves: None }).has_tried(position) {
        let game_over = Phrase::new("Game over", "終局");
        lines.push(Text::about(&game_over, &end(&GameEnd::Try(!position.side_to_move()), position)));
    }
    if let Some(found) = RepetitionWarning::from_position(position) {
        let Text { en, ja } = warning(&found, position);
        lines.push(text!("Warning: {en}", "{ja}"));
    }
    for color in Color::ALL {
        let side = Text { en: format!("{color:?}"), ja: color.japanese(false).to_owned() };
        let stands = |declaration: Declaration| {
            let (Text { en, ja }, rule) = (&side, declaration.rule);
            Text::about(&text!("{en} {rule}", "{ja} {rule}"), &declaration)
        };
        lines.extend(Rules::declarations(position, color).map(stands));
    }
    let Declaration { wins, draws, points, pieces, .. } = position.declaration(rule);
    let (result, result_ja) = match (wins, draws) {
        (true, _) => ("yes", "勝ち"),
        (false, true) => ("draw", "引き分け"),
        (false, false) => ("no", "できません"),
    };
    lines.push(text!(
        "Declaration: {rule} {result} {points} points {pieces} pieces",
        "宣言（{rule}）: {result_ja}（{points}点、{pieces}枚）"
    ));
    lines.iter().map(|line| language.say(line)).collect::<Vec<_>>().join("\n")
}

/// How the rules end the game, or allow to end it.
pub(super) fn end(end: &GameEnd, position: &Position) -> Text {
    Text { en: end.to_string(), ja: end.japanese(false, |mv| move_in_japanese(position, mv)) }
}

/// What is said of a repetition to come.
pub(super) fn warning(warning: &RepetitionWarning, position: &Position) -> Text {
    Text { en: warning.to_string(), ja: warning.japanese(false, |mv| move_in_japanese(position, mv)) }
}

fn move_in_japanese(position: &Position, mv: Move) -> String {
    Notation::Japanese.write(&position.setup(), mv, None)
}

/// Whether a move is legal and, if not, which rule it breaks.
pub(super) fn why(position: &Position, mv: &Result<Move, ParseMoveError>, language: Language) -> String {
    let said = match mv {
        Err(error @ ParseMoveError(text)) => {
            let ja = error.in_japanese();
            text!("{text:?} is no move in USI notation, such as 7g7f, 8h2b+ or P*5e", "{ja}")
        }
        Ok(mv) => match position.check_legal(*mv) {
            Ok(()) => text!("{mv} is legal", "{mv} は指せます"),
            Err(reason) => {
                let (kind, ja) = (reason.kind(), reason.in_japanese());
                text!("{mv} is illegal ({kind}): {reason}", "{mv} は反則です: {ja}")
            }
        },
    };
    language.say(&said)
}

/// The static evaluation for the side to move.
pub(super) fn eval(report: &EvalReport, language: Language) -> String {
    let cp = match report.score.outcome() {
        Outcome::Centipawns(cp) => cp.to_string(),
        decided => UsiScore::from(decided).to_string(),
    };
    let EvalReport { network, raw, eval, .. } = report;
    language.say(&text!(
        "Network: {network}\nRaw: {raw}\nEval: {eval}\nCp: {cp}",
        "評価関数: {network}\n出力: {raw}\n評価関数の単位での評価値: {eval}\n評価値: {cp}"
    ))
}

/// The leaves below each move, and all of them.
pub(super) fn perft(depth: u32, divided: &[(Move, u64)]) -> String {
    let lines: String = divided.iter().map(|(mv, nodes)| format!("{mv}: {nodes}\n")).collect();
    format!("{lines}Nodes searched: {}", perft_total(depth, divided))
}

/// Shown to a user who starts the program in a terminal, or with a double click. Many of the latter read Japanese
/// on a system in another language.
pub(crate) fn greeting(language: Language) -> String {
    let version = env!("CARGO_PKG_VERSION");
    language.say(&text!(
        "Kurosabi {version}, a USI shogi engine. It is made to be run by a shogi GUI: add this program there as an \
         engine.\n将棋の思考エンジンです。ShogiHome、ShogiGUI、将棋所などの将棋ソフトに登録してお使いください。\n\
         To analyse game records, give the program their files (kurosabi game.kif) or, on Windows, drop them on its icon: \
         it opens pages of them in your browser (棋譜を解析するには、ファイルをアイコンにドロップしてください).\n\
         Here, type help for a list of commands, or quit to leave (終了するには quit と入力).",
        "黒錆（Kurosabi）{version}。USIプロトコルの将棋の思考エンジンです。ShogiHome、ShogiGUI、将棋所などの将棋ソフトに\
         登録してお使いください。\n棋譜を解析するには、棋譜のファイルかフォルダを指定して起動します（kurosabi game.kif）。Windowsでは、\
         kurosabi.exe のアイコンにドロップすることもできます。結果のページがブラウザーで開きます。\nこの画面では、help と入力するとコマンドの一覧を表示し、quit と入力すると終了します。"
    ))
}

/// What `help` prints.
pub(super) fn help(language: Language) -> &'static str {
    language.choose(HELP, HELP_IN_JAPANESE)
}

const HELP: &str = "\
These are commands of USI, the protocol of shogi GUIs. Each is one line:
  position startpos moves 7g7f 3c3d   set up a game
  position sfen <SFEN> moves 7g7f     the same from another position
  d                                   show the position and how it stands
  why P*5e                            whether it is legal, or why not
  go movetime 3000                    think for this many milliseconds
  go depth 12, go nodes 100000        search to this depth, or this many nodes
  go btime 60000 byoyomi 5000         think as in a game with such clocks
  go mate 10000                       look for a mate for this many milliseconds
  go infinite                         think until stopped     
  stop                                answer now
  eval                                show the static evaluation of the position
  go perft 4                          count the lines of this many moves
  usi                                 list the options
  setoption name MultiPV value 3      set one of them
  isready                             apply the options
  bench                               search fixed positions, to measure speed
  quit                                leave
In a shell, kurosabi --help lists what else the program can do.";

const HELP_IN_JAPANESE: &str = "\
将棋ソフトとのやり取りに使うUSIプロトコルのコマンドです。1行に1つずつ入力します:
  position startpos moves 7g7f 3c3d   平手の開始局面から局面を設定します
  position sfen <SFEN> moves 7g7f     ほかの局面から設定します
  d                                   局面と、ルール上の状態を表示します
  why P*5b                            その手が反則かどうかを表示します
  go movetime 3000                    指定した時間（ミリ秒）だけ考えます
  go depth 12, go nodes 100000        指定した深さ、またはノード数まで考えます
  go btime 60000 byoyomi 5000         この持ち時間の対局と同じように考えます
  go mate 10000                       指定した時間（ミリ秒）まで詰みを探します
  go infinite                         stop と入力されるまで考えます
  stop                                すぐに答えます
  eval                                読まずに評価した、局面の評価値を表示します
  go perft 4                          この手数の合法手順を数えます
  usi                                 オプションの一覧を表示します
  setoption name MultiPV value 3      オプションを設定します
  isready                             設定したオプションを反映します
  bench                               決まった局面を探索して速度を測ります
  quit                                終了します
このほかの使い方は、シェルで kurosabi --help と入力すると表示します。";
