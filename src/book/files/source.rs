//! Where a book's bytes are: in a file, or in memory.

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

use crate::book::BookError;

/// Bytes that can be read anywhere.
pub(in crate::book) enum Source {
    /// A file, and how long it was when it was opened.
    File(File, u64),
    /// Memory.
    Bytes(Cow<'static, [u8]>),
}

impl Source {
    /// A file's bytes. What is no regular file is not even opened: a pipe might never answer.
    pub(super) fn open(path: &Path) -> Result<Source, BookError> {
        if !path.metadata()?.is_file() {
            return Err(BookError::NotAFile);
        }
        let file = File::open(path)?;
        let len = file.metadata()?.len();
        Ok(Source::File(file, len))
    }

    pub(super) fn len(&self) -> u64 {
        match self {
            Source::File(_, len) => *len,
            Source::Bytes(bytes) => bytes.len() as u64,
        }
    }

    /// Reads from `offset` on until the buffer is full or the source at its end; returns how much was read.
    pub(super) fn read_at(&mut self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Source::File(file, _) => {
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
            Source::Bytes(bytes) => {
                let rest = bytes.get(usize::try_from(offset).unwrap_or(usize::MAX)..).unwrap_or_default();
                let length = rest.len().min(buffer.len());
                buffer[..length].copy_from_slice(&rest[..length]);
                Ok(length)
            }
        }
    }

    /// Fills the buffer, which must lie within the source.
    pub(super) fn read_exact_at(&mut self, offset: u64, buffer: &mut [u8]) -> Result<(), BookError> {
        let promised = offset.saturating_add(buffer.len() as u64);
        let read = self.read_at(offset, buffer)?;
        if read < buffer.len() {
            return Err(BookError::Cut { promised, found: offset + read as u64 });
        }
        Ok(())
    }

    /// The first bytes, at most so many.
    pub(super) fn head(&mut self, length: usize) -> io::Result<Vec<u8>> {
        let mut head = vec![0; length.min(self.len().try_into().unwrap_or(length))];
        let read = self.read_at(0, &mut head)?;
        head.truncate(read);
        Ok(head)
    }
}
