//! Reading little-endian numbers and LEB128 blocks, with errors that say what was being read and where.

use std::io;

use thiserror::Error;

use super::MAX_FILE;
use crate::framing::FrameError;
use crate::memory::OutOfMemory;

/// A place in a file's bytes.
#[derive(Clone, Copy)]
pub(super) struct Reader<'a> {
    bytes: &'a [u8],
    offset: usize,
}

impl<'a> Reader<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Reader<'a> {
        Reader { bytes, offset: 0 }
    }

    /// What is left.
    pub(super) fn rest(&self) -> &'a [u8] {
        &self.bytes[self.offset..]
    }

    pub(super) fn take(&mut self, section: &'static str, count: usize) -> Result<&'a [u8], NnueError> {
        let rest = self.rest();
        let Some(taken) = rest.get(..count) else {
            return Err(NnueError::Truncated { section, offset: self.offset, needed: count, present: rest.len() });
        };
        self.offset += count;
        Ok(taken)
    }

    pub(super) fn u32(&mut self, section: &'static str) -> Result<u32, NnueError> {
        let bytes = self.take(section, 4)?;
        Ok(u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]))
    }

    pub(super) fn i16s(
        &mut self,
        section: &'static str,
        count: usize,
    ) -> Result<impl Iterator<Item = i16> + use<'a>, NnueError> {
        let bytes = self.take(section, count.saturating_mul(2))?;
        Ok(bytes.as_chunks().0.iter().map(|&pair| i16::from_le_bytes(pair)))
    }

    pub(super) fn i32s(
        &mut self,
        section: &'static str,
        count: usize,
    ) -> Result<impl Iterator<Item = i32> + use<'a>, NnueError> {
        let bytes = self.take(section, count.saturating_mul(4))?;
        Ok(bytes.as_chunks().0.iter().map(|&four| i32::from_le_bytes(four)))
    }

    /// Fails when anything is left.
    pub(super) fn finish(self) -> Result<(), NnueError> {
        match self.rest().len() {
            0 => Ok(()),
            extra => Err(NnueError::Trailing { offset: self.offset, extra }),
        }
    }
}

// Blocks of signed LEB128 numbers: a marker of 17 bytes, the byte count as `u32`, the numbers.

/// What each block starts with.
pub(super) const MARKER: &[u8; 17] = b"COMPRESSED_LEB128";

/// A block's bytes and where in the file they are.
#[derive(Clone, Copy)]
pub(super) struct Block<'a> {
    section: &'static str,
    offset: usize,
    bytes: &'a [u8],
}

impl<'a> Block<'a> {
    /// Reads the marker and the count, and takes the bytes.
    pub(super) fn read(reader: &mut Reader<'a>, section: &'static str) -> Result<Block<'a>, NnueError> {
        let marker = Block { section, offset: reader.offset, bytes: reader.take(section, MARKER.len())? };
        if marker.bytes != MARKER {
            return Err(marker.error("no COMPRESSED_LEB128 marker"));
        }
        let count = reader.u32(section)? as usize;
        Ok(Block { section, offset: reader.offset, bytes: reader.take(section, count)? })
    }

    /// How many numbers end in the block.
    pub(super) fn values(&self) -> usize {
        self.bytes.iter().filter(|&&byte| byte & 0x80 == 0).count()
    }

    /// An error at the start of the block.
    pub(super) fn error(&self, problem: impl Into<String>) -> NnueError {
        NnueError::Leb128 { section: self.section, offset: self.offset, problem: problem.into() }
    }

    /// Hands over the numbers one by one, in order.
    pub(super) fn decode(&self, mut store: impl FnMut(i16)) -> Result<(), NnueError> {
        let mut at = 0;
        while let Some(&first) = self.bytes.get(at) {
            if first & 0x80 == 0 {
                // Nearly all: one byte, sign in its bit 6.
                store(i16::from((first << 1) as i8 >> 1));
                at += 1;
                continue;
            }
            let here = Block { offset: self.offset + at, ..*self };
            let (value, length) = number(&self.bytes[at..]).map_err(|problem| here.error(problem))?;
            store(value);
            at += length;
        }
        Ok(())
    }
}

/// The number at the start of some bytes, and its length.
fn number(bytes: &[u8]) -> Result<(i16, usize), &'static str> {
    const TOO_LARGE: &str = "a number exceeds 16 bits";
    let mut value = 0i32;
    // Three bytes hold 21 bits; a 16-bit number never needs more.
    for (i, &byte) in bytes.iter().take(3).enumerate() {
        value |= i32::from(byte & 0x7f) << (7 * i);
        if byte & 0x80 == 0 {
            let unused = 32 - 7 * (i as u32 + 1);
            let value = value << unused >> unused;
            return Ok((i16::try_from(value).map_err(|_| TOO_LARGE)?, i + 1));
        }
    }
    Err(if bytes.len() < 3 { "the last number is truncated" } else { TOO_LARGE })
}

// What can be wrong with a network file.

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
    #[error(transparent)]
    Memory(#[from] OutOfMemory),
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
        problem: String,
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

#[cfg(test)]
mod tests {
    use super::*;

    fn encoded(value: i16) -> Vec<u8> {
        let mut rest = value;
        let mut bytes = Vec::new();
        loop {
            let low = (rest & 0x7f) as u8;
            rest >>= 7;
            if rest == if low & 0x40 == 0 { 0 } else { -1 } {
                bytes.push(low);
                return bytes;
            }
            bytes.push(low | 0x80);
        }
    }

    fn decoded(bytes: &[u8]) -> Result<Vec<i16>, NnueError> {
        let mut values = Vec::new();
        Block { section: "test", offset: 0, bytes }.decode(|value| values.push(value))?;
        Ok(values)
    }

    #[test]
    fn every_number_is_read_as_it_was_written() {
        let all: Vec<i16> = (i16::MIN..=i16::MAX).collect();
        let bytes: Vec<u8> = all.iter().flat_map(|&value| encoded(value)).collect();
        assert_eq!(decoded(&bytes).unwrap(), all);
        assert_eq!(Block { section: "test", offset: 0, bytes: &bytes }.values(), all.len());
    }

    #[test]
    fn numbers_beyond_16_bits_are_refused() {
        let problem = |bytes: &[u8]| match decoded(bytes) {
            Err(NnueError::Leb128 { offset, problem, .. }) => (offset, problem.contains("exceeds 16 bits")),
            other => panic!("{other:?}"),
        };
        assert_eq!(problem(&[1, 0x80]), (1, false));
        assert_eq!(problem(&[0xff, 0xff]), (0, false));
        assert_eq!(problem(&[1, 2, 0x80, 0x80, 0x02]), (2, true));
        assert_eq!(problem(&[0x80, 0x80, 0x80, 0x00]), (0, true));
    }
}
