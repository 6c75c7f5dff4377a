//! A position drawn with characters.

use std::fmt::Write;

use super::Style;
use crate::language::Language;
use crate::position::Position;
use crate::records::diagram;
use crate::types::{Color, File, Piece, PieceType, Rank, Square};

/// The board and the hands: as KIF draws them in Japanese, else with SFEN's letters, White's in lower case.
pub(in crate::cli::analyze) fn drawing(position: &Position, last: Option<Square>, style: &Style) -> String {
    if style.language == Language::Japanese {
        return diagram(position);
    }
    let edge = "+---------------------------+";
    let mut text = hand_line(position, Color::White) + "  9  8  7  6  5  4  3  2  1\n" + edge + "\n";
    for rank in Rank::all() {
        text.push('|');
        for file in File::all().rev() {
            let square = Square::at(file, rank);
            let cell = cell(position.piece_on(square));
            let marked = style.color && last == Some(square);
            let shown = if marked { console::style(cell).reverse().force_styling(true).to_string() } else { cell };
            text.push_str(&shown);
        }
        let _ = writeln!(text, "|{}", char::from(b'a' + rank.index() as u8));
    }
    text + edge + "\n" + &hand_line(position, Color::Black)
}

fn hand_line(position: &Position, color: Color) -> String {
    let held: Vec<(PieceType, u32)> = position.hand(color).iter().filter(|&(_, count)| count > 0).collect();
    let word = |&(piece_type, count): &(PieceType, u32)| match count {
        1 => piece_type.letter().to_string(),
        _ => format!("{}{count}", piece_type.letter()),
    };
    let words: Vec<String> = held.iter().rev().map(word).collect();
    let hand = if words.is_empty() { "nothing".to_owned() } else { words.join(" ") };
    let turn = if position.side_to_move() == color { ", to move" } else { "" };
    format!("{color:?} (in hand {hand}){turn}\n")
}

/// Three columns.
fn cell(piece: Option<Piece>) -> String {
    let Some(piece) = piece else { return " . ".to_owned() };
    let letter = match piece.color() {
        Color::Black => piece.piece_type().letter(),
        Color::White => piece.piece_type().letter().to_ascii_lowercase(),
    };
    format!("{}{letter} ", if piece.piece_type().is_promoted() { '+' } else { ' ' })
}
