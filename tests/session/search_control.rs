//! `go` and what may come while it runs.

use std::time::{Duration, Instant};

use kurosabi::position::Position;
use kurosabi::types::Move;
use kurosabi::usi::message::{BestMove, UsiMessage};
use kurosabi::usi::parser::parse_one;

use crate::client::{Client, best_moves};

const MATED: &str = "sfen 4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1";
const CAN_DECLARE: &str = "sfen K+R+B+P+P+P+P+P1/+P+P+P6/9/9/9/9/9/9/4k4 b RB 1";
const MATE_MOVED: &str = "sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1 moves G*5b";
const MATE_IN_ONE: &str = "sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1";

/// The first move of a line's variation.
fn first_of_pv(line: &str) -> Move {
    line.split_once(" pv ").expect(line).1.split(' ').next().unwrap().parse().unwrap()
}

fn best_move(line: &str) -> Move {
    match parse_one(line) {
        UsiMessage::BestMove(BestMove::Move { best, .. }) => best,
        other => panic!("{line}: {other:?}"),
    }
}

#[test]
fn every_kind_of_go_is_answered_once_by_a_legal_move() {
    let mut client = Client::ready();
    for go in [
        "go depth 4",
        "go nodes 500",
        "go nodes 0",
        "go depth 0",
        "go movetime 30",
        "go movetime 0",
        "go rtime 30",
        "go depth 3 nodes 1000000 movetime 10000",
        "go btime 100 wtime 100",
        "go btime 0 wtime 0 byoyomi 100",
        "go btime 0 wtime 0",
        "go btime -5000 wtime -5000 binc 5100 winc 5100 depth 5",
        "go btime -5000 wtime -3000",
        "go btime 0 byoyomi 50",
        "go wtime 0 byoyomi 50",
        "go btime 50",
        "go wtime 50",
        "go byoyomi 0",
        "go binc 0 winc 0",
        "go byoyomi 50",
        "go btime 200 wtime 200 binc 10 winc 10 movestogo 1",
        "go btime x wtime depth 3 hello",
    ] {
        for position in ["startpos", "startpos moves 7g7f"] {
            let answer = client.go(position, go);
            let mut board = Position::startpos();
            if position.ends_with("7g7f") {
                board.do_move("7g7f".parse().unwrap());
            }
            assert!(board.is_legal(best_move(answer.last().unwrap())), "{position}, {go}: {answer:#?}");
            assert_eq!(best_moves(&client.sync()), [""; 0], "{go}");
        }
    }
    client.finish();
}

#[test]
fn clocks_are_kept() {
    let mut client = Client::ready();
    for (go, limit) in [
        ("go btime 1000 wtime 600000 byoyomi 0", 1000),
        ("go btime 0 wtime 600000 byoyomi 500", 500),
        ("go btime 500 wtime 0 binc 100 winc 0", 500),
        ("go movetime 300", 400),
    ] {
        let start = Instant::now();
        client.go("startpos", go);
        assert!(start.elapsed() <= Duration::from_millis(limit), "{go}: {:?}", start.elapsed());
    }
    client.finish();
}

#[test]
fn the_last_line_before_the_answer_is_the_best_line() {
    let mut client = Client::ready();
    client.send("setoption name MultiPV value 3");
    for position in ["startpos", MATE_IN_ONE] {
        let lines = client.go(position, "go depth 5");
        let [.., third, second, first, answer] = lines.as_slice() else { panic!("{lines:?}") };
        for (line, rank) in [(first, " multipv 1 "), (second, " multipv 2 "), (third, " multipv 3 ")] {
            assert!(line.starts_with("info depth ") && line.contains(rank), "{lines:#?}");
        }
        let pv = first.split_once(" pv ").unwrap().1;
        assert!(first.contains(" score ") && pv.starts_with(&best_move(answer).to_string()), "{lines:#?}");
    }
    client.finish();
}

