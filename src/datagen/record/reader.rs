//! Reading record files.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::path::Path;
use std::time::SystemTime;
use std::vec;

use super::body::{MAX_BLOCK, Prefix, decode_block};
use super::{Damage, MAGIC, RecordError, RecordHeader, VERSION};
use crate::datagen::game::Game;
use crate::framing::{FileHeader, FrameError, take};
use crate::open_file;

/// Reads the games of a file, one after another. All their moves are legal.
pub struct GameReader {
    reader: BufReader<File>,
    state: FileState,
    /// What the file says of all its games.
    pub header: RecordHeader,
    /// Where the next block begins, whose games have not been unpacked yet.
    pub offset: u64,
    pub(super) games: u64,
    /// Games of the last block that have not been given out.
    waiting: vec::IntoIter<Game>,
    ended: bool,
}

/// What changes when a file is written to: its length, and when that happened last.
type FileState = (u64, Option<SystemTime>);

impl GameReader {
    /// Opens a file and reads its header.
    ///
    /// # Errors
    /// When the file cannot be read or is something else.
    pub fn open(path: impl AsRef<Path>) -> Result<GameReader, RecordError> {
        let file = open_file::to_read(path.as_ref())?;
        let state = file_state(&file)?;
        let mut reader = BufReader::with_capacity(1 << 20, file);
        let mut head = FileHeader::read(&mut reader, MAGIC)?;
        if head.version != VERSION {
            return Err(RecordError::Version(head.version));
        }
        let (header, expected) = (head.parse(), crc32fast::hash(head.text()));
        let found = u32::from_le_bytes(take(&mut reader, &mut head.bytes, "checksum of the header", 4)?);
        if found != expected {
            return Err(RecordError::Header(FrameError::Checksum { found, expected }));
        }
        let (offset, waiting) = (head.bytes.len() as u64, vec![].into_iter());
        Ok(GameReader { reader, state, header: header?, offset, games: 0, waiting, ended: false })
    }

    /// The games of the next block; `None` at the end of the file.
    fn read_block(&mut self) -> Result<Option<Vec<Game>>, RecordError> {
        let prefix = self.read_up_to(Prefix::BYTES)?;
        if prefix.is_empty() {
            return Ok(None);
        }
        let Ok(prefix) = prefix.try_into().map(Prefix::from_bytes) else { return Err(self.truncated()) };
        if prefix.length > MAX_BLOCK {
            return Err(self.damaged(0, "its length is impossible"));
        }
        let packed = self.read_up_to(prefix.length)?;
        if packed.len() < prefix.length {
            return Err(self.truncated());
        }
        let length = (Prefix::BYTES + prefix.length) as u64;
        if !prefix.fits(&packed) {
            return Err(self.damaged(length, "its checksum is wrong"));
        }
        let games = decode_block(&packed, prefix.games).map_err(|reason| self.wrong(reason))?;
        self.offset += length;
        Ok(Some(games))
    }

    /// The next `count` bytes, or as many as there are.
    fn read_up_to(&mut self, count: usize) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        (&mut self.reader).take(count as u64).read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    fn truncated(&self) -> RecordError {
        RecordError::Truncated { game: self.games + 1, offset: self.offset }
    }

    /// The error of a block of this length whose bytes are not what was written. Where nothing but zeros follows, it
    /// was the last one when the machine went down.
    fn damaged(&mut self, length: u64, reason: &str) -> RecordError {
        match self.is_zero_from(self.offset + length) {
            Ok(true) => self.truncated(),
            Ok(false) => self.wrong(reason),
            Err(error) => error.into(),
        }
    }

    pub(super) fn wrong(&self, reason: impl Into<Damage>) -> RecordError {
        RecordError::Game { game: self.games + 1, offset: self.offset, reason: reason.into() }
    }

    fn is_zero_from(&mut self, offset: u64) -> io::Result<bool> {
        self.reader.seek(SeekFrom::Start(offset))?;
        for byte in (&mut self.reader).bytes() {
            if byte? != 0 {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether a whole block stands behind a place where one is broken, which then is not the end of the file.
    pub(super) fn has_block_behind(&mut self, offset: u64) -> io::Result<bool> {
        self.reader.seek(SeekFrom::Start(offset + 1))?;
        // A block that is broken, and one more.
        let rest = self.read_up_to(2 * MAX_BLOCK)?;
        let is_block = |at: usize| {
            let Some((&prefix, bytes)) = rest[at..].split_first_chunk() else { return false };
            let prefix = Prefix::from_bytes(prefix);
            bytes.get(..prefix.length).is_some_and(|packed| !packed.is_empty() && prefix.fits(packed))
        };
        Ok((0..rest.len()).any(is_block))
    }

    /// All games up to the next place at which a file may be continued, which is then [`GameReader::offset`];
    /// `None` at the end.
    pub(super) fn next_block(&mut self) -> Option<Result<Vec<Game>, RecordError>> {
        let games = self.read_block().map_err(|error| match (&error, file_state(self.reader.get_ref())) {
            // A writer replaces its last block again and again: nothing is damaged if the file has changed.
            (RecordError::Truncated { .. } | RecordError::Game { .. }, Ok(state)) if state != self.state => {
                RecordError::Locked
            }
            _ => error,
        });
        games.transpose()
    }
}

/// After the first error nothing more is read: where the next game would begin is not known.
impl Iterator for GameReader {
    type Item = Result<Game, RecordError>;

    fn next(&mut self) -> Option<Result<Game, RecordError>> {
        loop {
            if let Some(game) = self.waiting.next() {
                self.games += 1;
                return Some(Ok(game));
            }
            if self.ended {
                return None;
            }
            match self.next_block() {
                Some(Ok(games)) => self.waiting = games.into_iter(),
                end => {
                    self.ended = true;
                    return end.and_then(Result::err).map(Err);
                }
            }
        }
    }
}

fn file_state(file: &File) -> io::Result<FileState> {
    let metadata = file.metadata()?;
    Ok((metadata.len(), metadata.modified().ok()))
}
