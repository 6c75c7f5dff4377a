//! The history scores of quiet moves, looked up once for what a set of moves has in common.

use crate::position::Position;
use crate::search::tables::history::{
    ContinuationEntries, ContinuationRow, History, MoveRow, Origin, PawnEntries, PawnRow, QuietEntries,
};
use crate::search::tables::played_move::of_piece;
use crate::types::{Piece, Square};

/// Earlier moves of the line that count for the order of quiet moves.
pub(super) const ORDERING_MOVES: usize = 5;

/// What the quiet moves of a node are judged by.
#[derive(Clone, Copy)]
pub(super) struct QuietHistories<'a> {
    quiet: &'a MoveRow,
    /// Near the root, and what its history scores are divided by.
    low_ply: Option<(&'a MoveRow, i32)>,
    continuations: [&'a ContinuationRow; ORDERING_MOVES],
    pawns: &'a PawnRow,
}

/// The part of it that is the same for all moves of a piece, by destination.
#[derive(Clone, Copy)]
pub(super) struct PieceScores<'a> {
    continuations: [&'a ContinuationEntries; ORDERING_MOVES],
    pawns: &'a PawnEntries,
}

/// The part of it that is the same for all moves from an origin, by destination.
#[derive(Clone, Copy)]
pub(super) struct OriginScores<'a> {
    quiet: &'a QuietEntries,
    low_ply: Option<(&'a QuietEntries, i32)>,
}

impl<'a> QuietHistories<'a> {
    pub(super) fn new(
        history: &'a History,
        position: &Position,
        continuations: [&'a ContinuationRow; ORDERING_MOVES],
        ply: usize,
    ) -> QuietHistories<'a> {
        QuietHistories {
            quiet: history.quiet_row(position.side_to_move()),
            low_ply: history.low_ply_row(ply).map(|row| (row, 1 + ply as i32)),
            continuations,
            pawns: history.pawn_row(position.pawn_key()),
        }
    }

    /// Those of a piece, as it stands after the move.
    #[inline(always)]
    pub(super) fn of(&self, piece: Piece) -> PieceScores<'a> {
        PieceScores {
            continuations: self.continuations.map(|row| of_piece(row, piece)),
            pawns: of_piece(self.pawns, piece),
        }
    }

    #[inline(always)]
    pub(super) fn from(&self, origin: Origin) -> OriginScores<'a> {
        let low_ply = self.low_ply.map(|(row, divisor)| (origin.entries(row), divisor));
        OriginScores { quiet: origin.entries(self.quiet), low_ply }
    }
}

impl PieceScores<'_> {
    /// The history scores of the piece's move to a square, added up.
    #[inline(always)]
    pub(super) fn of(&self, origin: &OriginScores<'_>, to: Square) -> i32 {
        let to = to.index();
        let mut score = 2 * (origin.quiet[to].get() + self.pawns[to].get());
        for entries in self.continuations {
            score += entries[to].get();
        }
        if let Some((entries, divisor)) = origin.low_ply {
            score += 8 * entries[to].get() / divisor;
        }
        score
    }
}
