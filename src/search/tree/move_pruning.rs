//! Step 13: reasons to leave out a single move.

use crate::position::{CheckInfo, exchange_value};
use crate::search::history::PlayedMove;
use crate::search::params::{PLY, *};
use crate::search::stack::{BestSoFar, NodeInfo, NodeType};
use crate::search::thread::SearchThread;
use crate::types::{Depth, Move, Piece, PieceType, Score};

/// A move about to be tried, and what the histories say of it.
#[derive(Clone, Copy)]
pub(super) struct Candidate {
    pub(super) mv: Move,
    played: PlayedMove,
    victim: Option<PieceType>,
    gives_check: bool,
    /// The history score of a capture, of a quiet move that regardless of the moves before it.
    score: i32,
    /// The history score of a quiet move as a continuation of the last two moves; of a capture 0.
    continued: i32,
    /// Its place among those tried, from 1.
    pub(super) move_count: usize,
    /// By how much its search will be reduced before its history score is taken into account, in parts of [`PLY`].
    pub(super) reduction: i32,
}

impl Candidate {
    #[inline(always)]
    pub(super) fn is_quiet(&self) -> bool {
        self.victim.is_none()
    }

    /// Its history score in the histories.
    #[inline(always)]
    pub(super) fn stat_score(&self) -> i32 {
        match self.victim {
            None => 2 * self.score + self.continued,
            Some(victim) => reduction_victim() * exchange_value(victim) / 4 + self.score,
        }
    }
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
    /// A move of a node, before it is tried.
    #[inline(always)]
    pub(super) fn candidate(
        &self,
        mv: Move,
        ply: usize,
        check_info: &CheckInfo,
        move_count: usize,
        reduction: i32,
    ) -> Candidate {
        let played = self.played(mv);
        let victim = self.position.piece_on(mv.to()).map(Piece::piece_type);
        let (score, continued) = match victim {
            Some(victim) => (self.history.capture(played, victim), 0),
            None => {
                let after = |back| self.history.continuation(self.continuation(ply, back), played);
                (self.history.quiet(self.position.side_to_move(), mv), after(1) + after(2))
            }
        };
        let gives_check = check_info.gives_check(&self.position, mv);
        Candidate { mv, played, victim, gives_check, score, continued, move_count, reduction }
    }

    /// Step 13: whether a move can be left out.
    #[inline]
    pub(super) fn prune_move<N: NodeType>(
        &self,
        node: &NodeInfo,
        candidate: &Candidate,
        best: &BestSoFar,
    ) -> MovePruning {
        let depth = node.depth - 1 - candidate.reduction / PLY;
        if !candidate.is_quiet() || candidate.gives_check {
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
        let (victim, history_score) =
            candidate.victim.map_or((0, 0), |victim| (exchange_value(victim), candidate.score));
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
        let history_score = candidate.continued + self.history.pawn(self.position.pawn_key(), candidate.played);
        if history_score < -history_pruning() * node.depth {
            return MovePruning::Skip;
        }
        depth += (history_score + candidate.score * history_pruning_quiet() / 32) / history_depth();
        if !self.stack[node.ply].in_check
            && let Some(futility_value) = futility_value_below_alpha(node, depth, best)
        {
            return MovePruning::SkipWith(raised_to(best.score, futility_value));
        }
        let depth = depth.max(0);
        let keeps = self.position.see_ge(candidate.mv, -see_quiet() * depth * depth);
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
