//! Searches that end when their answer no longer changes.

use std::sync::{Mutex, PoisonError};

use crate::search::{Bound, SearchControl, SearchInfo};
use crate::types::{Move, Outcome};

/// Iterations below this depth say little.
const LEAST_DEPTH: i32 = 8;
/// How far apart the scores may be, in centipawns.
const SPREAD: i32 = 30;

/// Ends a search when the best move has been the same for some iterations, with about the same score.
pub(super) struct Stability<'a> {
    iterations: usize,
    control: &'a SearchControl,
    seen: Mutex<Seen>,
}

#[derive(Default)]
struct Seen {
    depth: i32,
    best: Option<Move>,
    /// Since the best move changed last, or the score did.
    scores: Vec<Outcome>,
}

impl<'a> Stability<'a> {
    pub(super) fn new(iterations: usize, control: &'a SearchControl) -> Stability<'a> {
        Stability { iterations, control, seen: Mutex::default() }
    }

    /// Looks at what the search tells.
    pub(super) fn see(&self, info: &SearchInfo) {
        if info.multi_pv != 1 || info.bound != Bound::Exact {
            return;
        }
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        let (best, score) = (info.pv.first().copied(), info.score.outcome());
        if seen.depth == info.depth {
            seen.scores.pop();
        }
        seen.depth = info.depth;
        if seen.best != best || !seen.scores.iter().all(|&earlier| is_close(earlier, score)) {
            seen.scores.clear();
        }
        seen.best = best;
        seen.scores.push(score);
        if info.depth >= LEAST_DEPTH && seen.scores.len() >= self.iterations {
            self.control.stop();
        }
    }
}

fn is_close(a: Outcome, b: Outcome) -> bool {
    match (a, b) {
        (Outcome::Centipawns(a), Outcome::Centipawns(b)) => (a - b).abs() <= SPREAD,
        (a, b) => a == b,
    }
}
