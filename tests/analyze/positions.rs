//! Positions, one a line.
//!
//! Length: the report of positions, field by field.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::Output;

use kurosabi::movegen::legal_moves;
use kurosabi::position::{Position, STARTPOS_SFEN};
use kurosabi::types::Move;
use serde_json::Value;

use super::{analyze, json, lines, records, scratch_file, start};

#[test]
fn every_way_to_write_a_position_is_read() {
    let after = "lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2";
    let moved = format!("{STARTPOS_SFEN} moves 7g7f");
    let cases = [
        ("startpos", STARTPOS_SFEN),
        ("position startpos", STARTPOS_SFEN),
        (STARTPOS_SFEN, STARTPOS_SFEN),
        (STARTPOS_SFEN.trim_end_matches(" 1"), STARTPOS_SFEN),
        (&format!("sfen {STARTPOS_SFEN}"), STARTPOS_SFEN),
        (&format!("position sfen {STARTPOS_SFEN}"), STARTPOS_SFEN),
        ("startpos moves 7g7f", after),
        (&moved, after),
        (&format!("sfen {moved}"), after),
        (&format!("  position\tsfen {moved}  "), after),
    ];
    let input: String = cases.iter().map(|(text, _)| format!("{text}\n")).collect();
    let (records, code) = json(&[], &input);
    assert_eq!(code, Some(0));
    assert_eq!(records.len(), cases.len());
    for (index, ((text, sfen), record)) in cases.iter().zip(&records).enumerate() {
        assert_eq!(record["sfen"], *sfen, "{text}");
        assert_eq!(record["line"], index + 1, "{text}");
    }
}

