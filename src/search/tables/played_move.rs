//! A move made, as later moves remember it.

use crate::types::{Piece, Square};

/// A move made, as later moves remember it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PlayedMove {
    /// The piece as it stands after the move.
    pub(crate) piece: Piece,
    pub(crate) to: Square,
}

impl PlayedMove {
    /// Tells moves apart, below 2¹².
    pub(crate) fn index(self) -> usize {
        piece_to(self.piece, self.to)
    }
}

/// Index of a coloured piece on a square.
#[inline(always)]
pub(crate) fn piece_to(piece: Piece, to: Square) -> usize {
    piece.index() * Square::COUNT + to.index()
}

pub(crate) const PIECE_TO: usize = Piece::TABLE_LEN * Square::COUNT;
