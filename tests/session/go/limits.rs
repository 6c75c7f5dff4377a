//! Several limits at once: all of them hold, and the tightest ends the search.

use std::fmt::Write as _;

use super::*;

/// A limit that ends a search at once, and one of its kind that would let it run for hours.
const LIMITS: [(&str, &str); 7] = [
    ("depth 1", "depth 200"),
    ("nodes 50", "nodes 1000000000000"),
    ("movetime 4", "movetime 40000000"),
    ("rtime 4", "rtime 40000000"),
    ("byoyomi 4", "byoyomi 40000000"),
    ("btime 4 wtime 4", "btime 400000000 wtime 400000000"),
    // An increment comes after the move, so that none makes a clock longer at the first one.
    ("btime 0 wtime 0 binc 4 winc 4", "btime 400000000 wtime 400000000 binc 1000 winc 1000"),
];

/// Words that are no limits of their own.
const MODES: [&str; 4] = ["searchmoves 2g2f 7g7f", "ponder", "infinite", "mate"];

/// Sets of up to three limits or modes: the tight limit, and the words of the others.
fn sets_with(tight: usize) -> Vec<String> {
    let clock = |number: usize| number >= 4;
    let loose: Vec<&str> = (0..LIMITS.len())
        // Clocks add up, so that only one of them is tight.
        .filter(|&number| number != tight && !(clock(number) && clock(tight)))
        .map(|number| LIMITS[number].1)
        .chain(MODES)
        .collect();
    let mut sets = vec![String::new()];
    for (number, first) in loose.iter().enumerate() {
        sets.push((*first).to_owned());
        sets.extend(loose[number + 1..].iter().map(|second| format!("{first} {second}")));
    }
    sets
}

fn has(words: &str, word: &str) -> bool {
    words.split(' ').any(|other| other == word)
}

/// Sends a `go` with what it waits for, and returns its answer's lines.
fn ended(client: &mut Client, go: &str) -> Vec<String> {
    let mut text = go.to_owned();
    if has(go, "ponder") {
        let _ = write!(text, "\nponderhit");
    }
    let is_mate = has(go, "mate");
    client.send(&text);
    if has(go, "infinite") && !is_mate {
        client.unanswered_for(Duration::from_millis(2));
        client.send("stop");
    }
    let answer = if is_mate { "checkmate" } else { "bestmove" };
    client.until(answer)
}

#[test]
fn of_all_pairs_and_triples_of_limits_the_tightest_ends_the_search() {
    let mut client = Client::ready();
    // All pieces in hand: neither a search nor a solver is soon through with this.
    client.send(
        "setoption name RootMateSearchNodesLimit value 0\nposition sfen 9/9/9/9/4k4/9/9/9/4K4 b 2R2B4G4S4N4L17P 1",
    );
    for (tight, (limit, _)) in LIMITS.iter().enumerate() {
        for others in sets_with(tight) {
            // The moves are those of another position, and so all are searched.
            let go = format!("go {limit} {others}");
            if has(&go, "mate") && tight == 0 {
                continue;
            }
            let lines = ended(&mut client, go.trim_end());
            assert!(lines.last().unwrap().split(' ').count() > 1, "{go}: {lines:#?}");
        }
    }
    client.send("position startpos");
    assert_eq!(best_moves(&client.sync()), [""; 0], "one answer each");
    client.finish();
}

#[test]
fn a_search_without_limits_or_with_all_of_them_loose_ends_with_stop() {
    let mut client = Client::ready();
    client.send("position startpos");
    let loose = LIMITS.map(|(_, loose)| loose).join(" ");
    for go in ["go".to_owned(), format!("go {loose}"), "go searchmoves 2g2f".to_owned(), format!("go infinite {loose}")]
    {
        client.send(&go);
        client.unanswered_for(Duration::from_millis(30));
        client.send("stop");
        client.until("bestmove");
    }
    client.finish();
}

