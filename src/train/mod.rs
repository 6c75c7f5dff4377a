//! Training networks from games, on all cores of an ordinary computer.
//!
//! [`Dataset`] keeps games in memory at five bytes a position; an epoch streams their positions in a random order
//! through a pool of fixed size. [`Trainer`] fits a [`Model`] to them with AdamW and notes the losses. Checkpoints let
//! a run that was stopped go on as if it had not been. Which rows a position switches on, and in which units a network
//! stands in its file, is decided by inference (`eval::nnue`).
//!
//! The first layer is sparse: of its thousands of rows a position uses forty for each side. It is cut into slabs
//! of columns, each with its weights, gradients and moments together; threads work on slabs of their own, so that
//! nothing is locked and no gradients are merged, and results do not depend on the number of threads.

mod dataset;
mod model;
mod output;
mod sample;
mod slab;
mod store;
mod trainer;

pub use dataset::{Dataset, GameFile, ShareError, Validation};
pub use model::{Model, Shape, Start, mean};
pub(crate) use output::{check_plain, write_losses, write_whole};
pub use sample::{Features, Sample};
pub use store::{Filters, GameStore};
pub use trainer::{Epoch, Losses, TrainSettings, Trainer};

use std::error::Error as StdError;
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::datagen::GameError;
use crate::eval::nnue::NnueError;

/// Columns of a slab. Eight vectors of both sides' accumulators stay in registers while rows are added.
const COLUMNS: usize = 64;

// What can go wrong in training.

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
    /// The network to start from cannot be trained.
    #[error(transparent)]
    Head(#[from] NnueError),
    /// What was asked for cannot be had: the width, the shape with the network to start from, or a batch of positions.
    #[error("{0}")]
    Impossible(String),
}

impl TrainError {
    /// What makes an error of a file at this path.
    pub(crate) fn naming<E: Into<Box<dyn StdError + Send + Sync>>>(path: &Path) -> impl Fn(E) -> TrainError + Copy {
        |error| TrainError::File { path: path.to_owned(), error: error.into() }
    }
}
