//! Keys of parts of the board, for tables of what positions with such a part have in common.

use super::zobrist;
use crate::types::{Color, Piece, PieceType, Square};

/// Zobrist keys of parts of the board; a piece may belong to several.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StructureKeys([u64; 4]);

const PAWNS: usize = 0;
const MINORS: usize = 1;
const OTHERS: usize = 2;

/// For each piece, all ones where it belongs to a part.
static BELONGS: [[u64; 4]; Piece::TABLE_LEN] = {
    let mut table = [[0; 4]; Piece::TABLE_LEN];
    let mut color = 0;
    while color < 2 {
        let mut i = 0;
        while i < PieceType::ALL.len() {
            let kind = PieceType::ALL[i];
            let owner = if color == 0 { Color::Black } else { Color::White };
            let parts = &mut table[Piece::new(owner, kind).index()];
            if matches!(kind, PieceType::Pawn) {
                parts[PAWNS] = !0;
            } else {
                parts[OTHERS + color] = !0;
            }
            if is_minor(kind) {
                parts[MINORS] = !0;
            }
            i += 1;
        }
        color += 1;
    }
    table
};

const fn is_minor(kind: PieceType) -> bool {
    use PieceType::*;
    matches!(kind, Lance | Knight | Silver | Gold | ProPawn | ProLance | ProKnight | ProSilver)
}

impl StructureKeys {
    /// Puts a piece on a square, or takes it away.
    #[inline(always)]
    pub(super) fn toggle(&mut self, piece: Piece, square: Square) {
        let key = zobrist::on_board(piece, square);
        for (part, belongs) in self.0.iter_mut().zip(BELONGS[piece.index()]) {
            *part ^= key & belongs;
        }
    }

    /// Both sides' unpromoted pawns.
    #[inline(always)]
    pub fn pawns(&self) -> u64 {
        self.0[PAWNS]
    }

    /// Both sides' pieces worth more than a pawn and less than a bishop.
    #[inline(always)]
    pub fn minors(&self) -> u64 {
        self.0[MINORS]
    }

    /// One side's king and pieces other than unpromoted pawns.
    #[inline(always)]
    pub fn others(&self, color: Color) -> u64 {
        self.0[OTHERS + color.index()]
    }
}
