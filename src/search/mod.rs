//! Search: from a position and limits to a move.
//!
//! A [`Searcher`] owns its threads and their tables, is commanded through a [`SearchControl`] and
//! tells its progress to a [`SearchObserver`]. It reads no input and prints nothing.

mod alphabeta;
mod control;
mod correction;
mod history;
mod history_table;
mod iterative;
mod learning;
mod limits;
mod local;
mod move_loop;
mod move_pruning;
mod movepick;
mod node;
mod node_pruning;
mod nonpromotions;
mod params;
mod pool;
mod pv;
mod quiescence;
mod quiet_moves;
mod ranked_moves;
mod reductions;
mod report;
mod root_moves;
mod settings;
mod singular;
mod terminal;
mod thread;
mod time;
mod tt;
mod tuning;

pub use control::SearchControl;
pub use limits::{Clock, SearchLimits};
pub use local::LocalSearcher;
pub use params::PARAMETERS;
pub use pool::{STACK_SIZE, Searcher};
pub use report::{Bound, PvEnd, SearchInfo, SearchObserver, SearchResult, SilentObserver};
pub use settings::{SearchSettings, TimeSettings};
pub use time::plan;
pub use tuning::Parameter;
