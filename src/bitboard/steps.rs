//! Attack sets of the pieces that step.

use super::{Bitboard, bit_position};
use crate::types::{Color, PieceType, Square};

const fn steps(color: Color, steps: &[(i8, i8)]) -> [Bitboard; Square::COUNT] {
    let mut table = [Bitboard::EMPTY; Square::COUNT];
    let mut i = 0;
    while i < Square::COUNT {
        let Some(square) = Square::new(i as u8) else { unreachable!() };
        let mut s = 0;
        while s < steps.len() {
            let (files, ranks) = steps[s];
            let ranks = match color {
                Color::Black => ranks,
                Color::White => -ranks,
            };
            if let Some(to) = square.offset(files, ranks) {
                table[i] = Bitboard::from_bits(table[i].bits() | 1 << bit_position(to.index()));
            }
            s += 1;
        }
        i += 1;
    }
    table
}

const fn both(list: &[(i8, i8)]) -> [[Bitboard; Square::COUNT]; 2] {
    [steps(Color::Black, list), steps(Color::White, list)]
}

pub(super) static PAWN: [[Bitboard; Square::COUNT]; 2] = both(&[(0, -1)]);
pub(super) static KNIGHT: [[Bitboard; Square::COUNT]; 2] = both(&[(-1, -2), (1, -2)]);
pub(super) static SILVER: [[Bitboard; Square::COUNT]; 2] = both(&[(-1, -1), (0, -1), (1, -1), (-1, 1), (1, 1)]);
pub(super) static GOLD: [[Bitboard; Square::COUNT]; 2] = both(&[(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (0, 1)]);
pub(super) static KING: [Bitboard; Square::COUNT] =
    steps(Color::Black, &[(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)]);

/// The square in front of a pawn; empty on its last rank.
#[inline(always)]
pub fn pawn_attacks(color: Color, square: Square) -> Bitboard {
    PAWN[color.index()][square.index()]
}

/// The squares in front of all pawns of a set.
#[inline(always)]
pub fn pawn_set_attacks(color: Color, pawns: Bitboard) -> Bitboard {
    pawns.forward(color)
}

/// What a knight attacks.
#[inline(always)]
pub fn knight_attacks(color: Color, square: Square) -> Bitboard {
    KNIGHT[color.index()][square.index()]
}

/// What a silver attacks.
#[inline(always)]
pub fn silver_attacks(color: Color, square: Square) -> Bitboard {
    SILVER[color.index()][square.index()]
}

/// What a gold, or a piece that moves like one, attacks.
#[inline(always)]
pub fn gold_attacks(color: Color, square: Square) -> Bitboard {
    GOLD[color.index()][square.index()]
}

/// What a king attacks.
#[inline(always)]
pub fn king_attacks(square: Square) -> Bitboard {
    KING[square.index()]
}

/// For each square, where a stepping piece (knights included) must stand to attack a neighbour of it.
static NEIGHBOURHOOD: [Bitboard; Square::COUNT] = {
    let mut table = [Bitboard::EMPTY; Square::COUNT];
    let mut i = 0;
    while i < Square::COUNT {
        let Some(square) = Square::new(i as u8) else { unreachable!() };
        let mut files = -2;
        while files <= 2 {
            let mut ranks = -3;
            while ranks <= 3 {
                if let Some(near) = square.offset(files, ranks) {
                    table[i] = Bitboard::from_bits(table[i].bits() | 1 << bit_position(near.index()));
                }
                ranks += 1;
            }
            files += 1;
        }
        i += 1;
    }
    table
};

/// The squares within two files and three ranks: a piece elsewhere that does not slide attacks no
/// neighbour of the square.
#[inline(always)]
pub fn neighbourhood(square: Square) -> Bitboard {
    NEIGHBOURHOOD[square.index()]
}

/// What a piece that does not slide attacks; for bishops, rooks and lances nothing, for horses and
/// dragons the king's steps.
#[inline(always)]
pub fn step_attacks(color: Color, piece_type: PieceType, square: Square) -> Bitboard {
    match piece_type {
        PieceType::Pawn => pawn_attacks(color, square),
        PieceType::Knight => knight_attacks(color, square),
        PieceType::Silver => silver_attacks(color, square),
        PieceType::Gold | PieceType::ProPawn | PieceType::ProLance | PieceType::ProKnight | PieceType::ProSilver => {
            gold_attacks(color, square)
        }
        PieceType::King | PieceType::Horse | PieceType::Dragon => king_attacks(square),
        PieceType::Lance | PieceType::Bishop | PieceType::Rook => Bitboard::EMPTY,
    }
}
