//! From a score to the chance of winning.

use crate::types::Outcome;

/// The score in centipawns at which the odds of winning are e to 1.
///
/// Fitted by maximum likelihood to the results of self-play games at 5,000 to 6,000 nodes a move: 410 on 588,000
/// positions of 5,700 games of network 20, 415 on 566,000 positions of 5,400 games of network 19, 377 on 321,000
/// positions of network 18; with each one's own value the curve is within 0.02 of the share of games won everywhere.
/// Scores of searches of 20,000 nodes by network 19, of 11,300 positions of games with 60,000 nodes a move, give 346:
/// the deeper both look, the more often the same score wins. Networks with other scores have other scales.
pub const WIN_RATE_SCALE: f64 = 400.0;

/// The chance of the side to move to win, 0 to 1; a draw counts half. Decided games are 0 and 1.
pub fn win_rate(score: Outcome) -> f64 {
    match score {
        Outcome::Centipawns(centipawns) => 1.0 / (1.0 + (-f64::from(centipawns) / WIN_RATE_SCALE).exp()),
        Outcome::MateIn(_) | Outcome::WinIn(_) => 1.0,
        Outcome::MatedIn(_) | Outcome::LossIn(_) => 0.0,
    }
}
