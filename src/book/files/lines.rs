//! Reading a text line by line from anywhere in it, with bounds that hold whatever the file is.

use super::source::Source;
use crate::book::BookError;

/// The longest line of a book; the longest there is with a comment is far shorter.
const MAX_LINE: usize = 4096;

/// Lines of a source, each with the offset at which it begins.
pub(super) struct Lines<'a> {
    source: &'a mut Source,
    chunk: usize,
    buffer: Vec<u8>,
    /// Where the buffer begins in the source.
    base: u64,
    /// The next line within the buffer.
    at: usize,
    at_end: bool,
}

impl<'a> Lines<'a> {
    /// The lines that begin at `offset` or after it, read in pieces of `chunk` bytes.
    pub(super) fn from(source: &'a mut Source, offset: u64, chunk: usize) -> Result<Lines<'a>, BookError> {
        // The byte before tells whether a line begins here.
        let base = offset.saturating_sub(1);
        let mut lines = Lines { source, chunk, buffer: Vec::new(), base, at: 0, at_end: false };
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
        let read = self.source.read_at(self.base + kept as u64, &mut self.buffer[kept..])?;
        self.buffer.truncate(kept + read);
        self.at_end = read < self.chunk;
        Ok(dropped)
    }
}
