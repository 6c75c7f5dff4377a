//! Zobrist keys: one random number for every piece on every square, every piece in hand and the turn.
//!
//! Pieces on the board combine by exclusive or. Pieces in hand combine by addition, so that a number of pieces
//! needs no table of its own and taking one back is a subtraction.

use crate::types::hash::split_mix;
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
pub(in crate::position) const TURN: u64 = split_mix(0x20000);

#[inline(always)]
pub(in crate::position) fn on_board(piece: Piece, square: Square) -> u64 {
    BOARD[piece.index()][square.index()]
}

/// The key of one piece in hand.
#[inline(always)]
pub(in crate::position) fn in_hand(color: Color, piece_type: PieceType) -> u64 {
    HAND[color.index()][piece_type.index() & 7]
}
