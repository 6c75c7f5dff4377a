//! Stops at any moment.

use std::sync::atomic::{AtomicU64, Ordering};

use kurosabi::mate::{Attacker, MateLimits, MateObserver, MateOutcome, MateSolver};

use super::is_mating_line;
use super::problems::suite;

/// Ends the search when it is asked for the n-th time.
struct StopAt {
    question: u64,
    asked: AtomicU64,
}

impl MateObserver for StopAt {
    fn is_stopped(&self) -> bool {
        self.asked.fetch_add(1, Ordering::Relaxed) + 1 >= self.question
    }
}

/// Positions between two questions, as documented with `MateObserver::is_stopped`.
const INTERVAL: u64 = 512;
/// About 0.1 s.
const FEW_POSITIONS: u64 = 40_000;

#[test]
fn a_stop_is_obeyed_also_while_the_moves_are_put_together() {
    let (mut found, mut unknown) = (0, 0);
    for (_, position) in suite().filter(|&(length, _)| length >= 9).step_by(9) {
        for question in [1, 2, 3, 5, 9, 17, 40] {
            // Hardly any table: what was found must be found again to list the moves.
            let mut solver = MateSolver::new(0);
            let observer = StopAt { question, asked: AtomicU64::new(0) };
            let limits = MateLimits { nodes: Some(50_000), ..MateLimits::default() };
            let result = solver.solve(&position, Attacker::SideToMove, &limits, &observer).unwrap();
            assert!(result.progress.nodes <= question * INTERVAL + FEW_POSITIONS + INTERVAL, "{position:?}");
            match result.outcome {
                MateOutcome::Mate(mate) => {
                    assert!(is_mating_line(&position, true, &mate.moves), "{position:?}");
                    found += 1;
                }
                MateOutcome::Unknown => unknown += 1,
                other => panic!("{other:?}"),
            }
        }
    }
    assert!(found > 0 && unknown > 0, "{found} {unknown}");
}