#[test]
fn nothing_is_answered_before_the_hit_or_the_stop_whatever_the_limits() {
    let mut client = Client::ready();
    client.send("position startpos");
    for (tight, _) in LIMITS {
        client.send(&format!("go ponder {tight}"));
        client.unanswered_for(Duration::from_millis(30));
        client.send("ponderhit");
        client.until("bestmove");
        client.send(&format!("go infinite {tight}"));
        client.unanswered_for(Duration::from_millis(30));
        client.send("stop");
        client.until("bestmove");
        client.send(&format!("go ponder infinite {tight}\nponderhit"));
        client.unanswered_for(Duration::from_millis(30));
        client.send("stop");
        client.until("bestmove");
    }
    client.finish();
}

#[test]
fn pondering_without_any_limit_ends_soon_after_the_hit() {
    let mut client = Client::ready();
    for stochastic in ["false", "true"] {
        client.send(&format!("setoption name Stochastic_Ponder value {stochastic}"));
        for hit in ["ponderhit", "ponderhit byoyomi 50"] {
            client.send("position startpos moves 7g7f\ngo ponder");
            client.unanswered_for(Duration::from_millis(100));
            client.send(hit);
            best_move(client.until("bestmove").last().unwrap());
        }
    }
    // The end of the input does not cut the answer short: it comes by itself.
    client.send("go ponder\nponderhit");
    assert_eq!(best_moves(&client.finish()).len(), 1);
}

/// A knight gives check, and Black can only take it.
const ONE_MOVE: &str = "sfen lnsgkgs1l/1r5b1/ppppppppp/9/9/9/PPPP1nPPP/3BPR3/LNSGKGSNL b p 1";

#[test]
fn where_a_score_is_wanted_the_only_move_is_searched_as_long_as_any_other() {
    let mut client = Client::ready();
    let taken = |client: &mut Client, position: &str, go: &str| {
        let start = Instant::now();
        client.go(position, go);
        start.elapsed()
    };
    let while_asked = Duration::from_millis(250);
    for (position, go) in [
        ("startpos moves 7g7f 3c3d", "go movetime 300 searchmoves 2g2f"),
        ("startpos moves 7g7f 3c3d", "go btime 21000 wtime 21000 searchmoves 2g2f"),
        (ONE_MOVE, "go movetime 300"),
        (ONE_MOVE, "go btime 0 wtime 0 byoyomi 350"),
        (ONE_MOVE, "go btime 60000 wtime 60000 movetime 300"),
    ] {
        assert!(taken(&mut client, position, go) >= while_asked, "{position}: {go}");
    }
    client.send("setoption name ConsiderationMode value true");
    assert!(taken(&mut client, ONE_MOVE, "go btime 21000 wtime 21000") >= while_asked);
    client.send("setoption name ConsiderationMode value false");
    assert!(taken(&mut client, ONE_MOVE, "go btime 3600000 wtime 3600000") < LONG, "a game saves its time");
    client.finish();
}

#[test]
fn a_delay_that_leaves_no_time_is_said_once_in_a_game() {
    let mut client = Client::ready();
    client.send("setoption name NetworkDelay value 400\nsetoption name NetworkDelay2 value 1000");
    let said =
        |lines: &[String]| lines.iter().filter(|line| line.contains("NetworkDelay2 1000 leaves no time")).count();
    assert_eq!(said(&client.go("startpos", "go btime 0 wtime 0 byoyomi 1000")), 1);
    assert_eq!(said(&client.go("startpos", "go btime 0 wtime 0 byoyomi 1000")), 0);
    client.send("usinewgame");
    assert_eq!(said(&client.go("startpos", "go btime 0 wtime 0 byoyomi 1000")), 1);
    assert_eq!(said(&client.go("startpos", "go depth 2")), 0);
    client.finish();
}

#[test]
fn a_clock_ends_a_search_with_a_longer_time_for_the_move() {
    let mut client = Client::ready();
    for long in ["movetime 40000000", "rtime 40000000"] {
        for clock in ["btime 40 wtime 40", "byoyomi 40", "btime 0 wtime 0 binc 40 winc 40"] {
            client.go("startpos", &format!("go {long} {clock}"));
        }
    }
    client.finish();
}
