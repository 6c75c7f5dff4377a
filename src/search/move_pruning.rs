//! Reasons to leave out a single move.

use super::node::{Best, Node, NodeType};
use super::params::*;
use super::reductions::PLY;
use super::thread::SearchThread;
use crate::eval::Evaluator;
use crate::position::exchange_value;
use crate::types::{Depth, Move, Score};

/// A move about to be tried.
#[derive(Clone, Copy)]
pub(super) struct Candidate {
    pub(super) mv: Move,
    /// Its place among those tried, from 1.
    pub(super) number: usize,
    pub(super) quiet: bool,
    pub(super) gives_check: bool,
    /// By how much its search will be reduced before what is told by its record, in parts of [`PLY`].
    pub(super) reduction: i32,
}

/// What becomes of a move before it is searched.
pub(super) enum MovePruning {
    Keep,
    Skip,
    /// Skip it, and believe the node to be worth at least this.
    SkipWith(Score),
}

/// How many moves are tried before quiet ones are left out.
pub(super) fn late_move_count(depth: Depth, improving: bool) -> usize {
    let count = late_move_base() + depth * depth * late_move_factor() / 100;
    (if improving { count } else { count / 2 }) as usize
}

impl<E: Evaluator> SearchThread<'_, E> {
    /// Step 13: whether a move can be left out.
    #[inline]
    pub(super) fn prune_move<N: NodeType>(&self, node: &Node, candidate: &Candidate, best: &Best) -> MovePruning {
        let depth = node.depth - 1 - candidate.reduction / PLY;
        if !candidate.quiet || candidate.gives_check {
            self.prune_tactical(node, candidate, depth, best.alpha)
        } else if N::PV && node.follows_pv {
            self.prefetch_after(candidate.mv);
            MovePruning::Keep
        } else {
            self.prune_quiet(node, candidate, depth, best)
        }
    }

    /// Captures and checks: futility, exchanges that lose.
    #[inline]
    fn prune_tactical(&self, node: &Node, candidate: &Candidate, depth: Depth, alpha: Score) -> MovePruning {
        let Candidate { mv, gives_check, .. } = *candidate;
        let victim = self.position.piece_on(mv.to()).map_or(0, |man| exchange_value(man.piece_type()));
        let record = if candidate.quiet { 0 } else { self.capture_record(mv) };
        if !gives_check
            && depth <= capture_futility_depth()
            && let Some(eval) = node.static_eval
        {
            let margin = capture_futility_base() + capture_futility_per_ply() * depth + victim + record * 131 / 1024;
            if eval + margin <= alpha {
                return MovePruning::Skip;
            }
        }
        // Fetched while the exchange is worked out: in most cases the move will be made
        self.prefetch_after(mv);
        let bearable = (see_tactical() * node.depth + record / 32).max(0);
        let keeps = alpha < Score::ZERO || self.position.see_ge(mv, -bearable);
        if keeps { MovePruning::Keep } else { MovePruning::Skip }
    }

    /// Quiet moves that give no check: records, futility, exchanges that lose.
    #[inline]
    fn prune_quiet(&self, node: &Node, candidate: &Candidate, mut depth: Depth, best: &Best) -> MovePruning {
        let mv = candidate.mv;
        let played = self.played(mv);
        let continued = self.continuation_record(played, node.ply);
        let record = continued + self.history.pawn(self.position.structure().pawns(), played);
        if record < -history_pruning() * node.depth {
            return MovePruning::Skip;
        }
        let record = record + self.history.quiet(self.position.side_to_move(), mv) * 71 / 32;
        depth += record / history_depth();
        if !node.in_check
            && depth <= futility_depth()
            && let Some(eval) = node.static_eval
        {
            let mut margin = futility_base() + futility_per_ply() * depth;
            if best.mv.is_none() {
                margin += futility_no_best();
            }
            if eval > best.alpha {
                margin += futility_above();
            }
            let hoped = eval + margin;
            if hoped <= best.alpha {
                let raises = best.score <= hoped && !best.score.is_decided() && !hoped.is_win();
                return if raises { MovePruning::SkipWith(hoped) } else { MovePruning::Skip };
            }
        }
        let depth = depth.max(0);
        self.prefetch_after(mv);
        let keeps = self.position.see_ge(mv, -see_quiet() * depth * depth);
        if keeps { MovePruning::Keep } else { MovePruning::Skip }
    }
}