#[test]
fn windows_text_comments_and_stray_bytes_are_no_obstacle() {
    let input = b"\xef\xbb\xbf# openings\r\nstartpos\r\n\r\n   \n#\xff\n\x8d\x95\x8eK\nstartpos moves 2g2f";
    let output = analyze(&["--json", "--depth", "2"], input);
    let records = records(&output);
    let numbers: Vec<_> = records.iter().map(|record| record["line"].as_u64().unwrap()).collect();
    assert_eq!(numbers, [2, 6, 7]);
    assert_eq!(records[1]["error"]["kind"], "bad_sfen");
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn lines_of_play_are_legal_and_begin_with_the_best_move() {
    let input = "startpos\nlnsgk2nl/1r4gs1/p1pppp1pp/1p4p2/7P1/2P6/PPSPPPP1P/7R1/LN1GKGSNL b Bb 15\n";
    let (records, code) = json(&["--multipv", "3"], input);
    assert_eq!(code, Some(0));
    for record in &records {
        let variations = record["multipv"].as_array().unwrap();
        assert_eq!(variations.len(), 3);
        assert_eq!(variations[0]["pv"], record["pv"]);
        assert_eq!(record["best_move"], record["pv"][0]);
        assert_eq!(record["score"], variations[0]["score"]);
        let mut first_moves = Vec::new();
        for (variation, rank) in variations.iter().zip(1..) {
            assert_eq!(variation["rank"], rank);
            let mut position = Position::from_sfen(record["sfen"].as_str().unwrap()).unwrap();
            for mv in variation["pv"].as_array().unwrap() {
                let mv: Move = mv.as_str().unwrap().parse().unwrap();
                assert!(position.is_legal(mv), "{variation}");
                position.do_move(mv);
            }
            first_moves.push(variation["pv"][0].as_str().unwrap());
        }
        first_moves.sort_unstable();
        first_moves.dedup();
        assert_eq!(first_moves.len(), 3);
        let scores: Vec<_> = variations.iter().map(|v| v["score"]["cp"].as_i64().unwrap()).collect();
        assert!(scores.is_sorted_by(|a, b| a >= b), "{scores:?}");
    }
}

#[test]
fn lines_are_full_wherever_the_search_was_stopped() {
    let shortest = |arguments: &[&str]| {
        let length = |nodes: u32| {
            let nodes = nodes.to_string();
            let limits = ["--json", "--hash", "4", "--nodes", &nodes];
            let output = analyze(&[&limits, arguments].concat(), b"startpos moves 7g7f 3c3d\n");
            records(&output)[0]["pv"].as_array().unwrap().len()
        };
        (2..=13).map(|step| length(2000 * step)).min().unwrap()
    };
    assert!(shortest(&[]) >= 5);
    assert!(shortest(&["--option", "ConsiderationMode=false"]) >= 5);
}

#[test]
fn results_come_in_order_and_do_not_depend_on_how_many_are_searched_at_once() {
    let mut position = Position::startpos();
    let mut input = String::new();
    for ply in 0..30 {
        let moves = legal_moves(&position);
        position.do_move(moves[ply * 7 % moves.len()]);
        input.push_str(&format!("{}\n", position.to_sfen()));
    }
    let run = |jobs| {
        let (mut records, code) = json(&["--jobs", jobs], &input);
        assert_eq!(code, Some(0));
        for record in &mut records {
            let fields = record.as_object_mut().unwrap();
            assert!(fields.remove("time_ms").is_some() && fields.remove("nps").is_some());
        }
        records
    };
    let one = run("1");
    assert_eq!(run("3"), one);
    let sfens: Vec<_> = one.iter().map(|record| record["sfen"].as_str().unwrap()).collect();
    assert_eq!(sfens, input.lines().collect::<Vec<_>>());
}

#[test]
fn bad_lines_are_named_and_the_rest_is_analysed() {
    let cases = [
        ("hello", "bad_sfen", "\"hello\""),
        ("position", "unreadable", "position"),
        ("lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSN b - 1", "bad_sfen", "LNSGKGSN"),
        ("startpos moves 7g7f 7g7f", "no_piece", "7g7f\" at number 2"),
        ("startpos moves 7g7f 3c3d 8h1a", "blocked", "bishop on 2b"),
        ("startpos moves 7g7f resing", "unreadable_move", "\"resing\" at number 2"),
        ("startpos mvoes 7g7f", "unreadable", "mvoes"),
    ];
    let input: String = cases.iter().map(|(text, ..)| format!("{text}\nstartpos\n")).collect();
    let (records, code) = json(&[], &input);
    assert_eq!(code, Some(1));
    assert_eq!(records.len(), 2 * cases.len());
    for (pair, (text, kind, named)) in records.chunks(2).zip(cases) {
        assert_eq!(pair[0]["text"], text);
        assert_eq!(pair[0]["error"]["kind"], kind, "{text}");
        assert!(pair[0]["error"]["message"].as_str().unwrap().contains(named), "{}", pair[0]);
        assert_eq!(pair[1]["sfen"], STARTPOS_SFEN);
    }

    let output = analyze(&["--depth", "1"], input.as_bytes());
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("7 of 14"));
    for (row, (text, _, named)) in lines(&output).iter().filter(|row| row.contains("error:")).zip(cases) {
        assert!(row.contains(text) && row.contains(named), "{row}");
    }
}

#[test]
fn a_game_is_analysed_move_by_move_as_far_as_it_can_be_read() {
    let (records, code) = json(&["--move-by-move"], "startpos moves 7g7f 3c3d 8h2b+ 3a2b\nstartpos moves 2g2f 2g2f\n");
    assert_eq!(code, Some(1));
    let seen: Vec<_> = records.iter().map(|record| (record["line"].as_u64(), record["move_number"].as_u64())).collect();
    // Each game is followed by its report.
    let mut expected: Vec<_> = (1..=5).map(|n| (Some(1), Some(n))).collect();
    expected.extend([(None, None), (Some(2), Some(1)), (Some(2), Some(2)), (None, None), (Some(2), None)]);
    assert_eq!(seen, expected);
    assert_eq!((&records[5]["report"]["moves"], &records[8]["report"]["moves"]), (&4.into(), &1.into()));
    assert_eq!(records[9]["error"]["kind"], "no_piece");
    assert_eq!(records[1]["side"], "white");
}

