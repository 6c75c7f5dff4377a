//! The frame of Kurosabi's own files: networks, games and checkpoints of training.
//!
//! All numbers are little endian.
//!
//! | type | what |
//! |---|---|
//! | 8 bytes | magic: what kind of file it is |
//! | u32 | version of the format |
//! | u32 | length of the header, at most 1 MiB |
//! | bytes | the header: JSON |
//! | bytes | the content |
//! | u32 | CRC-32 of all bytes before it |
//!
//! Files of games, to which games are appended, have a checksum for each part instead of the one at the end.
//!
//! Content is read, and memory allocated for it, only after the header has been read and checked.

use std::io::{self, Read};

use serde_core::Serialize;
use serde_core::de::DeserializeOwned;
use thiserror::Error;

/// The longest header, in bytes; real ones are less than a hundredth as long.
pub(crate) const MAX_HEADER: usize = 1 << 20;
/// Bytes before the header.
const PREFIX: usize = 16;
/// Bytes of the checksum.
pub(crate) const CHECKSUM: usize = 4;
/// How much of a header is kept for messages.
const SHOWN: usize = 200;

/// What may be wrong with a frame.
#[derive(Debug, Error)]
pub enum FrameError {
    /// Reading failed.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The file does not begin with the magic of its type.
    #[error("it does not begin with {expected:?}")]
    Magic {
        /// What it should begin with.
        expected: String,
        /// What it begins with.
        found: String,
    },
    /// The file ends too early.
    #[error("it is truncated: the {section} at byte {offset} takes {needed} bytes, {present} are left")]
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
    /// The header is longer than allowed.
    #[error("its header would be {length} bytes long, more than {MAX_HEADER}")]
    HeaderTooLong {
        /// What the file says.
        length: u32,
    },
    /// The header is not the JSON it should be.
    #[error("unreadable header {text:?}: {problem}")]
    Header {
        /// The header, shortened.
        text: String,
        /// What is wrong.
        problem: String,
    },
    /// The checksum at the end is not that of the bytes before it.
    #[error("damaged: its checksum is {found:#010x}, its bytes give {expected:#010x}")]
    Checksum {
        /// What the file says.
        found: u32,
        /// What its bytes give.
        expected: u32,
    },
}

/// The header of a file, which precedes its content.
pub(crate) struct FileHeader {
    /// Version of the format.
    pub(crate) version: u32,
    /// All of its bytes.
    pub(crate) bytes: Vec<u8>,
}

impl FileHeader {
    /// The header of a file that is to be written.
    ///
    /// # Errors
    /// When the header cannot be put into JSON, or is too long.
    pub(crate) fn new<H: Serialize>(magic: &[u8; 8], version: u32, header: &H) -> Result<FileHeader, FrameError> {
        let text = serde_json::to_vec(header).map_err(io::Error::from)?;
        let length = u32::try_from(text.len()).unwrap_or(u32::MAX);
        if text.len() > MAX_HEADER {
            return Err(FrameError::HeaderTooLong { length });
        }
        let mut bytes = magic.to_vec();
        bytes.extend(version.to_le_bytes());
        bytes.extend(length.to_le_bytes());
        bytes.extend(text);
        Ok(FileHeader { version, bytes })
    }

    /// Reads the header of a file, and nothing behind it.
    ///
    /// # Errors
    /// When the file is of another kind, cut, or its header too long.
    pub(crate) fn read(input: &mut impl Read, magic: &[u8; 8]) -> Result<FileHeader, FrameError> {
        let mut bytes = Vec::new();
        let whole = take(input, &mut bytes, "magic", magic.len());
        if !magic.starts_with(&bytes) {
            let [expected, found] = [&magic[..], &bytes].map(|bytes| String::from_utf8_lossy(bytes).into_owned());
            return Err(FrameError::Magic { expected, found });
        }
        whole?;
        let version = u32::from_le_bytes(take(input, &mut bytes, "version", 4)?);
        let length = u32::from_le_bytes(take(input, &mut bytes, "length of the header", 4)?);
        if length as usize > MAX_HEADER {
            return Err(FrameError::HeaderTooLong { length });
        }
        take(input, &mut bytes, "header", length as usize)?;
        Ok(FileHeader { version, bytes })
    }

