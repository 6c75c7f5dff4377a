//! `position`.

use std::fmt;

use crate::types::{Move, ParseMoveError};

use super::write_words;

/// The position of a game: where it began and the moves since, which repetition needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PositionSpec {
    /// Where the game began.
    pub initial: InitialPosition,
    /// The moves in order. A text that is no move is kept in its place as the error that names it.
    pub moves: Vec<Result<Move, ParseMoveError>>,
}

/// The position a game begins with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InitialPosition {
    /// `startpos`: the even game.
    Startpos,
    /// `sfen <board> <side> <hands> [<move number>]`: the text after `sfen`, its words joined by
    /// single blanks and not judged in any way.
    Sfen(String),
}

impl PositionSpec {
    /// The position after `moves`.
    pub fn new(initial: InitialPosition, moves: impl IntoIterator<Item = Move>) -> PositionSpec {
        PositionSpec { initial, moves: moves.into_iter().map(Ok).collect() }
    }
}

/// The whole message.
impl fmt::Display for PositionSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.initial {
            InitialPosition::Startpos => f.write_str("position startpos")?,
            InitialPosition::Sfen(sfen) => write!(f, "position sfen {sfen}")?,
        }
        if !self.moves.is_empty() {
            f.write_str(" moves")?;
        }
        self.moves.iter().try_for_each(|mv| match mv {
            Ok(mv) => write_words(f, &[mv]),
            Err(ParseMoveError(text)) => write_words(f, &[text]),
        })
    }
}
