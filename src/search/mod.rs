//! Search: from a position and limits to a move.
//!
//! A [`Searcher`] owns its threads and their tables, is commanded through a [`SearchControl`] and
//! tells its progress to a [`SearchObserver`]. It reads no input and prints nothing.

mod alphabeta;
mod control;
mod correction;
mod history;
mod iterative;
mod limits;
mod local;
mod movepick;
mod params;
mod pool;
mod pruning;
mod quiescence;
mod reductions;
mod report;
mod settings;
mod thread;
mod time;
mod tt;

pub use control::SearchControl;
pub use limits::{Clock, SearchLimits};
pub use local::LocalSearcher;
pub use pool::{STACK_SIZE, Searcher};
pub use report::{Bound, SearchInfo, SearchObserver, SearchResult, SilentObserver};
pub use settings::{SearchSettings, TimeSettings};
