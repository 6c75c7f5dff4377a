//! The binary's subcommands and arguments.

use std::process::{Command, Output};

use kurosabi::eval::nnue::InstructionSet;

use crate::client::{Client, best_moves, program};

fn kurosabi(args: &[&str]) -> Output {
    Command::new(program()).args(args).env_remove("RUST_LOG").output().unwrap()
}

fn lines(args: &[&str]) -> Vec<String> {
    let output = kurosabi(args);
    assert!(output.status.success() && output.stderr.is_empty(), "{args:?}: {output:?}");
    String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect()
}

#[test]
fn arguments_are_commands() {
    let lines = Client::with_args(&["position startpos moves 7g7f", "d", "go depth 5", "quit", "go depth 5"]).finish();
    assert!(lines.iter().any(|line| line.starts_with("Sfen: ") && line.ends_with("w - 2")));
    assert!(lines.iter().any(|line| line.starts_with("info depth 5 ")));
    assert_eq!(best_moves(&lines).len(), 1);
    assert_eq!(Client::with_args(&["go infinite"]).finish().iter().filter(|l| l.starts_with("bestmove")).count(), 1);
}

#[test]
fn bench_is_the_same_each_time() {
    let nodes = |lines: Vec<String>| lines.last().unwrap().split(' ').next().unwrap().to_owned();
    let first = lines(&["bench", "--depth", "3"]);
    assert!(first.last().unwrap().ends_with(" nps"));
    assert_eq!(nodes(first), nodes(lines(&["bench", "--depth", "3"])));
    assert_eq!(nodes(lines(&["bench 3", "quit"])), nodes(lines(&["bench", "--depth", "3", "--hash", "64"])));
    assert!(!lines(&["bench", "--depth", "2", "--threads", "2"]).is_empty());
}

/// What is searched does not depend on the instructions that networks are evaluated with.
#[test]
fn every_instruction_set_searches_the_same() {
    let run = |set: &str, args: &[&str]| Command::new(program()).args(args).env("KUROSABI_SIMD", set).output().unwrap();
    let text = |output: Output| String::from_utf8(output.stdout).unwrap();
    let nodes = |text: String| text.lines().last().unwrap().split(' ').next().unwrap().to_owned();
    let expected = nodes(text(run("", &["bench", "--depth", "3"])));
    for set in InstructionSet::available() {
        assert_eq!(nodes(text(run(set.name(), &["bench", "--depth", "3"]))), expected, "{set}");
        let version = text(run(&set.name().to_uppercase(), &["--version"]));
        assert!(version.starts_with("kurosabi ") && version.ends_with(&format!("({set})\n")), "{version}");
        let greeting = text(run(set.name(), &["usi"]));
        let reported = greeting.lines().filter(|line| line.starts_with("info string ")).collect::<Vec<_>>();
        assert!(matches!(reported[..], [line] if line.contains(&set.to_string())), "{greeting}");
    }
    let refused = run("mmx", &["bench"]);
    assert_eq!(refused.status.code(), Some(2));
    let error = String::from_utf8(refused.stderr).unwrap();
    assert!(error.contains("KUROSABI_SIMD") && error.contains("\"mmx\"") && error.contains("scalar"), "{error}");
}

#[test]
fn perft_counts() {
    assert_eq!(lines(&["perft", "4"]).last().unwrap(), "Nodes searched: 719731");
    assert_eq!(lines(&["perft", "4", "--threads", "1"]).last().unwrap(), "Nodes searched: 719731");
    let divided = lines(&["perft", "1", "--divide", "--sfen", "3lkl3/9/4G4/9/9/9/9/9/4K4 b P 1"]);
    assert_eq!(divided.iter().filter(|line| line.ends_with(": 1")).count(), 76);
    assert_eq!(divided.last().unwrap(), "Nodes searched: 76");
}

#[test]
fn mistakes_are_explained() {
    for (args, word) in [
        (&["perft"][..], "DEPTH"),
        (&["perft", "x"], "x"),
        (&["perft", "2", "--sfen", "nonsense"], "nonsense"),
        (&["bench", "--depth", "0"], "0"),
        (&["bench", "--dpeth", "3"], "--dpeth"),
        (&["prft", "3"], "prft"),
        (&["perft", "3", "--threads", "513"], "from 0 to 512"),
        (&["datagen", "play", "x.games", "--threads", "100000"], "from 0 to 512"),
        #[cfg(feature = "train")]
        (&["train", "x.games", "--out", "x.kuro", "--threads", "513"], "from 0 to 512"),
        (&["go", "depth", "3"], "depth"),
        #[cfg(not(feature = "train"))]
        (&["train", "some.games", "--out", "some.kuro"], "cargo build --release --features train"),
        #[cfg(not(feature = "tuning"))]
        (&["parameters"], "cargo build --release --features tuning"),
        (&["go dpeth 3"], "dpeth"),
        (&["d", "why foo"], "\"foo\" in \"why foo\""),
        (&["position startpos move 7g7f", "d"], "move 7g7f"),
    ] {
        let output = kurosabi(args);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        let text = String::from_utf8(output.stderr).unwrap();
        assert!(text.starts_with("error:") && text.contains(word) && output.stdout.is_empty(), "{args:?}: {text}");
    }
    assert!(kurosabi(&["--help"]).status.success());
    assert!(lines(&["--version"])[0].starts_with("kurosabi "));
}

