//! `go mate`.

use super::*;
use crate::client::only_info_string;

/// Mate in three by a sacrifice, from a game of Kurosabi against itself.
const MATE_IN_THREE: &str = "sfen l5sn1/6kbl/4ppp1p/p3Ng1p1/2p4NP/Prs1P1PP1/1P3PS1L/1K2+n4/L5G2 w RBGS2Pg2p 138";

#[test]
fn go_mate_answers_with_the_moves_of_the_mate() {
    let mut client = Client::ready();
    client.send(&format!("position {MATE_IN_THREE}"));
    for go in ["go mate infinite", "go mate 60000", "go mate", "go mate nodes 100000"] {
        client.send(go);
        let lines = client.until("checkmate");
        let [.., info, answer] = &lines[..] else { panic!("{lines:#?}") };
        let moves = answer.strip_prefix("checkmate ").unwrap();
        assert_eq!(moves.split(' ').count(), 3, "{answer}");
        assert!(info.contains(" score mate 3 ") && info.ends_with(&format!(" pv {moves}")), "{info}");
    }
    client.finish();
}

#[test]
fn go_mate_says_that_there_is_none_or_that_it_does_not_know() {
    let mut client = Client::ready();
    client.send("position startpos\ngo mate infinite");
    assert_eq!(client.until("checkmate").last().unwrap(), "checkmate nomate");
    client.send(&format!("position {MATE_IN_THREE}\ngo mate nodes 1"));
    assert_eq!(client.until("checkmate").last().unwrap(), "checkmate timeout");
    // No king to mate.
    client.send("position sfen 9/9/9/9/9/9/9/9/4K4 b G 1\ngo mate 1000");
    assert_eq!(client.until("checkmate").last().unwrap(), "checkmate nomate");
    client.finish();
}

#[test]
fn go_mate_tells_nothing_of_another_position_than_was_sent() {
    let mut client = Client::ready();
    for (bad, reason) in [
        ("sfen 4k4/9/9/9/9/9/9/9/4K4 b 19P 1", "19 pieces"),
        ("sfen 9/9/9/9/9/9/9/9/9 b - 1", "no king"),
        ("startpos moves 7g7f 7g7f", "illegal move"),
    ] {
        client.send(&format!("position {MATE_IN_THREE}\nposition {bad}\ngo mate infinite"));
        let lines = client.until("checkmate");
        let [reported, remark, answer] = &lines[..] else { panic!("{lines:#?}") };
        assert!(reported.contains(reason) && remark.starts_with("info string nothing is searched"), "{lines:#?}");
        assert_eq!(answer, "checkmate timeout");
    }
    client.send(&format!("position {MATE_IN_THREE}\ngo mate"));
    assert_eq!(client.until("checkmate").last().unwrap().split(' ').count(), 4);
    client.finish();
}

#[test]
fn go_mate_gives_way_to_stop() {
    let mut client = Client::ready();
    // All pieces in hand: no solver is soon through with this.
    client.send("position sfen 9/9/9/9/4k4/9/9/9/9 b 2R2B4G4S4N4L17P 1\ngo mate infinite");
    client.unanswered_for(Duration::from_millis(200));
    client.send("stop");
    assert!(client.until("checkmate").last().unwrap().starts_with("checkmate "));
    client.finish();
}

#[test]
fn go_mate_counts_the_repetitions_of_the_game() {
    let shuffle = "3a4a 3c4d 4a3a 4d3c ".repeat(2) + "3a4a 3c4d 4a3a";
    let mut client = Client::ready();
    // For the fourth time in perpetual check, 4d3c would lose.
    client.send(&format!("position sfen 6k2/9/6+R2/9/9/9/9/9/9 w GP 2 moves {shuffle}\ngo mate infinite"));
    let answer = client.until("checkmate").pop().unwrap();
    assert!(!answer.starts_with("checkmate 4d3c"), "{answer}");
    client.send(&format!("position sfen 6k2/9/6+R2/9/9/9/9/9/9 w GP 2 moves {shuffle} 4d3c\ngo mate infinite"));
    assert_eq!(client.until("checkmate").pop().unwrap(), "checkmate nomate", "the game is over");
    client.finish();
}

#[test]
fn nothing_is_searched_of_another_position_than_was_sent() {
    let mut client = Client::ready();
    client.send("position startpos moves 7g7f 7g7f");
    assert!(only_info_string(&client.sync()).contains("illegal move"));
    let refusal = "info string nothing is searched: the position that was sent cannot be set up";
    for (go, answer) in [
        ("go nodes 100", "bestmove resign"),
        ("go btime 1000 wtime 1000", "bestmove resign"),
        ("go mate 1000", "checkmate timeout"),
    ] {
        client.send(go);
        assert_eq!(client.until(answer.split(' ').next().unwrap()), [refusal, answer], "{go}");
    }
    for go in ["go infinite", "go ponder btime 1000 wtime 1000"] {
        client.send(go);
        assert_eq!(client.until("info"), [refusal]);
        client.unanswered_for(Duration::from_millis(200));
        client.send("stop");
        assert_eq!(client.until("bestmove"), ["bestmove resign"], "{go}");
    }
    for question in ["eval", "go perft 2"] {
        client.send(question);
        assert_eq!(client.until("info"), [refusal], "{question}");
    }
    client.send("position startpos\ngo nodes 100");
    let lines = client.until("bestmove");
    assert!(lines.len() > 1 && lines.last().unwrap() != "bestmove resign", "{lines:#?}");
    client.finish();
}
