//! Reasons not to search the moves of a node at all.

use super::node::{Node, NonPv};
use super::params::*;
use super::thread::SearchThread;
use crate::eval::Evaluator;
use crate::types::{Depth, Score};

impl<E: Evaluator> SearchThread<'_, E> {
    /// Steps 7–9: reasons not to search the moves of a node with a null window at all.
    #[inline]
    pub(super) fn prune_node(&mut self, node: &Node, alpha: Score, beta: Score) -> Option<Score> {
        let Node { ply, depth, eval, .. } = *node;

        // Step 7. Razoring: hopeless positions are left to quiescence search
        if depth <= razoring_depth() && eval + razoring_margin(depth) < alpha {
            let score = self.quiescence::<NonPv>(alpha, alpha + 1, 0, ply);
            if score <= alpha {
                return Some(score);
            }
        }

        // Step 8. Reverse futility: so far above beta that the opponent will not come back
        if depth <= reverse_futility_depth()
            && !beta.is_loss()
            && !eval.is_win()
            && eval - reverse_futility_margin(depth, node.improving) >= beta
        {
            return Some(eval);
        }

        // Step 9. Null move: even passing the turn keeps the score above beta
        let passed_last = ply > 0 && self.frames[ply - 1].played.is_none();
        if depth >= null_move_depth() && eval >= beta && !passed_last && ply >= self.null_move_from && !beta.is_loss() {
            let reduction = null_move_reduction(depth, eval - beta);
            self.position.do_null_move();
            self.frames[ply].played = None;
            let score = -self.search::<NonPv>(-beta, -(beta - 1), depth - reduction, ply + 1, !node.cut_node);
            self.position.undo_null_move();
            if self.is_stopped() {
                return Some(Score::ZERO);
            }
            if score >= beta {
                let score = if score.is_decided() { beta } else { score };
                if self.null_move_from > 0 || depth < null_move_verify_depth() {
                    return Some(score);
                }
                // At high depth verify, with null moves off for a while (zugzwang is rare but exists)
                self.null_move_from = ply + (3 * (depth - reduction) / 4).max(1) as usize;
                let verified = self.search::<NonPv>(beta - 1, beta, depth - reduction, ply, false);
                self.null_move_from = 0;
                if verified >= beta {
                    return Some(score);
                }
            }
        }
        None
    }
}

/// How far below alpha an evaluation must be for razoring.
fn razoring_margin(depth: Depth) -> i32 {
    razoring_base() + razoring_factor() * depth * depth
}

/// How far above beta an evaluation must be for reverse futility pruning.
fn reverse_futility_margin(depth: Depth, improving: bool) -> i32 {
    let factor = reverse_futility_per_ply() - if improving { reverse_futility_improving() / 2 } else { 0 };
    factor * depth
}

/// By how much the search after a null move is less deep; `surplus` is the evaluation above beta.
fn null_move_reduction(depth: Depth, surplus: i32) -> Depth {
    null_move_base() + depth / null_move_divisor() + (surplus / null_move_eval()).min(null_move_eval_most())
}
