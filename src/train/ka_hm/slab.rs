//! A slab of columns of the first layer: all that its forward and backward pass need.

use std::sync::Arc;

use super::factoriser::SharedRows;
use crate::train::COLUMNS;
use crate::train::common::adam::{AdamStep, LARGEST_FEATURE};
use crate::train::common::parameters::Parameters;
use crate::train::common::rows::{add, through_clamp};
use crate::train::data::sample::{PIECES, Sample};

/// What a row of a slab holds. The rows of the features come first, then one for missing pieces, which stays 0, the
/// biases, and the output's weights.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Row {
    /// Weights of a feature.
    Feature(usize),
    /// Biases.
    Bias,
    /// Weights of the output: for each stack the side to move's, then the other side's.
    Output(usize),
}

/// Rows between those of the features and of the output.
const BETWEEN: usize = 2;

pub(super) type Columns = [f32; COLUMNS];

/// Weights, gradients and Adam's moments of 64 columns.
pub(super) struct Slab {
    /// What the network has: each row's own weights with the shared ones.
    weights: Vec<Columns>,
    /// Each row's own weights.
    own: Parameters<COLUMNS>,
    shared: Parameters<COLUMNS>,
    factoriser: Arc<SharedRows>,
    /// The moving average of `weights`.
    averages: Vec<Columns>,
    /// Both sides' accumulators of each sample of the present chunk.
    accumulators: Vec<[Columns; 2]>,
}

/// A chunk's samples with what the rows of each are.
#[derive(Default)]
pub(super) struct Chunk {
    rows: Vec<[[u16; PIECES]; 2]>,
    /// Which stack of layers each is for.
    pub(super) stacks: Vec<u8>,
}

impl Chunk {
    /// Takes these samples in place of others.
    pub(super) fn fill(&mut self, samples: &[Sample], stack: impl Fn(&Sample) -> u8) {
        self.rows.clear();
        self.rows.extend(samples.iter().map(|sample| sample.rows));
        self.stacks.clear();
        self.stacks.extend(samples.iter().map(stack));
    }
}

impl Slab {
    /// A slab with this many rows for outputs, with weights from a function of row and column within the slab, and
    /// shared ones from another.
    pub(super) fn new(
        outputs: usize,
        factoriser: Arc<SharedRows>,
        mut weight: impl FnMut(Row, usize) -> f32,
        shared: impl FnMut() -> f32,
    ) -> Slab {
        let features = factoriser.rows();
        let mut own = Parameters::zeros(features + BETWEEN + outputs);
        let rows = (0..features).map(Row::Feature).chain([Row::Bias]).chain((0..outputs).map(Row::Output));
        for row in rows {
            for (column, place) in own.weights[number(features, row)].iter_mut().enumerate() {
                *place = weight(row, column);
            }
        }
        let mut slab = Slab {
            weights: own.weights.clone(),
            averages: own.weights.clone(),
            own,
            shared: Parameters::new(factoriser.len(), shared),
            factoriser,
            accumulators: Vec::new(),
        };
        slab.fold();
        slab
    }

    /// Brings `weights` up to date: own and shared ones added.
    fn fold(&mut self) {
        self.weights.copy_from_slice(&self.own.weights);
        if self.factoriser.len() == 0 {
            return;
        }
        for (row, weights) in self.weights[..self.factoriser.rows()].iter_mut().enumerate() {
            for &shared in self.factoriser.of(row) {
                add(weights, &self.shared.weights[usize::from(shared)]);
            }
            *weights = weights.map(|weight| weight.clamp(-LARGEST_FEATURE, LARGEST_FEATURE));
        }
    }

    /// Computes the accumulators of a chunk.
    fn accumulate(&mut self, chunk: &Chunk) {
        self.accumulators.clear();
        let biases = *self.weights(Row::Bias);
        for rows in &chunk.rows {
            let mut accumulators = [biases; 2];
            let [us, them] = &mut accumulators;
            for (&own, &other) in rows[0].iter().zip(&rows[1]) {
                add(us, &self.weights[usize::from(own)]);
                add(them, &self.weights[usize::from(other)]);
            }
            self.accumulators.push(accumulators);
        }
    }

