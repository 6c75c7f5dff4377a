//! Rows of weights, with what training keeps of each, and the steps that move them: AdamW (Kingma and Ba 2015;
//! Loshchilov and Hutter 2019).

const BETA1: f32 = 0.9;
const BETA2: f32 = 0.999;
const EPSILON: f32 = 1e-8;
/// First-layer weights are kept within this, so that no accumulator of a bias and forty rows leaves the 16 bits
/// that inference has for it (2047 stands for one).
pub(super) const LARGEST_FEATURE: f32 = 0.35;
/// Other weights are kept within this.
const LARGEST: f32 = 1.98;

/// One step of the optimiser: what it does to every weight.
#[derive(Clone, Copy, Debug)]
pub(super) struct AdamStep {
    rate: f32,
    decay: f32,
    largest: f32,
    /// Bias corrections of the moments, which begin at 0.
    first: f32,
    second: f32,
}

impl AdamStep {
    /// Step `number` (from 1) with this learning rate and weight decay.
    pub(super) fn new(number: u64, rate: f32, decay: f32) -> AdamStep {
        let number = number.min(1 << 20) as i32;
        let (first, second) = (1.0 / (1.0 - BETA1.powi(number)), 1.0 / (1.0 - BETA2.powi(number)));
        AdamStep { rate, decay, largest: LARGEST_FEATURE, first, second }
    }

    /// The same for biases and weights of the output: without weight decay, and with larger weights.
    pub(super) fn for_outputs(self) -> AdamStep {
        AdamStep { decay: 0.0, largest: LARGEST, ..self }
    }

    /// Moves weights against their gradients, which are then 0.
    #[inline]
    fn apply<const N: usize>(self, weights: &mut [f32; N], gradients: &mut [f32; N], moments: &mut [[f32; N]; 2]) {
        let [first, second] = moments;
        for i in 0..N {
            let gradient = std::mem::take(&mut gradients[i]);
            first[i] = BETA1 * first[i] + (1.0 - BETA1) * gradient;
            second[i] = BETA2 * second[i] + (1.0 - BETA2) * gradient * gradient;
            let step = first[i] * self.first / ((second[i] * self.second).sqrt() + EPSILON);
            weights[i] = (weights[i] - self.rate * (step + self.decay * weights[i])).clamp(-self.largest, self.largest);
        }
    }
}

/// Weights, gradients and Adam's moments of rows of `N` numbers.
pub(super) struct Parameters<const N: usize> {
    pub(super) weights: Vec<[f32; N]>,
    pub(super) gradients: Vec<[f32; N]>,
    moments: Vec<[[f32; N]; 2]>,
}

impl<const N: usize> Parameters<N> {
    /// `rows` rows with weights from a function.
    pub(super) fn new(rows: usize, mut weight: impl FnMut() -> f32) -> Parameters<N> {
        let mut parameters = Parameters::zeros(rows);
        parameters.weights.as_flattened_mut().fill_with(&mut weight);
        parameters
    }

    /// Rows of zeros; memory that is never written to is never used.
    pub(super) fn zeros(rows: usize) -> Parameters<N> {
        Parameters {
            weights: vec![[0.0; N]; rows],
            gradients: vec![[0.0; N]; rows],
            moments: vec![[[0.0; N]; 2]; rows],
        }
    }

    /// Moves one row against its gradient.
    #[inline]
    pub(super) fn step_row(&mut self, row: usize, step: AdamStep) {
        step.apply(&mut self.weights[row], &mut self.gradients[row], &mut self.moments[row]);
    }

    /// Moves all rows.
    pub(super) fn step(&mut self, step: AdamStep) {
        (0..self.weights.len()).for_each(|row| self.step_row(row, step));
    }

    /// Weights and moments.
    pub(super) fn state(&self) -> impl Iterator<Item = f32> + '_ {
        let moments = self.moments.as_flattened().as_flattened();
        self.weights.as_flattened().iter().chain(moments).copied()
    }

    /// Takes over a state.
    pub(super) fn restore(&mut self, state: &mut dyn Iterator<Item = f32>) {
        let moments = self.moments.as_flattened_mut().as_flattened_mut();
        let places = self.weights.as_flattened_mut().iter_mut().chain(moments);
        // The places come first: what is taken from the state must not exceed them.
        places.zip(state).for_each(|(place, number)| *place = number);
    }
}

/// Adds a row.
#[inline(always)]
pub(super) fn add<const N: usize>(to: &mut [f32; N], row: &[f32; N]) {
    for (number, weight) in to.iter_mut().zip(row) {
        *number += weight;
    }
}

/// The derivative by a number, given that by the number clamped to 0..=1.
#[inline(always)]
pub(super) fn through_clamp(number: f32, derivative: f32) -> f32 {
    if number > 0.0 && number < 1.0 { derivative } else { 0.0 }
}
