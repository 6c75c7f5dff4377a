//! What can be wrong with a network file.

use std::io;

use thiserror::Error;

use super::MAX_FILE;
use crate::framing::FrameError;
use crate::memory::OutOfMemory;

/// Why a network could not be read. Offsets count bytes from the start of the file.
#[derive(Debug, Error)]
pub enum NnueError {
    /// The file cannot be read.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// There is no such regular file.
    #[error("not a file")]
    NotAFile,
    /// A folder without a network.
    #[error("there is no nn.bin in this folder")]
    NoFile,
    /// Larger, in bytes, than any network this program reads.
    #[error("{0} bytes are more than a network may have ({MAX_FILE})")]
    TooLarge(u64),
    /// The first four bytes are not the format's.
    #[error("not a network file: it starts with {found:#010x}, not with the version {expected:#010x}")]
    Version {
        /// What the file starts with.
        found: u32,
        /// What network files start with.
        expected: u32,
    },
    /// The file ends too early.
    #[error("truncated file: {section} at byte {offset} takes {needed} bytes, {present} are left")]
    Truncated {
        /// What was being read.
        section: &'static str,
        /// Where it starts.
        offset: usize,
        /// Its length in bytes.
        needed: usize,
        /// What is left of the file.
        present: usize,
    },
    /// The file goes on after its end.
    #[error("{extra} bytes follow the end of the network at byte {offset}")]
    Trailing {
        /// Where the network ends.
        offset: usize,
        /// How many bytes follow.
        extra: usize,
    },
    /// Neither the header nor the size shows which network this is.
    #[error("unknown architecture {architecture:?} (hashes {feature_hash:#010x}, {network_hash:#010x})")]
    UnknownArchitecture {
        /// The header's description, shortened.
        architecture: String,
        /// Hash of the feature transformer section.
        feature_hash: u32,
        /// Hash of the whole file's architecture.
        network_hash: u32,
    },
    /// A network of a kind or size that this program does not evaluate.
    #[error("unsupported network: {reason}")]
    Unsupported {
        /// What is not supported.
        reason: String,
    },
    /// There is not enough memory for it.
    #[error("not enough memory for a network of {mib} MiB")]
    Memory {
        /// Its size.
        mib: usize,
    },
    /// The file is compressed, and damaged.
    #[error("damaged gzip file: {0}")]
    Compression(#[source] io::Error),
    /// A `.kuro` file is damaged.
    #[error(transparent)]
    Frame(FrameError),
    /// A compressed block is damaged.
    #[error("LEB128 block of the {section} at byte {offset}: {problem}")]
    Leb128 {
        /// What the block holds.
        section: &'static str,
        /// Where the trouble is.
        offset: usize,
        /// What it is.
        problem: Leb128Problem,
    },
}

impl From<FrameError> for NnueError {
    fn from(error: FrameError) -> NnueError {
        match error {
            // Bytes in memory can always be read: they could not be expanded.
            FrameError::Io(error) => NnueError::Compression(error),
            error => NnueError::Frame(error),
        }
    }
}

impl From<OutOfMemory> for NnueError {
    fn from(OutOfMemory { mib }: OutOfMemory) -> NnueError {
        NnueError::Memory { mib }
    }
}

/// What is wrong with a compressed block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Leb128Problem {
    /// The block does not start with its marker.
    #[error("no COMPRESSED_LEB128 marker")]
    NoMarker,
    /// The last byte says that the number goes on.
    #[error("the last number is truncated")]
    CutNumber,
    /// The number does not fit 16 bits.
    #[error("a number exceeds 16 bits")]
    TooLarge,
    /// The byte count leads to another number of values than the network has.
    #[error("{values} values, which is not a multiple of {width} for any known set of features")]
    Count {
        /// How many values the block holds.
        values: usize,
        /// Values a feature has.
        width: usize,
    },
}
