//! The root: iterative deepening, and the lines it tells of.

mod iterative;
pub(crate) mod one_ply;
mod pv;
