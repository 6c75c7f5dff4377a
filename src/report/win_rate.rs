//! From a score to the chance of winning.

use crate::types::Outcome;

/// Centipawns at which the odds of winning are e to one.
///
/// Fitted by maximum likelihood to the results of self-play games at 1,000 nodes a move: 958 on 268,000 positions of
/// 3,000 games of generation 4, 855 on 257,000 positions of 3,000 games of generation 5; between -20 and +20 pawns the
/// curve with 900 is within about 0.05 of the share of games won. In games of strong players, or after longer searches,
/// the same score wins more often.
pub const WIN_RATE_SCALE: f64 = 900.0;

/// The chance of the side to move to win, 0 to 1; a draw counts half. Decided games are 0 and 1.
pub fn win_rate(score: Outcome) -> f64 {
    match score {
        Outcome::Centipawns(centipawns) => 1.0 / (1.0 + (-f64::from(centipawns) / WIN_RATE_SCALE).exp()),
        Outcome::MateIn(_) | Outcome::WinIn(_) => 1.0,
        Outcome::MatedIn(_) | Outcome::LossIn(_) => 0.0,
    }
}