/// The positions are the textbook cases of each rule.
#[test]
fn ends_of_games_are_told() {
    let repetition = "startpos moves".to_owned() + &" 5i5h 5a5b 5h5i 5b5a".repeat(3);
    // Black's rook checks with every move, the king steps to and fro.
    let first_round = "4k4/9/9/9/9/9/9/8R/K8 b - 1 moves 1h1a 5a5b 1a1b 5b5a".to_owned();
    let perpetual = first_round.clone() + &" 1b1a 5a5b 1a1b 5b5a".repeat(2) + " 1b1a";
    let declared = "K2+R5/PPPPPPPPP/1G1G5/9/9/9/9/9/8k b R2B 1";
    let cases: [(&str, Option<&str>, Option<&str>); 6] = [
        ("startpos", None, None),
        ("4k4/4G4/4G4/9/9/9/9/9/4K4 w - 2", Some("mate"), Some("black")),
        (&repetition, Some("repetition"), None),
        (&perpetual, Some("perpetual_check"), Some("white")),
        (declared, Some("declaration"), Some("black")),
        (&first_round, None, None),
    ];
    let input: String = cases.iter().map(|(text, ..)| format!("{text}\n")).collect();
    let (records, code) = json(&[], &input);
    assert_eq!(code, Some(0), "{records:?}");
    for (record, (text, kind, winner)) in records.iter().zip(cases) {
        assert_eq!(record["game_end"]["kind"].as_str(), kind, "{text}");
        assert_eq!(record["game_end"]["winner"].as_str(), winner, "{text}");
    }
    let lost = first_round.clone() + &" 1b1a 5a5b 1a1b 5b5a".repeat(2) + " 1b1a 5a5b";
    let (records_of_loser, _) = json(&[], &format!("{lost}\n"));
    assert_eq!(records_of_loser[0]["game_end"]["winner"], "white");
    assert_eq!((&records_of_loser[0]["score"]["rule"], &records_of_loser[0]["win_rate"]), (&0.into(), &0.0.into()));
    let table = lines(&analyze(&["--depth", "1", "--lang", "en"], lost.as_bytes()));
    assert!(table.iter().any(|row| row.contains("loss in 0  ") && row.contains("none")), "{table:?}");
    assert_eq!(records[1]["best_move"], Value::Null);
    assert_eq!(records[1]["score"]["mate"], 0);
    // What has ended is not searched as if play went on.
    let decided = |record: &Value| (record["score"].clone(), record["win_rate"].as_f64(), record["best_move"].clone());
    assert_eq!(decided(&records[2]), (serde_json::json!({"cp": 0}), Some(0.5), Value::Null));
    assert_eq!(decided(&records[3]), (serde_json::json!({"rule": 1}), Some(1.0), Value::Null));
    assert_eq!(records[3]["multipv"][0]["score"], records[3]["score"]);
    assert_eq!(records[4]["best_move"], "win");
    assert_eq!((&records[4]["score"]["rule"], &records[4]["pv"]), (&1.into(), &Value::Array(Vec::new())));
    // The moves beside it are analysed all the same.
    let others = &records[4]["multipv"][1];
    assert!(others["rank"] == 2 && others["depth"] == 4 && !others["pv"].as_array().unwrap().is_empty(), "{others}");
}

