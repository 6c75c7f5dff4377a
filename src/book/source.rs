//! The bytes of a book: in a file or in memory, compressed or not, read anywhere, from the beginning, or by lines.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

use flate2::read::MultiGzDecoder;
use ruzstd::decoding::StreamingDecoder;

use super::BookError;

/// Bytes that can be read anywhere.
pub(super) enum BookBytes {
    /// A file, and how long it was when it was opened.
    File(File, u64),
    /// Memory.
    Memory(Vec<u8>),
}

impl BookBytes {
    /// A file's bytes. What is no regular file is not even opened: a pipe might never answer.
    pub(super) fn open(path: &Path) -> Result<BookBytes, BookError> {
        if !path.metadata()?.is_file() {
            return Err(BookError::NotAFile);
        }
        let file = File::open(path)?;
        let len = file.metadata()?.len();
        Ok(BookBytes::File(file, len))
    }

    pub(super) fn len(&self) -> u64 {
        match self {
            BookBytes::File(_, len) => *len,
            BookBytes::Memory(bytes) => bytes.len() as u64,
        }
    }

    /// Reads from `offset` on until the buffer is full or the bytes are at their end; returns how many were read.
    pub(super) fn read_at(&mut self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            BookBytes::File(file, _) => {
                file.seek(SeekFrom::Start(offset))?;
                let mut filled = 0;
                while filled < buffer.len() {
                    match file.read(&mut buffer[filled..]) {
                        Ok(0) => break,
                        Ok(read) => filled += read,
                        Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                        Err(error) => return Err(error),
                    }
                }
                Ok(filled)
            }
            BookBytes::Memory(bytes) => {
                let rest = bytes.get(usize::try_from(offset).unwrap_or(usize::MAX)..).unwrap_or_default();
                let length = rest.len().min(buffer.len());
                buffer[..length].copy_from_slice(&rest[..length]);
                Ok(length)
            }
        }
    }

    /// Fills the buffer, which must lie within the book.
    pub(super) fn read_exact_at(&mut self, offset: u64, buffer: &mut [u8]) -> Result<(), BookError> {
        let promised = offset.saturating_add(buffer.len() as u64);
        let read = self.read_at(offset, buffer)?;
        if read < buffer.len() {
            return Err(BookError::Cut { promised, found: offset + read as u64 });
        }
        Ok(())
    }

    /// The first bytes, at most `length`.
    pub(super) fn head(&mut self, length: usize) -> io::Result<Vec<u8>> {
        let mut head = vec![0; length.min(self.len().try_into().unwrap_or(length))];
        let read = self.read_at(0, &mut head)?;
        head.truncate(read);
        Ok(head)
    }
}

/// The longest line of a book; the longest there is with a comment is far shorter.
const MAX_LINE: usize = 4096;

/// Lines of a book, each with the offset at which it begins.
pub(super) struct BookLines<'a> {
    bytes: &'a mut BookBytes,
    chunk: usize,
    buffer: Vec<u8>,
    /// Where the buffer begins in the book.
    base: u64,
    /// The next line within the buffer.
    at: usize,
    at_end: bool,
}

