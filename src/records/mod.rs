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

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

mod bod;
mod builder;
mod csa;
mod ending;
mod error;
mod evaluation;
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
pub use error::{Problem, ReadError, Remedy, Warning};
pub use evaluation::EvaluatedLine;
pub(crate) use reader::decoded_lines;
pub use reader::{HEAD, Records};
pub use record::{Entry, GameRecord, Legality, MAX_NODES, Node, NodeId};
pub use referee::{Ground, Verdict};
pub(crate) use text::decode_line;
pub use text::{TextEncoding, encode};
pub use usi::read_line;
pub(crate) use writer::write_kif;
pub use writer::{WriteOptions, unencodable, write};

/// A way of writing games down.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// One position a line, as SFEN.
    Sfen,
    /// `position …`, `startpos moves …` or `sfen … moves …`, one game a line.
    Usi,
    /// 柿木 format with origin squares.
    Kif,
    /// 柿木 format as people read it: ▲７六歩.
    Ki2,
    /// The Computer Shogi Association's format, versions 2.x and 3.
    Csa,
    /// JSON Kifu Format.
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

/// A name that no format has.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("no format is called {0:?}")]
pub struct UnknownFormat(String);

impl FromStr for Format {
    type Err = UnknownFormat;

    fn from_str(text: &str) -> Result<Format, UnknownFormat> {
        let name = text.to_ascii_lowercase();
        let found = Format::ALL.into_iter().find(|format| format.name() == name).or(match name.as_str() {
            "kifu" => Some(Format::Kif),
            "ki2u" => Some(Format::Ki2),
            "json" => Some(Format::Jkf),
            _ => None,
        });
        found.ok_or_else(|| UnknownFormat(text.to_owned()))
    }
}
