//! A training run: settings, learning rate, epochs, checkpoints, curves.

mod checkpoint;
pub(super) mod curves;
pub(super) mod settings;
pub(super) mod trainer;
