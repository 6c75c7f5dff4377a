//! Search: from a position and limits to a move.
//!
//! A [`Searcher`] owns its threads and their tables, is commanded through its [`Signals`] and reports its progress
//! to a [`SearchObserver`]. It reads no input and prints nothing.
//!
//! From the bottom up, each file using those before it: `limits`, `settings`, `signals`, `tt`, `report` and `time`
//! (what bounds and commands a search, and what it reports); `params`, `history`, `correction`, `ranked`, `quiets` and
//! `movepick` (the order of moves); `stack`, `root_moves` and `thread` (what a thread knows); `tree` (the recursive
//! search); `pv`, `root` and `root_mates` (iterative deepening); `watchdog` and `pool` (the threads).

mod correction;
mod history;
mod limits;
mod movepick;
mod params;
mod pool;
mod pv;
mod quiets;
mod ranked;
mod report;
mod root;
mod root_mates;
mod root_moves;
mod signals;
mod stack;
mod thread;
mod time;
mod tree;
mod tt;
mod watchdog;

pub use limits::{Clock, SearchLimits, SearchSettings, TimeSettings};
pub use params::{PARAMETERS, Parameter};
pub(crate) use pool::search_pool;
pub use pool::{STACK_SIZE, Searcher, SearcherError};
pub use report::{PvEnd, SearchInfo, SearchObserver, SearchResult, SilentObserver};
pub use signals::Signals;
pub use time::{CutDelay, longest_time, plan};
pub use tt::Bound;