    /// Sets this slab's share of the outputs of a chunk, and keeps what the backward pass needs.
    pub(super) fn forward(&mut self, chunk: &Chunk, outputs: &mut Vec<f32>) {
        self.accumulate(chunk);
        outputs.clear();
        for (accumulators, &stack) in self.accumulators.iter().zip(&chunk.stacks) {
            let weights = &self.weights[self.number(Row::Output(2 * usize::from(stack)))..][..2];
            let mut output = [0.0; COLUMNS];
            for (accumulator, weights) in accumulators.iter().zip(weights) {
                for i in 0..COLUMNS {
                    let clamped = accumulator[i].clamp(0.0, 1.0);
                    output[i] += clamped * clamped * weights[i];
                }
            }
            outputs.push(output.iter().sum());
        }
    }

    /// Adds a chunk's gradients, given the loss's derivatives by the outputs. Follows a forward pass of the chunk.
    pub(super) fn backward(&mut self, chunk: &Chunk, derivatives: &[f32]) {
        let [bias, output] = [Row::Bias, Row::Output(0)].map(|row| self.number(row));
        let Slab { own: Parameters { gradients, .. }, weights, accumulators, .. } = self;
        let samples = chunk.rows.iter().zip(&chunk.stacks).zip(accumulators);
        for (((rows, &stack), accumulators), &derivative) in samples.zip(derivatives) {
            let mut inner = [[0.0; COLUMNS]; 2];
            for (side, (accumulator, inner)) in accumulators.iter().zip(&mut inner).enumerate() {
                let row = output + 2 * usize::from(stack) + side;
                let (weights, gradients) = (&weights[row], &mut gradients[row]);
                for i in 0..COLUMNS {
                    let clamped = accumulator[i].clamp(0.0, 1.0);
                    gradients[i] += derivative * clamped * clamped;
                    inner[i] = through_clamp(accumulator[i], derivative * weights[i] * 2.0 * clamped);
                }
            }
            scatter(gradients, bias, rows, &inner);
        }
    }

    /// Moves all weights by the gradients added up since the last step.
    pub(super) fn step(&mut self, step: AdamStep) {
        let features = self.factoriser.rows();
        self.own.gradients[features] = [0.0; COLUMNS]; // of missing pieces
        for row in 0..features {
            for &shared in self.factoriser.of(row) {
                add(&mut self.shared.gradients[usize::from(shared)], &self.own.gradients[row]);
            }
        }
        self.shared.step(step);
        for row in 0..self.weights.len() {
            self.own.step_row(row, if row < features { step } else { step.of_others() });
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
        self.own.state_len() + self.shared.state_len() + COLUMNS * self.weights.len()
    }

    /// Takes over a state.
    pub(super) fn restore(&mut self, state: &mut dyn Iterator<Item = f32>) {
        self.own.restore(state);
        self.shared.restore(state);
        let averages = self.averages.as_flattened_mut().iter_mut();
        averages.zip(state).for_each(|(place, number)| *place = number);
        self.fold();
    }

    /// Where a row is.
    fn number(&self, row: Row) -> usize {
        number(self.factoriser.rows(), row)
    }

    /// What the network has in a row.
    pub(super) fn weights(&self, row: Row) -> &Columns {
        &self.weights[self.number(row)]
    }

    /// A row's own weight, for tests.
    #[cfg(test)]
    pub(super) fn set(&mut self, row: Row, column: usize, weight: f32) {
        let row = self.number(row);
        self.own.weights[row][column] = weight;
        self.fold();
    }

    /// The gradient of a row's own weight, for tests.
    #[cfg(test)]
    pub(super) fn gradient(&self, row: Row, column: usize) -> f32 {
        self.own.gradients[self.number(row)][column]
    }
}

/// Where a row is in a slab with so many features.
fn number(features: usize, row: Row) -> usize {
    match row {
        Row::Feature(row) => row,
        Row::Bias => features + 1,
        Row::Output(row) => features + BETWEEN + row,
    }
}

/// Adds the derivatives by both sides' accumulators to the gradients of the rows that they are made of.
#[inline(always)]
fn scatter(gradients: &mut [Columns], bias: usize, rows: &[[u16; PIECES]; 2], inner: &[Columns; 2]) {
    for (&own, &other) in rows[0].iter().zip(&rows[1]) {
        add(&mut gradients[usize::from(own)], &inner[0]);
        add(&mut gradients[usize::from(other)], &inner[1]);
    }
    add(&mut gradients[bias], &inner[0]);
    add(&mut gradients[bias], &inner[1]);
}
