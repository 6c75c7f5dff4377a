//! Compressed books, which are read as a whole.

use std::io::{self, Read};

use flate2::read::MultiGzDecoder;
use ruzstd::decoding::StreamingDecoder;

use super::source::Source;
use crate::book::BookError;

/// A way of compressing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Packing {
    Gzip,
    Zstandard,
}

/// Bytes unpacked at once.
const CHUNK: u64 = 1 << 20;
/// Books shrink to a quarter or a tenth. What unpacks to more than this many times its size, and a few MiB more, is
/// made to fill memory.
const MOST_TIMES: u64 = 50;
const SLACK: u64 = 8 << 20;

impl Packing {
    /// How a file that begins so is compressed.
    pub(super) fn of(head: &[u8]) -> Option<Packing> {
        if head.starts_with(&[0x1f, 0x8b]) {
            return Some(Packing::Gzip);
        }
        head.starts_with(&[0x28, 0xb5, 0x2f, 0xfd]).then_some(Packing::Zstandard)
    }

    /// The content, at most `limit` bytes of it. It must look like a book from the beginning, so that nothing that
    /// unpacks to zeros for ever is unpacked for long.
    pub(super) fn unpack(self, source: &mut Source, limit: u64) -> Result<Vec<u8>, BookError> {
        let limits = Limits { memory: limit, plausible: source.len().saturating_mul(MOST_TIMES).saturating_add(SLACK) };
        let reader = SourceReader { source, offset: 0 };
        match self {
            Packing::Gzip => read_book(MultiGzDecoder::new(reader), &limits),
            Packing::Zstandard => {
                let decoder = StreamingDecoder::new(reader)
                    .map_err(|error| BookError::Compressed(io::Error::other(error.to_string())))?;
                read_book(decoder, &limits)
            }
        }
    }
}

/// How many bytes may come of a compressed file.
struct Limits {
    memory: u64,
    plausible: u64,
}

fn read_book(mut reader: impl Read, limits: &Limits) -> Result<Vec<u8>, BookError> {
    let mut bytes = Vec::new();
    loop {
        let at = bytes.len();
        (&mut reader).take(CHUNK).read_to_end(&mut bytes).map_err(BookError::Compressed)?;
        if bytes.len() == at {
            return Ok(bytes);
        }
        if at == 0 {
            super::format(&bytes[..bytes.len().min(super::HEAD)], bytes.len() as u64)?;
        } else if bytes[at..].iter().all(|&byte| byte == 0) {
            return Err(BookError::NotText(at as u64));
        }
        let length = bytes.len() as u64;
        if length > limits.plausible {
            return Err(BookError::Bomb(MOST_TIMES));
        }
        if length > limits.memory {
            return Err(BookError::TooLarge(limits.memory >> 20));
        }
    }
}

/// Reads a source from its beginning.
struct SourceReader<'a> {
    source: &'a mut Source,
    offset: u64,
}

impl Read for SourceReader<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.source.read_at(self.offset, buffer)?;
        self.offset += read as u64;
        Ok(read)
    }
}
