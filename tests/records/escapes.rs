//! What a terminal would obey, in names, file names and arguments, is shown instead.

use std::fs;
use std::process::Output;

use crate::cli::{folder, kurosabi, text};

/// Clears the screen, sets a colour by a C1 control, and turns the direction of writing.
const HOSTILE: &str = "\x1b[2J\u{9b}31m\u{202e}x";
const SHOWN: &str = "\\u{1b}[2J\\u{9b}31m\\u{202e}x";

fn is_obeyed(c: char) -> bool {
    c.is_control() && c != '\n' || c == '\u{202e}'
}

/// Both outputs, which must not hold what a terminal obeys, and must show it.
#[track_caller]
fn assert_shown(output: &Output) {
    let said = text(&output.stdout) + &text(&output.stderr);
    assert!(!said.contains(is_obeyed), "{said:?}");
    assert!(said.contains(SHOWN), "{said}");
}

#[test]
fn names_of_players_do_not_reach_the_terminal_as_escapes() {
    let kif = format!("手合割：平手\n先手：{HOSTILE}\n   1 ７六歩(77)\n   2 投了\n");
    let csa = format!("V2.2\nN+{HOSTILE}\nPI\n+\n+7776FU\n%TORYO\n");
    let jkf = serde_json::json!({"header": {"先手": HOSTILE}, "moves": [{}]}).to_string();
    for record in [kif.clone(), csa, jkf] {
        for arguments in
            [&["referee", "-"][..], &["analyze", "-", "--depth", "1"], &["analyze", "--lang", "ja", "--nodes", "9"]]
        {
            let output = kurosabi(arguments, &record);
            assert!(output.status.success(), "{output:?}");
            assert_shown(&output);
        }
    }
    let converted = kurosabi(&["convert", "-", "--to", "kif"], &kif);
    assert!(text(&converted.stdout).contains("先手：[2J 31m\u{202e}x\n"), "a file has blanks for control characters");
}

#[test]
fn what_cannot_be_read_is_not_obeyed_in_the_message() {
    let move_of = format!("手合割：平手\n   1 ７六歩(77)\n   2 {HOSTILE}\n");
    let line = format!("startpos moves 7g7f {HOSTILE}\n");
    for (arguments, input) in [
        (&["referee", "-"][..], &move_of),
        (&["convert", "-", "--to", "csa"], &move_of),
        (&["convert", "-", "--to", "csa", "--lang", "ja"], &move_of),
        (&["analyze", "-", "--depth", "1"], &line),
        (&["mate", "-"], &line),
        (&[HOSTILE], &line),
        (&["analyze", HOSTILE], &line),
        (&["analyze", "--depth", HOSTILE], &line),
        (&["analyze", "--lang", "ja", "--depth", HOSTILE], &line),
        (&["book", "show", HOSTILE], &line),
        (&["book", "show", "builtin", HOSTILE], &line),
        (&["perft", "1", "--sfen", HOSTILE], &line),
        (&[&format!("setoption name {HOSTILE} value 1")], &line),
        (&[&format!("setoption name BookFile value {HOSTILE}"), "isready"], &line),
        (
            &[&format!("setoption name EvalFile value {HOSTILE}"), "isready", &format!("position {HOSTILE}"), "quit"],
            &line,
        ),
    ] {
        assert_shown(&kurosabi(arguments, input));
    }
}

#[cfg(unix)]
#[test]
fn file_names_do_not_reach_the_terminal_as_escapes() {
    let folder = folder("escapes");
    let file = |name: &str, text: &str| {
        let path = folder.join(format!("{HOSTILE}{name}")).to_str().unwrap().to_owned();
        fs::write(&path, text).unwrap();
        path
    };
    let game = file(".kif", "手合割：平手\n   1 ７六歩(77)\n   2 ７六歩(77)\n");
    let problem = file(".sfen", "4k4/9/4P4/9/9/9/9/9/9 b G 1\nx\n");
    for arguments in [
        &["referee", &game][..],
        &["analyze", &game, "--depth", "1"],
        &["convert", &game, "--to", "usi"],
        &["mate", &problem, &game],
        &["book", "show", &game],
        &["book", "make", &game, "--output", &format!("{game}.db")],
    ] {
        assert_shown(&kurosabi(arguments, ""));
    }
    fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn pages_show_marks_of_direction() {
    let folder = folder("escaped-pages");
    let kif = format!("手合割：平手\n先手：{HOSTILE}\n   1 ７六歩(77)\n*{HOSTILE}\n   2 投了\n");
    let output = kurosabi(&["analyze", "-", "--depth", "1", "--html", folder.to_str().unwrap()], &kif);
    assert!(output.status.success(), "{output:?}");
    let pages = fs::read_dir(&folder).unwrap().filter_map(|entry| fs::read_to_string(entry.unwrap().path()).ok());
    let pages: Vec<String> = pages.collect();
    assert_eq!(pages.len(), 2);
    for page in pages {
        assert!(!page.contains(is_obeyed) && page.contains(r"u{1b}[2J"), "{page}");
    }
    fs::remove_dir_all(&folder).unwrap();
}
