//! Opening books: reading the formats that players use, and choosing moves from them.
//!
//! [`Book`] opens YaneuraOu's text books (DB2016, `.db`), its binary ones (`.ybb`), Apery's (`.bin`) and ShogiGUI's
//! (`.sbk`), recognised by their content and compressed or not, and probes them ([`Book::builtin`] is the one in the
//! program); [`Book::choose`] picks a move as YaneuraOu's options say.
//! [`BookTable`] is a book in memory, to be made from games, changed, and written as YaneuraOu's text.
//!
//! ```
//! use kurosabi::book::{Book, BookSettings};
//! use kurosabi::position::Position;
//! use rand::{SeedableRng, rngs::StdRng};
//!
//! let text = "#YANEURAOU-DB2016 1.00
//! sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1
//! 7g7f 3c3d 42 20
//! ";
//! let mut book = Book::from_bytes(text.into())?;
//! let mut rng = StdRng::seed_from_u64(1);
//! let settings = BookSettings::default();
//! let choice = book.choose(&Position::startpos(), &settings, 1, &mut rng, &mut |_| {})?.unwrap();
//! assert_eq!(choice.lines[0].book_move.mv.to_string(), "7g7f");
//! assert_eq!(choice.ponder.unwrap().to_string(), "3c3d");
//! # Ok::<(), kurosabi::book::BookError>(())
//! ```

mod apery;
mod files;
pub mod packed_sfen;
mod sbk;
mod select;
mod source;
mod table;
mod text;
mod think;
mod ybb;

pub use files::{Book, Lookup};
pub use select::{BookChoice, BookLine, BookSettings, ChoiceRemark};
pub use table::{BookEntry, BookMove, BookTable, Cut, Minimaxed, TableEntry};
pub use think::Thinker;

use std::io;

use thiserror::Error;

use crate::position::{IllegalMove, Setup, SfenError};
use crate::types::Move;

/// What a position is listed under: its SFEN without the move number.
fn key(setup: &Setup) -> String {
    let mut sfen = setup.to_sfen();
    sfen.truncate(sfen.rfind(' ').unwrap_or(sfen.len()));
    sfen
}

// Why a book cannot be used.

/// What is wrong with a book's file.
#[derive(Debug, Error)]
pub enum BookError {
    /// Reading or writing failed.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// Nothing in it.
    #[error("the file is empty")]
    Empty,
    /// The content is not that of a book.
    #[error(
        "it is not a book: neither YaneuraOu's text (DB2016, .db) nor its binary form (.ybb), Apery's (.bin) or \
         ShogiGUI's (.sbk)"
    )]
    Unknown,
    /// What stands here cannot stand in a book.
    #[error("the file is truncated, or damaged at byte {0}")]
    Damaged(u64),
    /// What is searched on disk is out of order.
    #[error(
        "it is not sorted at byte {0}, so it cannot be searched on disk; \
         read it whole (BookOnTheFly false) or sort it with `kurosabi book convert`"
    )]
    NotSorted(u64),
    /// It has to be read whole, and there is not enough memory for that.
    #[error("it is too large to be read whole: more than {0} MiB")]
    TooLarge(u64),
    /// A `.ybb` of a later kind.
    #[error("it is a .ybb book with unknown flags ({0:#x})")]
    Flags(u64),
    /// The compressed data are damaged.
    #[error("the compressed file is damaged: {0}")]
    Compressed(io::Error),
    /// Apery's books hold keys in place of positions.
    #[error("Apery's books hold keys in place of positions: they can be probed, not listed")]
    Unlistable,
}

/// An entry of a book that is left out when the whole book is read.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum BookRemark {
    /// A packed position that cannot be read, by its number from 0.
    #[error("position {0} cannot be read")]
    Packed(u64),
    /// Positions of a `.sbk` that cannot be known, since no move leads to them.
    #[error("positions that no move leads to: {0}")]
    Unreachable(usize),
    /// A position that cannot be read.
    #[error("bad position \"{0}\": {1}")]
    Position(String, SfenError),
    /// A text in place of a move, and the position where it stands.
    #[error("\"{0}\" is no move, in {1}")]
    NoMove(String, String),
    /// A move that the rules do not allow.
    #[error("{mv} is illegal ({reason}), in {sfen}")]
    Illegal {
        /// The move.
        mv: Move,
        /// The rule that it breaks.
        reason: IllegalMove,
        /// Where it stands.
        sfen: String,
    },
}
