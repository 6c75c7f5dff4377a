//! What somebody meets who starts the engine by hand, or looks for what went wrong.

use std::process::{Command, Stdio};

use crate::client::{Client, only_info_string, program};

/// What the engine says, on standard output, when it is run with this input on a terminal, in this language.
#[cfg(unix)]
fn said_on_a_terminal(input: &str, language: &str) -> String {
    use std::fs::File;
    use std::io::{Read, Write};

    use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};

    let terminal = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&terminal).and_then(|()| unlockpt(&terminal)).unwrap();
    let name = ptsname(&terminal, Vec::new()).unwrap().into_string().unwrap();
    let other_side = || File::options().read(true).write(true).open(&name).unwrap();
    let mut child = Command::new(program())
        .env("LC_ALL", language)
        .stdin(other_side())
        .stdout(other_side())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut terminal = File::from(terminal);
    terminal.write_all(input.as_bytes()).unwrap();
    // What is written to a terminal stays until it is read: after the end there is nothing more to come.
    assert!(child.wait().unwrap().success());
    let mut said = Vec::new();
    let mut buffer = [0; 4096];
    while let Ok(count @ 1..) = terminal.read(&mut buffer) {
        said.extend_from_slice(&buffer[..count]);
    }
    String::from_utf8(said).unwrap()
}

#[cfg(unix)]
#[test]
fn a_terminal_is_greeted_and_nobody_else() {
    let said = said_on_a_terminal("quit\n", "C");
    assert!(said.contains("USI shogi engine") && said.contains("help"), "{said}");
    // Whoever double-clicks it on Windows reads Japanese, most likely.
    assert!(said.contains("将棋ソフトに登録"), "{said}");
    assert!(said.contains("kurosabi game.kif") && said.contains("アイコンにドロップ"), "{said}");
    let mut client = Client::start();
    client.send("quit");
    assert_eq!(client.finish(), [""; 0]);
}

#[cfg(unix)]
#[test]
fn a_reader_of_japanese_at_a_terminal_is_answered_in_japanese() {
    let commands = "d\nwhy 1a1b\nwhy x\neval\nhelp\nsetoption name Threads value x\nposition startpos moves 7g7e\n\
                    position startpos moves 2h3h 8b7b 3h2h 7b8b 2h3h 8b7b 3h2h 7b8b\ngo perft 1\n\
                    setoption name USI_OwnBook value false\ngo depth 0 searchmoves 1a1b 7g7f\nbench 1\n\
                    setoption name NetworkDelay2 value 3000\nposition startpos\ngo byoyomi 1000\n\x04";
    let said = said_on_a_terminal(commands, "ja_JP.UTF-8");
    for words in [
        "将棋の思考エンジンです",
        "アイコンにドロップすることもできます",
        "go depth 0は範囲外のため、1を使用します",
        "searchmovesの「1a1b」は反則のため、無視します",
        "NetworkDelay2が3000では、1000ミリ秒のうちに考える時間が残らないため",
        "ノード  深さ 1  評価値",
        "|v香v桂v銀v金v玉v金v銀v桂v香|一",
        "先手番",
        "王手をかけている駒: なし",
        "先手 CSARule27: 0点（28点必要）、0枚（10枚必要）: 玉が敵陣にいません、10枚足りません、28点足りません",
        "1a1b は反則です: １一の香は相手の駒です",
        "「x」はUSI形式の指し手（7g7f、8h2b+、P*5eなど）ではありません",
        "評価値: ",
        "終了します",
        "オプションThreadsに「x」は設定できません",
        "1手目の 7g7e は反則です: ",
        "千日手模様: この局面は三回目",
    ] {
        assert!(said.contains(words), "{words}: {said}");
    }
    // A program is spoken to in English.
    let output = Command::new(program()).env("LC_ALL", "ja_JP.UTF-8").arg("d").output().unwrap();
    assert!(String::from_utf8(output.stdout).unwrap().contains("\nRepetition: none\n"));
    let output = Command::new(program()).env("LC_ALL", "ja_JP.UTF-8").arg("position startpos moves 7g7e").output();
    let said = String::from_utf8(output.unwrap().stderr).unwrap();
    assert!(said.starts_with("エラー: 1手目の 7g7e は反則です: "), "{said}");
}

