//! Steps 8–12: reasons not to search the moves of a node at all, or to search them less deep.

use crate::search::correction::UNITS_PER_POINT;
use crate::search::history::Continuation;
use crate::search::movepick::{Continuations, MovePicker, NonPromotions, Picked, Purpose};
use crate::search::params::*;
use crate::search::stack::{NodeInfo, NodeType, NonPv, lerp_to_beta};
use crate::search::thread::SearchThread;
use crate::search::tt::{Bound, TtEntry};
use crate::types::Score;

impl SearchThread<'_> {
    /// Steps 8–12. A score ends the node. Sets how deep it is to be searched, and whether it counts as
    /// improving.
    #[inline]
    pub(super) fn prune_node<N: NodeType>(&mut self, node: &mut NodeInfo, alpha: Score, beta: Score) -> Option<Score> {
        if !self.stack[node.ply].in_check {
            if !N::PV {
                let score = self
                    .razor(node, alpha)
                    .or_else(|| reverse_futility(node, self.stack[node.ply].tt_pv, beta))
                    .or_else(|| self.null_move(node, beta));
                if score.is_some() {
                    return score;
                }
            }
            node.improving |= node.static_eval.is_some_and(|eval| eval >= beta);

            // Step 11. Internal iterative reduction (Ed Schröder): without a TT move, order is poor; come
            // back to this node when there is one
            if !self.stack[node.ply].follows_pv
                && !node.all_node
                && node.depth >= internal_reduction_depth()
                && node.tt_move.is_none()
                && node.prior_reduction <= internal_reduction_limit()
            {
                node.depth -= 1;
            }
        }
        // At the root not every capture need be allowed, and the move is asked for, not the score
        if N::ROOT {
            return None;
        }
        if !self.stack[node.ply].in_check
            && let Some(score) = self.prob_cut(node, beta)
        {
            return Some(score);
        }
        prob_cut_by_tt(node, beta)
    }

    /// Step 8. Razoring: hopeless positions are left to quiescence search.
    #[inline]
    fn razor(&mut self, node: &NodeInfo, alpha: Score) -> Option<Score> {
        let margin = razoring_base() + razoring_factor() * node.depth * node.depth;
        // Quiescence would find the move that is left out in the TT
        let hopeless = node.eval + margin < alpha && node.excluded.is_none();
        hopeless.then(|| self.qsearch::<NonPv>(alpha, alpha + 1, node.ply))
    }

    /// Step 10. Null move: even passing the turn keeps the score above beta (Beal 1989; Donninger 1993).
    #[inline]
    fn null_move(&mut self, node: &NodeInfo, beta: Score) -> Option<Score> {
        let NodeInfo { ply, depth, .. } = *node;
        let mut margin = null_move_base() - null_move_per_ply() * depth;
        if node.improving {
            margin -= null_move_improving();
        }
        if !node.cut_node
            || node.excluded.is_some()
            || node.static_eval.is_none_or(|eval| eval < beta + margin)
            || ply < self.null_move_from
            || beta.is_loss()
        {
            return None;
        }
        // Never two in a row: the node after a null move is not searched as a cut node
        debug_assert!(ply > 0 && self.stack[ply - 1].made.is_some());
        let depth_after = depth - null_move_reduction() - depth / null_move_divisor();
        self.shared.table.prefetch(self.position.key_after_null());
        self.position.do_null_move();
        let here = &mut self.stack[ply];
        (here.made, here.continuation) = (None, Continuation::NONE);
        let score = -self.search::<NonPv>(-beta, -(beta - 1), depth_after, ply + 1, false);
        self.position.undo_null_move();
        if self.stopped {
            return Some(Score::ZERO);
        }
        if score < beta || score.is_win() {
            return None;
        }
        if self.null_move_from > 0 || depth < null_move_verify_depth() {
            return Some(score);
        }
        // At high depth verify, with null moves off for a while (zugzwang is rare but exists)
        self.null_move_from = ply + (null_move_verify_quarters() * depth_after / 4).max(1) as usize;
        let verified = self.search::<NonPv>(beta - 1, beta, depth_after, ply, false);
        self.null_move_from = 0;
        (verified >= beta).then_some(score)
    }

    /// Step 12. ProbCut (Buro 1995): a capture that beats beta by a margin in a shallow search will beat
    /// beta in a deep one.
    #[inline]
    fn prob_cut(&mut self, node: &NodeInfo, beta: Score) -> Option<Score> {
        let NodeInfo { ply, depth, .. } = *node;
        if depth < prob_cut_depth() || beta.is_decided() {
            return None;
        }
        let target = beta + prob_cut_margin() - if node.improving { prob_cut_improving() } else { 0 };
        let known_below = node.tt_entry.and_then(|entry| entry.score).is_some_and(|score| score < target);
        if known_below || self.stopped {
            return None;
        }
        let gain = target - node.static_eval?;
        let shallow = depth - prob_cut_reduction();
        let non_promotions = NonPromotions::below_root(self.shared.settings);
        let (purpose, none) = (Purpose::ProbCut { gain }, Continuations::default());
        let mut picker = MovePicker::new(&self.position, purpose, node.tt_move, none, ply, non_promotions);
        while let Some(Picked::Move(mv)) = picker.next(&self.position, self.history) {
            if Some(mv) == node.excluded {
                continue;
            }
            self.prefetch_after(mv);
            self.do_move(mv, ply, 1, 0);
            let mut score = -self.qsearch::<NonPv>(-target, -(target - 1), ply + 1);
            if score >= target && shallow > 0 {
                score = -self.search::<NonPv>(-target, -(target - 1), shallow, ply + 1, !node.cut_node);
            }
            self.undo_move(mv);
            if self.stopped {
                return Some(Score::ZERO);
            }
            if score >= target {
                if node.excluded.is_none() {
                    let (score, pv) = (Some(score.to_table(ply)), self.stack[node.ply].tt_pv);
                    let (eval, depth, bound) = (node.raw_eval, shallow + 1, Bound::Lower);
                    let entry = TtEntry { mv: Some(mv), score, eval, depth, bound, pv };
                    self.shared.table.store(node.key, entry);
                }
                if !score.is_decided() {
                    return Some(score - (target - beta));
                }
            }
        }
        None
    }
}

