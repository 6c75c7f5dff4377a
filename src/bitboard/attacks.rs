//! Attack sets of all pieces.

use super::sliders::{bishop_attacks, lance_attacks, mask, rook_attacks};
use super::steps::{GOLD, KING, KNIGHT, PAWN, SILVER, king_attacks, step_attacks};
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
