//! `go ponder` and `ponderhit`.

use super::*;

#[test]
fn ponderhit_starts_the_clock() {
    let mut client = Client::ready();
    for (position, go, hit) in [
        ("startpos", "go ponder btime 0 wtime 0 byoyomi 200", "ponderhit"),
        ("startpos", "go ponder", "ponderhit btime 0 wtime 0 byoyomi 200"),
        ("startpos", "go ponder btime 900000 wtime 900000", "ponderhit btime 200 wtime 900000"),
        ("startpos", "go ponder depth 3", "ponderhit"),
        (MATED, "go ponder btime 0 wtime 0 byoyomi 200", "ponderhit"),
        (CAN_DECLARE, "go ponder", "ponderhit btime 0 wtime 0 byoyomi 200"),
    ] {
        client.send(&format!("position {position}\n{go}"));
        client.unanswered_for(Duration::from_millis(100));
        let start = Instant::now();
        client.send(hit);
        client.until("bestmove");
        assert!(start.elapsed() < Duration::from_secs(5), "{go}, {hit}: {:?}", start.elapsed());
        // Too late, and without effect.
        client.send("ponderhit\nstop");
        assert_eq!(best_moves(&client.sync()), [""; 0]);
    }
    client.finish();
}

#[test]
fn stochastic_ponder_thinks_for_the_opponent_until_ponderhit() {
    let mut client = Client::ready();
    client.send("setoption name Stochastic_Ponder value true\nsetoption name PvInterval value 0");
    let mut before = Position::startpos();
    before.do_move("7g7f".parse().unwrap());
    let mut after = before.clone();
    after.do_move("9c9d".parse().unwrap());
    for (go, hit) in [
        ("go ponder btime 0 wtime 0 byoyomi 300", "ponderhit"),
        ("go ponder", "ponderhit btime 0 wtime 0 byoyomi 300"),
        ("go ponder depth 3", "ponderhit"),
        ("go ponder", "stop"),
        ("go ponder btime 900000 wtime 900000", "gameover win"),
    ] {
        client.send(&format!("position startpos moves 7g7f 9c9d\n{go}"));
        let is_for_opponent = |line: &str| before.is_legal(first_of_pv(line));
        client
            .until_that("a deep line for the opponent", |line| line.contains("info depth 6 ") && is_for_opponent(line));
        client.unanswered_for(Duration::from_millis(30));
        let start = Instant::now();
        client.send(hit);
        let lines = client.until("bestmove");
        assert!(start.elapsed() < Duration::from_secs(5), "{go}, {hit}: {:?}", start.elapsed());
        assert!(after.is_legal(best_move(lines.last().unwrap())), "{go}, {hit}: {lines:#?}");
        assert!(after.is_legal(first_of_pv(&lines[lines.len() - 2])), "{go}, {hit}: {lines:#?}");
        if hit.contains("byoyomi") {
            assert!(start.elapsed() > Duration::from_millis(150), "{go}, {hit}: {:?}", start.elapsed());
        }
        client.send("ponderhit\nstop");
        assert_eq!(best_moves(&client.sync()), [""; 0]);
    }
    client.finish();
}

#[test]
fn stochastic_ponder_waits_where_there_is_nothing_to_think_about() {
    let mut client = Client::ready();
    client.send("setoption name Stochastic_Ponder value true");
    for (position, expected) in [
        ("startpos", "bestmove "),
        (MATED, "bestmove resign"),
        (CAN_DECLARE, "bestmove win"),
        (MATE_MOVED, "bestmove resign"),
    ] {
        for hit in ["stop", "ponderhit"] {
            client.send(&format!("position {position}\ngo ponder btime 0 wtime 0 byoyomi 100"));
            client.unanswered_for(Duration::from_millis(60));
            client.send(hit);
            assert!(client.until("bestmove").pop().unwrap().starts_with(expected), "{position} {hit}");
            assert_eq!(best_moves(&client.sync()), [""; 0], "{position} {hit}");
        }
    }
    // It is a way to ponder, and changes no other search.
    let answer = client.go("startpos moves 7g7f 9c9d", "go depth 3");
    assert!(answer[answer.len() - 2].starts_with("info depth 3 "), "{answer:#?}");
    client.finish();
}

#[test]
fn ponderhit_leaves_an_infinite_search_alone() {
    let mut client = Client::ready();
    client.send("position startpos\ngo infinite\nponderhit btime 10 wtime 10");
    client.unanswered_for(Duration::from_millis(200));
    assert_eq!(best_moves(&client.finish()).len(), 1);
}
