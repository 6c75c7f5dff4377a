//! An evaluator that keeps a sample of the positions that a search evaluates.

use crate::eval::{AnyEvaluator, Evaluator};
use crate::position::{MoveDelta, Position};
use crate::types::Score;

/// A position of a search tree, with its static evaluation for the side to move.
pub type Sample = (Position, Score);

/// Evaluates like another evaluator, and keeps one in `interval` of the positions: a sample of those that a search
/// evaluates, most of which occur in no game.
pub struct Sampled {
    inner: AnyEvaluator,
    /// One in this many positions is kept; 0 for none.
    interval: u32,
    /// Evaluations until the next one that is kept.
    left: u32,
    samples: Vec<Sample>,
}

impl Sampled {
    /// The same evaluations as this evaluator; keeps nothing yet.
    pub fn new(inner: AnyEvaluator) -> Sampled {
        Sampled { inner, interval: 0, left: 0, samples: Vec::new() }
    }

    /// Keeps one in `interval` positions from now on (0: none), and returns those kept until now.
    pub fn every(&mut self, interval: u32) -> Vec<Sample> {
        (self.interval, self.left) = (interval, interval);
        std::mem::take(&mut self.samples)
    }
}

impl Evaluator for Sampled {
    fn reset(&mut self, position: &Position) {
        self.inner.reset(position);
    }

    fn push(&mut self, delta: &MoveDelta) {
        self.inner.push(delta);
    }

    fn pop(&mut self) {
        self.inner.pop();
    }

    fn evaluate(&mut self, position: &Position) -> Score {
        let score = self.inner.evaluate(position);
        if self.interval > 0 {
            self.left -= 1;
            if self.left == 0 {
                self.left = self.interval;
                self.samples.push((position.clone(), score));
            }
        }
        score
    }
}
