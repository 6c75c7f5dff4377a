//! Why a file cannot be read as a record, and faults in records that were read.

use std::io;

use thiserror::Error;

use super::Format;
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
    /// Bytes that are no character in the encoding of the file.
    #[error("not valid {0}")]
    Encoding(&'static str),
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
    /// The rules do not allow the start position.
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

/// A fault in a record that was read nevertheless.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{error}: {}", remedy.0.en)]
pub struct Warning {
    /// The fault, with its line.
    pub error: ReadError,
    /// What became of the text.
    pub remedy: Remedy,
}

/// What became of a text that could not be read as it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Remedy(pub(crate) Phrase);

impl Remedy {
    /// U+FFFD stands for the characters.
    pub const REPLACED: Remedy = Remedy(Phrase::new("� stands for what is missing", "� に置き換えました"));
    /// The line is kept as a comment.
    pub const COMMENT: Remedy = Remedy(Phrase::new("kept as a comment", "コメントとして残しました"));
    /// The text is left out.
    pub const LEFT_OUT: Remedy = Remedy(Phrase::new("left out", "省きました"));
    /// The move is taken as the next one.
    pub const NEXT_MOVE: Remedy = Remedy(Phrase::new("taken as the next move", "次の手として読みました"));
    /// The variation is taken as one of the main line.
    pub const OF_MAIN_LINE: Remedy =
        Remedy(Phrase::new("taken as a variation of the main line", "本譜の変化として読みました"));
    /// The variation is placed by the number of its first move.
    pub const BY_FIRST_MOVE: Remedy =
        Remedy(Phrase::new("placed by the number of its first move", "最初の手の手数に合わせて読みました"));
    /// The variation is left out.
    pub const VARIATION_LEFT_OUT: Remedy = Remedy(Phrase::new("the variation is left out", "この変化を省きました"));
    /// The variation is read up to here.
    pub const VARIATION_CUT: Remedy =
        Remedy(Phrase::new("the variation is read up to here", "この変化は手前の手まで読みました"));
    /// The record is kept, its moves not checked.
    pub const UNCHECKED: Remedy =
        Remedy(Phrase::new("the moves are not checked", "指し手が反則かどうかは調べていません"));
    /// The main line is read up to here.
    pub const GAME_CUT: Remedy = Remedy(Phrase::new("the game is read up to here", "本譜は手前の手まで読みました"));
}

/// The most warnings that a record keeps: a hostile file could have millions.
pub(super) const MAX_WARNINGS: usize = 100;

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
