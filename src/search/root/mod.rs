//! The root: iterative deepening, and the lines it tells of.

mod iterative;
mod mates;
pub(crate) mod one_ply;
mod pv;
mod stability;