#[cfg(unix)]
#[test]
fn somebody_who_mistypes_on_a_terminal_learns_what_was_meant() {
    let said =
        said_on_a_terminal("positon startpos moves 7g7f\nhello\n\nsfen 4k4/9/9/9/9/9/9/9/4K4 b - 1\nexit\nquit\n", "C");
    for hint in [
        "\"positon startpos moves 7g7f\" is no command, did you mean \"position startpos moves 7g7f\"?",
        "\"hello\" is no command; type help",
        "did you mean \"position sfen 4k4/9/9/9/9/9/9/9/4K4 b - 1\"?",
        "did you mean \"quit\"?",
    ] {
        assert_eq!(said.matches(hint).count(), 1, "{hint}: {said}");
    }
    assert_eq!(said.matches("is no command").count(), 4, "{said}");
    let mut client = Client::ready();
    client.send("positon startpos\nhello\nexit");
    assert_eq!(client.sync(), [""; 0]);
    client.finish();
}

#[test]
fn help_names_what_can_be_typed_and_each_of_it_works() {
    let mut client = Client::ready();
    client.send("help");
    let lines = client.until("In a shell");
    for command in ["position ", "d ", "go ", "stop ", "eval ", "usi ", "setoption ", "isready ", "quit "] {
        assert!(lines.iter().any(|line| line.trim_start().starts_with(command)), "{command}: {lines:#?}");
    }
    // During a search as well.
    client.send("go infinite\nhelp");
    client.until("In a shell");
    client.send("stop");
    client.until("bestmove");
    client.send("setoption name MultiPV value 3\ngo perft 2");
    assert_eq!(client.until("Nodes searched").last().unwrap(), "Nodes searched: 900");
    client.finish();
}

#[cfg(unix)]
#[test]
fn help_fits_into_80_columns() {
    for language in ["en_GB.UTF-8", "ja_JP.UTF-8"] {
        let said = said_on_a_terminal("help\nquit\n", language);
        let help = said.split_once("setoption").unwrap().1;
        assert_eq!(help.lines().find(|line| console::measure_text_width(line) > 80), None);
    }
}

#[test]
fn paths_are_asked_for_and_shown_as_they_are() {
    let mut client = Client::start();
    client.send("usi");
    let lines = client.until("usiok");
    for name in ["EvalFile", "DebugLogFile"] {
        assert!(lines.contains(&format!("option name {name} type filename default <empty>")), "{lines:#?}");
    }
    for path in ["/無い/評価関数/nn.bin", r"C:\将棋\評価 関数\nn.bin"] {
        client.send(&format!("setoption name EvalFile value {path}"));
        let lines = client.sync();
        assert_eq!(only_info_string(&lines).matches(path).count(), 1, "{lines:?}");
        client.send("setoption name EvalFile value <empty>");
        assert_eq!(client.sync(), [""; 0]);
    }
    client.send("setoption name DebugLogFile value /無い/記録.txt");
    assert!(only_info_string(&client.sync()).contains("/無い/記録.txt"));
    client.send("setoption name 評価 value 定跡.db");
    assert!(only_info_string(&client.sync()).contains("\"評価\""));
    client.finish();
}

#[test]
fn the_log_tells_what_is_used_and_decided() {
    let commands = ["setoption name USI_Hash value 3", "position startpos", "go btime 9000 wtime 9000 depth 5"];
    let output = Command::new(program()).args(commands).env("RUST_LOG", "info").output().unwrap();
    let log = String::from_utf8(output.stderr).unwrap();
    for words in [
        "option USI_Hash: 3",
        "transposition table of 3 MiB",
        "network: ",
        "search of lnsgkgsnl/",
        "maximum: ",
        "depth: Some(5)",
        "Play ",
    ] {
        assert!(log.contains(words), "{words}: {log}");
    }
    let said = String::from_utf8(output.stdout).unwrap();
    let best = said.lines().last().unwrap().split(' ').nth(1).unwrap();
    assert!(log.contains(&format!("Play {{ best: {best}")), "{log}");
}
