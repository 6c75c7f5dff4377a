//! Why a book cannot be used.

use std::io;

use thiserror::Error;

use crate::position::{IllegalMove, SfenError};
use crate::types::Move;

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
