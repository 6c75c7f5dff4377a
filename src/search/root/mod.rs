//! The root: iterative deepening, and the lines that it reports.

mod iterative;
mod mates;
pub(crate) mod one_ply;
mod pv;
mod stability;
