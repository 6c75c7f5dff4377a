//! What ends a search: `stop`, `gameover`, `quit`, the end of the input.

use super::*;

#[test]
fn no_answer_to_infinite_before_stop() {
    let mut client = Client::ready();
    for (position, expected) in [
        ("startpos", "bestmove "),
        (MATED, "bestmove resign"),
        (CAN_DECLARE, "bestmove win"),
        (MATE_IN_ONE, "bestmove G*5b"),
    ] {
        for go in ["go infinite", "go infinite depth 2", "go ponder", "go ponder btime 0 wtime 0 byoyomi 10"] {
            client.send(&format!("position {position}\n{go}"));
            client.unanswered_for(Duration::from_millis(120));
            client.send("stop");
            assert!(client.until("bestmove").pop().unwrap().starts_with(expected), "{position} {go}");
            assert_eq!(best_moves(&client.sync()), [""; 0], "{position} {go}");
        }
    }
    client.finish();
}

#[test]
fn a_stop_right_behind_go_is_not_lost() {
    let mut client = Client::ready();
    for _ in 0..50 {
        client.send("go infinite\nstop");
        client.until("bestmove");
    }
    client.send("go depth 200\ngo infinite\nstop");
    client.until("bestmove");
    client.until("bestmove");
    assert_eq!(best_moves(&client.finish()), [""; 0]);
}

#[test]
fn stop_when_idle_is_ignored() {
    let mut client = Client::ready();
    client.send("stop\nstop\nponderhit\ngameover win");
    assert_eq!(client.sync(), [""; 0]);
    client.send("position startpos\ngo depth 3");
    client.until("bestmove");
    client.send("stop");
    assert_eq!(client.sync(), [""; 0]);
    client.finish();
}

#[test]
fn gameover_stops_as_stop_does() {
    let mut client = Client::ready();
    for gameover in ["gameover win", "gameover lose", "gameover draw", "gameover unknown", "gameover"] {
        client.send("position startpos\ngo ponder btime 1000 wtime 1000");
        client.unanswered_for(Duration::from_millis(30));
        client.send(gameover);
        client.until("bestmove");
        assert_eq!(best_moves(&client.sync()), [""; 0]);
    }
    client.send("go infinite\nstop\ngameover lose");
    client.until("bestmove");
    client.send("usinewgame");
    assert_eq!(client.sync(), [""; 0]);
    client.finish();
}

#[test]
fn quit_ends_a_search_at_once_and_with_its_answer() {
    for go in ["go infinite", "go ponder", "go depth 200", "go btime 3600000 wtime 3600000", "go"] {
        let mut client = Client::ready();
        client.send("position startpos");
        client.send(go);
        client.unanswered_for(Duration::from_millis(50));
        let start = Instant::now();
        client.send("quit");
        assert_eq!(best_moves(&client.finish()).len(), 1, "{go}");
        assert!(start.elapsed() < Duration::from_secs(10), "{go}: {:?}", start.elapsed());
    }
}

#[test]
fn the_end_of_the_input_lets_bounded_searches_finish() {
    let mut client = Client::start();
    client.send("position startpos\ngo depth 7\ngo nodes 3000\nd");
    let lines = client.finish();
    assert_eq!(best_moves(&lines).len(), 2);
    assert!(lines.iter().any(|line| line.starts_with("info depth 7 ")), "{lines:#?}");
    assert!(lines.iter().any(|line| line.starts_with("Declaration: ")));

    let mut client = Client::start();
    client.send("position startpos\ngo ponder depth 7\nponderhit");
    let lines = client.finish();
    assert!(lines.iter().any(|line| line.starts_with("info depth 7 ")), "{lines:#?}");

    // The clock of a `ponderhit` is a bound like any other.
    let mut client = Client::ready();
    client.send("position startpos\ngo ponder\nponderhit btime 0 wtime 0 byoyomi 900");
    let lines = client.finish();
    let [.., last, _] = lines.as_slice() else { panic!("{lines:#?}") };
    let time = last.split_once(" time ").unwrap().1.split(' ').next().unwrap();
    assert!(time.parse::<u64>().unwrap() > 500, "{lines:#?}");
}

#[test]
fn the_end_of_the_input_stops_searches_without_end() {
    for go in ["go infinite", "go ponder depth 3", "go", "go infinite\ngo ponder"] {
        let mut client = Client::start();
        client.send("position startpos");
        client.send(go);
        assert_eq!(best_moves(&client.finish()).len(), go.lines().count(), "{go}");
    }
}
