//! Arithmetic of rows of weights, accumulators and gradients.

/// Adds a row.
#[inline(always)]
pub(in crate::train) fn add<const N: usize>(to: &mut [f32; N], row: &[f32; N]) {
    for (number, weight) in to.iter_mut().zip(row) {
        *number += weight;
    }
}

/// Adds a row, each number times a factor.
#[inline(always)]
pub(in crate::train) fn add_scaled(to: &mut [f32], row: &[f32], factor: f32) {
    for (number, weight) in to.iter_mut().zip(row) {
        *number += factor * weight;
    }
}

/// Adds gradients to others and leaves zeros.
pub(in crate::train) fn drain<const N: usize>(to: &mut [[f32; N]], gradients: &mut [[f32; N]]) {
    for (to, gradients) in to.iter_mut().zip(gradients) {
        add(to, gradients);
        *gradients = [0.0; N];
    }
}

/// The derivative by a number, given that by the number clamped to 0..=1.
#[inline(always)]
pub(in crate::train) fn through_clamp(number: f32, derivative: f32) -> f32 {
    if number > 0.0 && number < 1.0 { derivative } else { 0.0 }
}

/// A weight as the integers of a file will have it, in which `q` stands for 1.
#[inline(always)]
pub(in crate::train) fn rounded(weight: f32, q: f32) -> f32 {
    (weight * q).round() / q
}
