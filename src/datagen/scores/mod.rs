//! Between scores and win probabilities, and TD(λ) ([`td_lambda`]).

pub mod td_lambda;

/// The score (90 is a pawn) at which the odds of winning are taken to be e to 1.
pub const SCORE_UNIT: f32 = 600.0;

/// The win probability at a score, in units of the score at which the odds are e to 1.
pub fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

/// The score with this win probability: the inverse of [`sigmoid`].
pub fn logit(probability: f32) -> f32 {
    (probability / (1.0 - probability)).ln()
}
