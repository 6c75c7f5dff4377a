//! Several threads on one problem.

use std::time::Duration;

use kurosabi::mate::{
    Attacker, MateLimits, MateObserver, MateOutcome, MateProgress, MateResult, MateSolver, SilentMateObserver,
};
use kurosabi::position::Position;

use super::problems::suite;
use super::replayed_length;

fn solve(threads: usize, position: &Position, limits: &MateLimits) -> MateResult {
    let mut solver = MateSolver::with_threads(64, threads);
    solver.solve(position, Attacker::SideToMove, limits, &SilentMateObserver).unwrap()
}

#[test]
fn threads_together_find_mates_of_the_same_length() {
    for (length, position) in suite().filter(|&(length, _)| length >= 11).step_by(3).chain(suite().take(5)) {
        let result = solve(3, &position, &MateLimits::default());
        assert_eq!(replayed_length(&position, &result), Some(length), "{position:?}");
    }
}

/// A chase round the board that has no end within a second.
const ENDLESS: &str = "9/9/9/9/4k4/9/9/9/9 b 2R2B4G4S4N4L17P 1";

#[test]
fn threads_together_keep_to_the_limits() {
    let position = Position::from_sfen(ENDLESS).unwrap();
    let limits = MateLimits { nodes: Some(50_000), ..MateLimits::default() };
    let result = solve(3, &position, &limits);
    assert!(result.progress.nodes < 60_000, "{}", result.progress.nodes);
    assert!(!matches!(result.outcome, MateOutcome::NoMate { .. }), "{result:?}");
}

#[test]
fn one_thread_of_several_is_as_good_as_one_alone() {
    let (_, position) = suite().last().unwrap();
    let alone = MateSolver::new(64).solve(&position, Attacker::SideToMove, &MateLimits::default(), &SilentMateObserver);
    assert_eq!(Ok(solve(1, &position, &MateLimits::default()).outcome), alone.map(|result| result.outcome));
}

/// Hashimoto's Microcosmos (ミクロコスモス, 1986), a mate in 1525 plies: with hardly any table it is not found in minutes.
const MICROCOSMOS: &str = "g1+P1k1+P+P+L/1p3P3/+R+p2pp1pl/1NNsg+p2+R/+b+nL+P1+p3/1P3ssP1/2P1+Ps2N/4+P1P1L/+B5G1g b - 1";

/// Panics when the search reports something while its threads search together.
struct Panicking;

impl MateObserver for Panicking {
    fn on_progress(&self, progress: &MateProgress) {
        assert!(progress.nodes < 20_000, "no news, please");
    }

    fn interval(&self) -> Duration {
        Duration::ZERO
    }
}

#[test]
#[should_panic(expected = "no news, please")]
fn a_panic_ends_the_search_of_all_threads() {
    let position = Position::from_sfen(MICROCOSMOS).unwrap();
    let _ = MateSolver::with_threads(0, 3).solve(&position, Attacker::SideToMove, &MateLimits::default(), &Panicking);
}