#[test]
fn commands_behind_one_that_cannot_be_done_are_left_out() {
    let file = |option: &str| format!("setoption name {option} value no/such/file");
    let (network, book) = (file("EvalFile"), file("BookFile"));
    // Kings in each other's reach: the position is refused.
    let kings = "position sfen 4k4/4K4/9/9/9/9/9/9/9 b - 1";
    for (commands, word) in [
        (["position sfen nonsense", "go depth 1"], "nonsense"),
        ([kings, "d"], "4k4/4K4"),
        (["position startpos moves 7g7f 7g7f", "d"], "number 2"),
        (["setoption name USI_Hush value 3", "go depth 1"], "USI_Hush"),
        (["setoption name USI_Hash value much", "d"], "much"),
        ([&network, "go depth 1"], "no/such/file"),
        ([&network, "eval"], "no/such/file"),
        ([&network, "isready"], "no/such/file"),
        ([&book, "go depth 1"], "no/such/file"),
        (["go depth 1 searchmoves 7g7f 1a1b", "d"], "illegal search move \"1a1b\""),
    ] {
        let output = kurosabi(&commands);
        assert_eq!(output.status.code(), Some(1), "{commands:?}");
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(error.starts_with("error: ") && error.contains(word) && error.lines().count() == 1, "{error}");
        assert!(output.stdout.is_empty(), "{commands:?}");
    }
    let output = kurosabi(&["d", "position sfen nonsense", "d"]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(String::from_utf8(output.stdout).unwrap().matches("Sfen: ").count(), 1);
    // What is used as far as it goes is a notice.
    let output = lines(&["setoption name Threads value 100000", "d"]);
    assert!(output[0].starts_with("info string option Threads: 100000 is out of range"), "{output:?}");
}

#[cfg(target_os = "linux")]
#[test]
fn what_cannot_be_written_is_a_failure() {
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let output = Command::new(program()).arg("d").stdout(full).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8(output.stderr).unwrap().starts_with("error: cannot write"));
}

#[test]
fn shells_and_man_are_told_of_every_subcommand() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = lines(&["completions", shell]).join("\n");
        assert!(script.contains("analyze") && script.contains("move-by-move"), "{shell}: {script}");
    }
    let folder = std::env::temp_dir().join(format!("kurosabi man {}", std::process::id()));
    assert_eq!(lines(&["man", folder.to_str().unwrap()]), [""; 0]);
    for page in ["kurosabi.1", "kurosabi-analyze.1", "kurosabi-mate.1"] {
        assert!(std::fs::read_to_string(folder.join(page)).unwrap().starts_with(".ie "), "{page}");
    }
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn mistakes_are_explained_in_japanese_to_its_readers() {
    for (args, words) in [
        (&["perft"][..], "必要な引数がありません: <DEPTH>"),
        (&["perft", "x"], "<DEPTH> に「x」は指定できません: 整数を指定してください"),
        (&["bench", "--depth", "0"], "1から240までを指定してください"),
        (&["bench", "--dpeth", "3"], "もしかして: --depth"),
        (&["prft", "3"], "「prft」というサブコマンドもUSIコマンドもありません"),
        (&["perft", "2", "--sfen", "nonsense"], "手番がありません"),
        (&["book", "shwo"], "もしかして: show"),
        (&["mate", "--check", "--defend"], "同時に指定できません"),
        (&["convert", "no/such.kif", "--to", "csa"], "ファイルが見つかりません"),
        (&["book", "show", "no/such.db"], "no/such.db: ファイルまたはフォルダが見つかりません"),
        (&["convert", "no/such.kif", "--to", "x"], "[指定できる値: sfen, usi, kif, ki2, csa, jkf]"),
        (&["analyze", "--notation", "x"], "[指定できる値: usi, japanese, western, numeric, kif]"),
        (&["datagen", "play", "x", "--nodes", "0"], "1以上を指定してください"),
        (&["setoption name Foo value 1"], "「Foo」というオプションはありません"),
    ] {
        let output = std::process::Command::new(env!("CARGO_BIN_EXE_kurosabi"))
            .args(args)
            .env("LC_ALL", "ja_JP.UTF-8")
            .output()
            .unwrap();
        let text = String::from_utf8(output.stderr).unwrap();
        assert!(!output.status.success() && text.contains("エラー: ") && text.contains(words), "{args:?}: {text}");
        assert!(!text.contains("error") && !text.contains("Usage"), "{args:?}: {text}");
    }
}
