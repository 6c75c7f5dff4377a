//! Threats: squares on which a piece stands to be taken by a cheaper one.

use crate::bitboard::{Bitboard, gold_attacks, knight_attacks, pawn_set_attacks, silver_attacks};
use crate::position::Position;
use crate::types::PieceType;

/// What the opponent's cheap pieces attack: of no piece, of pawns, of minor pieces (pawns, knights, silvers, and golds
/// with what moves like them).
pub(super) struct Threats([Bitboard; 3]);

const BY_NONE: usize = 0;
const BY_PAWNS: usize = 1;
const BY_MINORS: usize = 2;

/// What threatens a piece type: a table, since a branch on piece types is often mispredicted.
const THREATENED: [u8; PieceType::TABLE_LEN] = {
    use PieceType::*;
    let mut table = [BY_NONE as u8; PieceType::TABLE_LEN];
    let mut index = 0;
    while index < PieceType::ALL.len() {
        let piece_type = PieceType::ALL[index];
        table[piece_type.index()] = match piece_type {
            Pawn | King => BY_NONE,
            Bishop | Rook | Horse | Dragon => BY_MINORS,
            Lance | Knight | Silver | Gold | ProPawn | ProLance | ProKnight | ProSilver => BY_PAWNS,
        } as u8;
        index += 1;
    }
    table
};

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
        Threats([Bitboard::EMPTY, pawns, minors])
    }

    /// Where a piece of this type is threatened: others than pawns by pawns, bishops and rooks by minor pieces as well.
    /// Lances are left out, whose attacks change with every move.
    pub(super) fn to(&self, piece_type: PieceType) -> Bitboard {
        self.0[usize::from(THREATENED[piece_type.index()])]
    }
}
