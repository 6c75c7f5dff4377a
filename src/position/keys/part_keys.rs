//! Keys of parts of the board (pawn key, minor-piece key, non-pawn keys), for tables of what positions with the same
//! part have in common: pawn history, correction history.

use super::zobrist;
use crate::types::{Color, Piece, PieceType, Square};

/// Zobrist keys of parts of the board; a piece may belong to several.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::position) struct PartKeys([u64; 4]);

const PAWN: usize = 0;
const MINOR: usize = 1;
const NON_PAWN: usize = 2;

/// For each piece, all ones where it belongs to a part.
static BELONGS: [[u64; 4]; Piece::TABLE_LEN] = {
    let mut table = [[0; 4]; Piece::TABLE_LEN];
    let mut color = 0;
    while color < 2 {
        let mut i = 0;
        while i < PieceType::ALL.len() {
            let piece_type = PieceType::ALL[i];
            let owner = if color == 0 { Color::Black } else { Color::White };
            let parts = &mut table[Piece::new(owner, piece_type).index()];
            if matches!(piece_type, PieceType::Pawn) {
                parts[PAWN] = !0;
            } else {
                parts[NON_PAWN + color] = !0;
            }
            if is_minor(piece_type) {
                parts[MINOR] = !0;
            }
            i += 1;
        }
        color += 1;
    }
    table
};

const fn is_minor(piece_type: PieceType) -> bool {
    use PieceType::*;
    matches!(piece_type, Lance | Knight | Silver | Gold | ProPawn | ProLance | ProKnight | ProSilver)
}

impl PartKeys {
    /// Puts a piece on a square, or takes it away.
    #[inline(always)]
    pub(in crate::position) fn toggle(&mut self, piece: Piece, square: Square) {
        let key = zobrist::on_board(piece, square);
        for (part, belongs) in self.0.iter_mut().zip(BELONGS[piece.index()]) {
            *part ^= key & belongs;
        }
    }

    #[inline(always)]
    pub(in crate::position) fn pawn_key(&self) -> u64 {
        self.0[PAWN]
    }

    #[inline(always)]
    pub(in crate::position) fn minor_key(&self) -> u64 {
        self.0[MINOR]
    }

    #[inline(always)]
    pub(in crate::position) fn non_pawn_key(&self, color: Color) -> u64 {
        self.0[NON_PAWN + color.index()]
    }
}
