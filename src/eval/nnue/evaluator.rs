//! Evaluating along a line of moves.

use std::sync::Arc;

use super::accumulator::Accumulators;
use super::network::{Network, Scratch};
use crate::eval::EvalReport;
use crate::position::{MoveDelta, Position};
use crate::types::Score;

/// Evaluates with a network. Each search thread has one; the network is shared.
pub struct NnueEvaluator {
    network: Arc<Network>,
    fv_scale: i32,
    accumulators: Accumulators,
    scratch: Scratch,
}

impl NnueEvaluator {
    /// What the output is divided by to make a score, where nothing else is said.
    pub const DEFAULT_FV_SCALE: i32 = 16;

    /// The largest evaluation in the network's own unit, as in YaneuraOu.
    pub const MAX_EVAL: i32 = 31_753;

    /// An evaluator at the start of an even game.
    pub fn new(network: Arc<Network>) -> NnueEvaluator {
        let accumulators = Accumulators::new(&network, &Position::startpos());
        let scratch = network.scratch();
        NnueEvaluator { network, fv_scale: Self::DEFAULT_FV_SCALE, accumulators, scratch }
    }

    /// Divides outputs of public networks by this (at least 1) to make scores: `FV_SCALE`, a property of each
    /// network. `.kuro` networks say how theirs are scaled.
    #[must_use]
    pub fn with_fv_scale(mut self, fv_scale: i32) -> NnueEvaluator {
        self.fv_scale = fv_scale.max(1);
        self
    }

    /// The network's output, for the side to move. As for [`NnueEvaluator::evaluate`], the position must be
    /// the one the moves lead to.
    #[inline]
    pub fn raw(&mut self, position: &Position) -> i32 {
        let accumulators = self.accumulators.current(&self.network, position);
        self.network.propagate(position, accumulators, &mut self.scratch)
    }

    /// The output divided by the scale (that of a `.kuro` network by its own scale), towards zero, and clamped to
    /// ±[`Self::MAX_EVAL`].
    #[inline]
    pub fn value(&mut self, position: &Position) -> i32 {
        let raw = self.raw(position);
        self.scaled(raw)
    }

    /// The evaluation in all units.
    pub fn report(&mut self, position: &Position) -> EvalReport {
        let raw = self.raw(position);
        let eval = self.scaled(raw);
        let network = self.network.description();
        EvalReport { network, raw, eval, score: Score::from_eval(eval) }
    }

    #[inline(always)]
    fn scaled(&self, raw: i32) -> i32 {
        self.network.kuro_score(raw).unwrap_or(raw / self.fv_scale).clamp(-Self::MAX_EVAL, Self::MAX_EVAL)
    }

    /// Starts a new line at this position.
    pub fn reset(&mut self, position: &Position) {
        self.accumulators.reset(&self.network, position);
    }

    /// Follows a move that was just made.
    #[inline]
    pub fn push(&mut self, delta: &MoveDelta) {
        self.accumulators.push(&self.network, delta);
    }

    /// Goes back to before the last move followed.
    #[inline]
    pub fn pop(&mut self) {
        self.accumulators.pop();
    }

    /// The score of the present position, which must be the one the moves lead to, for the side to move.
    #[inline]
    pub fn evaluate(&mut self, position: &Position) -> Score {
        Score::from_eval(self.value(position))
    }
}
