//! Why a book cannot be used.

use std::io;

use prost::DecodeError;
use thiserror::Error;

use super::packed_sfen::PackError;
use crate::position::{IllegalMove, SfenError};
use crate::types::Move;

/// What is wrong with a book's file.
#[derive(Debug, Error)]
pub enum BookError {
    /// Reading or writing failed.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// A folder, a pipe or a device.
    #[error("it is not a regular file")]
    NotAFile,
    /// Nothing in it.
    #[error("the file is empty")]
    Empty,
    /// The content is not that of a book.
    #[error(
        "it is not a book: neither YaneuraOu's text (DB2016, .db) nor its binary form (.ybb), Apery's (.bin) or \
         ShogiGUI's (.sbk)"
    )]
    Unknown,
    /// The text is in an encoding that books are never in.
    #[error("the text is UTF-16; books are ASCII or UTF-8")]
    Utf16,
    /// A text has bytes that no text has.
    #[error("byte {0} is not text: the file is damaged")]
    NotText(u64),
    /// A line is longer than any line of a book.
    #[error("the line at byte {0} has no end: the file is damaged")]
    LongLine(u64),
    /// Nothing but comments, or a position with more lines than there are moves.
    #[error("no position follows within a megabyte of byte {0}: the file is damaged")]
    NoPosition(u64),
    /// What is searched on disk is out of order.
    #[error(
        "it is not sorted at byte {0}, so it cannot be searched on disk; \
         read it whole (BookOnTheFly false) or sort it with `kurosabi book convert`"
    )]
    NotSorted(u64),
    /// It has to be read whole, and there is not enough memory for that.
    #[error("it is too large to be read whole: more than {0} MiB")]
    TooLarge(u64),
    /// A binary book promises more than the file holds.
    #[error("the file is truncated: it should have {promised} bytes and has {found}")]
    Cut {
        /// What its header or an entry promises.
        promised: u64,
        /// What there is.
        found: u64,
    },
    /// A `.ybb` of a later kind.
    #[error("it is a .ybb book with unknown flags ({0:#x})")]
    Flags(u64),
    /// A message of a `.sbk` cannot be read.
    #[error("it is damaged at byte {at}: {reason}")]
    Damaged {
        /// Where it begins.
        at: u64,
        /// What is wrong with it.
        reason: SbkDamage,
    },
    /// The compressed data are damaged.
    #[error("the compressed file is damaged: {0}")]
    Compressed(io::Error),
    /// Apery's books hold keys in place of positions.
    #[error("Apery's books hold keys in place of positions: they can be probed, not listed")]
    Unlistable,
    /// It unpacks to more than any book has.
    #[error("the compressed file is damaged: it unpacks to more than {0} times its size")]
    Bomb(u64),
    /// A position that cannot be written in a format.
    #[error("{format} has no room for the position {sfen}")]
    Unwritable {
        /// The format.
        format: &'static str,
        /// The position.
        sfen: String,
    },
}

/// What is wrong with a message of a `.sbk`.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SbkDamage {
    /// It is none of Protocol Buffers.
    #[error(transparent)]
    Message(#[from] DecodeError),
    /// A field of a type that there is not.
    #[error("fields have no type {0}")]
    FieldType(u64),
    /// A position with more bytes than any has.
    #[error("a position with {0} bytes")]
    Length(u64),
}

/// An entry of a book that is left out when the whole book is read.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum BookRemark {
    /// A packed position that cannot be read.
    #[error("position {index}: {error}")]
    Packed {
        /// Its number, from 0.
        index: u64,
        /// What is wrong with it.
        error: PackError,
    },
    /// Positions of a `.sbk` that cannot be known, since no move leads to them.
    #[error("positions that no move leads to: {0}")]
    Unreachable(usize),
    /// A position that cannot be read.
    #[error("bad position \"{sfen}\": {error}")]
    Position {
        /// The position.
        sfen: String,
        /// What is wrong with it.
        error: SfenError,
    },
    /// A text in place of a move.
    #[error("\"{text}\" is no move, in {sfen}")]
    NoMove {
        /// The text.
        text: String,
        /// Where it stands.
        sfen: String,
    },
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
