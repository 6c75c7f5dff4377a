//! Networks (NNUE): reading the public file formats and evaluating with them.
//!
//! A [`Network`] is read from a file's bytes and never changes; any number of [`NnueEvaluator`]s share
//! it, each following a line of its own. The sums of the first layer (accumulators) are kept per ply
//! and brought up to date from the moves only when an evaluation is asked for; where the own king has
//! moved, they start from the sums last seen with the king on that square.
//!
//! The layouts are described in `format` and `topology`; the arithmetic follows YaneuraOu's to the
//! last digit.

mod accumulator;
mod embedded;
mod error;
mod evaluator;
mod features;
mod format;
mod layers;
mod leb128;
mod network;
mod own;
pub(crate) mod pairwise;
mod reader;
mod simd;
mod topology;

pub(crate) use embedded::{file as embedded_file, network as embedded_network};
pub use error::{Leb128Problem, NnueError, NnueWarning};
pub use evaluator::NnueEvaluator;
#[cfg(feature = "train")]
pub(crate) use features::FeatureMap;
pub use features::FeatureSet;
#[cfg(feature = "train")]
pub(crate) use format::VERSION as FILE_VERSION;
pub use network::Network;
#[cfg(feature = "train")]
pub(crate) use own::{FEATURE_Q, MAX_OUTPUT_WEIGHT};
pub use own::{OwnHeader, OwnLayers, OwnNetwork};
pub use pairwise::PairwiseLayers;
pub use simd::{InstructionSet, InstructionSetError};
pub use topology::{Head, LayerStacks, Topology};
