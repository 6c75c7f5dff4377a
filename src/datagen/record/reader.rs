//! Reading record files.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::time::SystemTime;
use std::vec;

use super::body;
use super::error::{BodyError, HeaderError, RecordError};
use super::{MAGIC, PLAIN_VERSION, RecordHeader, VERSION};
use crate::datagen::game::Game;
use crate::framing::{CHECKSUM, FileHeader};
use crate::open_file;

/// Reads the games of a file, one after another. All their moves are legal.
pub struct GameReader {
    path: PathBuf,
    reader: BufReader<File>,
    state: FileState,
    version: u32,
    header: RecordHeader,
    /// Where the next frame begins: a game in version 1, a block in version 2.
    offset: u64,
    games: u64,
    /// Games of the last frame that have not been given out.
    waiting: vec::IntoIter<Game>,
    ended: bool,
}

/// What changes when a file is written to: its length, and when that happened last.
type FileState = (u64, Option<SystemTime>);

/// Packed games as they stand in the file.
struct PackedGames {
    bytes: Vec<u8>,
    games: u16,
    /// Bytes with what stands before.
    length: u64,
}

impl GameReader {
    /// Opens a file and reads its header.
    ///
    /// # Errors
    /// When the file cannot be read or is something else.
    pub fn open(path: impl AsRef<Path>) -> Result<GameReader, RecordError> {
        let path = path.as_ref();
        let file = open_file::to_read(path).map_err(|error| RecordError::Io { path: path.to_owned(), error })?;
        GameReader::continued(path, &[], file)
    }

    /// Reads a file that is open, of which these bytes have been read already.
    ///
    /// # Errors
    /// As [`GameReader::open`].
    pub(crate) fn continued(path: &Path, start: &[u8], file: File) -> Result<GameReader, RecordError> {
        let path = path.to_owned();
        let io = |error| RecordError::Io { path: path.clone(), error };
        let state = file_state(&file).map_err(io)?;
        let mut reader = BufReader::with_capacity(1 << 20, file);
        let head = FileHeader::read(&mut start.chain(&mut reader), MAGIC)
            .map_err(|error| RecordError::from_frame(&path, error))?;
        let version = head.version;
        if !(PLAIN_VERSION..=VERSION).contains(&version) {
            return Err(RecordError::Version { path, found: version });
        }
        let damaged = |reason| RecordError::Header { path: path.clone(), reason };
        let mut checksum = [0; CHECKSUM];
        reader.read_exact(&mut checksum).map_err(|_| damaged(HeaderError::Cut))?;
        if u32::from_le_bytes(checksum) != crc32fast::hash(head.text()) {
            return Err(damaged(HeaderError::Checksum));
        }
        let header = head.parse().map_err(|error| RecordError::from_frame(&path, error))?;
        let offset = (head.bytes.len() + CHECKSUM) as u64;
        let waiting = vec![].into_iter();
        Ok(GameReader { path, reader, state, version, header, offset, games: 0, waiting, ended: false })
    }

    /// What the file says of all its games.
    pub fn header(&self) -> &RecordHeader {
        &self.header
    }

    /// The version of the file's format.
    pub fn version(&self) -> u32 {
        self.version
    }

    /// Games read so far.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// Where the games begin that have not been unpacked yet.
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// The next frame; `None` at the end of the file.
    fn read_frame(&mut self) -> Result<Option<PackedGames>, RecordError> {
        let is_plain = self.version == PLAIN_VERSION;
        let prefix = self.read_up_to(if is_plain { 6 } else { body::PREFIX })?;
        if prefix.is_empty() {
            return Ok(None);
        }
        let (length, games, checksum) = match prefix[..] {
            [a, b, c, d, e, f] if is_plain => {
                (u32::from(u16::from_le_bytes([a, b])), 1, u32::from_le_bytes([c, d, e, f]))
            }
            [a, b, c, d, e, f, g, h, i, j] => {
                (u32::from_le_bytes([a, b, c, d]), u16::from_le_bytes([e, f]), u32::from_le_bytes([g, h, i, j]))
            }
            _ => return Err(self.truncated()),
        };
        if length > body::MAX_BLOCK {
            return Err(self.damaged(0, BodyError::Length));
        }
        let bytes = self.read_up_to(length as usize)?;
        if bytes.len() < length as usize {
            return Err(self.truncated());
        }
        let length = (prefix.len() + bytes.len()) as u64;
        let known = if is_plain { &[][..] } else { &prefix[..6] };
        // No game is empty, but the checksum of nothing is right.
        if bytes.is_empty() || body::checksum(known, &bytes) != checksum {
            return Err(self.damaged(length, BodyError::Checksum));
        }
        Ok(Some(PackedGames { bytes, games, length }))
    }

