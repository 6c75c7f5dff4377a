//! `go` and what may come while it runs.

mod limits;
mod mate;
mod ponder;
mod questions;
mod stop;

use std::time::{Duration, Instant};

use kurosabi::position::Position;
use kurosabi::types::Move;
use kurosabi::usi::message::{BestMove, UsiMessage};
use kurosabi::usi::parser::parse_one;

use crate::client::{Client, best_moves};

/// Longer than any answer takes that is not meant to take minutes, even on a busy machine.
const LONG: Duration = Duration::from_secs(30);

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
fn times_may_have_fractions_and_what_cannot_be_read_is_told() {
    let mut client = Client::ready();
    for go in ["go movetime 30.0", "go byoyomi 30.5", "go btime 100.0 wtime 100.0 binc 10.25 winc 10.0"] {
        let lines = client.go("startpos", go);
        assert!(lines.iter().all(|line| !line.contains("cannot read")), "{go}: {lines:#?}");
        best_move(lines.last().unwrap());
    }
    for (go, unread) in
        [("go nodes 50 btime=300", "btime=300"), ("go nodes 50 btime x1", "btime x1"), ("go xyz nodes 50", "xyz")]
    {
        let lines = client.go("startpos", go);
        let told = format!("info string cannot read \"{unread}\" in \"{go}\"");
        assert!(lines.contains(&told), "{lines:#?}");
    }
    client.finish();
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
fn what_was_not_searched_has_no_score() {
    let mut client = Client::ready();
    for go in ["go nodes 0", "go nodes 1"] {
        let mut lines = client.go("startpos", go);
        lines.retain(|line| !line.starts_with("info string"));
        assert!(lines.len() == 1, "{go}: {lines:#?}");
        best_move(&lines[0]);
    }
    client.finish();
}

#[test]
fn clocks_are_kept() {
    // How much time of a clock a move gets is tested with the budgets. By the opponent's clock a move takes minutes.
    let mut client = Client::ready();
    for go in [
        "go btime 1000 wtime 60000000 byoyomi 0",
        "go btime 0 wtime 60000000 byoyomi 500",
        "go btime 500 wtime 60000000 binc 100 winc 600000",
        "go movetime 300",
    ] {
        let start = Instant::now();
        client.go("startpos", go);
        assert!(start.elapsed() <= LONG, "{go}: {:?}", start.elapsed());
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

/// The figures of a line that are those of the whole search.
fn figures(line: &str) -> [&str; 4] {
    ["nodes", "nps", "hashfull", "time"].map(|key| line.split(' ').skip_while(|&word| word != key).nth(1).unwrap())
}

#[test]
fn lines_that_are_told_together_have_the_same_figures() {
    let mut client = Client::ready();
    client.send("setoption name MultiPV value 30\nsetoption name Threads value 2\nsetoption name PvInterval value 0");
    let lines = client.go("startpos", "go depth 7");
    let told: Vec<&String> = lines.iter().filter(|line| line.contains(" multipv ")).collect();
    assert_eq!(told.len() % 30, 0);
    for report in told.chunks(30) {
        assert!(report[0].contains(" multipv 30 ") && report[29].contains(" multipv 1 "), "{report:#?}");
        let of_best = figures(report[29]);
        assert!(report.iter().all(|line| figures(line) == of_best), "{report:#?}");
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
fn many_searches_in_a_row_take_no_longer_each() {
    let time = |count: usize| {
        let input = format!("setoption name USI_Hash value 1\n{}", "go depth 1\n".repeat(count));
        let start = Instant::now();
        let mut output = Vec::new();
        kurosabi::usi::session::run(input.as_bytes(), &mut output);
        assert_eq!(String::from_utf8(output).unwrap().matches("bestmove").count(), count);
        start.elapsed()
    };
    // If each took longer than the last, 40 times as many would take about 1600 times as long. A machine that is busy
    // with other things only now and then gets more than one try.
    let mut tries = Vec::new();
    let passes = (0..3).any(|_| {
        let (few, many) = (time(200), time(8000));
        tries.push((few, many));
        many < few * 40 * 4
    });
    assert!(passes, "200 and 8000 searches in {tries:?}");
}

#[test]
fn the_increment_is_not_there_on_the_first_move_of_a_game() {
    let mut client = Client::ready();
    client.send("setoption name RoundUpToFullSecond value false\nsetoption name NetworkDelay2 value 200");
    for again in ["usinewgame", "gameover win\nisready\nusinewgame"] {
        // With the increment a move takes minutes.
        let position = "startpos moves 7g7f 3c3d 2g2f 8c8d 2f2e 8d8e";
        let go = "go btime 400 wtime 400 binc 4000000 winc 4000000";
        let start = Instant::now();
        client.go(position, go);
        assert!(start.elapsed() < LONG, "{:?}", start.elapsed());
        // From the second move on it was added, by a client that leaves it out of `btime`.
        client.send(&format!("position {position}\n{go}"));
        client.unanswered_for(Duration::from_millis(600));
        client.send("stop");
        client.until("bestmove");
        client.send(again);
    }
    client.finish();
}

#[test]
fn a_level_answers_at_once_and_wins_what_is_won() {
    let mut client = Client::ready();
    client.send("setoption name SkillLevel value 18");
    for ply in 1..8 {
        for (position, expected) in
            [(CAN_DECLARE, "bestmove win"), (MATED, "bestmove resign"), (MATE_IN_ONE, "bestmove G*5b")]
        {
            let position = position.rsplit_once(' ').unwrap().0;
            let start = Instant::now();
            let lines = client.go(&format!("{position} {ply}"), "go btime 600000 wtime 600000");
            assert_eq!(lines.last().unwrap(), expected);
            assert!(start.elapsed() < Duration::from_secs(10));
        }
        let lines =
            client.go(&format!("sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - {ply}"), "go");
        assert_eq!(first_of_pv(&lines[lines.len() - 2]), best_move(lines.last().unwrap()), "{lines:#?}");
        assert!(lines[lines.len() - 2].contains(" multipv 1 "));
    }
    client.finish();
}

#[test]
fn a_level_keeps_to_searchmoves_even_where_it_could_mate() {
    let mut client = Client::ready();
    client.send("setoption name SkillLevel value 12");
    let answer = client.go(MATE_IN_ONE, "go searchmoves G*4b");
    assert!(answer.last().unwrap().starts_with("bestmove G*4b"), "{answer:?}");
    client.finish();
}

#[test]
fn a_level_takes_a_natural_moment_where_it_is_asked_to() {
    let mut client = Client::ready();
    client.send("setoption name SkillLevel value 3\nsetoption name USI_OwnBook value false");
    client.send("setoption name SkillPace value true");
    let start = Instant::now();
    client.go("startpos", "go btime 600000 wtime 600000");
    assert!(start.elapsed() > Duration::from_millis(700), "{:?}", start.elapsed());
    client.send("position startpos moves 7g7f 3c3d\ngo btime 600000 wtime 600000\nstop");
    client.until("bestmove");
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
