//! Networks (NNUE): reading the public file formats and Kurosabi's own, and evaluating with them.
//!
//! A [`Network`] is read from a file's bytes and never changes; any number of [`NnueEvaluator`]s share it, each
//! following a game line of its own. The accumulators (outputs of the first layer) are kept per ply, and updated from
//! the moves only when an evaluation is asked for; where the own king has moved, they start from those last seen with
//! the king on that square.
//!
//! The layouts are described in `files`; the arithmetic of the public formats follows YaneuraOu's to the
//! last digit.

mod accumulator;
mod embedded;
mod evaluator;
mod features;
mod files;
mod network;
mod simd;

pub use crate::memory::OutOfMemory;
pub(crate) use embedded::{file as embedded_file, network as embedded_network};
pub use evaluator::NnueEvaluator;
pub use features::FeatureSet;
pub use files::{KuroHeader, KuroNetwork, NnueError};
pub use network::{Architecture, LayerStacks, Network, NetworkHead, NnueWarning};
pub use simd::{InstructionSet, InstructionSetError};

#[cfg(feature = "web")]
pub(crate) use embedded::set_file as set_embedded_file;
#[cfg(feature = "train")]
pub(crate) use features::FeatureMap;
#[cfg(feature = "train")]
pub(crate) use files::{FEATURE_Q, MAX_OUTPUT_WEIGHT};
