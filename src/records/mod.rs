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

mod contradiction;
mod csa_names;
mod ending;
mod error;
mod evaluation;
mod format;
mod kanji;
pub mod notation;
mod read;
mod record;
mod referee;
mod write;

pub use contradiction::Contradiction;
pub use ending::{Ending, RecordResult};
pub use error::{Problem, ReadError, Remedy, Warning};
pub use evaluation::{CommentStyle, EvaluatedLine};
pub use format::{Format, UnknownFormat};
pub use read::{HEAD, Records, read_line};
pub(crate) use read::{decode_line, decoded_lines};
pub use record::{Entry, GameRecord, Legality, MAX_NODES, Node, NodeId};
pub use referee::{FirstDeclaration, Ground, Verdict};
pub use write::{TextEncoding, WriteOptions, diagram, encode, unencodable, write};
