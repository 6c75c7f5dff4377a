//! Limits and settings of a search, the handle that commands it, its clock, and its reports.

mod budget;
mod limits;
mod report;
mod search_control;
mod settings;
mod time;

pub use budget::CutDelay;
pub use limits::{Clock, SearchLimits};
pub use report::{Bound, PvEnd, SearchInfo, SearchObserver, SearchResult, SilentObserver};
pub use search_control::SearchControl;
pub use settings::{SearchSettings, TimeSettings};
pub(crate) use time::{IterationResult, TimeManager};
pub use time::{longest_time, plan};
