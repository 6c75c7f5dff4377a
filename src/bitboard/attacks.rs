//! Attack sets of all pieces.

use super::sliders::{bishop_attacks, lance_attacks, mask, rook_attacks};
use super::{Bitboard, Direction, bit_position};
use crate::types::{Color, Piece, PieceType, Square};

/// What a piece attacks from a square, given the occupied squares.
#[inline(always)]
pub fn attacks(piece: Piece, square: Square, occupied: Bitboard) -> Bitboard {
    let (color, piece_type) = (piece.color(), piece.piece_type());
    match piece_type {
        PieceType::Lance => lance_attacks(color, square, occupied),
        PieceType::Bishop => bishop_attacks(square, occupied),
        PieceType::Rook => rook_attacks(square, occupied),
        PieceType::Horse => bishop_attacks(square, occupied) | king_attacks(square),
        PieceType::Dragon => rook_attacks(square, occupied) | king_attacks(square),
        _ => step_attacks(color, piece_type, square),
    }
}

/// For each square and each square of origin, the coloured pieces that attack the first from the second on an empty
/// board: one bit per piece index. The rows of the two kings' squares stay in the cache.
static ATTACKERS: [[u32; Square::COUNT]; Square::COUNT] = {
    let mut table = [[0; Square::COUNT]; Square::COUNT];
    let mut from = 0;
    while from < Square::COUNT {
        let mut bishop = 0;
        let mut rook = 0;
        let mut d = 0;
        while d < 8 {
            let direction = Direction::ALL[d];
            if direction.is_diagonal() {
                bishop |= mask(from, direction);
            } else {
                rook |= mask(from, direction);
            }
            d += 1;
        }
        let mut c = 0;
        while c < 2 {
            let color = Color::ALL[c];
            let gold = GOLD[c][from].bits();
            // In the order of the piece types' indices, from pawn to dragon.
            let sets = [
                PAWN[c][from].bits(),
                mask(from, Direction::forward(color)),
                KNIGHT[c][from].bits(),
                SILVER[c][from].bits(),
                bishop,
                rook,
                gold,
                KING[from].bits(),
                gold,
                gold,
                gold,
                gold,
                bishop | KING[from].bits(),
                rook | KING[from].bits(),
            ];
            let mut i = 0;
            while i < sets.len() {
                let bit = 1 << Piece::new(color, PieceType::ALL[i]).index();
                let mut to = 0;
                while to < Square::COUNT {
                    if sets[i] >> bit_position(to) & 1 == 1 {
                        table[to][from] |= bit;
                    }
                    to += 1;
                }
                i += 1;
            }
            c += 1;
        }
        from += 1;
    }
    table
};

/// Whether a piece on `from` attacks `to` on an empty board.
#[inline(always)]
pub fn attacks_unobstructed(piece: Piece, from: Square, to: Square) -> bool {
    ATTACKERS[to.index()][from.index()] >> piece.index() & 1 == 1
}

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
static KNIGHT: [[Bitboard; Square::COUNT]; 2] = both(&[(-1, -2), (1, -2)]);
static SILVER: [[Bitboard; Square::COUNT]; 2] = both(&[(-1, -1), (0, -1), (1, -1), (-1, 1), (1, 1)]);
static GOLD: [[Bitboard; Square::COUNT]; 2] = both(&[(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (0, 1)]);
static KING: [Bitboard; Square::COUNT] =
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
    let mut near = [(0, 0); 35];
    let mut i = 0;
    while i < 35 {
        near[i] = (i as i8 / 7 - 2, i as i8 % 7 - 3);
        i += 1;
    }
    steps(Color::Black, &near)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn on_an_empty_board_nothing_obstructs() {
        for (color, piece_type) in
            Color::ALL.into_iter().flat_map(|color| PieceType::ALL.map(|piece_type| (color, piece_type)))
        {
            let piece = Piece::new(color, piece_type);
            for (from, to) in Square::all().flat_map(|from| Square::all().map(move |to| (from, to))) {
                let expected = attacks(piece, from, Bitboard::EMPTY).contains(to);
                assert_eq!(attacks_unobstructed(piece, from, to), expected, "{piece} {from} {to}");
            }
        }
    }
}
