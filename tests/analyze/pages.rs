//! Pages of games, the list of them, and problems.

use std::fs;

use serde_json::Value;

use super::games::{CSA, MISSED, folder};
use super::{analyze, records};

/// The data that a page holds.
fn data(page: &str) -> Value {
    let (_, rest) = page.split_once("id=\"data\">").unwrap();
    serde_json::from_str(rest.split_once("</script>").unwrap().0).unwrap()
}

#[test]
fn a_page_holds_the_game_and_needs_nothing_else() {
    let folder = folder("analyze-pages");
    let name = |file: &str| folder.join(file).to_string_lossy().into_owned();
    let hostile = MISSED.replace("黒田", "</script><script>alert(1)</script>@STYLE@");
    fs::write(folder.join("missed.kif"), hostile).unwrap();
    fs::write(folder.join("game.csa"), CSA).unwrap();
    let arguments = ["--depth", "3", "--hash", "4", "--multipv", "2", "--html", &name("pages"), "--lang", "ja"];
    let output = analyze(&[&arguments[..], &[&name("missed.kif")]].concat(), b"");
    assert!(output.status.success(), "{output:?}");
    let page = fs::read_to_string(folder.join("pages/missed.html")).unwrap();
    for outside in ["http://", "https://", "src=", "@import", "url(", "<link"] {
        assert!(!page.replace("http://www.w3.org/2000/svg", "").contains(outside), "{outside}");
    }
    assert!(!page.contains("alert(1)</script>") && !page.contains("@DATA@") && !page.contains("@SCRIPT@"));
    let data_of_page = data(&page);
    assert_eq!(data_of_page["sides"][0]["name"], "</script><script>alert(1)</script>@STYLE@");
    let positions = data_of_page["positions"].as_array().unwrap();
    assert_eq!(positions.len(), 4);
    assert_eq!(positions[0]["played"]["move"], serde_json::json!(["9i9h", "▲９八玉", "K-9h"]));
    // The mate that was missed is the first line.
    assert_eq!(positions[0]["lines"][0]["moves"][0][0], "G*5b");
    assert_eq!(data_of_page["mates"], serde_json::json!([{"moves": 0, "plies": 1}]));

    // A second run adds to the list, and the same game again does not.
    for _ in 0..2 {
        analyze(&[&arguments[..], &[&name("game.csa")]].concat(), b"");
    }
    let list = data(&fs::read_to_string(folder.join("pages/index.html")).unwrap());
    let files: Vec<_> = list["games"].as_array().unwrap().iter().map(|row| row["file"].as_str().unwrap()).collect();
    assert_eq!(files, ["missed.html", "game.html"]);
    assert_eq!((&list["games"][1]["black"], &list["games"][1]["moves"]), (&"Kuro".into(), &4.into()));
}

#[test]
fn missed_mates_become_problems() {
    let folder = folder("analyze-drills");
    let path = folder.join("drills.sfen").to_string_lossy().into_owned();
    // A mate in 5 of the engine's own games (scripts/tactics/suite.sfen); a king move is played instead.
    let problem = "l5s1l/2+Rsk1gb1/p1p2pn2/3sp1ppp/P8/3B4P/1PG1PPP2/5KS2/LN+r2G1NL b Gn5p 67";
    let game = format!("sfen {problem} moves 4h3i\n");
    let output = analyze(&["--depth", "3", "--hash", "4", "--drills", &path], game.as_bytes());
    assert!(output.status.success(), "{output:?}");
    let text = fs::read_to_string(&path).unwrap();
    assert!(text.contains("# mate 5: G*6c (standard input, game 1, move 67, 4h3i was played)"), "{text}");
    let read = records(&analyze(&["--json", "--depth", "3", "--hash", "4", &path], b""));
    assert_eq!((read.len(), &read[0]["sfen"]), (1, &problem.into()));
}
