//! Threats: squares on which a piece stands to be taken by a cheaper one.

use crate::bitboard::{Bitboard, gold_attacks, knight_attacks, pawn_set_attacks, silver_attacks};
use crate::position::Position;
use crate::types::PieceType;

/// What the opponent's cheap pieces attack.
pub(super) struct Threats {
    pawns: Bitboard,
    /// Pawns, knights, silvers, and golds with what moves like them.
    minors: Bitboard,
}

impl Threats {
    /// Those against the side to move.
    pub(super) fn of(position: &Position) -> Threats {
        use PieceType::*;
        let them = !position.side_to_move();
        let theirs = |piece_type| position.pieces_of(them, piece_type);
        let pawns = pawn_set_attacks(them, theirs(Pawn));
        let mut minors = pawns;
        for square in theirs(Knight) {
            minors |= knight_attacks(them, square);
        }
        for square in theirs(Silver) {
            minors |= silver_attacks(them, square);
        }
        let golds = [ProPawn, ProLance, ProKnight, ProSilver].into_iter().map(theirs);
        for square in golds.fold(theirs(Gold), |all, set| all | set) {
            minors |= gold_attacks(them, square);
        }
        Threats { pawns, minors }
    }

    /// Where a piece of this type is threatened: others than pawns by pawns, bishops and rooks by minor pieces as well.
    /// Lances are left out, whose attacks change with every move.
    pub(super) fn to(&self, piece_type: PieceType) -> Bitboard {
        use PieceType::*;
        match piece_type {
            Pawn | King => Bitboard::EMPTY,
            Bishop | Rook | Horse | Dragon => self.minors,
            Lance | Knight | Silver | Gold | ProPawn | ProLance | ProKnight | ProSilver => self.pawns,
        }
    }
}