#[test]
fn a_try_that_was_made_ends_the_game() {
    let tried = "sfen 9/9/4K4/9/9/9/9/9/k8 b R2B4G4S4N4L17Prp 1 moves 5c5b 9i8h 5b5a\n";
    let (records, _) = json(&["--option", "EnteringKingRule=TryRule", "--move-by-move"], tried);
    let [.., before, last, _] = &records[..] else { panic!("{records:?}") };
    assert_eq!((&before["game_end"]["kind"], &before["best_move"]), (&"declaration".into(), &"5b5a".into()));
    assert_eq!((&last["game_end"]["kind"], &last["game_end"]["winner"]), (&"try".into(), &"black".into()), "{last}");
    assert_eq!((&last["score"]["rule"], &last["win_rate"]), (&0.into(), &0.0.into()), "{last}");
}

#[test]
fn declarations_and_repetitions_ahead_are_told() {
    let declared = "K2+R5/PPPPPPPPP/1G1G5/9/9/9/9/9/8k b R2B 1";
    let shuffled = "startpos moves".to_owned() + &" 5i5h 5a5b 5h5i 5b5a".repeat(2) + " 5i5h 5a5b 5h5i";
    let input = format!("{declared}\n{shuffled}\nstartpos\n");
    let (records, _) = json(&[], &input);
    let of_rule = |side: &str, rule: &str| {
        let rules = records[0]["declaration"][side].as_array().unwrap();
        rules.iter().find(|record| record["rule"] == rule).unwrap().clone()
    };
    let black = of_rule("black", "CSARule27");
    assert_eq!((&black["wins"], &black["points"], &black["pieces"]), (&true.into(), &31.into(), &12.into()), "{black}");
    let white = of_rule("white", "CSARule27");
    assert_eq!(
        (&white["points_short"], &white["pieces_short"], &white["wins"]),
        (&27.into(), &10.into(), &false.into())
    );
    assert!(white["text"].as_str().unwrap().contains("10 pieces and 27 points short"), "{white}");
    let repetition = &records[1]["repetition"];
    assert_eq!(repetition["occurrences"], 3);
    assert_eq!((&repetition["fourth"][0]["move"], &repetition["fourth"][0]["winner"]), (&"5b5a".into(), &Value::Null));
    assert!(records[2].get("declaration").is_none() && records[2].get("repetition").is_none());
    let table = lines(&analyze(&["--depth", "1"], input.as_bytes())).join("\n");
    let standing = "Black: 31 points, 12 pieces in the zone, wins by CSARule24, CSARule24H, CSARule27, CSARule27H\n";
    assert!(table.contains(standing), "{table}");
    assert!(table.contains("5b5a makes a fourth occurrence, a draw"), "{table}");
}

#[test]
fn mates_are_told_from_the_side_to_move() {
    let (records, _) = json(&[], "4k4/9/4P4/9/9/9/9/9/9 b G 1\n");
    assert_eq!(records[0]["score"]["mate"], 1);
    assert_eq!(records[0]["best_move"], "G*5b");
}

#[test]
fn limits_hold() {
    let limit = |arguments: &[&str]| {
        let output = analyze(&[&["--json"], arguments].concat(), b"startpos\n");
        records(&output).remove(0)
    };
    assert_eq!(limit(&["--depth", "5"])["depth"], 5);
    let nodes = limit(&["--nodes", "3000"])["nodes"].as_u64().unwrap();
    assert!((2000..=3100).contains(&nodes), "{nodes}");
    let millis = limit(&["--movetime", "300"])["time_ms"].as_u64().unwrap();
    assert!((200..2000).contains(&millis), "{millis}");
    assert_eq!(limit(&["--nodes", "100000", "--depth", "2"])["depth"], 2);
}

#[test]
fn engine_options_are_heeded() {
    let declared = b"K2+R5/PPPPPPPPP/1G1G5/9/9/9/9/9/8k b R2B 1\n";
    let output = analyze(&["--json", "--depth", "1", "--option", "EnteringKingRule=NoEnteringKing"], declared);
    assert_ne!(records(&output)[0]["best_move"], "win");
    for wrong in ["NoSuchOption=1", "Threads", "Threads=many"] {
        let output = analyze(&["--option", wrong], b"");
        assert_eq!(output.status.code(), Some(2), "{wrong}");
        assert!(String::from_utf8_lossy(&output.stderr).contains(wrong.split('=').next().unwrap()));
    }
}