impl<'a> BookLines<'a> {
    /// The lines that begin at `offset` or after it, read in pieces of `chunk` bytes.
    pub(super) fn starting_at(bytes: &'a mut BookBytes, offset: u64, chunk: usize) -> Result<BookLines<'a>, BookError> {
        // The byte before shows whether a line begins here.
        let base = offset.saturating_sub(1);
        let mut lines = BookLines { bytes, chunk, buffer: Vec::new(), base, at: 0, at_end: false };
        if offset > 0 {
            lines.next()?;
        }
        Ok(lines)
    }

    /// The next line without its end.
    pub(super) fn next(&mut self) -> Result<Option<(u64, &[u8])>, BookError> {
        let mut searched = self.at;
        let end = loop {
            if let Some(length) = self.buffer[searched..].iter().position(|&byte| byte == b'\n') {
                break searched + length;
            }
            searched = self.buffer.len();
            if searched - self.at > MAX_LINE {
                return Err(BookError::LongLine(self.base + self.at as u64));
            }
            if self.at_end {
                if self.at == self.buffer.len() {
                    return Ok(None);
                }
                break self.buffer.len();
            }
            searched -= self.read_more()?;
        };
        let start = self.at;
        self.at = (end + 1).min(self.buffer.len());
        let line = &self.buffer[start..end];
        let offset = self.base + start as u64;
        if line.len() > MAX_LINE {
            return Err(BookError::LongLine(offset));
        }
        if let Some(at) = line.iter().position(|&byte| byte == 0) {
            return Err(BookError::NotText(offset + at as u64));
        }
        Ok(Some((offset, line.trim_ascii_end())))
    }

    /// Reads the next piece; returns how much was dropped from the front of the buffer.
    fn read_more(&mut self) -> Result<usize, BookError> {
        let dropped = self.at;
        self.buffer.drain(..dropped);
        self.base += dropped as u64;
        self.at = 0;
        let kept = self.buffer.len();
        self.buffer.resize(kept + self.chunk, 0);
        let read = self.bytes.read_at(self.base + kept as u64, &mut self.buffer[kept..])?;
        self.buffer.truncate(kept + read);
        self.at_end = read < self.chunk;
        Ok(dropped)
    }
}

/// A way of compressing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Compression {
    Gzip,
    Zstandard,
}

/// Bytes unpacked at once.
const UNPACKED: u64 = 1 << 20;
/// Books shrink to a quarter or a tenth. What unpacks to more than this many times its size, and a few MiB more, is
/// made to fill memory.
const MOST_TIMES: u64 = 50;
const SLACK: u64 = 8 << 20;

impl Compression {
    /// How a file that begins so is compressed.
    pub(super) fn recognise(head: &[u8]) -> Option<Compression> {
        if head.starts_with(&[0x1f, 0x8b]) {
            return Some(Compression::Gzip);
        }
        head.starts_with(&[0x28, 0xb5, 0x2f, 0xfd]).then_some(Compression::Zstandard)
    }

    /// The content, at most `limit` bytes of it. `check` sees the first piece of it, so that nothing that unpacks to
    /// zeros for ever is unpacked for long.
    pub(super) fn unpack(
        self,
        bytes: &mut BookBytes,
        limit: u64,
        check: ContentCheck<'_>,
    ) -> Result<Vec<u8>, BookError> {
        let plausible = bytes.len().saturating_mul(MOST_TIMES).saturating_add(SLACK);
        let reader = FromStart { bytes, offset: 0 };
        let mut reader: Box<dyn Read + '_> = match self {
            Compression::Gzip => Box::new(MultiGzDecoder::new(reader)),
            Compression::Zstandard => Box::new(
                StreamingDecoder::new(reader)
                    .map_err(|error| BookError::Compressed(io::Error::other(error.to_string())))?,
            ),
        };
        let mut content = Vec::new();
        loop {
            let at = content.len();
            (&mut reader).take(UNPACKED).read_to_end(&mut content).map_err(BookError::Compressed)?;
            if content.len() == at {
                return Ok(content);
            }
            if at == 0 {
                check(&content)?;
            } else if content[at..].iter().all(|&byte| byte == 0) {
                return Err(BookError::NotText(at as u64));
            }
            if content.len() as u64 > plausible {
                return Err(BookError::Bomb(MOST_TIMES));
            }
            if content.len() as u64 > limit {
                return Err(BookError::TooLarge(limit >> 20));
            }
        }
    }
}

/// Whether what a compressed file begins with is the beginning of a book.
type ContentCheck<'a> = &'a dyn Fn(&[u8]) -> Result<(), BookError>;

/// Reads a book's bytes from the first on.
struct FromStart<'a> {
    bytes: &'a mut BookBytes,
    offset: u64,
}

impl Read for FromStart<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.bytes.read_at(self.offset, buffer)?;
        self.offset += read as u64;
        Ok(read)
    }
}
