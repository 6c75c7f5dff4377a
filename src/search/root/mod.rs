//! The root: iterative deepening, and the lines it tells of.

mod iterative;
mod pv;
