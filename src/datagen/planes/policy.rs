//! Classes of moves, among which the policy of a network chooses.

use crate::position::Position;
use crate::types::{Move, PieceType};

/// Classes of moves to one square: of a piece of each of the 14 types, of the six types that promote, and drops of the
/// seven types that are held in hand.
pub const CLASSES_PER_SQUARE: usize = 14 + 6 + 7;
/// Classes of moves in all.
pub const CLASSES: usize = 81 * CLASSES_PER_SQUARE;

const PROMOTIONS: usize = 14;
const DROPS: usize = 20;

/// The class of a legal move: 27 times the square that it goes to, as the side to move sees it, and for moves on the
/// board the type of the piece (pawn 0 … dragon 13), for promotions 14 (pawn) to 19 (rook), for drops 20 (pawn) to 26
/// (gold). Moves of two pieces of one type to one square are of one class.
pub fn policy_class(position: &Position, mv: Move) -> u16 {
    let moved = mv.from().and_then(|from| position.piece_on(from)).map(|piece| piece.piece_type());
    let number = |piece_type: Option<PieceType>| piece_type.map_or(0, |piece_type| piece_type.index() - 1);
    let class = match mv.dropped() {
        Some(dropped) => DROPS + number(Some(dropped)),
        None if mv.is_promotion() => PROMOTIONS + number(moved),
        None => number(moved),
    };
    (mv.to().relative(position.side_to_move()).index() * CLASSES_PER_SQUARE + class) as u16
}
