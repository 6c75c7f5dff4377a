//! Rows of weights with what training keeps of each.

use super::adam::AdamStep;

/// Weights, gradients and Adam's moments of rows of `N` numbers.
pub(in crate::train) struct Parameters<const N: usize> {
    pub(in crate::train) weights: Vec<[f32; N]>,
    pub(in crate::train) gradients: Vec<[f32; N]>,
    moments: Vec<[[f32; N]; 2]>,
}

impl<const N: usize> Parameters<N> {
    /// As many rows with weights from a function.
    pub(in crate::train) fn new(rows: usize, mut weight: impl FnMut() -> f32) -> Parameters<N> {
        let mut parameters = Parameters::zeros(rows);
        parameters.weights.as_flattened_mut().fill_with(&mut weight);
        parameters
    }

    /// Rows of zeros; memory that is never written to is never used.
    pub(in crate::train) fn zeros(rows: usize) -> Parameters<N> {
        Parameters {
            weights: vec![[0.0; N]; rows],
            gradients: vec![[0.0; N]; rows],
            moments: vec![[[0.0; N]; 2]; rows],
        }
    }

    /// Moves one row against its gradient.
    #[inline]
    pub(in crate::train) fn step_row(&mut self, row: usize, step: AdamStep) {
        step.apply(&mut self.weights[row], &mut self.gradients[row], &mut self.moments[row]);
    }

    /// Moves all rows.
    pub(in crate::train) fn step(&mut self, step: AdamStep) {
        (0..self.weights.len()).for_each(|row| self.step_row(row, step));
    }

    /// Weights and moments.
    pub(in crate::train) fn state(&self) -> impl Iterator<Item = f32> + '_ {
        let moments = self.moments.as_flattened().as_flattened();
        self.weights.as_flattened().iter().chain(moments).copied()
    }

    /// How many numbers [`Parameters::state`] has.
    pub(in crate::train) fn state_len(&self) -> usize {
        3 * N * self.weights.len()
    }

    /// Takes over a state.
    pub(in crate::train) fn restore(&mut self, state: &mut dyn Iterator<Item = f32>) {
        let moments = self.moments.as_flattened_mut().as_flattened_mut();
        let places = self.weights.as_flattened_mut().iter_mut().chain(moments);
        // The places come first: what is taken from the state must not exceed them.
        places.zip(state).for_each(|(place, number)| *place = number);
    }
}
