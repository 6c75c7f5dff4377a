//! Positions with one piece less.

use crate::position::Position;
use crate::types::{Color, Piece, Square};

/// The position with one piece less, which goes to the defender's hand; `None` when the rules do not allow it.
pub(super) fn without(position: &Position, piece: Piece, square: Option<Square>) -> Option<Position> {
    let sfen = position.to_sfen();
    let mut fields = sfen.split(' ');
    let (board, side) = (fields.next()?, fields.next()?);
    let mut rows: Vec<String> = board.split('/').map(str::to_owned).collect();
    if let Some(square) = square {
        let row = &mut rows[square.rank().index()];
        *row = row_without(row, 8 - square.file().index());
    }
    let attacker = position.side_to_move();
    let mut hands = [position.hand(Color::Black), position.hand(Color::White)];
    let piece_type = piece.piece_type().unpromoted();
    if square.is_none() {
        hands[attacker.index()].remove(piece_type);
    }
    hands[(!attacker).index()].add(piece_type);
    let hands = format!("{}{}", hands[0], hands[1].to_string().to_lowercase());
    let hands = if hands.is_empty() { "-" } else { &hands };
    Position::from_sfen(&format!("{} {side} {hands} 1", rows.join("/"))).ok()
}

/// A row of an SFEN board with an empty square in place of the piece in this column.
fn row_without(row: &str, column: usize) -> String {
    let mut at = 0;
    let mut result = String::new();
    for c in row.chars() {
        if let Some(empty) = c.to_digit(10) {
            at += empty as usize;
            result.push(c);
        } else if c == '+' {
            result.push(c);
        } else {
            if at == column {
                result.truncate(result.trim_end_matches('+').len());
                result.push('1');
            } else {
                result.push(c);
            }
            at += 1;
        }
    }
    result
}
