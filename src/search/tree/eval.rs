//! Steps 6–7: the static evaluation of a node, and the depth to search in the light of it.

use crate::search::correction::{CorrectionKeys, corrected};
use crate::search::params::*;
use crate::search::stack::{NodeInfo, NodeType, tt_adjusted_eval};
use crate::search::thread::SearchThread;
use crate::search::tt::TtEntry;
use crate::types::Score;

impl SearchThread<'_> {
    /// The evaluation as the network gives it, from the TT where it is there; none in check.
    #[inline]
    pub(super) fn raw_eval(&mut self, entry: Option<&TtEntry>) -> Option<Score> {
        if self.position.in_check() {
            return None;
        }
        let known = entry.and_then(|entry| entry.eval);
        Some(known.unwrap_or_else(|| self.evaluator.evaluate(&self.position)))
    }

    /// Steps 6–7. Evaluates the position, and corrects the depth in the light of it.
    #[inline]
    pub(super) fn evaluate_node<N: NodeType>(&mut self, node: &mut NodeInfo, keys: CorrectionKeys) {
        let ply = node.ply;
        let in_check = self.stack[ply].in_check;

        // Step 6. Static evaluation
        let correction = self.corrections.get(keys);
        node.correction = correction.abs();
        node.raw_eval = self.raw_eval(node.tt_entry.as_ref());
        node.static_eval = match node.raw_eval {
            Some(eval) => Some(corrected(eval, correction)),
            None => self.static_eval_before(ply, 2),
        };
        node.eval = tt_adjusted_eval(node.static_eval, node.tt_entry.filter(|_| node.excluded.is_none()));
        let here = &mut self.stack[ply];
        here.static_eval = node.static_eval;
        here.tt_hit = node.tt_entry.is_some();
        if in_check {
            return;
        }
        if node.tt_entry.is_none() && node.excluded.is_none() {
            // Worth keeping even if the node is pruned: the next visit need not evaluate.
            self.shared.table.store(node.key, TtEntry::evaluation(node.raw_eval, here.tt_pv));
        }
        let eval_sum = match (node.static_eval, self.static_eval_before(ply, 1)) {
            (Some(ours), Some(theirs)) => ours.value() + theirs.value(),
            _ => 0,
        };
        self.update_on_eval_change(eval_sum, ply);
        node.opponent_worsening = eval_sum > 0;
        node.improving = self.is_improving(ply);

        // Step 7. Hindsight: correct the depth by what the evaluation says of the move that led here
        if !N::ROOT && node.excluded.is_none() {
            if node.prior_reduction >= hindsight_deeper() && !node.opponent_worsening {
                node.depth += 1;
            }
            if node.prior_reduction >= hindsight_shallower() && node.depth >= 2 && eval_sum > hindsight_margin() {
                node.depth -= 1;
            }
        }
    }

    /// Where corrections of this position's evaluation are kept.
    #[inline]
    pub(super) fn correction_keys(&self, ply: usize) -> CorrectionKeys {
        let played = |back| self.prior_move(ply, back).map(|made| made.played);
        CorrectionKeys::new(&self.position, played(1), [played(2), played(4)])
    }

    /// The static evaluation of a node some plies before on the line, from the view of its side to move.
    #[inline]
    fn static_eval_before(&self, ply: usize, back: usize) -> Option<Score> {
        self.stack.above(ply, back).static_eval
    }

    /// Whether the static evaluation has risen since the side to move was last to move.
    fn is_improving(&self, ply: usize) -> bool {
        match (self.stack[ply].static_eval, self.static_eval_before(ply, 2)) {
            (Some(now), Some(before)) => now > before,
            _ => false,
        }
    }
}
