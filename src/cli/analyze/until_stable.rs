//! Searches that end when their answer no longer changes.

use std::sync::{Mutex, PoisonError};

use crate::search::{Bound, SearchInfo, Signals};
use crate::types::{Move, Outcome};

/// Iterations below this depth say little.
const LEAST_DEPTH: i32 = 8;
/// How far apart the scores may be, in centipawns.
const SPREAD: i32 = 30;

/// Ends a search when the best move has been the same for some iterations, with about the same score.
pub(super) struct UntilStable<'a> {
    iterations: usize,
    control: &'a Signals,
    seen: Mutex<Seen>,
}

#[derive(Default)]
struct Seen {
    depth: i32,
    best: Option<Move>,
    /// Since the best move changed last, or the score did.
    scores: Vec<Outcome>,
}

impl<'a> UntilStable<'a> {
    pub(super) fn new(iterations: usize, control: &'a Signals) -> UntilStable<'a> {
        UntilStable { iterations, control, seen: Mutex::default() }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::Score;

    fn line(depth: i32, mv: &str, centipawns: i32) -> SearchInfo {
        let score = Score::from_centipawns(centipawns);
        SearchInfo { depth, bound: Bound::Exact, ..SearchInfo::unsearched(score, vec![mv.parse().unwrap()]) }
    }

    /// The depth of the line with which a search is stopped that is to be stable for three iterations.
    fn stopped_at(lines: &[SearchInfo]) -> Option<i32> {
        let control = Signals::new();
        let until_stable = UntilStable::new(3, &control);
        let stops = |line: &&SearchInfo| {
            until_stable.see(line);
            control.is_stopped()
        };
        lines.iter().find(stops).map(|line| line.depth)
    }

    #[test]
    fn iterations_count_up_to_the_least_depth_and_end_the_search_from_there_on() {
        let same =
            |depths: std::ops::RangeInclusive<i32>| depths.map(|depth| line(depth, "7g7f", 40)).collect::<Vec<_>>();
        assert_eq!(stopped_at(&same(1..=LEAST_DEPTH - 1)), None);
        assert_eq!(stopped_at(&same(1..=20)), Some(LEAST_DEPTH));
        assert_eq!(stopped_at(&same(LEAST_DEPTH + 1..=20)), Some(LEAST_DEPTH + 3));
    }

    #[test]
    fn a_new_best_move_begins_the_count_anew() {
        let lines = [("7g7f", 8), ("7g7f", 9), ("2g2f", 10), ("7g7f", 11), ("7g7f", 12), ("7g7f", 13)];
        assert_eq!(stopped_at(&lines.map(|(mv, depth)| line(depth, mv, 40))), Some(13));
    }

    #[test]
    fn a_score_farther_away_begins_the_count_anew() {
        let scores = |scores: [i32; 3]| {
            let lines: Vec<_> = (8..).zip(scores).map(|(depth, score)| line(depth, "7g7f", score)).collect();
            stopped_at(&lines)
        };
        // Scores are rounded to their unit and back.
        assert_eq!(scores([0, SPREAD - 1, 0]), Some(10));
        assert_eq!(scores([0, SPREAD + 2, SPREAD + 2]), None);
        let mate = |depth| SearchInfo { score: Score::mate_in(5), ..line(depth, "7g7f", 0) };
        assert_eq!(stopped_at(&[mate(8), mate(9), line(10, "7g7f", 2000)]), None);
        assert_eq!(stopped_at(&[mate(8), mate(9), mate(10)]), Some(10));
    }

    #[test]
    fn of_an_iteration_the_last_exact_score_of_the_first_line_counts() {
        let [first, again] = [line(9, "7g7f", 500), line(9, "7g7f", 40)];
        assert_eq!(
            stopped_at(&[line(8, "7g7f", 40), first, again.clone(), line(10, "7g7f", 40), line(11, "7g7f", 40)]),
            Some(11)
        );
        let bound = SearchInfo { bound: Bound::Lower, ..line(9, "2g2f", 500) };
        let second = SearchInfo { multi_pv: 2, ..line(9, "2g2f", 500) };
        assert_eq!(stopped_at(&[line(8, "7g7f", 40), bound, second, again, line(10, "7g7f", 40)]), Some(10));
    }
}