#[test]
fn two_goes_give_two_answers() {
    let mut client = Client::ready();
    client.send("position startpos");
    client.send("go depth 6\ngo depth 3");
    client.until("bestmove");
    client.until("bestmove");
    // One without end makes way for the next, also when it was still waiting.
    client.send("go infinite\ngo ponder\ngo\ngo depth 2");
    for _ in 0..4 {
        client.until("bestmove");
    }
    assert_eq!(best_moves(&client.sync()), [""; 0]);
    assert_eq!(best_moves(&client.finish()), [""; 0]);
}

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
        assert!(start.elapsed() < Duration::from_millis(500), "{go}, {hit}: {:?}", start.elapsed());
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
        assert!(start.elapsed() < Duration::from_millis(800), "{go}, {hit}: {:?}", start.elapsed());
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
        assert!(start.elapsed() < Duration::from_secs(1), "{go}: {:?}", start.elapsed());
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
fn many_searches_in_a_row_take_no_longer_each() {
    let time = |count: usize| {
        let input = format!("setoption name USI_Hash value 1\n{}", "go depth 1\n".repeat(count));
        let start = Instant::now();
        let mut output = Vec::new();
        kurosabi::usi::session::run(input.as_bytes(), &mut output);
        assert_eq!(String::from_utf8(output).unwrap().matches("bestmove").count(), count);
        start.elapsed()
    };
    let few = time(200);
    let many = time(8000);
    assert!(many < few * 40 * 3, "200 in {few:?}, 8000 in {many:?}");
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

/// How long the engine thinks about a move in the opening of a game with this clock.
fn thinking_time(client: &mut Client, go: &str) -> Duration {
    client.send("position startpos moves 7g7f 3c3d 2g2f 8c8d 2f2e 8d8e");
    let start = Instant::now();
    client.send(go);
    client.until("bestmove");
    start.elapsed()
}

#[test]
fn the_increment_is_not_there_on_the_first_move_of_a_game() {
    let mut client = Client::ready();
    client.send("setoption name RoundUpToFullSecond value false\nsetoption name NetworkDelay2 value 200");
    for again in ["usinewgame", "gameover win\nisready\nusinewgame"] {
        let go = "go btime 400 wtime 400 binc 4000 winc 4000";
        let first = thinking_time(&mut client, go);
        assert!(first < Duration::from_millis(400), "{first:?}");
        let second = thinking_time(&mut client, go);
        assert!(second > Duration::from_millis(600), "a client that leaves the increment out: {second:?}");
        client.send(again);
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

#[test]
fn the_weakest_level_answers_at_once_and_wins_what_is_won() {
    let mut client = Client::ready();
    client.send("setoption name SkillLevel value 0");
    for ply in 1..8 {
        for (position, expected) in
            [(CAN_DECLARE, "bestmove win"), (MATED, "bestmove resign"), (MATE_IN_ONE, "bestmove G*5b")]
        {
            let position = position.rsplit_once(' ').unwrap().0;
            let start = Instant::now();
            let lines = client.go(&format!("{position} {ply}"), "go btime 600000 wtime 600000");
            assert_eq!(lines.last().unwrap(), expected);
            assert!(start.elapsed() < Duration::from_secs(1));
        }
        let lines =
            client.go(&format!("sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - {ply}"), "go");
        assert_eq!(first_of_pv(&lines[lines.len() - 2]), best_move(lines.last().unwrap()), "{lines:#?}");
        assert!(lines[lines.len() - 2].contains(" multipv 1 "));
    }
    client.finish();
}

#[test]
fn searchmoves_are_kept_to() {
    let mut client = Client::ready();
    let answer = client.go("startpos", "go depth 5 searchmoves 9g9f");
    assert!(answer.last().unwrap().starts_with("bestmove 9g9f"), "{answer:?}");
    let answer = client.go("startpos", "go searchmoves 1g1f 9g9f depth 5");
    assert!(["1g1f", "9g9f"].contains(&best_move(answer.last().unwrap()).to_string().as_str()));
    // Illegal ones are named and left out; when nothing is left, any move will do.
    let answer = client.go("startpos", "go depth 3 searchmoves 9g9e 9g9f");
    assert!(answer.iter().any(|line| line.starts_with("info string") && line.contains("9g9e")), "{answer:#?}");
    assert!(answer.last().unwrap().starts_with("bestmove 9g9f"), "{answer:#?}");
    let answer = client.go("startpos", "go depth 3 searchmoves 5e5d");
    assert!(Position::startpos().is_legal(best_move(answer.last().unwrap())));
    // A move that the generator leaves out by default can be asked for.
    let answer = client.go("sfen 4k4/9/9/4P4/9/9/9/9/4K4 b - 1", "go depth 3 searchmoves 5d5c");
    assert!(answer.last().unwrap().starts_with("bestmove 5d5c"), "{answer:#?}");
    client.finish();
}

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
fn go_mate_gives_way_to_stop() {
    let mut client = Client::ready();
    // All pieces in hand: no solver is soon through with this.
    client.send("position sfen 9/9/9/9/4k4/9/9/9/9 b 2R2B4G4S4N4L17P 1\ngo mate infinite");
    client.unanswered_for(Duration::from_millis(200));
    client.send("stop");
    assert!(client.until("checkmate").last().unwrap().starts_with("checkmate "));
    client.finish();
}
