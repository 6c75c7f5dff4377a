//! The report on a terminal.

use std::fs::File;
use std::io::Read;
use std::process::{Command, Stdio};

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};

use crate::scratch_file;

/// What is shown of this input on a terminal with this many columns, with the progress if there is a limit of time.
fn shown(arguments: &[&str], input: &str, columns: u16, language: &str) -> String {
    let file = scratch_file(&format!("on-a-terminal-{columns}-{language}-{}", arguments[0]));
    std::fs::write(&file, input).unwrap();
    let terminal = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&terminal).and_then(|()| unlockpt(&terminal)).unwrap();
    tcsetwinsize(&terminal, Winsize { ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 }).unwrap();
    let name = ptsname(&terminal, Vec::new()).unwrap().into_string().unwrap();
    let other_side = || File::options().read(true).write(true).open(&name).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_kurosabi"));
    command.arg("analyze").arg(&file).args(arguments).env("LC_ALL", language).env("TERM", "xterm");
    let errors = if arguments[0] == "--movetime" { other_side().into() } else { Stdio::null() };
    let mut child = command.stdin(other_side()).stdout(other_side()).stderr(errors).spawn().unwrap();
    drop(command);
    let (mut terminal, mut said, mut buffer) = (File::from(terminal), Vec::new(), [0; 4096]);
    // When nobody has the other side open any more, reading fails.
    while let Ok(count @ 1..) = terminal.read(&mut buffer) {
        said.extend_from_slice(&buffer[..count]);
    }
    assert!(child.wait().unwrap().success());
    std::fs::remove_file(&file).unwrap();
    String::from_utf8(said).unwrap()
}

#[test]
fn lines_of_play_are_wrapped_and_not_cut_to_two_moves() {
    for (language, separator) in [("C", " "), ("ja_JP.UTF-8", "手")] {
        for columns in [60, 80, 99] {
            let said = shown(&["--nodes", "20000"], "startpos moves 7g7f 3c3d\n", columns, language);
            let (_, rows) = said.rsplit_once(if language == "C" { "Line of play" } else { "読み筋" }).unwrap();
            let rows: Vec<&str> = rows.lines().map(str::trim_end).filter(|row| !row.is_empty()).collect();
            let is_narrow =
                |row: &&str| row.chars().map(|c| if c.is_ascii() { 1 } else { 2 }).sum::<usize>() > columns.into();
            assert_eq!(rows.iter().find(|row| is_narrow(row)), None, "{columns}");
            let moves = match separator {
                " " => rows
                    .iter()
                    .flat_map(|row| row.split_whitespace())
                    .filter(|word| word.parse::<kurosabi::types::Move>().is_ok())
                    .count(),
                _ => rows.concat().matches(['▲', '△']).count(),
            };
            assert!(moves >= 8, "{moves}: {rows:#?}");
        }
    }
}

#[test]
fn a_long_search_shows_its_best_line_so_far() {
    let said = shown(&["--movetime", "1200"], "startpos\n", 80, "C");
    let (before, _) = said.split_once("Line of play").unwrap();
    let lines = before.matches("move 1: depth ").count();
    assert!(lines >= 3 && before.contains(": 2g2f ") || before.contains(": 7g7f "), "{before}");
    let said = shown(&["--movetime", "1200"], "startpos\n", 80, "ja_JP.UTF-8");
    assert!(said.contains("1手目: 深さ"), "{said}");
}
