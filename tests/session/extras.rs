//! The commands for people and scripts, line by line.

use crate::client::{Client, only_info_string};

#[test]
fn d_prints_the_board_and_the_values() {
    let mut client = Client::ready();
    client.send("position sfen 4k4/4G4/4P4/9/9/9/9/9/4K4 w 2Pp 12\nd");
    let lines = client.until("Declaration: ");
    let values: Vec<&str> = lines.iter().map(String::as_str).skip_while(|line| !line.starts_with("Sfen: ")).collect();
    assert_eq!(values[0], "Sfen: 4k4/4G4/4P4/9/9/9/9/9/4K4 w 2Pp 12");
    let key = values[1].strip_prefix("Key: ").unwrap();
    assert!(key.len() == 16 && u64::from_str_radix(key, 16).is_ok(), "{key}");
    assert_eq!(values[2..5], ["Checkers: 5b", "Repetition: none", "Occurrences: 1"]);
    assert!(values.contains(
        &"Black CSARule27: 4 of 28 points, 2 of 10 pieces: king not in the zone, 8 pieces and 24 points short"
    ));
    assert_eq!(values.last(), Some(&"Declaration: CSARule27 no 1 points 0 pieces"));
    assert_eq!(lines.iter().filter(|line| line.starts_with('|')).count(), 9);

    client.send("setoption name EnteringKingRule value CSARule24");
    client.send("position sfen K+R+B+P+P+P+P+P1/+P+P+P6/9/9/9/9/9/9/4k4 b RB3G 1\nd");
    assert_eq!(client.value("Checkers"), "");
    assert_eq!(client.value("Declaration"), "CSARule24 yes 31 points 10 pieces");
    client.send("position sfen K+R+B+P+P+P+P+P1/+P+P+P6/9/9/9/9/9/9/4k4 b RB 1\nd");
    assert_eq!(client.value("Black CSARule24"), "28 of 31 points, 10 of 10 pieces: draws (3 points short of a win)");
    assert_eq!(client.value("Black CSARule27"), "28 of 28 points, 10 of 10 pieces: wins");
    assert_eq!(client.value("Declaration"), "CSARule24 draw 28 points 10 pieces");
    client.finish();
}

#[test]
fn d_tells_the_verdict_on_repetition() {
    let mut client = Client::ready();
    let shuffle = ["2h3h 8b7b 3h2h 7b8b"; 3].join(" ");
    let chase = ["5i4i 4a5a 4i5i 5a4a"; 4].join(" ");
    for (position, verdict) in [
        ("startpos".to_owned(), "none"),
        (format!("startpos moves {shuffle}"), "draw"),
        (format!("sfen 4k4/9/9/9/9/9/9/K8/R8 b - 1 moves 9i5i 5a4a {chase}"), "lose"),
        (format!("sfen 4k4/9/9/9/9/9/9/K8/R8 b - 1 moves 9i5i 5a4a {chase} 5i4i"), "win"),
    ] {
        client.send(&format!("position {position}\nd"));
        assert_eq!(client.value("Repetition"), verdict, "{position}");
    }
    client.finish();
}

#[test]
fn repetition_is_told_before_it_happens() {
    let mut client = Client::ready();
    let shuffle = "2h3h 8b7b 3h2h 7b8b";
    let twice = [shuffle; 2].join(" ");
    for (moves, words) in [
        (twice.clone(), vec!["this position is here for the third time"]),
        // The king of 8b comes back to the start position for the fourth time.
        (format!("{twice} 2h3h 8b7b 3h2h"), vec!["third time; 7b8b makes a fourth occurrence, a draw"]),
    ] {
        client.send(&format!("position startpos moves {moves}"));
        let lines = client.sync();
        let reported = only_info_string(&lines);
        assert!(words.iter().all(|word| reported.contains(word)), "{reported}");
        client.send("d");
        assert!(words.iter().all(|word| client.value("Warning").contains(word)));
    }
    let chase = ["5i4i 4a5a 4i5i 5a4a"; 2].join(" ");
    client.send(&format!("position sfen 4k4/9/9/9/9/9/9/K8/R8 b - 1 moves 9i5i 5a4a {chase} 5i4i 4a5a"));
    let lines = client.sync();
    assert!(only_info_string(&lines).contains("4i5i makes a fourth occurrence, Black loses by perpetual check"));
    client.finish();
}

