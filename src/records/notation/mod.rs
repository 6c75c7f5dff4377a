//! Moves as people write them.

mod japanese;
mod western;

use std::str::FromStr;

use thiserror::Error;

pub(crate) use super::kanji::piece as piece_in_japanese;
pub(crate) use japanese::square as square_in_japanese;
pub(super) use japanese::{candidates, distinction_words, relative_place};

use crate::position::Setup;
use crate::types::{Color, Move, PieceType, Square};

/// A way of writing a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Notation {
    /// `7g7f`, `8h2b+`, `P*5e`
    #[default]
    Usi,
    /// `▲７六歩`, `△同　銀不成`, by the Japan Shogi Association's rules, as KI2 has it
    Japanese,
    /// `P-7f`, `Bx2b+`, `S-2c=`, `P*5e`
    Western,
    /// `P-76`, `Bx22+`, `S-23=`, `P*55`
    Numeric,
    /// As KIF writes it, without number and time: `７六歩(77)`
    Kif,
}

impl Notation {
    /// Every notation with its name on the command line.
    pub const ALL: [(Notation, &'static str); 6] = [
        (Notation::Usi, "usi"),
        (Notation::Japanese, "japanese"),
        (Notation::Western, "western"),
        (Notation::Numeric, "numeric"),
        (Notation::Kif, "kif"),
        (Notation::Japanese, "ki2"),
    ];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        Notation::ALL.iter().find(|(notation, _)| *notation == self).map_or("usi", |(_, name)| name)
    }

    /// Writes a move. `board` is the board before it; `last` is the square the move before went to, which 同 refers
    /// to. The move may be illegal; of one from an empty square, no piece is named: `△５四(55)`, `5e-5d`.
    pub fn write(self, board: &Setup, mv: Move, last: Option<Square>) -> String {
        let digits = |square: Square| format!("{}{}", square.file().index() + 1, square.rank().index() + 1);
        match self {
            Notation::Usi => mv.to_string(),
            Notation::Japanese => format!("{}{}", mark(board.side_to_move()), japanese::write(board, mv, last)),
            Notation::Kif => japanese::write_with_origin(board.moved_type(mv), mv, last),
            Notation::Western => western::write(board, mv, |square| square.to_string()),
            Notation::Numeric => western::write(board, mv, digits),
        }
    }

    /// A move of a piece as KIF writes it, whatever stands on the board.
    pub(super) fn write_kif(piece_type: PieceType, mv: Move, last: Option<Square>) -> String {
        japanese::write_with_origin(Some(piece_type), mv, last)
    }

    /// Writes a line of moves, such as a PV, from the board before its first move. The moves are separated by
    /// blanks where the notation has no marks.
    pub fn write_line(self, board: &Setup, moves: &[Move], last: Option<Square>) -> String {
        let marked = self == Notation::Japanese;
        let (mut board, mut last, mut text) = (board.clone(), last, String::new());
        for &mv in moves {
            if !text.is_empty() && !marked {
                text.push(' ');
            }
            text.push_str(&self.write(&board, mv, last));
            board.do_move(mv);
            last = Some(mv.to());
        }
        text
    }
}

/// A name that no notation has.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("no notation is called {0:?}")]
pub struct UnknownNotation(String);

impl FromStr for Notation {
    type Err = UnknownNotation;

    fn from_str(text: &str) -> Result<Notation, UnknownNotation> {
        let found = Notation::ALL.iter().find(|(_, name)| name.eq_ignore_ascii_case(text)).map(|row| row.0);
        found.ok_or_else(|| UnknownNotation(text.to_owned()))
    }
}

/// The triangle before a move. Shift_JIS holds these two, but not ☗ and ☖.
pub(super) fn mark(color: Color) -> char {
    match color {
        Color::Black => '▲',
        Color::White => '△',
    }
}
