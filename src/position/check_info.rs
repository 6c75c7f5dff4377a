//! Which moves of a position give check.

use super::Position;
use crate::bitboard::{
    Bitboard, bishop_attacks, gold_attacks, king_attacks, knight_attacks, lance_rays, line_through, pawn_attacks,
    rook_attacks, silver_attacks,
};
use crate::types::{Move, PieceType, Square};

/// The squares from which the side to move gives check, computed once for several moves. For a single move use
/// [`Position::gives_check`].
pub struct CheckInfo {
    /// The enemy king's square.
    king: Option<Square>,
    /// By piece type, from where such a piece gives check.
    squares: [Bitboard; PieceType::TABLE_LEN],
    /// Pieces of the side to move that give check by leaving the line between a slider of theirs and the king.
    discoverers: Bitboard,
}

impl CheckInfo {
    /// The information for a position.
    pub fn of(position: &Position) -> CheckInfo {
        let us = position.side_to_move();
        let king = position.king_square(!us);
        let squares = king.map_or([Bitboard::EMPTY; PieceType::TABLE_LEN], |king| squares_around(position, king));
        CheckInfo { king, squares, discoverers: position.blockers(!us) & position.pieces(us) }
    }

    /// The squares from which a piece of the side to move checks the enemy king.
    #[inline(always)]
    pub fn squares(&self, piece_type: PieceType) -> Bitboard {
        self.squares[piece_type.index()]
    }

    /// Pieces of the side to move that give check by leaving the line between a slider of theirs and the enemy king.
    #[inline(always)]
    pub fn discoverers(&self) -> Bitboard {
        self.discoverers
    }

    /// Whether a legal move of the side to move gives check in this position, for which `self` must have been made.
    #[inline(always)]
    pub fn gives_check(&self, position: &Position, mv: Move) -> bool {
        let to = mv.to();
        if self.squares(position.moved_piece_after(mv).piece_type()).contains(to) {
            return true;
        }
        mv.from().is_some_and(|from| {
            self.discoverers.contains(from) && self.king.is_some_and(|king| !line_through(king, from).contains(to))
        })
    }
}

/// By piece type, from where a piece of the side to move checks a king.
fn squares_around(position: &Position, king: Square) -> [Bitboard; PieceType::TABLE_LEN] {
    use PieceType::*;
    let mut table = [Bitboard::EMPTY; PieceType::TABLE_LEN];
    let them = !position.side_to_move();
    let occupied = position.occupied();
    let (diagonal, orthogonal) = (bishop_attacks(king, occupied), rook_attacks(king, occupied));
    let gold = gold_attacks(them, king);
    table[Pawn.index()] = pawn_attacks(them, king);
    table[Lance.index()] = orthogonal & lance_rays(them, king);
    table[Knight.index()] = knight_attacks(them, king);
    table[Silver.index()] = silver_attacks(them, king);
    table[Bishop.index()] = diagonal;
    table[Rook.index()] = orthogonal;
    for piece_type in [Gold, ProPawn, ProLance, ProKnight, ProSilver] {
        table[piece_type.index()] = gold;
    }
    table[Horse.index()] = diagonal | king_attacks(king);
    table[Dragon.index()] = orthogonal | king_attacks(king);
    table
}
