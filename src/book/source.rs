//! The bytes of a book, in a file or in memory: read as a whole, by lines, or by sorted records.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, Read, Seek, SeekFrom};
use std::path::Path;

use flate2::read::MultiGzDecoder;
use ruzstd::decoding::StreamingDecoder;

use super::BookError;
use crate::open_file;

/// A file or memory.
trait Source: Read + Seek + Send {}

impl Source for File {}
impl Source for Cursor<Vec<u8>> {}

/// Bytes that can be read anywhere.
pub(super) struct BookBytes {
    source: Box<dyn Source>,
    /// How many there were at first.
    pub(super) len: u64,
}

/// How much of a file is looked at to find out what it is.
const HEAD: u64 = 64 << 10;
/// Bytes unpacked at once.
const UNPACKED: u64 = 1 << 20;
/// Books shrink to a quarter or a tenth. What unpacks to more than this many times its size, and a few MiB more, is
/// made to fill memory.
const MOST_TIMES: u64 = 50;
const SLACK: u64 = 8 << 20;

impl BookBytes {
    pub(super) fn open(path: &Path) -> Result<BookBytes, BookError> {
        let file = open_file::regular(path)?;
        Ok(BookBytes { len: file.metadata()?.len(), source: Box::new(file) })
    }

    pub(super) fn memory(bytes: Vec<u8>) -> BookBytes {
        BookBytes { len: bytes.len() as u64, source: Box::new(Cursor::new(bytes)) }
    }

    /// Fills the buffer, which must lie within the book.
    pub(super) fn read_exact_at(&mut self, offset: u64, buffer: &mut [u8]) -> Result<(), BookError> {
        self.source.seek(SeekFrom::Start(offset))?;
        self.source.read_exact(buffer).map_err(|error| match error.kind() {
            io::ErrorKind::UnexpectedEof => BookError::Damaged(self.len),
            _ => error.into(),
        })
    }

    /// The first bytes.
    pub(super) fn head(&mut self) -> io::Result<Vec<u8>> {
        let mut head = Vec::new();
        self.source.rewind()?;
        (&mut self.source).take(HEAD).read_to_end(&mut head)?;
        Ok(head)
    }

    /// The whole, unpacked where it is compressed with gzip or Zstandard: at most `limit` bytes.
    pub(super) fn read_whole(&mut self, limit: u64) -> Result<Vec<u8>, BookError> {
        let compression = Compression::recognise(&self.head()?);
        self.source.rewind()?;
        let mut reader: Box<dyn Read + '_> = match compression {
            None => Box::new(&mut self.source),
            Some(Compression::Gzip) => Box::new(MultiGzDecoder::new(&mut self.source)),
            Some(Compression::Zstandard) => {
                let decoder = StreamingDecoder::new(BufReader::new(&mut self.source));
                Box::new(decoder.map_err(|error| BookError::Compressed(io::Error::other(error.to_string())))?)
            }
        };
        let failure = if compression.is_some() { BookError::Compressed } else { BookError::Io };
        let plausible = self.len.saturating_mul(MOST_TIMES).saturating_add(SLACK);
        let mut content = Vec::new();
        loop {
            let at = content.len();
            (&mut reader).take(UNPACKED).read_to_end(&mut content).map_err(failure)?;
            if content.len() == at {
                return Ok(content);
            }
            // What goes on with zeros may do so for ever.
            if content[at..].iter().all(|&byte| byte == 0) {
                return Err(BookError::Damaged(at as u64));
            }
            if content.len() as u64 > plausible {
                let reason = format!("it unpacks to more than {MOST_TIMES} times its size");
                return Err(BookError::Compressed(io::Error::other(reason)));
            }
            if content.len() as u64 > limit {
                return Err(BookError::TooLarge(limit >> 20));
            }
        }
    }

    /// The lines that begin at `offset` or after it.
    pub(super) fn lines(&mut self, offset: u64) -> Result<BookLines<'_>, BookError> {
        // The byte before shows whether a line begins here.
        let at = offset.saturating_sub(1);
        self.source.seek(SeekFrom::Start(at))?;
        let mut lines = BookLines { reader: BufReader::new(&mut *self.source), line: Vec::new(), at };
        if offset > 0 {
            lines.next()?;
        }
        Ok(lines)
    }
}

/// A way of compressing.
#[derive(Clone, Copy)]
pub(super) enum Compression {
    Gzip,
    Zstandard,
}

impl Compression {
    /// How a file that begins so is compressed.
    pub(super) fn recognise(head: &[u8]) -> Option<Compression> {
        match head {
            [0x1f, 0x8b, ..] => Some(Compression::Gzip),
            [0x28, 0xb5, 0x2f, 0xfd, ..] => Some(Compression::Zstandard),
            _ => None,
        }
    }
}

/// The longest line of a book; the longest there is with a comment is far shorter.
const MAX_LINE: u64 = 4096;

/// Lines of a book, each with the offset at which it begins.
pub(super) struct BookLines<'a> {
    reader: BufReader<&'a mut dyn Source>,
    line: Vec<u8>,
    /// Where the next line begins.
    at: u64,
}

impl BookLines<'_> {
    /// The next line without its end.
    pub(super) fn next(&mut self) -> Result<Option<(u64, &[u8])>, BookError> {
        let at = self.at;
        self.line.clear();
        let read = (&mut self.reader).take(MAX_LINE + 1).read_until(b'\n', &mut self.line)? as u64;
        self.at += read;
        if read > MAX_LINE || self.line.contains(&0) {
            return Err(BookError::Damaged(at));
        }
        Ok((read > 0).then(|| (at, self.line.trim_ascii_end())))
    }
}

/// Records of `N` bytes, one behind another, sorted by their keys.
pub(super) struct Records<const N: usize, K> {
    pub(super) bytes: BookBytes,
    /// Where they begin.
    start: u64,
    pub(super) count: u64,
    key: fn(&[u8; N]) -> K,
}

impl<const N: usize, K: Ord> Records<N, K> {
    /// Looks at records all over the file.
    ///
    /// # Errors
    /// When they are out of order.
    pub(super) fn new(bytes: BookBytes, start: u64, count: u64, key: fn(&[u8; N]) -> K) -> Result<Self, BookError> {
        let mut records = Records { bytes, start, count, key };
        let mut last = None;
        for index in (0..count).step_by((count / 256).max(1) as usize) {
            let key = Some(key(&records.get(index)?));
            if key < last {
                return Err(BookError::NotSorted(start + index * N as u64));
            }
            last = key;
        }
        Ok(records)
    }

    pub(super) fn get(&mut self, index: u64) -> Result<[u8; N], BookError> {
        let mut record = [0; N];
        self.bytes.read_exact_at(self.start + index * N as u64, &mut record)?;
        Ok(record)
    }

    /// The index of the first record that has this key or a greater one.
    pub(super) fn lower_bound(&mut self, key: &K) -> Result<u64, BookError> {
        let (mut low, mut high) = (0, self.count);
        while low < high {
            let middle = low + (high - low) / 2;
            if (self.key)(&self.get(middle)?) < *key { low = middle + 1 } else { high = middle }
        }
        Ok(low)
    }
}
