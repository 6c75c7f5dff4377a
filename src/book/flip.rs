//! Positions with the board turned around and the players exchanged: what holds for one holds for the other.

use crate::position::Position;
use crate::types::{Move, MoveKind};

/// The move on the board turned around.
pub fn flipped_move(mv: Move) -> Move {
    match mv.kind() {
        MoveKind::Board { from, to, promote } => Move::board(from.rotated(), to.rotated(), promote),
        MoveKind::Drop { piece_type, to } => Move::drop(piece_type, to.rotated()),
    }
}

/// The position with the board turned around, the players exchanged and the history left out.
pub fn flipped_position(position: &Position) -> Position {
    Position::from_setup(&position.setup().rotated()).expect("a legal position is legal the other way round")
}

/// The SFEN of the position turned around.
pub(super) fn flipped_sfen(position: &Position) -> String {
    position.setup().rotated().to_sfen()
}