    /// The JSON as it stands in the file.
    pub(crate) fn text(&self) -> &[u8] {
        &self.bytes[PREFIX.min(self.bytes.len())..]
    }

    /// What the JSON says.
    ///
    /// # Errors
    /// When it is not JSON, or not of this kind.
    pub(crate) fn parse<H: DeserializeOwned>(&self) -> Result<H, FrameError> {
        let text = self.text();
        serde_json::from_slice(text).map_err(|error| FrameError::Header {
            text: String::from_utf8_lossy(text).chars().take(SHOWN).collect(),
            problem: error.to_string(),
        })
    }
}

/// Reads exactly `needed` bytes and appends them; returns the last four.
pub(crate) fn take(
    input: &mut impl Read,
    bytes: &mut Vec<u8>,
    section: &'static str,
    needed: usize,
) -> Result<[u8; 4], FrameError> {
    let offset = bytes.len();
    let present = input.take(needed as u64).read_to_end(bytes)?;
    match bytes.last_chunk() {
        Some(&last) if present == needed => Ok(last),
        _ if present == needed => Ok([0; 4]),
        _ => Err(FrameError::Truncated { section, offset, needed, present }),
    }
}

/// The bytes of a complete frame without the checksum at its end, which must match them.
///
/// # Errors
/// When it does not.
pub(crate) fn checked(bytes: &[u8]) -> Result<&[u8], FrameError> {
    let Some((content, found)) = bytes.split_last_chunk() else {
        return Err(FrameError::Truncated { section: "checksum", offset: 0, needed: CHECKSUM, present: bytes.len() });
    };
    let (found, expected) = (u32::from_le_bytes(*found), crc32fast::hash(content));
    if found == expected { Ok(content) } else { Err(FrameError::Checksum { found, expected }) }
}

/// Header and content with their checksum.
pub(crate) fn sealed(mut bytes: Vec<u8>) -> Vec<u8> {
    let checksum = crc32fast::hash(&bytes);
    bytes.extend(checksum.to_le_bytes());
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    const MAGIC: &[u8; 8] = b"KUROTEST";

    fn frame() -> Vec<u8> {
        sealed([FileHeader::new(MAGIC, 3, &vec!["黒", "錆"]).unwrap().bytes, b"content".to_vec()].concat())
    }

    #[test]
    fn what_is_written_is_read() {
        let bytes = frame();
        let mut input = &bytes[..];
        let header = FileHeader::read(&mut input, MAGIC).unwrap();
        assert_eq!((header.version, header.parse::<Vec<String>>().unwrap()), (3, vec!["黒".into(), "錆".into()]));
        assert_eq!(input, [b"content", &bytes[bytes.len() - 4..]].concat());
        assert_eq!(checked(&bytes).unwrap(), &bytes[..bytes.len() - 4]);
        assert!(matches!(header.parse::<u32>(), Err(FrameError::Header { .. })));
    }

    #[test]
    fn no_damage_goes_unnoticed() {
        let bytes = frame();
        for at in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[at] ^= 1;
            assert!(matches!(checked(&damaged), Err(FrameError::Checksum { .. })), "{at}");
            let start = FileHeader::read(&mut &bytes[..at], MAGIC);
            assert!(at >= bytes.len() - 11 || matches!(start, Err(FrameError::Truncated { .. })), "{at}");
        }
        assert!(matches!(FileHeader::read(&mut &bytes[..], b"KUROGAME"), Err(FrameError::Magic { .. })));
    }

    /// A header that is said to be too long is neither waited for nor given memory.
    #[test]
    fn a_header_has_a_largest_length() {
        let long = [&MAGIC[..], &[1, 0, 0, 0], &(MAX_HEADER as u32 + 1).to_le_bytes()].concat();
        let error = FileHeader::read(&mut io::Read::chain(&long[..], io::repeat(b' ')), MAGIC).err().unwrap();
        assert!(matches!(error, FrameError::HeaderTooLong { .. }), "{error}");
        assert!(FileHeader::new(MAGIC, 1, &"x".repeat(MAX_HEADER)).is_err());
    }
}
