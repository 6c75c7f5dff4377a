//! What is asked and set while a search runs.

use super::*;

#[test]
fn isready_is_answered_during_a_search_that_goes_on() {
    let mut client = Client::ready();
    client.send("go infinite");
    client.unanswered_for(Duration::from_millis(20));
    for _ in 0..3 {
        assert_eq!(best_moves(&client.sync()), [""; 0]);
    }
    client.send("usi");
    assert_eq!(best_moves(&client.until("usiok")), [""; 0]);
    client.send("stop");
    client.until("bestmove");
    client.finish();
}

#[test]
fn questions_sent_together_with_go_are_answered_at_once() {
    let mut client = Client::ready();
    for go in ["go infinite", "go ponder", "go perft 12", "go", "go btime 3600000 wtime 3600000"] {
        for _ in 0..5 {
            client.send(&format!("position startpos moves 2g2f\n{go}\nd\neval\nisready"));
            let lines = client.until("readyok");
            for answer in ["Sfen: ", "Cp: ", "readyok"] {
                assert_eq!(lines.iter().filter(|line| line.starts_with(answer)).count(), 1, "{go}: {lines:#?}");
            }
            assert!(lines.iter().any(|line| line.starts_with("Sfen: ") && line.ends_with(" w - 2")), "{go}");
            assert_eq!(best_moves(&lines), [""; 0], "{go}");
            client.send("stop\nisready");
            client.until("readyok");
        }
    }
    client.finish();
}

#[test]
fn readyok_comes_when_the_options_before_it_are_in_force() {
    let mut client = Client::ready();
    client.send("position startpos\ngo movetime 500\nsetoption name EvalFile value no/such/file\nisready");
    let lines = client.until("readyok");
    let place = |word: &str| lines.iter().position(|line| line.contains(word)).unwrap_or_else(|| panic!("{lines:?}"));
    assert!(place("bestmove") < place("no/such/file"), "{lines:?}");
    // Behind a search without end as well, which is still told to stop.
    client.send("go infinite\nsetoption name MultiPV value 2\nisready");
    client.unanswered_for(Duration::from_millis(100));
    client.send("stop");
    let lines = client.until("readyok");
    assert_eq!(best_moves(&lines).len(), 1);
    client.send("go depth 3");
    assert!(client.until("bestmove").iter().any(|line| line.contains(" multipv 2 ")));
    client.finish();
}

#[test]
fn isready_after_the_end_of_a_game_makes_ready() {
    let mut client = Client::ready();
    for end in ["gameover lose", "stop"] {
        client.send("position startpos\ngo ponder btime 1000 wtime 1000");
        client.unanswered_for(Duration::from_millis(30));
        client.send(&format!("{end}\nsetoption name EvalFile value no/such/file\nisready"));
        let lines = client.until("readyok");
        let place = |word: &str| lines.iter().position(|line| line.contains(word));
        assert!(place("bestmove") < place("no/such/file") && place("no/such/file").is_some(), "{lines:?}");
        client.send("setoption name EvalFile value");
        client.sync();
    }
    client.finish();
}

#[test]
fn what_changes_something_waits_for_the_search_to_end() {
    let mut client = Client::ready();
    client.send("position startpos\ngo infinite");
    client.unanswered_for(Duration::from_millis(30));
    let start = client.sfen();
    client.send("position startpos moves 7g7f 3c3d\nsetoption name MultiPV value 2\nusinewgame\nd");
    client.unanswered_for(Duration::from_millis(100));
    client.send("stop");
    let lines = client.until("bestmove");
    assert!(Position::startpos().is_legal(best_move(lines.last().unwrap())));
    assert_ne!(client.value("Sfen"), start);
    client.send("go depth 3");
    assert!(client.until("bestmove").iter().any(|line| line.contains(" multipv 2 ")));
    client.finish();
}

#[test]
fn d_and_eval_are_answered_during_a_search() {
    let mut client = Client::ready();
    client.send("position startpos moves 2g2f\ngo infinite");
    client.unanswered_for(Duration::from_millis(30));
    client.send("d\neval");
    let lines = client.until("Cp: ");
    assert_eq!(best_moves(&lines), [""; 0]);
    assert!(lines.iter().any(|line| line.starts_with("Sfen: ") && line.ends_with(" w - 2")));
    client.send("stop");
    client.until("bestmove");
    client.finish();
}
