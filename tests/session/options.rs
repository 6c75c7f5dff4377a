//! `usi` and `setoption`.

use std::collections::HashSet;
use std::time::{Duration, Instant};

use kurosabi::usi::message::{Id, OptionKind, UsiMessage};
use kurosabi::usi::parser::parse_strict;

use crate::client::{Client, only_info_string};

#[test]
fn the_engine_introduces_itself_at_once() {
    let start = Instant::now();
    let mut client = Client::start();
    client.send("usi");
    let lines = client.until("usiok");
    assert!(start.elapsed() < Duration::from_secs(5));
    assert!(lines.iter().all(|line| line.is_ascii()));
    assert!(lines[0].starts_with("id name Kurosabi ") && lines[1].starts_with("id author "));

    let mut names = HashSet::new();
    for message in parse_strict(&lines.join("\n")).unwrap() {
        match message {
            UsiMessage::Option(option) => {
                assert!(!option.name.contains(' ') && names.insert(option.name.clone()), "{option}");
                match option.kind {
                    OptionKind::Combo { default, vars } => {
                        assert!(vars.contains(&default.unwrap()) && vars.iter().all(|var| !var.contains(' ')));
                    }
                    OptionKind::Spin { default, min, max } => assert!(min <= default && default <= max),
                    _ => {}
                }
            }
            UsiMessage::Id(Id::Name(_) | Id::Author(_)) | UsiMessage::UsiOk => {}
            // What networks are evaluated with.
            UsiMessage::Info(_) => {}
            other => panic!("{other}"),
        }
    }
    let expected = [
        "USI_Hash",
        "USI_Ponder",
        "Threads",
        "MultiPV",
        "NetworkDelay",
        "NetworkDelay2",
        "MinimumThinkingTime",
        "SlowMover",
        "RoundUpToFullSecond",
        "EnteringKingRule",
        "MaxMovesToDraw",
        "DrawValueBlack",
        "DrawValueWhite",
        "ResignValue",
        "PvInterval",
        "DepthLimit",
        "NodesLimit",
        "GenerateAllLegalMoves",
        "ConsiderationMode",
        "OutputFailLHPV",
        "Stochastic_Ponder",
        "SkillLevel",
        "RootMateSearchNodesLimit",
    ];
    for name in expected {
        assert!(names.contains(name), "{name}");
    }
    client.finish();
}

#[test]
fn every_default_can_be_sent_back() {
    let mut client = Client::start();
    client.send("usi");
    for line in client.until("usiok").iter().filter(|line| line.starts_with("option ")) {
        let words: Vec<&str> = line.split(' ').collect();
        client.send(&format!("setoption name {} value {}", words[2], words[6]));
    }
    assert_eq!(client.sync(), [""; 0]);
    client.finish();
}

#[test]
fn a_bad_option_is_named_and_nothing_changes() {
    let mut client = Client::ready();
    client.send("setoption name NetworkDelay value 0");
    for (setting, word) in [
        ("name NoSuchOption value 3", "NoSuchOption"),
        ("name Skill Level value 3", "Skill Level"),
        ("name Threads value many", "many"),
        ("name Threads value", "Threads"),
        ("name Threads", "Threads"),
        ("name USI_Ponder value yes", "yes"),
        ("name EnteringKingRule value CSARule28", "CSARule28"),
        ("name SlowMover value 100000", "1000"),
        ("name MultiPV value -3", "-3"),
        ("Threads value 2", "Threads value 2"),
        ("", "setoption"),
    ] {
        client.send(&format!("setoption {setting}"));
        let lines = client.sync();
        assert!(only_info_string(&lines).contains(word), "{setting}: {lines:#?}");
        assert_eq!(lines.len(), 1);
    }
    client.finish();
}

#[test]
fn names_are_read_in_any_case_and_by_alias() {
    let mut client = Client::ready();
    for setting in ["usi_hash value 8", "Hash value 16", "HASH value 4", "threads value 2", "USI_MultiPV value 2"] {
        client.send(&format!("setoption name {setting}"));
    }
    assert_eq!(client.sync(), [""; 0]);
    let lines = client.go("startpos", "go depth 4");
    assert!(lines[lines.len() - 3].contains(" multipv 2 "), "{lines:#?}");
    client.finish();
}

