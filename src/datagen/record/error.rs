//! What can be wrong with record files.

use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::VERSION;
use crate::datagen::game::GameError;
use crate::framing::FrameError;
use crate::position::SfenError;

/// Why a record file cannot be read or written.
#[derive(Debug, Error)]
pub enum RecordError {
    /// The system says so.
    #[error("{path}: {error}", path = path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// The file is something else.
    #[error("{path} is not a file of Kurosabi games (it begins with {found:?})", path = path.display())]
    Foreign {
        /// The file.
        path: PathBuf,
        /// Its first bytes.
        found: String,
    },
    /// The file was written by a later program.
    #[error("{path} has version {found} of the game format; this program reads up to {VERSION}", path = path.display())]
    Version {
        /// The file.
        path: PathBuf,
        /// Its version.
        found: u32,
    },
    /// The header is damaged.
    #[error("{path}: the header is damaged: {reason}", path = path.display())]
    Header {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        reason: HeaderError,
    },
    /// A game is damaged.
    #[error("{path}: game {game} at byte {offset} is damaged: {reason}", path = path.display())]
    Game {
        /// The file.
        path: PathBuf,
        /// Its number, from 1.
        game: u64,
        /// Where it begins.
        offset: u64,
        /// What is wrong.
        reason: BodyError,
    },
    /// The file ends inside a game.
    #[error("{path} ends inside game {game}, which begins at byte {offset}", path = path.display())]
    Truncated {
        /// The file.
        path: PathBuf,
        /// The game's number, from 1.
        game: u64,
        /// Where it begins.
        offset: u64,
    },
    /// A file to be continued holds other games.
    #[error("{path} holds other games; choose another file, or what it was made with: {difference}", path = path.display())]
    OtherGames {
        /// The file.
        path: PathBuf,
        /// What differs.
        difference: String,
    },
    /// Another process writes to the file.
    #[error("{path} is being written to by another process", path = path.display())]
    Locked {
        /// The file.
        path: PathBuf,
    },
    /// A game that is to be written is not one.
    #[error("a game cannot be written: {0}")]
    Illegal(#[from] GameError),
    /// A game that the format has no room for.
    #[error("a game of {plies} plies is too long for the format")]
    TooLong {
        /// Its length.
        plies: usize,
    },
}

impl RecordError {
    /// The error of a frame that cannot be read or written, in the file at this path.
    pub(super) fn from_frame(path: &Path, error: FrameError) -> RecordError {
        let path = path.to_owned();
        match error {
            FrameError::Io(error) => RecordError::Io { path, error },
            FrameError::Magic { found, .. } => RecordError::Foreign { path, found },
            FrameError::Truncated { section: "magic", .. } => RecordError::Foreign { path, found: String::new() },
            error => RecordError::Header { path, reason: HeaderError::Frame(error) },
        }
    }
}

/// What is wrong with the head of a file.
#[derive(Debug, Error)]
pub enum HeaderError {
    /// The file ends within it.
    #[error("it is cut short")]
    Cut,
    /// Its checksum is that of other bytes.
    #[error("its checksum is wrong")]
    Checksum,
    /// It is no header.
    #[error(transparent)]
    Frame(FrameError),
}

/// What is wrong with a game's body, or with a block of games.
#[derive(Debug, Error)]
#[allow(missing_docs, reason = "each says it in its message")]
pub enum BodyError {
    #[error("its length is impossible")]
    Length,
    #[error("its length is wrong")]
    WrongLength,
    #[error("its checksum is wrong")]
    Checksum,
    #[error("it ends too early")]
    Short,
    #[error("unknown result code {0}")]
    Result(u8),
    #[error("unknown termination code {0}")]
    Termination(u8),
    #[error("{0:#06x} is not a move")]
    Move(u16),
    #[error("its start is not text")]
    StartText,
    #[error("its start is not a position: {0}")]
    Start(#[from] SfenError),
    #[error("{0}")]
    Illegal(#[from] GameError),
    #[error("there are fewer than {rank} legal moves in {sfen}")]
    Rank { rank: usize, sfen: String },
    #[error("{0} is not the code of a score")]
    Score(i8),
    #[error("it cannot be unpacked")]
    Packing,
    #[error("{games} games in a block, which has at most {most}")]
    Games { games: u16, most: u16 },
    #[error("it holds more than games")]
    Long,
}
