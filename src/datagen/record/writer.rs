//! Writing record files.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::body::Block;
use super::error::{BodyError, RecordError};
use super::reader::GameReader;
use super::{MAGIC, RecordHeader, VERSION};
use crate::datagen::game::Game;
use crate::framing::FileHeader;
use crate::open_file;

/// Appends games to a file, which no other writer may write to meanwhile.
///
/// Full blocks are never touched again. The last one is written anew each time it has grown, so that stopping and
/// going on leaves the same bytes as playing in one go; a crash in the middle of that costs the games of this block.
pub struct GameWriter {
    path: PathBuf,
    file: File,
    /// Whether the file was locked for this writer.
    is_locked: bool,
    /// Games in the file and in the block.
    games: u64,
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
        let path = path.as_ref().to_owned();
        let io = |error| RecordError::Io { path: path.clone(), error };
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(io)?;
        }
        let mut writer = GameWriter::over(open_locked(&path)?, &path, header)?;
        writer.is_locked = true;
        Ok(writer)
    }

    /// Writes a whole new file through a handle that nobody else has.
    ///
    /// # Errors
    /// When the system refuses.
    pub(crate) fn over(mut file: File, path: &Path, header: &RecordHeader) -> Result<GameWriter, RecordError> {
        let start = FileHeader::new(MAGIC, VERSION, header).map_err(|error| RecordError::from_frame(path, error))?;
        let checksum = crc32fast::hash(start.text());
        let start = [start.bytes, checksum.to_le_bytes().to_vec()].concat();
        let written = file.set_len(0).and_then(|()| file.write_all(&start));
        written.map_err(|error| RecordError::Io { path: path.to_owned(), error })?;
        let offset = start.len() as u64;
        Ok(GameWriter { path: path.to_owned(), file, is_locked: false, games: 0, block: Block::default(), offset })
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
        let io = |error| RecordError::Io { path: path.to_owned(), error };
        match path.metadata() {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return GameWriter::create(path, header),
            Err(error) => return Err(io(error)),
            // The machine may have gone down before the header was on the disk.
            Ok(metadata) if metadata.len() == 0 => return GameWriter::create(path, header),
            Ok(_) => {}
        }
        // A file of something else is not even locked.
        let other_games = |difference| RecordError::OtherGames { path: path.to_owned(), difference };
        let reader = GameReader::open(path)?;
        if reader.header() != header {
            return Err(other_games(reader.header().difference(header)));
        }
        if reader.version() != VERSION {
            return Err(other_games(format!("version {} of the format and not {VERSION}", reader.version())));
        }
        let file = open_locked(path)?;
        // Read again: it may have grown until it was locked.
        let mut reader = GameReader::open(path)?;
        let mut writer = GameWriter {
            path: path.to_owned(),
            file,
            is_locked: true,
            games: 0,
            block: Block::default(),
            offset: reader.offset(),
        };
        loop {
            let begin = reader.offset();
            let games = match reader.next_frame() {
                None => break,
                Some(Ok(games)) => games,
                Some(Err(error @ RecordError::Truncated { .. })) => {
                    if reader.has_block_behind(begin)? {
                        return Err(reader.wrong(BodyError::WrongLength));
                    }
                    log::warn!("{error}; the file is continued from before it");
                    break;
                }
                Some(Err(error)) => return Err(error),
            };
            (writer.block, writer.offset) = (Block::default(), begin);
            for game in &games {
                seen(game);
                writer.block.push(game)?;
            }
            writer.games += games.len() as u64;
            if writer.block.is_full() {
                (writer.block, writer.offset) = (Block::default(), reader.offset());
            }
        }
        Ok(writer)
    }

    /// Games in the file.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// Appends a game.
    ///
    /// # Errors
    /// When the system refuses, a move is not legal, or the game does not fit the format.
    pub fn write(&mut self, game: &Game) -> Result<(), RecordError> {
        self.block.push(game)?;
        self.games += 1;
        if self.block.is_full() {
            self.offset += self.write_block().map_err(|error| self.io(error))?;
            self.block = Block::default();
        }
        Ok(())
    }

    /// Brings everything written to the disk.
    ///
    /// # Errors
    /// When the system refuses.
    pub fn flush(&mut self) -> Result<(), RecordError> {
        let written = if self.block.is_empty() { self.file.set_len(self.offset) } else { self.write_block().map(drop) };
        written.and_then(|()| self.file.sync_data()).map_err(|error| self.io(error))
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

    fn io(&self, error: io::Error) -> RecordError {
        RecordError::Io { path: self.path.clone(), error }
    }
}

impl Drop for GameWriter {
    /// Releases the lock explicitly: closing the file alone leaves it held as long as a process that was being started
    /// meanwhile has a copy of the handle.
    fn drop(&mut self) {
        if self.is_locked {
            let _ = self.file.unlock();
        }
    }
}

/// Opens a file for writing, or makes it, for this process alone.
fn open_locked(path: &Path) -> Result<File, RecordError> {
    let io = |error| RecordError::Io { path: path.to_owned(), error };
    if path.exists() {
        // Blocks are written over in their place.
        open_file::require_regular(path).map_err(io)?;
    }
    let file = OpenOptions::new().create(true).truncate(false).write(true).open(path).map_err(io)?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(RecordError::Locked { path: path.to_owned() }),
        // Some network file systems know no locks.
        Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => Ok(file),
        Err(TryLockError::Error(error)) => Err(io(error)),
    }
}
