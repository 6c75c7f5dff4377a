//! Arithmetic of rows of weights, accumulators and gradients.

/// Adds a row.
#[inline(always)]
pub(in crate::train) fn add<const N: usize>(to: &mut [f32; N], row: &[f32; N]) {
    for (number, weight) in to.iter_mut().zip(row) {
        *number += weight;
    }
}

/// The derivative by a number, given that by the number clamped to 0..=1.
#[inline(always)]
pub(in crate::train) fn through_clamp(number: f32, derivative: f32) -> f32 {
    if number > 0.0 && number < 1.0 { derivative } else { 0.0 }
}
