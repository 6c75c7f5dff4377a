//! The stack of the search: one entry for each ply from the root.

use arrayvec::ArrayVec;

use crate::search::tables::history::Continuation;
use crate::search::tables::played_move::PlayedMove;
use crate::types::{Depth, MAX_PLY, Move, PieceType, Score};

/// What a thread knows of one ply of the line that it searches (Stockfish's `Stack`).
#[derive(Clone, Default)]
pub(crate) struct StackEntry {
    /// The move made from this ply.
    pub(crate) played: Option<PlayedMove>,
    /// The same move as the key of those that follow it.
    pub(crate) continuation: Continuation,
    /// The same move as it is written.
    pub(crate) mv: Option<Move>,
    /// It captures nothing.
    pub(crate) quiet: bool,
    /// What it captured.
    pub(crate) captured: Option<PieceType>,
    /// Its place among the moves tried, from 1.
    pub(crate) number: usize,
    /// statScore: its history score when it was made.
    pub(crate) history_score: i32,
    /// By how much less deep it is being searched.
    pub(crate) reduction: Depth,
    /// The static evaluation of this ply's position; in check, of the one two plies before.
    pub(crate) static_eval: Option<Score>,
    pub(crate) in_check: bool,
    /// The table knew the position.
    pub(crate) tt_hit: bool,
    /// The position was once in the principal variation.
    pub(crate) tt_pv: bool,
    /// All moves that led here are those of the last iteration's best line.
    pub(crate) follows_pv: bool,
    /// How often nodes at this ply have failed high since the node two plies above was begun.
    pub(crate) cutoffs: u32,
    /// A move left out here, while a search finds out whether it is the only good one.
    pub(crate) excluded: Option<Move>,
    pub(crate) pv: ArrayVec<Move, { MAX_PLY + 1 }>,
}

impl StackEntry {
    /// Resets the entry. The bytes of the PV's moves are not overwritten: with them all entries are 150 KiB.
    pub(crate) fn clear(&mut self) {
        let StackEntry {
            played,
            continuation,
            mv,
            quiet,
            captured,
            number,
            history_score,
            reduction,
            static_eval,
            in_check,
            tt_hit,
            tt_pv,
            follows_pv,
            cutoffs,
            excluded,
            pv,
        } = self;
        (*played, *continuation, *mv, *captured, *static_eval, *excluded) = Default::default();
        (*number, *history_score, *reduction, *cutoffs) = Default::default();
        (*quiet, *in_check, *tt_hit, *tt_pv, *follows_pv) = Default::default();
        pv.clear();
    }
}
