//! Known mates and positions without.

use kurosabi::mate::{Attacker, MateError, MateLimits, MateOutcome, MateSolver, SilentMateObserver};
use kurosabi::position::Position;

use super::exhaustive::Exhaustive;
use super::{is_mating_line, replayed_length, solve};

const SUITE: &str = include_str!("../../scripts/tactics/suite.sfen");

/// Positions of the suite with their lengths.
pub(super) fn suite() -> impl Iterator<Item = (usize, Position)> {
    let mut length = 0;
    SUITE.lines().filter_map(move |line| match line.strip_prefix("# mate ") {
        Some(number) => {
            length = number.trim().parse().unwrap();
            None
        }
        None if line.starts_with('#') || line.trim().is_empty() => None,
        None => Some((length, Position::from_sfen(line).unwrap())),
    })
}

#[test]
fn the_suite_is_solved() {
    for (length, position) in suite() {
        let found = replayed_length(&position, &solve(&position, Attacker::SideToMove, &MateLimits::default()));
        assert_eq!(found, Some(length), "{position:?}");
    }
}

#[test]
fn a_rook_does_not_promote_where_that_mates_sooner() {
    let position =
        Position::from_sfen("4+P4/1+P4skl/+L4g1p1/2+R1pppLp/7N1/2lPsnK1P/1PP3S2/3G5/1+b4+r2 w BGS2NPg6p 166").unwrap();
    let found = replayed_length(&position, &solve(&position, Attacker::SideToMove, &MateLimits::default()));
    assert_eq!((found, Exhaustive::new().shortest(&position, 9)), (Some(9), Some(9)));
}

#[test]
fn the_same_question_has_the_same_answer() {
    let (_, position) = suite().last().unwrap();
    let limits = MateLimits { nodes: Some(100_000), ..MateLimits::default() };
    let first = solve(&position, Attacker::SideToMove, &limits);
    let again = solve(&position, Attacker::SideToMove, &limits);
    assert_eq!((first.outcome, first.progress.nodes), (again.outcome, again.progress.nodes));
}

#[test]
fn a_mate_found_before_the_limit_is_given_though_it_may_not_be_shortest() {
    let (mut found, mut unknown) = (0, 0);
    for (_, position) in suite().filter(|&(length, _)| length >= 9) {
        let limits = MateLimits { nodes: Some(300), ..MateLimits::default() };
        match solve(&position, Attacker::SideToMove, &limits).outcome {
            MateOutcome::Mate(mate) => {
                assert!(is_mating_line(&position, true, &mate.moves), "{position:?}");
                found += usize::from(!mate.is_shortest);
            }
            MateOutcome::Unknown => unknown += 1,
            other => panic!("{other:?}"),
        }
    }
    assert!(found > 0 && unknown > 0, "{found} {unknown}");
}

#[test]
fn there_is_no_mate_by_a_pawn_drop_or_by_repetition() {
    for sfen in [
        // Only the pawn drop would mate.
        "7sk/9/6+P1N/9/9/9/9/9/9 b P 1",
        // The rook checks for ever.
        "4k4/9/9/9/9/9/9/9/R8 b - 1",
        "startpos",
    ] {
        let position = if sfen == "startpos" { Position::startpos() } else { Position::from_sfen(sfen).unwrap() };
        let result = solve(&position, Attacker::SideToMove, &MateLimits::default());
        assert!(matches!(result.outcome, MateOutcome::NoMate { .. }), "{sfen}: {result:?}");
    }
}

#[test]
fn without_a_king_there_is_nothing_to_mate() {
    let position = Position::from_sfen("9/9/9/9/9/9/9/9/4K4 b G 1").unwrap();
    let mut solver = MateSolver::new(1);
    let mut ask = |attacker| solver.solve(&position, attacker, &MateLimits::default(), &SilentMateObserver);
    assert_eq!(ask(Attacker::SideToMove), Err(MateError::NoKing));
    assert!(ask(Attacker::Opponent).is_ok());
}
