//! Why a file is no record that can be read.

use std::io;

use thiserror::Error;

use super::format::Format;
use crate::position::SfenError;
use crate::types::Phrase;

/// What is wrong with the text of a record.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{}{problem}", place(*.line))]
pub struct ReadError {
    /// The line, from 1; 0 where the trouble lies with the whole file.
    pub line: usize,
    /// What is wrong.
    pub problem: Problem,
}

fn place(line: usize) -> String {
    if line == 0 { String::new() } else { format!("line {line}: ") }
}

/// What can be wrong with the text of a record.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Problem {
    /// The file holds something else.
    #[error("{0}, not a game record")]
    NotText(Phrase),
    /// It is in none of the encodings, or cut within a character.
    #[error("neither UTF-8 nor Shift_JIS nor EUC-JP (or cut within a character)")]
    Encoding,
    /// Nothing in it.
    #[error("the file is empty")]
    Empty,
    /// It looks like none of the formats.
    #[error("no game record: expected SFEN, USI moves, KIF, KI2, CSA or JKF, found {0:?}")]
    UnknownFormat(String),
    /// A part of the text does not fit its format.
    #[error("{format}: expected {expected}, found {found:?}")]
    Syntax {
        /// The format that the text was read as.
        format: Format,
        /// What should stand there.
        expected: Phrase,
        /// What stands there, shortened.
        found: String,
    },
    /// The start position is not one the rules allow.
    #[error("start position: {0}")]
    Start(SfenError),
    /// Longer than any record.
    #[error("{0}")]
    TooLarge(Phrase),
    /// The file cannot be read.
    #[error("{text}")]
    Io {
        /// The kind of error.
        kind: io::ErrorKind,
        /// What the system says.
        text: String,
    },
}

impl From<&io::Error> for Problem {
    fn from(error: &io::Error) -> Problem {
        Problem::Io { kind: error.kind(), text: error.to_string() }
    }
}

/// A file that cannot be read.
impl From<io::Error> for ReadError {
    fn from(error: io::Error) -> ReadError {
        ReadError { line: 0, problem: Problem::from(&error) }
    }
}

impl ReadError {
    /// The kind of trouble as one word, for programs.
    pub fn kind(&self) -> &'static str {
        match self.problem {
            Problem::Syntax { .. } => "syntax",
            Problem::Start(_) => "bad_sfen",
            _ => "unreadable",
        }
    }

    pub(super) fn new(line: usize, problem: Problem) -> ReadError {
        ReadError { line, problem }
    }

    pub(super) fn syntax(line: usize, format: Format, expected: Phrase, found: &str) -> ReadError {
        ReadError { line, problem: Problem::Syntax { format, expected, found: shortened(found) } }
    }
}

/// The beginning of a text, so that an error message stays readable.
pub(super) fn shortened(text: &str) -> String {
    const LIMIT: usize = 60;
    let text = text.trim();
    match text.char_indices().nth(LIMIT) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
