//! What a search is asked, how it is commanded, how long it may take, and what it tells.

mod limits;
mod report;
mod search_control;
mod settings;
mod time;

pub use limits::{Clock, SearchLimits};
pub use report::{Bound, PvEnd, SearchInfo, SearchObserver, SearchResult, SilentObserver};
pub(crate) use search_control::PonderHit;
pub use search_control::SearchControl;
pub use settings::{SearchSettings, TimeSettings};
pub(crate) use time::TimeManager;
pub use time::plan;
