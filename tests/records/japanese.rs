//! `kurosabi convert` and `kurosabi referee` for readers of Japanese.

use crate::cli::{kurosabi, text};

#[test]
fn readers_of_japanese_get_japanese() {
    let nifu = "手合割：平手\n   1 ７六歩(77)\n   2 ３四歩(33)\n   3 ２二角成(88)\n   4 同　銀(31)\n   5 ７五歩(76)\n   6 ３五歩打\n";
    let drop_on_file = "sfen 4k4/9/9/9/9/4P4/9/9/4K4 b P 1 moves P*5h\n";
    let perpetual =
        "sfen 4k4/9/9/9/9/9/9/4R4/3K5 w - 1 moves 5a4a 5h4h 4a5a 4h5h 5a4a 5h4h 4a5a 4h5h 5a4a 5h4h 4a5a 4h5h";
    let repetition = "startpos moves 2h3h 8b7b 3h2h 7b8b 2h3h 8b7b 3h2h 7b8b 2h3h 8b7b 3h2h 7b8b 7g7f\n";
    let declared = "sfen +P+P+P+P+PK3/+P+P+P+P+P4/9/9/9/9/9/9/4k4 b 2RB3P 1 moves win\n";
    let contradiction = "手合割：平手\n   1 ７六歩(77)\n   2 ３四歩(33)\n   3 投了\nまで2手で先手の勝ち\n";
    let handicap = "手合割：二枚落ち\n   1 ４二玉(51)\n   2 投了\n";
    let cases: [(&str, &[&str]); 7] = [
        (
            nifu,
            &[
                "棋譜     5手、終局の記載なし",
                "CSARule27       先手の勝ち  6手で反則 △３五歩打（持駒に歩がありません）",
            ],
        ),
        (drop_on_file, &["後手の勝ち  1手で反則 ▲５八歩（二歩: ５六に自分の歩があります）"]),
        (perpetual, &["後手の勝ち  12手で連続王手の千日手: 先手の反則負け"]),
        (repetition, &["引き分け    12手で千日手", "備考     この後に1手の記録があります"]),
        (
            declared,
            &[
                "点数     先手28点（敵陣10枚）、後手0点（敵陣0枚）",
                "先手の勝ち  0手で入玉宣言（28点、10枚）",
                "CSARule24       引き分け    0手で引き分けの入玉宣言",
                "決着なし    0手でこのルールにない宣言",
            ],
        ),
        (contradiction, &["備考     「投了」は後手の勝ち、結果の行は先手の勝ちを示しています（結果の行に従います）"]),
        (handicap, &["上手の勝ち  1手で投了（棋譜の記載）", "点数     下手"]),
    ];
    for (record, said) in cases {
        let japanese = text(&kurosabi(&["referee", "-", "--lang", "ja"], record).stdout);
        for words in said {
            assert!(japanese.contains(words), "{words}\n{japanese}");
        }
        let json = |language| kurosabi(&["referee", "-", "--json", "--lang", language], record).stdout;
        assert_eq!(json("ja"), json("en"), "what programs read is the same in every language");
    }
    let output =
        kurosabi(&["convert", "-", "--to", "csa", "--lang", "ja"], &format!("{nifu}変化：2手\n   2 ８四歩(83)\n"));
    let said = "kurosabi: 標準入力: 7行目: 6手目の△３五歩打は反則です: 持駒に歩がありません\nkurosabi: 標準入力: CSAには変化を書けないため、省きました\n";
    assert_eq!(text(&output.stderr), said);
    let output = kurosabi(&["convert", "-", "--to", "csa", "--lang", "ja"], "startpos moves 7g7f 5e5d\n");
    let said = "kurosabi: 標準入力: 1行目: 2手目の△５四(55)は反則です: ５五に駒がありません\n";
    assert_eq!(text(&output.stderr), said);
    let output = kurosabi(&["referee", "-", "--lang", "ja"], "startpos moves 7g7f 5e5d\n");
    assert!(text(&output.stdout).contains("2手で反則 △５四(55)（５五に駒がありません）"), "{output:?}");
    let output = kurosabi(&["convert", "-", "--to", "csa", "--lang", "ja"], "手合割：平手\n   1 ７六\n");
    let said = "kurosabi: 標準入力: 2行目: KIF: 「1 ７六」を読み込めません。７六歩(77)や５五角打のような指し手が必要です\nエラー: 1局は変換できませんでした\n";
    assert_eq!(text(&output.stderr), said);
}
