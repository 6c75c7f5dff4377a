//! Steps, rows of weights, files and errors.

pub(super) mod adam;
pub(super) mod error;
pub(super) mod files;
pub(super) mod parameters;
pub(super) mod rows;
#[cfg(test)]
pub(super) mod test_samples;
