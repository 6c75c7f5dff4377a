//! Reports for readers of Japanese.

use super::{analyze, lines};

#[test]
fn errors_are_told_in_japanese_to_its_readers() {
    let input = "startpos moves 7g7f 3c3d P*7e\nnonsense\n";
    let said = |arguments: &[&str]| {
        let output = analyze(&[&["--depth", "1", "--hash", "4"], arguments].concat(), input.as_bytes());
        (lines(&output).join("\n"), String::from_utf8(output.stderr).unwrap())
    };
    let (table, errors) = said(&["--lang", "ja"]);
    assert!(table.contains("エラー: 3手目の▲７五歩打は反則です: 持駒に歩がありません（行: 「startpos"), "{table}");
    assert!(table.contains("エラー: SFEN「nonsense」が正しくありません: 手番がありません"), "{table}");
    assert_eq!(errors, "エラー: 対局と局面2件のうち2件は解析できませんでした\n");
    assert_eq!(said(&["--json", "--lang", "ja"]).0, said(&["--json", "--lang", "en"]).0);
}
