//! A slab of columns of a network: all that its forward and backward pass need.

use super::factoriser::Factoriser;
use crate::train::COLUMNS;
use crate::train::common::adam::{AdamStep, LARGEST_FEATURE};
use crate::train::common::parameters::Parameters;
use crate::train::data::sample::{MEN, ROWS, Sample, Views};

/// Rows after those of the features: of missing men (always 0), biases, output weights of either side.
const ABSENT: usize = ROWS;
pub(super) const BIAS: usize = ROWS + 1;
pub(super) const OUTPUT: usize = ROWS + 2;
pub(super) const ALL_ROWS: usize = ROWS + 4;

pub(super) type Row = [f32; COLUMNS];

/// Weights, gradients and Adam's moments of 64 columns.
pub(super) struct Slab {
    /// What the network has: each row's own weights with the shared ones.
    pub(super) weights: Vec<Row>,
    /// Each row's own weights.
    own: Parameters<COLUMNS>,
    shared: Parameters<COLUMNS>,
    factoriser: Factoriser,
    /// The moving average of `weights`.
    averages: Vec<Row>,
    /// Both sides' accumulators of each sample of the present chunk.
    accumulators: Vec<[Row; 2]>,
}

/// A chunk's samples with what the rows of each are.
pub(super) struct Chunk {
    rows: Vec<[[u16; MEN]; 2]>,
}

impl Chunk {
    pub(super) fn new(views: &Views, samples: &[Sample]) -> Chunk {
        Chunk { rows: samples.iter().map(|sample| views.rows(sample)).collect() }
    }
}

impl Slab {
    /// A slab with weights from a function of row and column within the slab, and shared ones from another.
    pub(super) fn new(
        factoriser: Factoriser,
        mut weight: impl FnMut(usize, usize) -> f32,
        shared: impl FnMut() -> f32,
    ) -> Slab {
        let mut own = Parameters::zeros(ALL_ROWS);
        for (number, row) in own.weights.iter_mut().enumerate().filter(|(number, _)| *number != ABSENT) {
            for (column, place) in row.iter_mut().enumerate() {
                *place = weight(number, column);
            }
        }
        let mut slab = Slab {
            weights: vec![[0.0; COLUMNS]; ALL_ROWS],
            own,
            shared: Parameters::new(factoriser.shared_rows(), shared),
            factoriser,
            averages: vec![[0.0; COLUMNS]; ALL_ROWS],
            accumulators: Vec::new(),
        };
        slab.fold();
        slab
    }

    /// Brings the sums of own and shared weights up to date.
    fn fold(&mut self) {
        self.weights.copy_from_slice(&self.own.weights);
        if self.factoriser == Factoriser::None {
            return;
        }
        for (row, weights) in self.weights[..ROWS].iter_mut().enumerate() {
            for shared in self.factoriser.shared_of(row) {
                add(weights, &self.shared.weights[shared]);
            }
            *weights = weights.map(|weight| weight.clamp(-LARGEST_FEATURE, LARGEST_FEATURE));
        }
    }

    /// Adds this slab's share to the outputs of a chunk and remembers what the way back needs.
    pub(super) fn forward(&mut self, chunk: &Chunk, outputs: &mut Vec<f32>) {
        self.accumulators.clear();
        outputs.clear();
        for rows in &chunk.rows {
            let mut accumulators = [self.weights[BIAS]; 2];
            let [us, them] = &mut accumulators;
            for (&own, &other) in rows[0].iter().zip(&rows[1]) {
                add(us, &self.weights[usize::from(own)]);
                add(them, &self.weights[usize::from(other)]);
            }
            let mut output = [0.0; COLUMNS];
            for (side, accumulator) in accumulators.iter().enumerate() {
                let weights = &self.weights[OUTPUT + side];
                for i in 0..COLUMNS {
                    let clamped = accumulator[i].clamp(0.0, 1.0);
                    output[i] += clamped * clamped * weights[i];
                }
            }
            outputs.push(output.iter().sum());
            self.accumulators.push(accumulators);
        }
    }

    /// Adds a chunk's gradients, given the loss's derivatives by the outputs. Follows a `forward` of the chunk.
    pub(super) fn backward(&mut self, chunk: &Chunk, derivatives: &[f32]) {
        let outputs = [self.weights[OUTPUT], self.weights[OUTPUT + 1]];
        let gradients = &mut self.own.gradients;
        let mut output_gradients = [[0.0; COLUMNS]; 2];
        let mut bias_gradient = [0.0; COLUMNS];
        for ((rows, accumulators), &derivative) in chunk.rows.iter().zip(&self.accumulators).zip(derivatives) {
            let mut inner = [[0.0; COLUMNS]; 2];
            for side in 0..2 {
                for i in 0..COLUMNS {
                    let sum = accumulators[side][i];
                    let clamped = sum.clamp(0.0, 1.0);
                    output_gradients[side][i] += derivative * clamped * clamped;
                    let inside = sum > 0.0 && sum < 1.0;
                    inner[side][i] = if inside { derivative * outputs[side][i] * 2.0 * clamped } else { 0.0 };
                }
                add(&mut bias_gradient, &inner[side]);
            }
            for (&own, &other) in rows[0].iter().zip(&rows[1]) {
                add(&mut gradients[usize::from(own)], &inner[0]);
                add(&mut gradients[usize::from(other)], &inner[1]);
            }
        }
        add(&mut gradients[BIAS], &bias_gradient);
        add(&mut gradients[OUTPUT], &output_gradients[0]);
        add(&mut gradients[OUTPUT + 1], &output_gradients[1]);
    }

    /// Moves all weights by the gradients added up since the last step.
    pub(super) fn step(&mut self, step: AdamStep) {
        self.own.gradients[ABSENT] = [0.0; COLUMNS];
        for row in 0..ROWS {
            for shared in self.factoriser.shared_of(row) {
                add(&mut self.shared.gradients[shared], &self.own.gradients[row]);
            }
        }
        self.shared.step(step);
        for row in 0..ALL_ROWS {
            self.own.step_row(row, if row < ROWS { step } else { step.of_others() });
        }
        self.fold();
        step.average(self.averages.as_flattened_mut(), self.weights.as_flattened());
    }

    /// Exchanges the weights with their moving average.
    pub(super) fn swap_average(&mut self) {
        std::mem::swap(&mut self.weights, &mut self.averages);
    }

    /// What training changes, for a checkpoint.
    pub(super) fn state(&self) -> impl Iterator<Item = f32> + '_ {
        self.own.state().chain(self.shared.state()).chain(self.averages.as_flattened().iter().copied())
    }

    /// How many numbers [`Slab::state`] has.
    pub(super) fn state_len(&self) -> usize {
        self.own.state_len() + self.shared.state_len() + COLUMNS * ALL_ROWS
    }

    /// Takes over a state.
    pub(super) fn restore(&mut self, state: &mut dyn Iterator<Item = f32>) {
        self.own.restore(state);
        self.shared.restore(state);
        let averages = self.averages.as_flattened_mut().iter_mut();
        averages.zip(state).for_each(|(place, number)| *place = number);
        self.fold();
    }

    /// A weight of a row's own and its gradient, for tests.
    #[cfg(test)]
    pub(super) fn gradient(&self, row: usize, column: usize) -> f32 {
        self.own.gradients[row][column]
    }
}

#[inline(always)]
fn add(sums: &mut Row, row: &Row) {
    for (sum, weight) in sums.iter_mut().zip(row) {
        *sum += weight;
    }
}
