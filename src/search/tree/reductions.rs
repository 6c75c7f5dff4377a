//! Steps 15–18: how deep a move is searched, and its score.

use crate::search::params::{PLY, *};
use crate::search::stack::{BestSoFar, NodeInfo, NodeType, NonPv, Pv};
use crate::search::thread::SearchThread;
use crate::search::tree::move_pruning::Candidate;
use crate::search::tt::TtEntry;
use crate::types::{Depth, Score};

impl SearchThread<'_> {
    /// Steps 15–18: the score of a move, searched reduced, with a null window, with the open window.
    #[inline]
    pub(super) fn search_move<N: NodeType>(
        &mut self,
        node: &NodeInfo,
        candidate: &Candidate,
        mut new_depth: Depth,
        best: &BestSoFar,
        beta: Score,
    ) -> Score {
        let Candidate { mv, move_count, .. } = *candidate;
        let ply = node.ply;
        let alpha = best.alpha;
        let stat_score = candidate.stat_score();
        let reduction = self.reduction::<N>(node, candidate, stat_score, alpha);

        // Step 15. Make the move
        self.do_move(mv, ply, move_count, stat_score);

        if N::PV {
            self.pvs.clear(ply + 1);
        }
        let mut score = alpha;
        if node.depth >= 2 && move_count > 1 {
            // Step 16. Late moves: less deep at first, with a null window
            let reduced = (new_depth - reduction / PLY).min(new_depth + 2).max(1) + Depth::from(N::PV);
            self.stack[ply].reduction = new_depth - reduced;
            score = -self.search::<NonPv>(-(alpha + 1), -alpha, reduced, ply + 1, true);
            self.stack[ply].reduction = 0;
            if score > alpha && !self.stopped {
                // The better the move turns out, the deeper it is looked at again
                let deeper = reduced < new_depth && score > best.score + deeper_margin();
                let shallower = score < best.score + shallower_margin();
                new_depth += Depth::from(deeper) - Depth::from(shallower);
                if new_depth > reduced {
                    score = -self.search::<NonPv>(-(alpha + 1), -alpha, new_depth, ply + 1, !node.cut_node);
                }
                if let Some(made) = self.stack[ply].made {
                    self.update_continuation_histories(made.played, raised_bonus(), ply);
                }
            }
        } else if !N::PV || move_count > 1 {
            // Step 17. Others with a null window
            let reduction = reduction + if node.tt_move.is_none() { full_depth_no_tt_move() } else { 0 };
            let less = Depth::from(reduction > full_depth_threshold_1())
                + Depth::from(reduction > full_depth_threshold_2() && new_depth > 2);
            score = -self.search::<NonPv>(-(alpha + 1), -alpha, new_depth - less, ply + 1, !node.cut_node);
        }
        // Step 18. The first move, and those that beat it, with the open window
        if N::PV && (move_count == 1 || score > alpha) && !self.stopped {
            // The TT move goes into the main search as long as its entry does
            let decided = |entry: &TtEntry| entry.depth > 0 && entry.score.is_some_and(Score::is_decided);
            if Some(mv) == node.tt_move && node.tt_entry.is_some_and(|entry| entry.depth > 1 || decided(&entry)) {
                new_depth = new_depth.max(1);
            }
            score = -self.search::<Pv>(-beta, -alpha, new_depth, ply + 1, false);
        }
        self.undo_move(mv);
        score
    }

    /// By how much less deep a move is searched for its place in the order, in parts of [`PLY`]. `window_reduction` is
    /// what [`Self::window_reduction`] gives.
    #[inline]
    pub(super) fn base_reduction(&self, node: &NodeInfo, move_count: usize, window_reduction: i32) -> i32 {
        let scale = self.reductions.get(node.depth, move_count);
        let mut reduction = reduction_base() + scale - window_reduction;
        // Multiplied by 0 or 1: as branches these would often be mispredicted
        reduction += i32::from(!node.improving) * (scale * reduction_not_improving() / 512);
        reduction + i32::from(self.stack[node.ply].tt_pv) * reduction_tt_pv_pruning()
    }

    /// By how much the width of the window, as a part of the root's, lessens reductions.
    #[inline]
    pub(super) fn window_reduction(&self, width: i32) -> i32 {
        reduction_window() * width / self.root_window
    }

    /// Step 16: by how much less deep a late move is searched at first, in parts of [`PLY`].
    #[inline]
    fn reduction<N: NodeType>(&self, node: &NodeInfo, candidate: &Candidate, stat_score: i32, alpha: Score) -> i32 {
        let mut reduction = candidate.reduction + reduction_offset()
            - reduction_per_move() * candidate.move_count as i32
            - node.correction / reduction_correction();
        if self.stack[node.ply].tt_pv {
            reduction -= reduction_tt_pv_pruning() + reduction_tt_pv();
            if N::PV {
                reduction -= reduction_pv_node();
            }
            if node.tt_entry.and_then(|entry| entry.score).is_none_or(|score| score > alpha) {
                reduction -= reduction_tt_above();
            }
            if node.tt_entry.is_some_and(|entry| entry.depth >= node.depth) {
                reduction -= reduction_tt_deep() + if node.cut_node { reduction_tt_deep_cut() } else { 0 };
            }
        }
        if node.cut_node {
            reduction += reduction_cut() + if node.tt_move.is_none() { reduction_cut_no_tt_move() } else { 0 };
        }
        // A TT move that captures is rarely surpassed
        if node.tt_move_captures {
            reduction += reduction_tt_capture();
        }
        // Where many nodes below have failed high, this one is likely to fail low
        let cutoff_count = self.stack[node.ply + 1].cutoff_count;
        if cutoff_count > 1 {
            reduction += reduction_cutoffs() + if node.all_node { reduction_cutoffs_all() } else { 0 };
            if cutoff_count > 2 {
                reduction += reduction_many_cutoffs();
            }
        }
        if Some(candidate.mv) == node.tt_move {
            reduction -= reduction_tt_move();
        }
        reduction -= stat_score * reduction_history() / 4096;
        if node.all_node {
            reduction += reduction * reduction_all() / (256 * node.depth + reduction_all_base());
        }
        reduction
    }
}
