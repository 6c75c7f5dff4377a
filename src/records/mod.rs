//! Game records: reading, writing and converting them, and the notations of moves.
//!
//! [`Records`] recognises the format of a file and gives its [`GameRecord`]s one by one; [`write()`] writes one in any
//! format, [`GameRecord::annotate`] adds the evaluations that GUIs show as a graph, and [`notation`] writes moves as
//! people read them.
//!
//! ```
//! use kurosabi::records::{Format, Records};
//!
//! let mut records = Records::parse("手合割：平手\n   1 ７六歩(77)\n   2 投了\n")?;
//! assert_eq!(records.format(), Format::Kif);
//! let record = records.next().unwrap()?;
//! assert_eq!(record.legal_moves(), ["7g7f".parse().unwrap()]);
//! # Ok::<(), kurosabi::records::ReadError>(())
//! ```

mod bod;
mod builder;
mod csa;
mod ending;
mod jkf;
mod kakinoki;
mod kanji;
mod ki2;
mod kif;
pub mod notation;
mod reader;
mod record;
mod referee;
mod text;
mod usi;
mod writer;

pub use bod::diagram;
pub use ending::{Contradiction, Ending, RecordResult};
pub(crate) use jkf::loses_variations;
pub(crate) use reader::decoded_lines;
pub use reader::{HEAD, Records};
pub use record::{Entry, GameRecord, Legality, MAX_NODES, Node, NodeId};
pub use referee::{Ground, Verdict};
pub(crate) use text::decode_line;
pub use text::{TextEncoding, encode};
pub use usi::read_line;
pub(crate) use writer::write_kif;
pub use writer::{EvaluatedLine, WriteOptions, unencodable, write};

use std::{fmt, io};

use thiserror::Error;

use crate::position::SfenError;
use crate::types::Phrase;

/// A way of writing games down.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
pub enum Format {
    /// One position a line, as SFEN: all positions of a game
    Sfen,
    /// One game a line: startpos moves … or sfen … moves …, with the word position before it or not
    Usi,
    /// 柿木 format with origin squares
    #[cfg_attr(feature = "cli", value(alias = "kifu"))]
    Kif,
    /// 柿木 format as people read it: ▲７六歩
    #[cfg_attr(feature = "cli", value(alias = "ki2u"))]
    Ki2,
    /// The Computer Shogi Association's format, versions 2.x and 3
    Csa,
    /// JSON Kifu Format
    #[cfg_attr(feature = "cli", value(alias = "json"))]
    Jkf,
}

impl Format {
    /// Every format.
    pub const ALL: [Format; 6] = [Format::Sfen, Format::Usi, Format::Kif, Format::Ki2, Format::Csa, Format::Jkf];

    /// The name in lower case, which is the usual extension of files.
    pub const fn name(self) -> &'static str {
        match self {
            Format::Sfen => "sfen",
            Format::Usi => "usi",
            Format::Kif => "kif",
            Format::Ki2 => "ki2",
            Format::Csa => "csa",
            Format::Jkf => "jkf",
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name().to_uppercase())
    }
}

// Why a file cannot be read as a record, and faults in records that were read.

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
    /// The move begins a variation.
    pub const VARIATION: Remedy = Remedy(Phrase::new("taken as a variation", "変化として読みました"));
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
const MAX_WARNINGS: usize = 100;

impl ReadError {
    /// The kind of trouble as one word, for programs.
    pub fn kind(&self) -> &'static str {
        match self.problem {
            Problem::Syntax { .. } => "syntax",
            Problem::Start(_) => "bad_sfen",
            _ => "unreadable",
        }
    }

    fn new(line: usize, problem: Problem) -> ReadError {
        ReadError { line, problem }
    }

    fn syntax(line: usize, format: Format, expected: Phrase, found: &str) -> ReadError {
        ReadError { line, problem: Problem::Syntax { format, expected, found: shortened(found) } }
    }
}

/// The beginning of a text, so that an error message stays readable.
fn shortened(text: &str) -> String {
    const LIMIT: usize = 60;
    let text = text.trim();
    match text.char_indices().nth(LIMIT) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
