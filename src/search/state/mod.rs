//! What a search knows while it runs: what its threads share, and what each has of its own.

pub(crate) mod answer;
mod lines;
pub(crate) mod mates;
pub(crate) mod node;
pub(crate) mod root_moves;
pub(crate) mod shared;
pub(crate) mod stack;
pub(crate) mod thread;
