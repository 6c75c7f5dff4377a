//! Reasons to leave out a single move.

use super::node::Node;
use super::params::*;
use super::reductions::PLY;
use super::thread::SearchThread;
use crate::eval::Evaluator;
use crate::types::{Depth, Move, Score};

/// What becomes of a move before it is searched.
pub(super) enum MovePruning {
    Keep,
    SkipMove,
    SkipQuietMoves,
}

impl<E: Evaluator> SearchThread<'_, E> {
    /// Step 11: whether a move can be left out.
    #[inline]
    pub(super) fn prune_move(
        &self,
        node: &Node,
        mv: Move,
        moves: usize,
        quiet: bool,
        gives_check: bool,
        alpha: Score,
    ) -> MovePruning {
        if !quiet {
            let hopeless = node.depth <= see_depth() && !self.position.see_ge(mv, -see_tactical_margin() * node.depth);
            return if hopeless { MovePruning::SkipMove } else { MovePruning::Keep };
        }
        // Late-move pruning
        if node.depth <= late_move_depth() && moves > late_move_count(node.depth, node.improving) {
            return MovePruning::SkipQuietMoves;
        }
        let depth = (node.depth - self.reductions.of(node.depth, moves) / PLY).max(0);
        // History pruning
        if depth <= history_pruning_depth()
            && self.record(mv, true, node.ply) < -history_pruning_margin() * depth.max(1)
        {
            return MovePruning::SkipMove;
        }
        // Futility: quiet moves rarely raise the score by much
        if !node.in_check && !gives_check && depth <= futility_depth() && node.eval + futility_margin(depth) <= alpha {
            return MovePruning::SkipQuietMoves;
        }
        // Moves and drops that lose a man
        if depth <= see_depth() && !self.position.see_ge(mv, -see_quiet_margin() * depth * depth) {
            return MovePruning::SkipMove;
        }
        MovePruning::Keep
    }
}

/// How many moves are tried before quiet ones are left out.
fn late_move_count(depth: Depth, improving: bool) -> usize {
    let count = late_move_base() + 2 * depth * depth;
    (if improving { count } else { count / 2 }) as usize
}

/// How far below alpha an evaluation must be for quiet moves to be futile.
fn futility_margin(depth: Depth) -> i32 {
    futility_base() + futility_per_ply() * depth
}
