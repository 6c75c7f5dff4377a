//! Western notation: `P-7f`, `Bx2b+`, `+R-5a`, `G6i-5h`, `P*5e`.

use super::japanese::candidates;
use crate::position::Setup;
use crate::types::{Move, MoveKind, PieceType, Square};

/// Writes a move, its squares as `name` gives them. The origin is named where another piece of the same type could go
/// there too, and `=` stands for a promotion declined.
pub(super) fn write(board: &Setup, piece_type: PieceType, mv: Move, name: impl Fn(Square) -> String) -> String {
    let color = board.side_to_move();
    let plus = if piece_type.is_promoted() { "+" } else { "" };
    let piece = format!("{plus}{}", piece_type.letter());
    let to = name(mv.to());
    match mv.kind() {
        MoveKind::Drop { .. } => format!("{piece}*{to}"),
        MoveKind::Board { from, promote, .. } => {
            let origin = if candidates(board, piece_type, mv.to()).len() > 1 { name(from) } else { String::new() };
            let captures = if board.piece_on(mv.to()).is_some() { 'x' } else { '-' };
            let in_zone = from.in_promotion_zone(color) || mv.to().in_promotion_zone(color);
            let promotion = match promote {
                true => "+",
                false if piece_type.can_promote() && in_zone => "=",
                false => "",
            };
            format!("{piece}{origin}{captures}{to}{promotion}")
        }
    }
}
