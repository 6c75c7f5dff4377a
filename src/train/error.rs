//! What can go wrong in training.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

use crate::datagen::{GameError, RecordError};
use crate::eval::nnue::NnueError;
use crate::framing::FrameError;

/// Why a network cannot be trained.
#[derive(Debug, Error)]
pub enum TrainError {
    /// A file of games cannot be read.
    #[error("{path}: {error}", path = path.display())]
    Games {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        error: RecordError,
    },
    /// A game has an illegal move.
    #[error(transparent)]
    Game(#[from] GameError),
    /// The system says so.
    #[error("{path}: {error}", path = path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// Where a file is to be written stands a folder, a device or the like.
    #[error("{path} is not a regular file", path = path.display())]
    NotAFile {
        /// The path.
        path: PathBuf,
    },
    /// The network to start from cannot be read.
    #[error("{path}: {error}", path = path.display())]
    Network {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        error: NnueError,
    },
    /// A network of this width cannot be trained.
    #[error("a width of {0} is not a multiple of {slab} up to 2048", slab = crate::train::COLUMNS)]
    BadWidth(usize),
    /// The network to start from cannot be trained.
    #[error(transparent)]
    Head(NnueError),
    /// The network to start from has another shape.
    #[error("the network to start from has {found}: it cannot go on as one of {wanted}")]
    Shape {
        /// Its shape.
        found: String,
        /// The shape asked for.
        wanted: String,
    },
    /// A checkpoint cannot be used.
    #[error("checkpoint {path}: {reason}", path = path.display())]
    Checkpoint {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        reason: CheckpointError,
    },
    /// Too few positions passed the filters.
    #[error("{0} positions are left to train on, fewer than a batch of {1}")]
    TooFew(u64, usize),
    /// The picture of the curves cannot be drawn.
    #[error("cannot draw {path}: {error}", path = path.display())]
    Picture {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        error: Box<dyn std::error::Error + Send + Sync>,
    },
}

/// Why a checkpoint cannot be gone on from.
#[derive(Debug, Error)]
pub enum CheckpointError {
    /// It has more bytes than a checkpoint of these settings.
    #[error("it is too long for a run of these settings")]
    TooLong,
    /// It is damaged, or another kind of file.
    #[error(transparent)]
    Frame(#[from] FrameError),
    /// Its format has another version.
    #[error("version {0} of its format is not {version}, which this program reads", version = CheckpointError::VERSION)]
    Version(u32),
    /// It is of another run.
    #[error("it is of a run with other settings or data; remove it to begin anew")]
    OtherRun,
}

impl CheckpointError {
    /// The version of the format that is read.
    pub const VERSION: u32 = 2;
}
