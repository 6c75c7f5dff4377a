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
    Position::from_sfen(&flipped_sfen(&position.to_sfen())).expect("a legal position is legal the other way round")
}

/// The same for the text of an SFEN as [`Position::to_sfen`] writes it. The move number, if any, stays.
pub(super) fn flipped_sfen(sfen: &str) -> String {
    let mut fields = sfen.splitn(4, ' ');
    let mut field = || fields.next().unwrap_or("");
    let (board, side, hands, number) = (field(), field(), field(), field());
    let side = if side == "b" { "w" } else { "b" };
    let mut text = format!("{} {side} {}", flipped_board(board), flipped_hands(hands));
    if !number.is_empty() {
        text.push(' ');
        text.push_str(number);
    }
    text
}

fn flipped_board(board: &str) -> String {
    let mut flipped = String::with_capacity(board.len());
    let mut rest = board;
    // From the end, a piece's plus sign together with its letter.
    while let Some(last) = rest.chars().next_back() {
        rest = &rest[..rest.len() - last.len_utf8()];
        if last.is_ascii_alphabetic() && rest.ends_with('+') {
            rest = &rest[..rest.len() - 1];
            flipped.push('+');
        }
        flipped.push(swapped(last));
    }
    flipped
}

/// Black's pieces stand before White's, each with its number before it.
fn flipped_hands(hands: &str) -> String {
    let black = hands.rfind(|c: char| c.is_ascii_uppercase()).map_or(0, |last| last + 1);
    let (black, white) = hands.split_at(black);
    white.chars().chain(black.chars()).map(swapped).collect()
}

fn swapped(c: char) -> char {
    if c.is_ascii_uppercase() { c.to_ascii_lowercase() } else { c.to_ascii_uppercase() }
}