#[test]
fn no_option_is_set_twice() {
    for (arguments, expected) in [
        (["--multipv", "2", "--option", "MultiPV=3"], "--multipv sets option MultiPV already"),
        (["--multipv", "2", "--option", "usi_multipv=3"], "--multipv sets option MultiPV already"),
        (["--threads", "1", "--option", "Threads=2"], "--threads sets option Threads already"),
        (["--hash", "16", "--option", "Hash=32"], "--hash sets option USI_Hash already"),
        (["--depth", "1", "--option", "DebugLogFile=x"], "option DebugLogFile"),
    ] {
        let output = analyze(&arguments, b"startpos\n");
        assert!(!output.status.success() && output.stdout.is_empty(), "{output:?}");
        assert!(String::from_utf8_lossy(&output.stderr).contains(expected), "{output:?}");
    }
    let output = analyze(&["--json", "--depth", "1", "--option", "MultiPV=3"], b"startpos\n");
    assert_eq!(records(&output)[0]["multipv"].as_array().unwrap().len(), 3);
}

#[test]
fn what_options_ask_for_is_said_when_it_cannot_be_had() {
    let stderr = |output: &Output| String::from_utf8_lossy(&output.stderr).into_owned();
    let output = analyze(&["--option", "EvalFile=no/such/network"], b"startpos\n");
    assert_eq!(output.status.code(), Some(1));
    assert!(output.stdout.is_empty() && stderr(&output).contains("no/such/network"), "{output:?}");
    let output = analyze(&["--depth", "1", "--option", "SlowMover=5000"], b"startpos\n");
    assert!(output.status.success() && stderr(&output).contains("5000 is out of range"), "{output:?}");
}

#[test]
fn the_table_is_aligned() {
    let mate = "r7l/4gs2b/3p5/2B3s1k/4p4/1PPP4N/lGN4GN/2K1+n2PL/6P2 w RGP2sl10p 164";
    let output =
        analyze(&["--depth", "4", "--multipv", "2"], format!("startpos\nstartpos moves 2g2f\n{mate}\n").as_bytes());
    let lines = lines(&output);
    let columns = |name: &str| lines[0].find(name).unwrap();
    assert_eq!(lines.len(), 1 + 3 * 2);
    for row in &lines[1..] {
        let (best, line) = (columns("Best"), columns("Line of play"));
        let first = row[line..].split(' ').next().unwrap();
        assert_eq!(row[best..line].trim_end(), first, "{row}");
        assert!(row[..line].ends_with(' ') && row.as_bytes()[best - 1] == b' ', "{row}");
    }
    assert!(lines[1].contains("black") && lines[3].contains("white"));
}

#[test]
fn files_are_read_and_written() {
    let (input, result) = (scratch_file("analyze-in.sfen"), scratch_file("analyze-out.jsonl"));
    fs::write(&input, "startpos\nstartpos moves 7g7f\n").unwrap();
    let arguments = [input.to_str().unwrap(), "--depth", "2", "--json", "--output", result.to_str().unwrap()];
    let output = analyze(&arguments, b"");
    assert_eq!(output.status.code(), Some(0));
    assert!(output.stdout.is_empty() && output.stderr.is_empty(), "no progress bar without a terminal");
    let text = fs::read_to_string(&result).unwrap();
    assert!(
        text.lines().count() == 3 && text.starts_with("{\"format\":\"kurosabi analyze --json\",\"version\":1,"),
        "{text}"
    );

    let output = analyze(&["/nowhere/at/all.sfen"], b"");
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("/nowhere/at/all.sfen"));
}

