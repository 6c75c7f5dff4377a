//! Training positions, and where they come from.

pub(super) mod dataset;
pub(super) mod filters;
pub(super) mod sample;
pub(super) mod store;
pub(super) mod stream;