    /// The next `count` bytes, or as many as there are.
    fn read_up_to(&mut self, count: usize) -> Result<Vec<u8>, RecordError> {
        let mut bytes = Vec::new();
        let read = (&mut self.reader).take(count as u64).read_to_end(&mut bytes);
        read.map_err(|error| RecordError::Io { path: self.path.clone(), error })?;
        Ok(bytes)
    }

    fn truncated(&self) -> RecordError {
        RecordError::Truncated { path: self.path.clone(), game: self.games + 1, offset: self.offset }
    }

    /// The error of a frame of this length whose bytes are not what was written. Where nothing but zeros follows, it
    /// was the last one when the machine went down.
    fn damaged(&mut self, length: u64, reason: BodyError) -> RecordError {
        match self.is_zero_from(self.offset + length) {
            Ok(true) => self.truncated(),
            Ok(false) => self.wrong(reason),
            Err(error) => RecordError::Io { path: self.path.clone(), error },
        }
    }

    /// The error for a frame that cannot be read: a writer replaces its last block again and again, so nothing is
    /// damaged if the file has changed since it was opened.
    fn explain(&self, error: RecordError) -> RecordError {
        if matches!(error, RecordError::Io { .. }) {
            return error;
        }
        match file_state(self.reader.get_ref()) {
            Ok(state) if state != self.state => RecordError::Locked { path: self.path.clone() },
            _ => error,
        }
    }

    pub(super) fn wrong(&self, reason: BodyError) -> RecordError {
        RecordError::Game { path: self.path.clone(), game: self.games + 1, offset: self.offset, reason }
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

    /// The games of the next frame.
    fn read_games(&mut self) -> Result<Option<Vec<Game>>, RecordError> {
        let Some(frame) = self.read_frame().map_err(|error| self.explain(error))? else { return Ok(None) };
        let decoded: Result<Vec<Game>, BodyError> = match self.version {
            PLAIN_VERSION => body::decode_plain(&frame.bytes).map(|game| vec![game]),
            _ => body::decode_block(&frame.bytes, frame.games),
        };
        let games = decoded.map_err(|error| self.wrong(error))?;
        self.offset += frame.length;
        Ok(Some(games))
    }

    /// Whether a whole block stands behind a place where one is broken, which then is not the end of the file.
    pub(super) fn has_block_behind(&mut self, offset: u64) -> Result<bool, RecordError> {
        let mut rest = Vec::new();
        let read = self.reader.seek(SeekFrom::Start(offset + 1)).and_then(|_| {
            // A block that is broken, and one more.
            (&mut self.reader).take(2 * u64::from(body::MAX_BLOCK)).read_to_end(&mut rest)
        });
        read.map_err(|error| RecordError::Io { path: self.path.clone(), error })?;
        let is_block = |at: usize| {
            let Some((&[a, b, c, d, _, _, e, f, g, h], bytes)) = rest[at..].split_first_chunk() else { return false };
            let length = u32::from_le_bytes([a, b, c, d]) as usize;
            let bytes = bytes.get(..length).filter(|bytes| !bytes.is_empty());
            bytes.is_some_and(|bytes| body::checksum(&rest[at..at + 6], bytes) == u32::from_le_bytes([e, f, g, h]))
        };
        Ok((0..rest.len()).any(is_block))
    }

    /// All games up to the next place at which a file may be continued, which is then [`GameReader::offset`];
    /// `None` at the end.
    pub(super) fn next_frame(&mut self) -> Option<Result<Vec<Game>, RecordError>> {
        let games = self.read_games().transpose()?;
        self.games += games.as_ref().map_or(0, |games| games.len() as u64);
        Some(games)
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
            match self.read_games() {
                Ok(Some(games)) => self.waiting = games.into_iter(),
                Ok(None) => self.ended = true,
                Err(error) => {
                    self.ended = true;
                    return Some(Err(error));
                }
            }
        }
    }
}

fn file_state(file: &File) -> io::Result<FileState> {
    let metadata = file.metadata()?;
    Ok((metadata.len(), metadata.modified().ok()))
}
