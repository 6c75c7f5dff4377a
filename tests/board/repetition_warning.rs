//! Warnings of sennichite before it happens.

use kurosabi::rules::RepetitionWarning;
use kurosabi::types::Color;

use crate::squares::{after, mv};

const STARTPOS: &str = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
/// Black gives check with every move, and White has one answer each time.
const CHECKS: &str = "8k/9/9/9/9/9/9/9/K6R1 b - 1";

/// The warning after this many of these moves, played over and over.
fn warning(sfen: &str, cycle: &str, plies: usize) -> Option<RepetitionWarning> {
    let moves: Vec<&str> = cycle.split(' ').cycle().take(plies).collect();
    RepetitionWarning::from_position(&after(sfen, &moves.join(" ")))
}

/// What is said, in English and in Japanese.
fn said(warning: &RepetitionWarning) -> [String; 2] {
    [warning.to_string(), warning.japanese(false, |mv| mv.to_string())]
}

#[test]
fn the_third_occurrence_is_warned_of_and_the_second_is_not() {
    let shuffle = |plies| warning(STARTPOS, "2h1h 8b9b 1h2h 9b8b", plies);
    assert_eq!(shuffle(0), None);
    assert_eq!(shuffle(4), None);
    assert_eq!(shuffle(7), None);
    let third = shuffle(8).unwrap();
    assert_eq!(third, RepetitionWarning { occurrences: 3, fourth: vec![] });
    assert_eq!(
        said(&third),
        ["sennichite ahead: this position is here for the third time", "千日手模様: この局面は三回目"]
    );
    assert_eq!(shuffle(12), None, "the game is over");
}

#[test]
fn a_move_that_makes_a_fourth_occurrence_is_warned_of() {
    let both = warning(STARTPOS, "2h1h 8b9b 1h2h 9b8b", 11).unwrap();
    assert_eq!(both, RepetitionWarning { occurrences: 3, fourth: vec![(mv("9b8b"), None)] });
    assert_eq!(
        said(&both),
        [
            "sennichite ahead: this position is here for the third time; 9b8b makes a fourth occurrence, a draw",
            "千日手模様: この局面は三回目、9b8bで四回目、引き分け",
        ]
    );
    // The position before that move is new: the rook has been elsewhere the other times
    let new = "2h1h 8b9b 1h2h 9b8b 2h1h 8b9b 1h2h 9b8b 2h1h 8b7b 1h2h";
    let alone = RepetitionWarning::from_position(&after(STARTPOS, new)).unwrap();
    assert_eq!(alone, RepetitionWarning { occurrences: 1, fourth: vec![(mv("7b8b"), None)] });
    assert_eq!(
        said(&alone),
        ["sennichite ahead: 7b8b makes a fourth occurrence, a draw", "千日手模様: 7b8bで四回目、引き分け"]
    );
}

#[test]
fn perpetual_check_loses_for_the_checker_by_a_fourth_occurrence_of_either_side() {
    let cycle = "2i1i 1a2a 1i2i 2a1a";
    let answered = warning(CHECKS, cycle, 11).unwrap();
    assert_eq!(answered.fourth, [(mv("2a1a"), Some(Color::White))]);
    let end = "2a1a makes a fourth occurrence, Black loses by perpetual check";
    assert!(answered.to_string().ends_with(end), "{answered}");
    assert!(
        answered.japanese(false, |mv| mv.to_string()).ends_with("2a1aで四回目、連続王手で先手の反則負け"),
        "{}",
        answered.japanese(false, |mv| mv.to_string())
    );
    let checking = warning("8k/9/9/9/9/9/9/9/K7R w - 1", "1a2a 1i2i 2a1a 2i1i", 11).unwrap();
    assert_eq!(checking.fourth, [(mv("2i1i"), Some(Color::White))]);
}

#[test]
fn warnings_of_several_repeating_moves_are_listed() {
    // White's rook has been on 8b three times, and on 7b three times, with Black to move.
    let detours = ["8b6b 6b7b", "7b5b 5b8b", "8b4b 4b7b", "7b3b 3b8b", "8b6b 6b7b"];
    let there = detours.map(|detour| format!("2h1h {} 1h2h {}", &detour[..4], &detour[5..])).join(" ");
    let warning = RepetitionWarning::from_position(&after(STARTPOS, &(there + " 2h1h 7b9b 1h2h"))).unwrap();
    let mut moves: Vec<String> = warning.fourth.iter().map(|(mv, _)| mv.to_string()).collect();
    let [one, other] = &moves[..] else { panic!("{warning}") };
    let draws = format!("{one} makes a fourth occurrence, a draw; {other} makes a fourth occurrence, a draw");
    assert_eq!(warning.to_string(), format!("sennichite ahead: {draws}"));
    moves.sort();
    assert_eq!(moves, ["9b7b", "9b8b"]);
}