#[test]
fn why_names_the_rule_that_a_move_breaks() {
    let mut client = Client::ready();
    client.send("position sfen 3lkl3/9/4G4/9/9/9/9/9/4K4 b P 1");
    for (mv, answer) in [
        ("P*5d", "P*5d is legal"),
        ("P*5b", "P*5b is illegal (drop_pawn_mate): drop-pawn mate (uchifuzume): "),
        ("5c5c", "\"5c5c\" is no move in USI notation"),
        // Found by the fuzzer: what rings the bell is shown, not done
        ("\u{7}5c5d", r#""\u{7}5c5d" is no move in USI notation"#),
    ] {
        client.send(&format!("why {mv}"));
        client.until(answer);
    }
    // At once, while a search runs.
    client.send("go infinite\nwhy 5c5d");
    client.until("5c5d is legal");
    client.send("stop");
    client.until("bestmove");
    client.finish();
}

#[test]
fn eval_prints_four_values() {
    let mut client = Client::ready();
    client.send("position startpos\neval");
    let lines = client.until("Cp: ");
    let keys: Vec<&str> = lines.iter().map(|line| line.split_once(": ").unwrap().0).collect();
    assert_eq!(keys, ["Network", "Raw", "Eval", "Cp"]);
    assert!(lines[1..].iter().all(|line| line.split_once(": ").unwrap().1.parse::<i32>().is_ok()), "{lines:#?}");
    client.finish();
}

#[test]
fn perft_prints_each_move_and_the_sum() {
    let mut client = Client::ready();
    for (position, depth, total) in [
        ("startpos", 0, 1),
        ("startpos", 1, 30),
        ("startpos", 4, 719_731),
        ("sfen 3lkl3/9/4G4/9/9/9/9/9/4K4 b P 1", 1, 76),
        ("sfen l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1", 3, 4_809_015),
    ] {
        client.send(&format!("position {position}\ngo perft {depth}"));
        let mut lines = client.until("Nodes searched: ");
        assert_eq!(lines.pop().unwrap(), format!("Nodes searched: {total}"));
        let counts = lines.iter().map(|line| line.split_once(": ").unwrap().1.parse::<u64>().unwrap());
        assert_eq!(counts.sum::<u64>(), if depth == 0 { 0 } else { total }, "{lines:#?}");
    }
    client.finish();
}

#[test]
fn a_perft_without_end_does_not_make_the_engine_deaf() {
    let mut client = Client::ready();
    for depth in ["12", "4294967295"] {
        client.send(&format!("position startpos\ngo perft {depth}"));
        client.sync();
        client.send("stop");
        client.until("info string perft was stopped");
    }
    client.send("go perft 12");
    client.sync();
    client.send("quit");
    // Much sooner than perft would end.
    client.finish();
}

#[test]
fn bench_ends_with_nodes_and_speed_even_before_quit() {
    let mut client = Client::ready();
    client.send("bench 2\nquit");
    let lines = client.finish();
    let words: Vec<&str> = lines.last().unwrap().split(' ').collect();
    let [nodes, "nodes", nps, "nps"] = words.as_slice() else { panic!("{lines:#?}") };
    assert!(nodes.parse::<u64>().unwrap() > 0 && nps.parse::<u64>().unwrap() > 0);
    assert!(lines.len() > 20);
}

#[test]
fn bench_stops_when_told() {
    let mut client = Client::ready();
    client.send("bench 100");
    client.sync();
    client.send("stop");
    client.until_that("N nodes M nps", |line| line.ends_with(" nps"));
    client.finish();
}
