//! A node of the tree: its kind, what is known of it, and what the table says.

use crate::search::control::Bound;
use crate::search::tables::tt::TtEntry;
use crate::types::{Depth, Move, Score};

/// What kind of node is searched; settled at compile time.
pub(crate) trait NodeType {
    /// The window is open: the exact score matters.
    const PV: bool;
    /// The position the search was started from.
    const ROOT: bool;
}

/// The root.
pub(crate) struct Root;
/// A node with an open window.
pub(crate) struct Pv;
/// A node with a null window.
pub(crate) struct NonPv;

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

/// What a node knows before its moves are tried, beside what its stack entry keeps for the nodes below.
#[derive(Clone, Copy, Default)]
pub(crate) struct Node {
    pub(crate) ply: usize,
    /// The position's key in the transposition table.
    pub(crate) key: u64,
    pub(crate) depth: Depth,
    /// The move that is left out, while a search of the others shows whether it stands alone.
    pub(crate) excluded: Option<Move>,
    /// The evaluation as the network gives it; none in check.
    pub(crate) raw_eval: Option<Score>,
    /// The static evaluation; in check, that of two plies before.
    pub(crate) static_eval: Option<Score>,
    /// The same, moved to the table's score where that is closer to the truth.
    pub(crate) eval: Score,
    /// By how much the static evaluation was corrected, either way, in
    /// [`PARTS`](crate::search::tables::correction::PARTS): an uncertain one is pruned by less.
    pub(crate) correction: i32,
    /// The static evaluation has risen since the side to move was last to move.
    pub(crate) improving: bool,
    /// The opponent's has fallen since its last move.
    pub(crate) worsening: bool,
    pub(crate) tt_move: Option<Move>,
    pub(crate) tt_move_captures: bool,
    /// What the table knows of the position, its score counted from the root.
    pub(crate) entry: Option<TtEntry>,
    /// By how many plies the search of this node was reduced.
    pub(crate) prior_reduction: Depth,
    /// Expected to fail high.
    pub(crate) cut_node: bool,
    /// Expected to fail low after all moves were tried.
    pub(crate) all_node: bool,
}

/// What the moves tried so far have brought.
pub(crate) struct Best {
    pub(crate) score: Score,
    pub(crate) mv: Option<Move>,
    pub(crate) alpha: Score,
    /// There was no legal move, or none but the one left out.
    pub(crate) no_move: bool,
    /// Moves other than the table's refute the node as well, so it was left at once with this score.
    pub(crate) multi_cut: Option<Score>,
}

/// Whether a table entry settles a null-window node, if it is deep enough.
#[inline]
pub(crate) fn settles(entry: &TtEntry, beta: Score) -> bool {
    match entry.bound {
        Bound::Exact => true,
        Bound::Lower => entry.score >= beta,
        Bound::Upper => entry.score < beta,
    }
}

/// The evaluation, or the table's score where that is known to be on the right side of it.
#[inline]
pub(crate) fn refined_eval(static_eval: Option<Score>, entry: Option<TtEntry>) -> Score {
    let Some(eval) = static_eval else { return -Score::MAX_EVAL };
    let Some(entry) = entry else { return eval };
    let closer = match entry.bound {
        Bound::Exact => true,
        Bound::Lower => entry.score > eval,
        Bound::Upper => entry.score < eval,
    };
    if closer { entry.score } else { eval }
}

/// A score above beta, moved towards it by these weights: how far above is uncertain.
#[inline]
pub(crate) fn towards_beta(score: Score, weight: i32, beta: Score, beta_weight: i32) -> Score {
    if score <= beta || score.is_decided() || beta.is_decided() {
        return score;
    }
    Score::from_value((score.value() * weight + beta.value() * beta_weight) / (weight + beta_weight))
}