#[test]
fn limits_set_as_options_hold_for_every_search() {
    let mut client = Client::ready();
    client.send("setoption name DepthLimit value 3");
    let lines = client.go("startpos", "go");
    assert!(lines[lines.len() - 2].starts_with("info depth 3 "), "{lines:#?}");
    let lines = client.go("startpos", "go depth 2");
    assert!(lines[lines.len() - 2].starts_with("info depth 2 "), "{lines:#?}");
    client.send("setoption name DepthLimit value 0\nsetoption name NodesLimit value 5000");
    let lines = client.go("startpos", "go btime 600000 wtime 600000");
    let nodes = lines[lines.len() - 2].split_once(" nodes ").unwrap().1.split(' ').next().unwrap().to_owned();
    assert!((1..10_000).contains(&nodes.parse::<u64>().unwrap()), "{lines:#?}");
    client.finish();
}

#[test]
fn the_log_holds_both_directions() {
    let path = std::env::temp_dir().join(format!("kurosabi-session-test-{}.log", std::process::id()));
    let mut client = Client::ready();
    client.send(&format!("setoption name DebugLogFile value {}", path.display()));
    client.sync();
    client.send("go depth 1");
    client.until("bestmove");
    client.send("setoption name DebugLogFile value <empty>");
    client.sync();
    client.send("d");
    client.value("Declaration");
    client.send("setoption name DebugLogFile value /no/such/directory/log");
    assert!(only_info_string(&client.sync()).contains("/no/such/directory/log"));
    client.finish();
    let log = std::fs::read_to_string(&path).unwrap();
    std::fs::remove_file(&path).unwrap();
    for entry in ["< readyok\n", "> go depth 1\n", "< bestmove "] {
        assert!(log.contains(entry), "{entry:?} in {log}");
    }
    assert!(!log.contains("Declaration"));
}

#[test]
fn a_network_that_cannot_be_used_is_named_and_play_goes_on() {
    let folder = env!("CARGO_MANIFEST_DIR");
    for (file, word) in [("no/such/file.bin", "(os error "), (folder, "nn.bin"), ("Cargo.toml", "not a network file")] {
        let mut client = Client::start();
        client.send(&format!("setoption name EvalFile value {file}"));
        client.send("isready");
        let lines = client.until("readyok");
        let [said, _] = &lines[..] else { panic!("{lines:?}") };
        assert!(said.starts_with(&format!("info string EvalFile \"{file}")) && said.contains(word), "{said}");
        assert!(said.matches(file).count() == 1 && said.matches("\": ").count() == 1, "{said}");
        // Said once, and tried again only when the engine is next made ready.
        assert!(client.go("position startpos", "go depth 2").iter().all(|line| !line.contains("EvalFile")));
        client.finish();
    }
}

#[test]
fn what_is_cut_is_said() {
    let mut client = Client::ready();
    for (go, said) in [
        ("go depth 999 nodes 1", "go depth 999 is out of range: 240 is used"),
        ("go depth 0", "go depth 0 is out of range: 1 is used"),
        ("go nodes 0", "go nodes 0 is out of range: 1 is used"),
        ("bench 0", "bench 0 is out of range: 1 is used"),
        ("go depth 1 searchmoves 1a1b 7g7f", "illegal search move \"1a1b\" is ignored"),
    ] {
        client.send(go);
        let lines = client.until_that("an end", |line| line.starts_with("bestmove") || line.ends_with(" nps"));
        assert!(only_info_string(&lines).contains(said), "{go}: {lines:?}");
    }
    client.send("setoption name NetworkDelay2 value 3000\ngo btime 0 wtime 0 byoyomi 1000");
    assert!(only_info_string(&client.until("bestmove")).contains("NetworkDelay2 3000"));
    client.finish();
}

#[cfg(target_os = "linux")]
#[test]
fn a_log_that_cannot_be_written_on_is_given_up_with_a_word() {
    let mut client = Client::ready();
    client.send("setoption name DebugLogFile value /dev/full\nisready");
    client.until("info string DebugLogFile \"/dev/full\": ");
    client.send("usi");
    client.until("usiok");
    assert!(client.finish().iter().all(|line| !line.contains("DebugLogFile")));
}
