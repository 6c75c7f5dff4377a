//! What can go wrong in training.

use std::error::Error as StdError;
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::datagen::GameError;
use crate::eval::nnue::NnueError;

/// Why a network cannot be trained.
#[derive(Debug, Error)]
pub enum TrainError {
    /// A file cannot be read, written or used.
    #[error("{}: {error}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        error: Box<dyn StdError + Send + Sync>,
    },
    /// A game has an illegal move.
    #[error(transparent)]
    Game(#[from] GameError),
    /// A network of this width cannot be trained.
    #[error("a width of {0} is not a multiple of {slab} up to 2048", slab = crate::train::COLUMNS)]
    BadWidth(usize),
    /// The network to start from cannot be trained.
    #[error(transparent)]
    Head(#[from] NnueError),
    /// The network to start from has another shape.
    #[error("the network to start from has {found}: it cannot go on as one of {wanted}")]
    Shape {
        /// Its shape.
        found: String,
        /// The shape asked for.
        wanted: String,
    },
    /// Too few positions passed the filters.
    #[error("{0} positions are left to train on, fewer than a batch of {1}")]
    TooFew(u64, usize),
}

impl TrainError {
    /// What makes an error of a file at this path.
    pub(crate) fn naming<E: Into<Box<dyn StdError + Send + Sync>>>(path: &Path) -> impl Fn(E) -> TrainError + Copy {
        |error| TrainError::File { path: path.to_owned(), error: error.into() }
    }
}
