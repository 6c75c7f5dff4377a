//! Reading record files.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::time::SystemTime;
use std::vec;

use super::body::{Block, MAX_BLOCK, Prefix, decode_block};
use super::{Damage, MAGIC, RecordError, RecordHeader, VERSION};
use crate::atomic_file::lock;
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

// Writing record files.

/// Appends games to a file, which no other writer may write to meanwhile.
///
/// Full blocks are never touched again. The last one is written anew each time it has grown, so that stopping and
/// going on leaves the same bytes as playing in one go; a crash in the middle of that costs the games of this block.
pub struct GameWriter {
    file: File,
    /// Games in the file and in the block.
    pub games: u64,
    /// The last games, which the next [`GameWriter::flush`] writes (again).
    block: Block,
    /// Where they begin.
    offset: u64,
}

impl GameWriter {
    /// Makes a new file, and its folder where there is none; a file that exists is replaced.
    ///
    /// # Errors
    /// When the system refuses, or another process writes to the file.
    pub fn create(path: impl AsRef<Path>, header: &RecordHeader) -> Result<GameWriter, RecordError> {
        let path = path.as_ref();
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        let mut file = open_locked(path)?;
        let mut head = FileHeader::new(MAGIC, VERSION, header)?;
        head.bytes.extend(crc32fast::hash(head.text()).to_le_bytes());
        file.set_len(0)?;
        file.write_all(&head.bytes)?;
        Ok(GameWriter { file, games: 0, block: Block::default(), offset: head.bytes.len() as u64 })
    }

    /// Continues a file that has the same header, or creates it. Last games that were not written to their end are
    /// dropped; `seen` is called with each game that stays.
    ///
    /// # Errors
    /// When the file is something else, has another header, is damaged or is written to by another process.
    pub fn resume(
        path: impl AsRef<Path>,
        header: &RecordHeader,
        mut seen: impl FnMut(&Game),
    ) -> Result<GameWriter, RecordError> {
        let path = path.as_ref();
        // The machine may have gone down before the header was on the disk.
        if !path.try_exists()? || path.metadata()?.len() == 0 {
            return GameWriter::create(path, header);
        }
        // A file of something else is not even locked.
        let reader = GameReader::open(path)?;
        if &reader.header != header {
            return Err(RecordError::OtherGames(reader.header.difference(header)));
        }
        let file = open_locked(path)?;
        // Read again: it may have grown until it was locked.
        let mut reader = GameReader::open(path)?;
        let mut writer = GameWriter { file, games: 0, block: Block::default(), offset: reader.offset };
        loop {
            let begin = reader.offset;
            let games = match reader.next_block() {
                None => break,
                Some(Ok(games)) => games,
                Some(Err(error @ RecordError::Truncated { .. })) => {
                    if reader.has_block_behind(begin)? {
                        return Err(reader.wrong("its length is wrong"));
                    }
                    log::warn!("{}: {error}; the file is continued from before it", path.display());
                    break;
                }
                Some(Err(error)) => return Err(error),
            };
            (writer.block, writer.offset) = (Block::default(), begin);
            for game in &games {
                seen(game);
                writer.block.push(game)?;
            }
            reader.games += games.len() as u64;
            if writer.block.is_full() {
                (writer.block, writer.offset) = (Block::default(), reader.offset);
            }
        }
        writer.games = reader.games;
        Ok(writer)
    }

    /// Appends a game.
    ///
    /// # Errors
    /// When the system refuses, a move is not legal, or the game does not fit the format.
    pub fn write(&mut self, game: &Game) -> Result<(), RecordError> {
        self.block.push(game)?;
        self.games += 1;
        if self.block.is_full() {
            self.offset += self.write_block()?;
            self.block = Block::default();
        }
        Ok(())
    }

    /// Brings everything written to the disk.
    ///
    /// # Errors
    /// When the system refuses.
    pub fn flush(&mut self) -> Result<(), RecordError> {
        if self.block.is_empty() {
            self.file.set_len(self.offset)?;
        } else {
            self.write_block()?;
        }
        Ok(self.file.sync_data()?)
    }

    /// Writes the block, over its earlier state where it has grown since, and gives its length.
    ///
    /// The file gets its length first: whichever bytes a crash leaves, nothing stands behind the block, and
    /// [`GameWriter::resume`] takes it for unfinished.
    fn write_block(&mut self) -> io::Result<u64> {
        let bytes = self.block.to_bytes();
        self.file.set_len(self.offset + bytes.len() as u64)?;
        self.file.seek(SeekFrom::Start(self.offset))?;
        self.file.write_all(&bytes)?;
        Ok(bytes.len() as u64)
    }
}

impl Drop for GameWriter {
    /// Releases the lock explicitly: closing the file alone leaves it held as long as a process that was being started
    /// meanwhile has a copy of the handle.
    fn drop(&mut self) {
        let _ = self.file.unlock();
    }
}

/// Opens a file for writing, or makes it, for this process alone.
fn open_locked(path: &Path) -> Result<File, RecordError> {
    if path.exists() {
        // Blocks are written over in their place.
        open_file::require_regular(path)?;
    }
    let file = OpenOptions::new().create(true).truncate(false).write(true).open(path)?;
    if lock(&file)? { Ok(file) } else { Err(RecordError::Locked) }
}
