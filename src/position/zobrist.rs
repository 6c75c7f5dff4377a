//! Zobrist keys: one random number for every piece on every square, every piece in hand and the turn.
//!
//! Pieces on the board combine by exclusive or. Pieces in hand combine by addition, so that a number of pieces
//! needs no table of its own and taking one back is a subtraction.

use crate::types::numbers::split_mix;
use crate::types::{Color, Piece, PieceType, Square};

static BOARD: [[u64; Square::COUNT]; Piece::TABLE_LEN] = {
    let mut table = [[0; Square::COUNT]; Piece::TABLE_LEN];
    let mut piece = 0;
    while piece < Piece::TABLE_LEN {
        let mut square = 0;
        while square < Square::COUNT {
            table[piece][square] = split_mix((piece * 128 + square) as u64);
            square += 1;
        }
        piece += 1;
    }
    table
};

static HAND: [[u64; 8]; 2] = {
    let mut table = [[0; 8]; 2];
    let mut i = 0;
    while i < 16 {
        table[i / 8][i % 8] = split_mix(0x10000 + i as u64);
        i += 1;
    }
    table
};

/// Flipped with every change of turn.
pub(super) const TURN: u64 = split_mix(0x20000);

#[inline(always)]
pub(super) fn on_board(piece: Piece, square: Square) -> u64 {
    BOARD[piece.index()][square.index()]
}

/// The key of one piece in hand.
#[inline(always)]
pub(super) fn in_hand(color: Color, piece_type: PieceType) -> u64 {
    HAND[color.index()][piece_type.index() & 7]
}

// Keys of parts of the board (pawn key, minor-piece key, non-pawn keys), for tables of what positions with the same
// part have in common: pawn history, correction history.

/// Zobrist keys of parts of the board; a piece may belong to several.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct PartKeys(pub(super) [u64; 4]);

pub(super) const PAWN: usize = 0;
pub(super) const MINOR: usize = 1;
/// Of Black; that of White follows.
pub(super) const NON_PAWN: usize = 2;

/// For each piece, all ones where it belongs to a part.
static BELONGS: [[u64; 4]; Piece::TABLE_LEN] = {
    use PieceType::*;
    let mut table = [[0; 4]; Piece::TABLE_LEN];
    let mut i = 0;
    while i < Piece::TABLE_LEN {
        if let Some(piece_type) = PieceType::new(i as u8 & 15) {
            let is_pawn = matches!(piece_type, Pawn);
            table[i][if is_pawn { PAWN } else { NON_PAWN + i / 16 }] = !0;
            if matches!(piece_type, Lance | Knight | Silver) || piece_type.moves_like_gold() {
                table[i][MINOR] = !0;
            }
        }
        i += 1;
    }
    table
};

impl PartKeys {
    /// Puts a piece on a square, or takes it away.
    #[inline(always)]
    pub(super) fn toggle(&mut self, piece: Piece, square: Square) {
        let key = on_board(piece, square);
        for (part, belongs) in self.0.iter_mut().zip(BELONGS[piece.index()]) {
            *part ^= key & belongs;
        }
    }
}
