//! `kurosabi mate`.

use std::fs;
use std::io::{Cursor, Write};
use std::process::{Command, Output, Stdio};

use kurosabi::records::{Ending, NodeId, Records};
use serde_json::Value;

const MATE_IN_THREE: &str = "l5sn1/6kbl/4ppp1p/p3Ng1p1/2p4NP/Prs1P1PP1/1P3PS1L/1K2+n4/L5G2 w RBGS2Pg2p 138";

fn kurosabi_mate(arguments: &[&str], input: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kurosabi"));
    command
        .env("LC_ALL", "C")
        .arg("mate")
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut process = command.spawn().unwrap();
    process.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    process.wait_with_output().unwrap()
}

fn objects(output: &Output) -> Vec<Value> {
    String::from_utf8(output.stdout.clone()).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn results_come_in_the_order_of_the_input() {
    let input = format!("# mates\n{MATE_IN_THREE}\nstartpos\nsfen 4k4/9/4P4/9/9/9/9/9/9 b G 1\nnonsense\n");
    let output = kurosabi_mate(&["--json"], &input);
    assert!(!output.status.success(), "one line is no position");
    let objects = objects(&output);
    let results: Vec<_> = objects.iter().map(|object| object["result"].as_str().unwrap_or("error")).collect();
    assert_eq!(results, ["mate", "nomate", "mate", "error"]);
    assert_eq!((&objects[0]["plies"], &objects[2]["plies"]), (&3.into(), &1.into()));
    assert_eq!(objects[0]["moves"].as_array().unwrap().len(), 3);
    let text = String::from_utf8(kurosabi_mate(&[], MATE_IN_THREE).stdout).unwrap();
    assert!(text.contains("mate in 3"), "{text}");
}

#[test]
fn a_file_that_cannot_be_read_does_not_keep_the_others_from_being_solved() {
    let folder = std::env::temp_dir().join(format!("kurosabi-mate-unread-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let path = |name: &str| folder.join(name).to_string_lossy().into_owned();
    fs::write(path("a.sfen"), format!("{MATE_IN_THREE}\n").repeat(4)).unwrap();
    fs::write(path("c.kif"), b"\xff\xff\xff\n").unwrap();
    fs::write(path("d.sfen"), format!("{MATE_IN_THREE}\n")).unwrap();
    let files = ["a.sfen", "b.sfen", "c.kif", "d.sfen"].map(path);
    let files: Vec<&str> = files.iter().map(String::as_str).collect();
    let output = kurosabi_mate(&[&["--json"], &files[..]].concat(), "");
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success() && error == "error: 2 of 7 problems could not be read or solved\n", "{error}");
    let objects = objects(&output);
    let results: Vec<_> = objects.iter().map(|object| object["result"].as_str().unwrap_or("none")).collect();
    assert_eq!(results, ["mate", "mate", "mate", "mate", "none", "none", "mate"]);
    for (at, number) in [(4, 5), (5, 6)] {
        let name = files[at - 3];
        assert_eq!((&objects[at]["problem"], &objects[at]["number"]), (&name.into(), &number.into()));
    }
    assert!(objects[5]["error"].as_str().unwrap().contains("no game record"), "{objects:?}");
    assert!(objects[4]["error"].as_str().unwrap().starts_with("no such file"), "{objects:?}");
    // The table names each file once.
    let table = String::from_utf8(kurosabi_mate(&files, "").stdout).unwrap();
    let headings: Vec<_> = table.lines().filter(|line| !line.starts_with(' ')).collect();
    assert_eq!(headings, files);
    assert!(table.lines().any(|line| line.starts_with("    6  error: ")), "{table}");
    let alone = String::from_utf8(kurosabi_mate(&[files[1]], "").stdout).unwrap();
    assert!(alone.starts_with(&format!("    1  {}: error: no such file", files[1])), "{alone}");
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn folders_and_patterns_are_read() {
    let folder = std::env::temp_dir().join(format!("kurosabi-mate-folder-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let path = |name: &str| folder.join(name).to_string_lossy().into_owned();
    fs::write(path("a.sfen"), format!("# none\n{MATE_IN_THREE}\n\n9/9/9/9/9/9/9/9/4K4 b G 1\nsfen 9/x\n")).unwrap();
    fs::write(path("b.sfen"), b"# \x93\xfa\x96\x7b\nhandicap:\x93\xf1\x96\x87\x97\x8e\x82\xbf\n").unwrap();
    for input in [folder.to_str().unwrap(), &path("*.sfen")] {
        let problems = objects(&kurosabi_mate(&["--json", "--nodes", "100000", input], ""));
        let names: Vec<_> = problems.iter().map(|problem| problem["problem"].as_str().unwrap()).collect();
        let name = |file: &str, number: u32| format!("{}, problem {number}", path(file));
        assert_eq!(names, [name("a.sfen", 1), name("a.sfen", 2), name("a.sfen", 3), name("b.sfen", 1)]);
        assert_eq!(problems[0]["result"], "mate");
        let error = |at: usize| problems[at]["error"].as_str().unwrap();
        assert!(error(1).starts_with("line 4: ") && error(2).starts_with("line 5: "), "{problems:?}");
        assert!(problems[3].get("error").is_none(), "{problems:?}");
    }
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn problems_to_be_made_have_a_length_and_games() {
    for (arguments, expected) in [
        (&["--make", "4", "tests/data/version2.games"][..], "a mate has an odd number of plies"),
        (&["--make", "101", "tests/data/version2.games"], "from 1 to 99"),
        (&["--make", "3"], "--make needs files of games"),
    ] {
        let output = kurosabi_mate(arguments, "");
        assert!(!output.status.success() && String::from_utf8_lossy(&output.stderr).contains(expected), "{output:?}");
    }
}

#[test]
fn problems_are_examined() {
    // Either of two squares does for the gold, and a pawn is left over.
    let output = kurosabi_mate(&["--json", "--check"], "4k4/9/4P4/9/9/9/9/9/9 b GP 1\n");
    let soundness = &objects(&output)[0]["soundness"];
    assert_eq!(soundness["sound"], false);
    assert_eq!((&soundness["left_over"], &soundness["unanswered"]), (&"P".into(), &0.into()));
    assert_eq!(soundness["first_moves"][0]["move"], "G*5b");
    assert_eq!(soundness["unneeded"], serde_json::json!(["P*"]));
}

#[test]
fn the_command_names_the_defenders_escape() {
    let input = "4k4/4G4/4P4/9/9/9/9/9/9 w - 1\n4k4/4G4/9/9/9/9/9/9/9 w - 1\n";
    let objects = objects(&kurosabi_mate(&["--json", "--defend"], input));
    assert_eq!((&objects[0]["result"], &objects[0]["plies"]), (&"mate".into(), &0.into()));
    assert_eq!((&objects[1]["result"], &objects[1]["escape"]), (&"nomate".into(), &"5a5b".into()));
}

#[test]
fn a_run_that_was_broken_off_is_resumed() {
    let path = std::env::temp_dir().join(format!("kurosabi-mate-{}.jsonl", std::process::id()));
    let file = path.to_str().unwrap();
    let input = format!("{MATE_IN_THREE}\nstartpos\n4k4/9/4P4/9/9/9/9/9/9 b G 1\n");
    assert!(kurosabi_mate(&["--json", "--output", file], &input).status.success());
    let whole = fs::read_to_string(&path).unwrap();
    let second = whole.match_indices('\n').nth(1).unwrap().0 + 1;
    fs::write(&path, &whole[..second + 5]).unwrap();
    assert!(kurosabi_mate(&["--json", "--resume", "--output", file], &input).status.success());
    let numbers = |text: &str| -> Vec<Value> {
        text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()["number"].clone()).collect()
    };
    assert_eq!(numbers(&fs::read_to_string(&path).unwrap()), numbers(&whole));
    fs::remove_file(path).unwrap();
}

/// Its repetitions count: whether a move mates may depend on them.
#[test]
fn a_problem_with_another_game_before_it_is_another_one() {
    let folder = std::env::temp_dir().join(format!("kurosabi-mate-history-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let path = |name: &str| folder.join(name).to_string_lossy().into_owned();
    let (input, output) = (path("in.usi"), path("out.jsonl"));
    let solve = |line: &str| {
        fs::write(&input, format!("{line}\n")).unwrap();
        let arguments = ["--json", "--resume", "--nodes", "100", "--output", &output, &input];
        assert!(kurosabi_mate(&arguments, "").status.success());
        fs::read_to_string(&output).unwrap().lines().count()
    };
    let line = "startpos moves 2h3h 8b7b 3h2h 7b8b";
    let sfen = "sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 5";
    assert_eq!([line, sfen, sfen, line].map(solve), [2, 3, 3, 3]);
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn problems_are_resumed_by_what_they_are() {
    let folder = std::env::temp_dir().join(format!("kurosabi-mate-items-{}", std::process::id()));
    fs::create_dir_all(folder.join("in")).unwrap();
    let path = |name: &str| folder.join(name).to_string_lossy().into_owned();
    fs::write(path("in/b.sfen"), format!("{MATE_IN_THREE}\nnonsense\n9/9/9/9/9/9/9/9/4K4 b - 1\n")).unwrap();
    let (inputs, out, kif) = (path("in"), path("out.jsonl"), path("kif"));
    let solve = |more: &[&str]| {
        let arguments = ["--json", "--resume", "--output", &out, "--kif", &kif, &inputs];
        let output = kurosabi_mate(&[&arguments[..], more].concat(), "");
        (output.status.success(), String::from_utf8(output.stderr).unwrap())
    };
    let (ok, error) = solve(&[]);
    assert!(!ok && error == "error: 2 of 3 problems could not be read or solved\n", "{error}");
    // A problem that comes before the others is solved too, and the others are not forgotten.
    fs::write(path("in/a.sfen"), "4k4/9/4P4/9/9/9/9/9/9 b G 1\n").unwrap();
    let (ok, error) = solve(&[]);
    assert!(!ok && error == "error: 2 of 4 problems could not be read or solved\n", "{error}");
    let text = fs::read_to_string(&out).unwrap();
    let found: Vec<Value> = text.lines().skip(1).map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(found.iter().map(|object| object["number"].as_u64().unwrap()).eq(1..=4), "{text}");
    assert!(found[3]["problem"].as_str().unwrap().contains("a.sfen") && found[3]["plies"] == 1);
    let solution = |number: usize| {
        let bytes = fs::read(folder.join(format!("kif/{number:05}.kif"))).unwrap();
        let record = Records::open(Cursor::new(bytes)).unwrap().next().unwrap().unwrap();
        record.node(NodeId::ROOT).comments.concat()
    };
    assert!(solution(1).contains("3手詰") && solution(4).contains("1手詰"));
    // Nothing is left to do, and nothing is done with other settings.
    assert_eq!(solve(&[]), (false, error));
    let (ok, error) = solve(&["--nodes", "10"]);
    assert!(!ok && error.contains("other settings (nodes was null, is now 10)"), "{error}");
    assert_eq!(fs::read_to_string(&out).unwrap(), text);
    // Lines of others are not problems that are solved.
    fs::write(&out, "one\ntwo\n").unwrap();
    let (ok, error) = solve(&[]);
    assert!(!ok && error.contains("out.jsonl: it has no first line of results of `kurosabi mate --json`"), "{error}");
    assert_eq!(fs::read_to_string(&out).unwrap(), "one\ntwo\n");
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn readers_of_japanese_get_japanese() {
    let cook = "6l2/6+B1k/6p2/7+P1/9/9/9/9/9 b 2P 1";
    let input = format!(
        "{MATE_IN_THREE}\nstartpos\nsfen 4k4/9/4P4/9/9/9/9/9/9 b GP 1\nnonsense\n9/9/9/9/9/9/9/9/4K4 b - 1\n{cook}\n"
    );
    let text = |arguments: &[&str]| {
        let output = kurosabi_mate(&[arguments, &["--check", "--threads", "1"]].concat(), &input);
        (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap())
    };
    let (japanese, errors) = text(&["--lang", "ja"]);
    for words in [
        "3手詰",
        "不詰",
        "1手詰",
        "ノード",
        "▲５二金",
        "余詰: 1手目",
        "駒余り: 歩",
        "不要な駒: 持駒の歩",
        "判定: 不完全作",
    ] {
        assert!(japanese.contains(words), "{words}\n{japanese}");
    }
    for words in ["4行目: USI: 「nonsense」を読み込めません。SFEN", "5行目: 詰ませる玉がありません"]
    {
        assert!(japanese.contains(words), "{words}\n{japanese}");
    }
    let english = ["mate", "nodes", "sound", "solution", "problem:", "line "];
    assert!(!english.iter().any(|word| japanese.contains(word)), "{japanese}");
    assert_eq!(errors, "エラー: 6問のうち2問は読み込めないか、解けませんでした\n");
    let (usi, _) = text(&["--lang", "ja", "--notation", "usi"]);
    assert!(usi.contains("G*5b") && !usi.contains("▲５二金"), "{usi}");
    // What programs read is the same in every language.
    let json = |language| {
        let mut objects = objects(&kurosabi_mate(&["--json", "--check", "--lang", language], &input));
        objects.iter_mut().for_each(|object| {
            object.as_object_mut().unwrap().remove("time_ms");
        });
        objects
    };
    assert_eq!(json("ja"), json("en"));
}

#[test]
fn solutions_are_written_as_kif() {
    let folder = std::env::temp_dir().join(format!("kurosabi-mate-kif-{}", std::process::id()));
    let input = format!("{MATE_IN_THREE}\n4k4/9/4P4/9/9/9/9/9/9 b GP 1\nstartpos\nnonsense\n");
    let output = kurosabi_mate(&["--check", "--json", "--kif", folder.to_str().unwrap()], &input);
    let problems = objects(&output);
    let read = |number: u32| fs::read(folder.join(format!("{number:05}.kif")));
    for (number, object) in (1..).zip(&problems[..2]) {
        let mut records = Records::open(Cursor::new(read(number).unwrap())).unwrap();
        let record = records.next().unwrap().unwrap();
        let moves: Vec<String> = record.legal_moves().iter().map(ToString::to_string).collect();
        // A diagram in KIF has no move number: other programs refuse one.
        let board = |sfen: &str| sfen.rsplit_once(' ').unwrap().0.to_owned();
        let problem = (&object["moves"], board(object["sfen"].as_str().unwrap()));
        assert_eq!(problem, (&moves.into(), board(&record.start_sfen())));
        assert_eq!(record.ending(), Some(&Ending::Mate));
        let remarks = record.node(NodeId::ROOT).comments.join("\n");
        assert!(remarks.contains("手詰") && remarks.contains("verdict: "), "{remarks}");
    }
    assert!(encoding_rs::SHIFT_JIS.decode(&read(3).unwrap()).0.contains("不詰"));
    assert!(read(4).is_err(), "no problem, no solution");
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn problems_are_made_of_games() {
    let mut made = 0;
    for plies in [1, 3] {
        let games = ["tests/data/version2.games"];
        let length = plies.to_string();
        let output = kurosabi_mate(&[&["--make", &length, "--count", "5"], &games[..]].concat(), "");
        assert!(output.status.success(), "{output:?}");
        let problems = String::from_utf8(output.stdout).unwrap();
        let examined = objects(&kurosabi_mate(&["--json", "--check", "--nodes", "20000"], &problems));
        for object in &examined {
            assert_eq!((&object["plies"], &object["shortest"]), (&plies.into(), &true.into()), "{object}");
            let cooks = object["soundness"]["cooks"].as_array().unwrap();
            assert!(cooks.iter().all(|cook| cook["minor"] == true), "{object}");
        }
        made += examined.len();
    }
    // The mates in one that these few games hold have several mating moves.
    assert!(made >= 1, "{made}");
}
