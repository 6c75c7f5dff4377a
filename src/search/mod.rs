//! Search: from a position and limits to a move.
//!
//! A [`Searcher`] owns its threads and their tables, is commanded through a [`SearchControl`] and reports its progress
//! to a [`SearchObserver`]. It reads no input and prints nothing.
//!
//! From the bottom up: `params` (the tunable parameters), `control` (limits, settings, time, reports), `tables` (the
//! transposition table and the histories), `ordering` (the move picker), `state` (what a thread knows), `tree` (the
//! recursive search), `root` (iterative deepening), `pool` (the threads). A folder uses those before it.

mod control;
mod ordering;
mod params;
mod pool;
mod root;
mod state;
mod tables;
mod tree;

pub use control::{
    Bound, Clock, CutDelay, PvEnd, SearchControl, SearchInfo, SearchLimits, SearchObserver, SearchResult,
    SearchSettings, SilentObserver, TimeSettings, longest_time, plan,
};
pub use params::{PARAMETERS, Parameter};
pub use pool::{LocalSearcher, STACK_SIZE, Searcher};
