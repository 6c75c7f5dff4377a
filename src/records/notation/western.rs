//! Western notation: `P-7f`, `Bx2b+`, `+R-5a`, `G6i-5h`, `P*5e`.

use super::japanese::candidates;
use crate::position::Setup;
use crate::types::{Move, MoveKind, PieceType, Square};

/// Writes a move, its squares as `name` gives them. The origin is named where another piece of the same type could go
/// there too or none stands there, and `=` stands for a promotion declined.
pub(super) fn write(board: &Setup, mv: Move, name: impl Fn(Square) -> String) -> String {
    let color = board.side_to_move();
    let piece_type = board.moved_type(mv);
    let piece = piece_type.map_or(String::new(), |piece_type| {
        let plus = if piece_type.is_promoted() { "+" } else { "" };
        format!("{plus}{}", piece_type.letter())
    });
    let to = name(mv.to());
    match mv.kind() {
        MoveKind::Drop { .. } => format!("{piece}*{to}"),
        MoveKind::Board { from, promote, .. } => {
            let is_clear = piece_type.is_some_and(|piece_type| candidates(board, piece_type, mv.to()).len() < 2);
            let origin = if is_clear { String::new() } else { name(from) };
            let captures = if board.piece_on(mv.to()).is_some() { 'x' } else { '-' };
            let in_zone = from.in_promotion_zone(color) || mv.to().in_promotion_zone(color);
            let promotion = match promote {
                true => "+",
                false if piece_type.is_some_and(PieceType::can_promote) && in_zone => "=",
                false => "",
            };
            format!("{piece}{origin}{captures}{to}{promotion}")
        }
    }
}
