//! Training networks from games, on all cores of an ordinary computer.
//!
//! [`Dataset`] keeps games in memory at four bytes a position; an epoch streams their positions in a random order
//! through a pool of fixed size (`data`). [`Trainer`] fits a [`Model`] (`ka_hm`) to them with AdamW and notes the
//! losses (`run`). Checkpoints let a run that was stopped go on as if it had not been. Which rows a position switches
//! on, and in which units a network stands in its file, is inference's to say (`eval::nnue`).
//!
//! The first layer is sparse: of its thousands of rows a position uses forty for each side. It is cut into slabs
//! of columns, each with its weights, gradients and moments together; threads work on slabs of their own, so that
//! nothing is locked and no gradients are merged, and results do not depend on the number of threads.

mod common;
mod data;
mod ka_hm;
mod run;

use crate::datagen::scores::SCORE_UNIT;

pub use common::adam::AdamStep;
pub use common::error::TrainError;
pub(crate) use common::files::{check_plain, write_whole};
pub use data::dataset::{Dataset, Source, Validation};
pub use data::filters::Filters;
pub use data::sample::{Features, Sample};
pub use data::store::GameStore;
pub use ka_hm::factoriser::Factoriser;
pub use ka_hm::model::{Model, mean};
pub use ka_hm::quantise::Quantised;
pub use ka_hm::shape::{Shape, Start};
pub use run::curves::Curves;
pub use run::settings::{Schedule, TrainSettings};
pub use run::trainer::{Epoch, Losses, Trainer};

/// Columns of a slab. Eight vectors of both sides' accumulators stay in registers while rows are added.
const COLUMNS: usize = 64;

fn check_width(width: usize) -> Result<(), TrainError> {
    let fits = width.is_multiple_of(COLUMNS) && (COLUMNS..=2048).contains(&width);
    if fits { Ok(()) } else { Err(TrainError::BadWidth(width)) }
}
