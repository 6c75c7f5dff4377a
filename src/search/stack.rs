//! The stack of the search, one entry for each ply from the root, and what is known of the node at hand.

use arrayvec::ArrayVec;

use crate::search::history::{Continuation, PlayedMove};
use crate::search::tt::{Bound, TtEntry};
use crate::types::{Depth, MAX_PLY, Move, PieceType, Score};

/// What a thread knows of one ply of the line that it searches (Stockfish's `Stack`).
#[derive(Clone, Default)]
pub(super) struct StackEntry {
    /// The move made from this ply; none before the first, and for a null move.
    pub(super) made: Option<MadeMove>,
    /// By how much less deep it is being searched.
    pub(super) reduction: Depth,
    /// The static evaluation of this ply's position; in check, of the one two plies before.
    pub(super) static_eval: Option<Score>,
    pub(super) in_check: bool,
    /// The TT knew the position.
    pub(super) tt_hit: bool,
    /// The position was once in the principal variation.
    pub(super) tt_pv: bool,
    /// All moves that led here are those of the last iteration's best line.
    pub(super) follows_pv: bool,
    /// How often nodes at this ply have failed high since the node two plies above was begun.
    pub(super) cutoff_count: u32,
    /// A move left out here, while a search finds out whether it is the only good one.
    pub(super) excluded: Option<Move>,
    pub(super) pv: ArrayVec<Move, { MAX_PLY + 1 }>,
}

impl StackEntry {
    /// Resets the entry. The bytes of the PV's moves are not overwritten: with them all entries are 150 KiB.
    pub(super) fn clear(&mut self) {
        let StackEntry {
            made,
            reduction,
            static_eval,
            in_check,
            tt_hit,
            tt_pv,
            follows_pv,
            cutoff_count,
            excluded,
            pv,
        } = self;
        (*made, *static_eval, *excluded) = Default::default();
        (*reduction, *cutoff_count) = Default::default();
        (*in_check, *tt_hit, *tt_pv, *follows_pv) = Default::default();
        pv.clear();
    }
}

/// A move made on the line that is searched, with what the nodes below ask about it.
#[derive(Clone, Copy)]
pub(super) struct MadeMove {
    pub(super) mv: Move,
    /// The move as the histories index it.
    pub(super) played: PlayedMove,
    /// The move as the key of those that follow it.
    pub(super) continuation: Continuation,
    pub(super) captured: Option<PieceType>,
    /// Its place among the moves tried, from 1.
    pub(super) move_count: usize,
    /// statScore: its history score when it was made; 0 where that was not looked up.
    pub(super) stat_score: i32,
}

impl MadeMove {
    #[inline(always)]
    pub(super) fn is_quiet(&self) -> bool {
        self.captured.is_none()
    }
}

/// The repeated position, three plies above the one with the repeating move, must lie below the root.
pub(super) const PLIES_BACK: usize = 3;

/// What kind of node is searched; settled at compile time.
pub(super) trait NodeType {
    /// The window is open: the exact score matters.
    const PV: bool;
    /// The position the search was started from.
    const ROOT: bool;
}

/// The root.
pub(super) struct Root;
/// A node with an open window.
pub(super) struct Pv;
/// A node with a null window.
pub(super) struct NonPv;

impl NodeType for Root {
    const PV: bool = true;
    const ROOT: bool = true;
}

impl NodeType for Pv {
    const PV: bool = true;
    const ROOT: bool = false;
}

impl NodeType for NonPv {
    const PV: bool = false;
    const ROOT: bool = false;
}

/// What a node knows before its moves are tried. (Its stack entry keeps what the nodes below ask for.)
#[derive(Clone, Copy, Default)]
pub(super) struct NodeInfo {
    pub(super) ply: usize,
    /// The position's key in the transposition table.
    pub(super) key: u64,
    pub(super) depth: Depth,
    /// The move that is left out, while a search of the others shows whether it stands alone.
    pub(super) excluded: Option<Move>,
    /// The evaluation as the network gives it; none in check.
    pub(super) raw_eval: Option<Score>,
    /// The static evaluation; in check, that of two plies before.
    pub(super) static_eval: Option<Score>,
    /// The static evaluation, or the TT score where that is closer to the truth.
    pub(super) eval: Score,
    /// By how much the static evaluation was corrected, either way, in
    /// [`UNITS_PER_POINT`](crate::search::correction::UNITS_PER_POINT): an uncertain one is pruned by less.
    pub(super) correction: i32,
    /// The static evaluation has risen since the side to move was last to move.
    pub(super) improving: bool,
    /// The sum of both sides' static evaluations is above 0: the opponent's has fallen with its last move.
    pub(super) opponent_worsening: bool,
    pub(super) tt_move: Option<Move>,
    pub(super) tt_move_captures: bool,
    /// What the TT knows of the position, its score counted from the root.
    pub(super) tt_entry: Option<TtEntry>,
    /// By how many plies the search of this node was reduced.
    pub(super) prior_reduction: Depth,
    /// Expected to fail high.
    pub(super) cut_node: bool,
    /// Expected to fail low after all moves were tried.
    pub(super) all_node: bool,
}

/// What the moves tried so far have brought.
pub(super) struct BestSoFar {
    pub(super) score: Score,
    pub(super) mv: Option<Move>,
    pub(super) alpha: Score,
    /// There was no legal move except the excluded one.
    pub(super) no_move: bool,
    /// Moves other than the TT move refute the node as well, so it was left at once with this score.
    pub(super) multi_cut: Option<Score>,
}

/// Whether the bound of a TT entry cuts off a null-window node, if the entry is deep enough.
#[inline]
pub(super) fn bound_allows_cutoff(entry: &TtEntry, beta: Score) -> bool {
    entry.score.is_some_and(|score| match entry.bound {
        Bound::Exact => true,
        Bound::Lower => score >= beta,
        Bound::Upper => score < beta,
    })
}

/// The evaluation, or the TT score where its bound says that it is closer to the truth.
#[inline]
pub(super) fn tt_adjusted_eval(static_eval: Option<Score>, entry: Option<TtEntry>) -> Score {
    let Some(eval) = static_eval else { return -Score::MAX_EVAL };
    let Some((score, bound)) = entry.and_then(|entry| Some((entry.score?, entry.bound))) else { return eval };
    let closer = match bound {
        Bound::Exact => true,
        Bound::Lower => score > eval,
        Bound::Upper => score < eval,
    };
    if closer { score } else { eval }
}

/// A score above beta, moved towards it by these weights: how far above is uncertain.
#[inline]
pub(super) fn lerp_to_beta(score: Score, weight: i32, beta: Score, beta_weight: i32) -> Score {
    if score <= beta || score.is_decided() || beta.is_decided() {
        return score;
    }
    Score::from_value((score.value() * weight + beta.value() * beta_weight) / (weight + beta_weight))
}