/// Step 9. Reverse futility: so far above beta that the opponent will not come back.
#[inline]
fn reverse_futility(node: &NodeInfo, tt_pv: bool, beta: Score) -> Option<Score> {
    let per_ply = reverse_futility_per_ply() - if node.tt_entry.is_none() { reverse_futility_unknown() } else { 0 };
    let mut less = 0;
    if node.improving {
        less += reverse_futility_improving();
    }
    if node.opponent_worsening {
        less += reverse_futility_worsening();
    }
    // How much correction of the static evaluation makes a point of margin
    let correction_per_point = UNITS_PER_POINT * reverse_futility_correction() / 8;
    let margin = per_ply * node.depth - less * per_ply / 1024 + node.correction / correction_per_point;
    let prunes = !tt_pv
        && node.depth <= reverse_futility_depth()
        && node.eval >= beta
        && node.eval - margin >= beta
        && (node.tt_move.is_none() || node.tt_move_captures)
        && !beta.is_loss()
        && !node.eval.is_win();
    prunes.then(|| lerp_to_beta(node.eval, 1, beta, 2))
}

/// Step 12, the small form: the TT knows a bound far above beta from a little less depth.
#[inline]
fn prob_cut_by_tt(node: &NodeInfo, beta: Score) -> Option<Score> {
    let entry =
        node.tt_entry.filter(|entry| entry.bound != Bound::Upper && entry.depth >= node.depth - prob_cut_tt_depth())?;
    let target = beta + prob_cut_tt();
    let believed = entry.score.is_some_and(|score| score >= target && !score.is_decided()) && !beta.is_decided();
    believed.then_some(target)
}
