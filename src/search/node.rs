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
pub(super) struct Node {
    pub(super) ply: usize,
    pub(super) depth: Depth,
    pub(super) in_check: bool,
    /// The static evaluation, corrected by the table's score where that is closer to the truth.
    pub(super) eval: Score,
    pub(super) improving: bool,
    pub(super) table_move: Option<Move>,
    pub(super) table_move_captures: bool,
    /// What the table knows of the position.
    pub(super) entry: Option<TtEntry>,
    pub(super) table_pv: bool,
    pub(super) cut_node: bool,
}

/// What the moves tried so far have brought.
pub(super) struct Best {
    pub(super) score: Score,
    pub(super) mv: Option<Move>,
    pub(super) alpha: Score,
}

/// The score a table entry of sufficient depth settles a null-window node with.
#[inline]
pub(super) fn cutoff(entry: TtEntry, ply: usize, beta: Score) -> Option<Score> {
    let score = entry.score.from_table(ply);
    let settles = match entry.bound {
        Bound::Exact => true,
        Bound::Lower => score >= beta,
        Bound::Upper => score < beta,
    };
    settles.then_some(score)
}

/// The evaluation, or the table's score where that is known to be on the right side of it.
#[inline]
pub(super) fn refined_eval(static_eval: Option<Score>, entry: Option<TtEntry>, ply: usize) -> Score {
    let Some(eval) = static_eval else { return -Score::MAX_EVAL };
    let Some(entry) = entry else { return eval };
    let score = entry.score.from_table(ply);
    let closer = match entry.bound {
        Bound::Exact => true,
        Bound::Lower => score > eval,
        Bound::Upper => score < eval,
    };
    if closer { score } else { eval }
}
