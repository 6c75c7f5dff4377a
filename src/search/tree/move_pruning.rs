//! Step 13: reasons to leave out a single move.

use crate::position::exchange_value;
use crate::search::params::{PLY, *};
use crate::search::stack::{BestSoFar, NodeInfo, NodeType};
use crate::search::thread::SearchThread;
use crate::types::{Depth, Move, Score};

/// A move about to be tried.
#[derive(Clone, Copy)]
pub(super) struct Candidate {
    pub(super) mv: Move,
    /// Its place among those tried, from 1.
    pub(super) move_count: usize,
    pub(super) quiet: bool,
    pub(super) gives_check: bool,
    /// By how much its search will be reduced before its history score is taken into account, in parts of [`PLY`].
    pub(super) reduction: i32,
}

/// What becomes of a move before it is searched, in the main search and in quiescence search.
pub(super) enum MovePruning {
    /// It is searched.
    Keep,
    /// It is left out.
    Skip,
    /// It is not expected to raise alpha and is left out; the node is taken to be worth at least this.
    SkipWith(Score),
}

/// How many moves are tried before quiet ones are left out.
pub(super) fn late_move_count(depth: Depth, improving: bool) -> usize {
    let count = late_move_base() + depth * depth * late_move_factor() / 100;
    (if improving { count } else { count / 2 }) as usize
}

impl SearchThread<'_> {
    /// Step 13: whether a move can be left out.
    #[inline]
    pub(super) fn prune_move<N: NodeType>(
        &self,
        node: &NodeInfo,
        candidate: &Candidate,
        best: &BestSoFar,
    ) -> MovePruning {
        let depth = node.depth - 1 - candidate.reduction / PLY;
        if !candidate.quiet || candidate.gives_check {
            self.prune_tactical(node, candidate, depth, best.alpha)
        } else if N::PV && self.stack[node.ply].follows_pv {
            MovePruning::Keep
        } else {
            self.prune_quiet(node, candidate, depth, best)
        }
    }

    /// Step 13, for all quiet moves before they are generated: what the node is taken to be worth without them, where
    /// few would have the history scores to pass futility pruning (0.4 % of those searched before, in a fifth of the
    /// nodes that came to quiet moves).
    #[inline]
    pub(super) fn score_without_quiets<N: NodeType>(
        &self,
        node: &NodeInfo,
        tried: usize,
        window_reduction: i32,
        best: &BestSoFar,
    ) -> Option<Score> {
        if N::ROOT || best.score.is_loss() || N::PV && self.stack[node.ply].follows_pv {
            return None;
        }
        let depth = node.depth - 1 - self.base_reduction(node, tried + 1, window_reduction) / PLY;
        futility_value_below_alpha(node, depth + futile_history(), best)
            .map(|futility_value| raised_to(best.score, futility_value))
    }

    /// Captures and checks: futility, exchanges that lose.
    #[inline]
    fn prune_tactical(&self, node: &NodeInfo, candidate: &Candidate, depth: Depth, alpha: Score) -> MovePruning {
        let Candidate { mv, gives_check, .. } = *candidate;
        let victim = self.position.piece_on(mv.to()).map_or(0, |piece| exchange_value(piece.piece_type()));
        let history_score = if candidate.quiet { 0 } else { self.capture_history(mv) };
        if !gives_check
            && depth <= capture_futility_depth()
            && let Some(eval) = node.static_eval
        {
            let margin = capture_futility_base()
                + capture_futility_per_ply() * depth
                + victim
                + history_score * capture_futility_history() / 1024;
            if eval + margin <= alpha {
                return MovePruning::Skip;
            }
        }
        let most_lost = (see_tactical() * node.depth + history_score / see_tactical_history()).max(0);
        // Below a draw losing exchanges are tried all the same, as in YaneuraOu: to prune them there as
        // well was no stronger (190-22-188 at 10,000 nodes a move)
        let keeps = alpha < Score::ZERO || self.position.see_ge(mv, -most_lost);
        if keeps { MovePruning::Keep } else { MovePruning::Skip }
    }

    /// Quiet moves that give no check: history scores, futility, exchanges that lose.
    #[inline]
    fn prune_quiet(&self, node: &NodeInfo, candidate: &Candidate, mut depth: Depth, best: &BestSoFar) -> MovePruning {
        let mv = candidate.mv;
        let played = self.played(mv);
        let continued = self.continuation_history(played, node.ply);
        let history_score = continued + self.history.pawn(self.position.pawn_key(), played);
        if history_score < -history_pruning() * node.depth {
            return MovePruning::Skip;
        }
        let history_score =
            history_score + self.history.quiet(self.position.side_to_move(), mv) * history_pruning_quiet() / 32;
        depth += history_score / history_depth();
        if !self.stack[node.ply].in_check
            && let Some(futility_value) = futility_value_below_alpha(node, depth, best)
        {
            return MovePruning::SkipWith(raised_to(best.score, futility_value));
        }
        let depth = depth.max(0);
        let keeps = self.position.see_ge(mv, -see_quiet() * depth * depth);
        if keeps { MovePruning::Keep } else { MovePruning::Skip }
    }
}

/// Futility: what a quiet move at this (reduced) depth may score at most, where that does not raise alpha.
#[inline]
fn futility_value_below_alpha(node: &NodeInfo, depth: Depth, best: &BestSoFar) -> Option<Score> {
    let eval = node.static_eval.filter(|_| depth <= futility_depth())?;
    let mut margin = futility_base() + futility_per_ply() * depth;
    if best.mv.is_none() {
        margin += futility_no_best();
    }
    if eval > best.alpha {
        margin += futility_above();
    }
    let futility_value = eval + margin;
    (futility_value <= best.alpha).then_some(futility_value)
}

/// The score of a node whose best move so far has this score, where moves that were left out may be worth this much.
#[inline]
fn raised_to(score: Score, futility_value: Score) -> Score {
    if score <= futility_value && !score.is_decided() && !futility_value.is_win() { futility_value } else { score }
}
