//! Writing record files.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::Path;

use super::body::Block;
use super::reader::GameReader;
use super::{MAGIC, RecordError, RecordHeader, VERSION};
use crate::datagen::game::Game;
use crate::framing::FileHeader;
use crate::open_file;

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
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(RecordError::Locked),
        // Some network file systems know no locks.
        Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => Ok(file),
        Err(TryLockError::Error(error)) => Err(error.into()),
    }
}
