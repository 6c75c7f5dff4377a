//! Training networks from games, on all cores of an ordinary computer.
//!
//! `loader` makes `sample`s of games; [`Trainer`] fits a [`Trainable`] to them with AdamW (`adam`) and notes the
//! losses (`curves`): a `model` of our own or one of the public format (`halfkp`); `checkpoint`s let a run that was
//! stopped go on as if it had not been.
//!
//! The first layer is sparse: of its thousands of rows a position uses forty for each side. It is cut into slabs
//! of columns, each with its weights, gradients and moments together; threads work on slabs of their own, so that
//! nothing is locked and no gradients are merged, and results do not depend on the number of threads.

mod adam;
mod checkpoint;
mod curves;
mod error;
mod halfkp;
mod loader;
mod model;
mod sample;
mod slab;
mod trainable;
mod trainer;

pub use adam::AdamStep;
pub use curves::Curves;
pub use error::TrainError;
pub use halfkp::{HalfKpModel, HalfKpNetwork};
pub use loader::{Dataset, Filters, Source};
pub use model::{Model, Quantised};
pub use sample::{ROWS, Sample};
pub use trainable::Trainable;
pub use trainer::{Epoch, TrainSettings, Trainer};
