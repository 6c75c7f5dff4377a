//! Where a record contradicts itself or the rules of the board.

use std::fmt;

use super::ending::{Ending, RecordResult};
use crate::types::Color;

/// Something that a record says and that cannot be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Contradiction {
    /// The word for the end and the line of the result (まで122手で後手の勝ち) tell different results.
    Results {
        /// The word.
        word: Ending,
        /// The result that it means.
        by_word: RecordResult,
        /// The result that the line tells.
        by_line: RecordResult,
        /// Whether the line holds against the word.
        line_holds: bool,
    },
    /// So many moves are recorded behind the end of the game.
    MovesAfterEnd(usize),
    /// The record names this winner, who has not won by the rules.
    Winner(Color),
    /// The record says sennichite, and no position occurred four times.
    NoRepetition,
    /// The record says mate, and there are legal moves.
    NoMate,
}

impl fmt::Display for Contradiction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Contradiction::Results { word, by_word, by_line, line_holds } => {
                let (word, kept) = (word.japanese(), if *line_holds { "the line" } else { "the word" });
                write!(f, "{word} means: {by_word}, the line of the result: {by_line}; {kept} holds")
            }
            Contradiction::MovesAfterEnd(1) => f.write_str("1 more move is recorded after that"),
            Contradiction::MovesAfterEnd(left) => write!(f, "{left} more moves are recorded after that"),
            Contradiction::Winner(recorded) => write!(f, "the record says that {recorded:?} wins"),
            Contradiction::NoRepetition => {
                f.write_str("the record says sennichite, but no position occurred four times")
            }
            Contradiction::NoMate => f.write_str("the record says mate, but there are legal moves"),
        }
    }
}
