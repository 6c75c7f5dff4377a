//! What an analysis says about a whole game: what each move lost, where the game turned, what was missed.
//!
//! An engine gives its [`PositionAnalysis`] of every position; [`GameReport::new`] compares them with the moves played.

mod game_report;
mod judgement;
mod names;
pub mod page;
mod position_analysis;

pub use game_report::{Breach, GameReport, MissedDeclaration, MissedMate, SideReport, TurningPoint};
pub use judgement::{Judgement, LOSS_LIMIT, Mistake, Scale, win_rate};
pub use names::{GameNames, SideNames};
pub use position_analysis::{FoundMate, PositionAnalysis};

/// To four decimals, which is more than anybody needs.
pub(crate) fn rounded(number: f64) -> f64 {
    (number * 10_000.0).round() / 10_000.0
}
