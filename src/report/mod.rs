//! What an analysis says about a whole game: what each move lost, where the game turned, what was missed.
//!
//! An engine gives its [`PositionAnalysis`] of every position; [`GameReport::new`] compares them with the moves played.

mod game_report;
mod judgement;
pub mod page;

mod position_analysis;
mod turning_points;
mod win_rate;

pub use game_report::{Breach, GameReport, MissedDeclaration, MissedMate, SideReport};
pub use judgement::{Judgement, LOSS_LIMIT, Mistake};
pub use position_analysis::{FoundMate, PositionAnalysis};
pub use turning_points::TurningPoint;
pub use win_rate::{WIN_RATE_SCALE, win_rate};
