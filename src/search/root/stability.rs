//! Whether the answer has settled, and so how much of the usual time the move deserves.

use arrayvec::ArrayVec;

use crate::types::{Move, Score};

/// The score is compared with that of the last iteration, and with the one so many iterations back.
const FAR: usize = 4;
/// Score units, both falls together, that double the time.
const DOUBLING_FALL: f64 = 333.0;

/// The best move's part of the nodes with which it deserves neither more nor less time.
const USUAL_NODE_SHARE: f64 = 0.75;
/// How strongly the time depends on that part: 1.5 was better than none and 2.5 no worse than 1.5 in games on the
/// clock.
const NODE_SHARE_WEIGHT: f64 = 2.0;

/// What the finished iterations of the main thread tell of its answer.
#[derive(Default)]
pub(super) struct Stability {
    best: Option<Move>,
    /// Iterations since the best move last changed.
    unchanged: u32,
    /// The scores of the last iterations, the newest last.
    scores: ArrayVec<Score, { FAR + 1 }>,
}

impl Stability {
    /// Takes the result of a finished iteration.
    pub(super) fn note(&mut self, best: Move, score: Score) {
        self.unchanged = if self.best == Some(best) { self.unchanged + 1 } else { 0 };
        self.best = Some(best);
        if self.scores.is_full() {
            self.scores.remove(0);
        }
        self.scores.push(score);
    }

    /// What share of the usual time the move deserves.
    ///
    /// Less where the best move has long been the same, and where it takes most of the nodes (`node_share`, of 1, if
    /// known), since the others are then refuted with little work; more where the score falls.
    pub(super) fn effort(&self, node_share: Option<f64>) -> f64 {
        let unsettled = 1.4 - 0.12 * f64::from(self.unchanged.min(6));
        let falling = (1.0 + f64::from(self.fall(1) + self.fall(FAR)) / DOUBLING_FALL).clamp(0.7, 1.8);
        let contested = node_share.map_or(1.0, |share| 1.0 + NODE_SHARE_WEIGHT * (USUAL_NODE_SHARE - share));
        unsettled * falling * contested
    }

    /// By how much the score has fallen since so many iterations ago, in score units; 0 where there were fewer.
    fn fall(&self, iterations: usize) -> i32 {
        let before = self.scores.iter().rev().nth(iterations);
        before.zip(self.scores.last()).map_or(0, |(&before, &now)| before - now)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The effort after iterations with these best moves and scores.
    fn effort(iterations: &[(&str, i32)], node_share: Option<f64>) -> f64 {
        let mut stability = Stability::default();
        for &(best, score) in iterations {
            stability.note(best.parse().unwrap(), Score::from_value(score));
        }
        stability.effort(node_share)
    }

    #[test]
    fn a_best_move_that_stays_takes_less_time() {
        let stayed = effort(&[("7g7f", 50); 8], None);
        let changed = effort(&[[("7g7f", 50); 7].as_slice(), &[("2g2f", 50)]].concat(), None);
        assert!(stayed < 0.8 && changed > 1.2, "{stayed} {changed}");
    }

    #[test]
    fn a_score_that_falls_takes_more_time_and_one_that_rises_less() {
        let [fell, same, rose] = [0, 50, 100].map(|score| effort(&[("7g7f", 50), ("7g7f", score)], None));
        assert!(fell > same && same > rose, "{fell} {same} {rose}");
        let slowly = effort(&[50, 45, 40, 35, 30].map(|score| ("7g7f", score)), None);
        let lately = effort(&[35, 35, 35, 35, 30].map(|score| ("7g7f", score)), None);
        assert!(slowly > lately, "{slowly} {lately}");
    }

    #[test]
    fn a_best_move_with_most_of_the_nodes_takes_less_time() {
        let [few, unknown, most, all] =
            [Some(0.3), None, Some(0.95), Some(1.0)].map(|share| effort(&[("7g7f", 50)], share));
        assert!(few > unknown && unknown > most && most > all && all > 0.0, "{few} {unknown} {most} {all}");
    }
}
