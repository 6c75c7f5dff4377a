//! Between scores and win probabilities.

/// The win probability at a score, in units of the score at which the odds are e to 1.
pub(in crate::train) fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

/// The score with this win probability: the inverse of [`sigmoid`].
pub(in crate::train) fn logit(probability: f32) -> f32 {
    (probability / (1.0 - probability)).ln()
}