#[test]
fn nothing_to_analyse_is_an_error() {
    for nothing in ["", "\n", "# only a remark\n"] {
        let output = analyze(&["--depth", "1"], nothing.as_bytes());
        assert_eq!((output.status.code(), output.stdout.as_slice()), (Some(1), &b""[..]), "{nothing:?}");
        assert!(String::from_utf8_lossy(&output.stderr).contains("the input is empty"), "{output:?}");
    }
}

#[test]
fn results_stream_while_input_is_still_open() {
    let mut child = start(&["--depth", "2", "--json"]);
    let mut stdin = child.stdin.take().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    for moves in ["startpos", "startpos moves 7g7f"] {
        writeln!(stdin, "{moves}").unwrap();
        stdin.flush().unwrap();
        let mut line = String::new();
        output.read_line(&mut line).unwrap();
        assert!(line.contains("best_move"), "{line}");
    }
    drop(stdin);
    assert!(child.wait().unwrap().success());
}

#[test]
fn a_reader_that_leaves_ends_it_quietly() {
    let mut child = start(&["--depth", "3", "--json"]);
    let mut stdin = child.stdin.take().unwrap();
    // More than any pipe holds, written until nobody reads it.
    let writer = std::thread::spawn(move || while stdin.write_all(&b"startpos\n".repeat(1000)).is_ok() {});
    let mut output = BufReader::new(child.stdout.take().unwrap());
    let mut line = String::new();
    output.read_line(&mut line).unwrap();
    drop(output);
    let status = child.wait().unwrap();
    writer.join().unwrap();
    let mut errors = String::new();
    child.stderr.take().unwrap().read_to_string(&mut errors).unwrap();
    assert!(status.success(), "{status} {errors}");
    assert_eq!(errors, "");
}

#[cfg(unix)]
#[test]
fn a_line_without_end_is_told_and_not_kept() {
    let mut child = start(&["--json"]);
    let mut stdin = child.stdin.take().unwrap();
    let writer = std::thread::spawn(move || while stdin.write_all(&[0; 1 << 16]).is_ok() {});
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let record: Value = serde_json::from_str(&line).unwrap();
    assert_eq!(record["error"]["kind"], "unreadable");
    child.kill().unwrap();
    child.wait().unwrap();
    writer.join().unwrap();
}

#[test]
fn pieces_of_a_file_of_lines_are_lines_whatever_they_look_like() {
    // By its first line this would be a record.
    let piece = "手合割：平手\n   1 ７六歩(77)\nstartpos moves 7g7f\n";
    let (found, code) = json(&["--lines"], piece);
    assert_eq!((found.len(), code), (3, Some(1)));
    assert!(found[0].get("error").is_some() && found[1].get("error").is_some());
    assert_eq!((&found[2]["line"], &found[2]["move_number"]), (&3.into(), &2.into()));
}

#[test]
fn what_inputs_hold_is_listed_without_a_search() {
    let folder = super::games::folder("analyze-list");
    for (name, text) in
        [("a.csa", "V2.2\nPI\n+\n+7776FU\n"), ("b.sfen", "nonsense\nstartpos\n"), ("c.kif", "PK\x03\x04")]
    {
        std::fs::write(folder.join(name), text).unwrap();
    }
    let output = analyze(&["--list", &folder.to_string_lossy(), "-"], b"nonsense\n");
    assert!(output.status.success(), "{output:?}");
    let found = records(&output);
    let file = |record: &Value| record["file"].as_str().and_then(|path| path.rsplit('/').next()).map(str::to_owned);
    let found: Vec<_> = found.iter().map(|record| (file(record), record["holds"].as_str().unwrap())).collect();
    let name = |name: &str| Some(name.to_owned());
    let (lines, records) = ("lines", "records");
    assert_eq!(found, [(name("a.csa"), records), (name("b.sfen"), lines), (name("c.kif"), records), (None, lines)]);
    assert_eq!(analyze(&["--list", "/nowhere/at/all"], b"").status.code(), Some(1));
}
