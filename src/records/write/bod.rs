//! Setup diagrams.

use std::fmt::Write as _;

use crate::position::Setup;
use crate::records::kanji;
use crate::types::{Color, File, PieceType, Rank, Square};

/// Writes the diagram that KIF and KI2 give an unusual start by.
pub(super) fn write(board: &Setup) -> String {
    let mut text = format!("後手の持駒：{}\n  ９ ８ ７ ６ ５ ４ ３ ２ １\n", hand(board, Color::White));
    text.push_str("+---------------------------+\n");
    for rank in Rank::all() {
        text.push('|');
        for file in File::all().rev() {
            match board.piece_on(Square::at(file, rank)) {
                None => text.push_str(" ・"),
                Some(piece) => {
                    text.push(if piece.color() == Color::White { 'v' } else { ' ' });
                    text.push_str(kanji::on_diagram(piece.piece_type()));
                }
            }
        }
        let _ = writeln!(text, "|{}", kanji::rank(rank));
    }
    let _ = writeln!(text, "+---------------------------+\n先手の持駒：{}", hand(board, Color::Black));
    text.push_str(if board.side_to_move() == Color::Black { "先手番\n" } else { "後手番\n" });
    text
}

fn hand(board: &Setup, color: Color) -> String {
    use PieceType::*;
    let mut text = String::new();
    for piece_type in [Rook, Bishop, Gold, Silver, Knight, Lance, Pawn] {
        let count = board.in_hand(color, piece_type);
        if count > 0 {
            let number = if count > 1 { kanji::number(count) } else { String::new() };
            let _ = write!(text, "{}{number}　", kanji::piece(piece_type));
        }
    }
    if text.is_empty() { "なし".to_owned() } else { text }
}
