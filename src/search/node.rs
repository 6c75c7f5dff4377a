//! A node of the tree: its kind, what is known of it, and what the table says.

use super::Bound;
use super::tt::TtEntry;
use crate::types::{Depth, Move, Score};

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

/// What a node knows before its moves are tried.
#[derive(Clone, Copy)]
pub(super) struct Node {
    pub(super) ply: usize,
    pub(super) depth: Depth,
    pub(super) in_check: bool,
    /// The evaluation as the network gives it; none in check.
    pub(super) raw_eval: Option<Score>,
    /// The static evaluation; in check, that of two plies before.
    pub(super) static_eval: Option<Score>,
    /// The same, moved to the table's score where that is closer to the truth.
    pub(super) eval: Score,
    /// By how much the static evaluation was corrected, either way, in
    /// [`PARTS`](super::correction::PARTS): an uncertain one is pruned by less.
    pub(super) correction: i32,
    /// The static evaluation has risen since the side to move was last to move.
    pub(super) improving: bool,
    /// The opponent's has fallen since its last move.
    pub(super) worsening: bool,
    pub(super) table_move: Option<Move>,
    pub(super) table_move_captures: bool,
    /// What the table knows of the position, its score counted from the root.
    pub(super) entry: Option<TtEntry>,
    /// The node was once in the principal variation.
    pub(super) table_pv: bool,
    /// By how many plies the search of this node was reduced.
    pub(super) prior_reduction: Depth,
    /// All moves that led here are those of the last iteration's best line.
    pub(super) follows_pv: bool,
    /// Expected to fail high.
    pub(super) cut_node: bool,
    /// Expected to fail low after all moves were tried.
    pub(super) all_node: bool,
}

/// What the moves tried so far have brought.
pub(super) struct Best {
    pub(super) score: Score,
    pub(super) mv: Option<Move>,
    pub(super) alpha: Score,
    /// There was no legal move, or none but the one left out.
    pub(super) no_move: bool,
    /// Moves other than the table's refute the node as well, so it was left at once with this score.
    pub(super) multi_cut: Option<Score>,
}

/// Whether a table entry settles a null-window node, if it is deep enough.
#[inline]
pub(super) fn settles(entry: &TtEntry, beta: Score) -> bool {
    match entry.bound {
        Bound::Exact => true,
        Bound::Lower => entry.score >= beta,
        Bound::Upper => entry.score < beta,
    }
}

/// The evaluation, or the table's score where that is known to be on the right side of it.
#[inline]
pub(super) fn refined_eval(static_eval: Option<Score>, entry: Option<TtEntry>) -> Score {
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
pub(super) fn towards_beta(score: Score, weight: i32, beta: Score, beta_weight: i32) -> Score {
    if score <= beta || score.is_decided() || beta.is_decided() {
        return score;
    }
    Score::from_value((score.value() * weight + beta.value() * beta_weight) / (weight + beta_weight))
}
