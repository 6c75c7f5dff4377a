//! Between scores and chances to win.

/// The chance to win at a score, in units of the score at which the odds are e to 1.
pub(in crate::train) fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

/// The score at which the chance to win is this: the inverse of [`sigmoid`].
pub(in crate::train) fn logit(chance: f32) -> f32 {
    (chance / (1.0 - chance)).ln()
}
