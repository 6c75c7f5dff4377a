//! The network in training.

use std::sync::Arc;

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use rayon::prelude::*;

use super::factoriser::{Factoriser, SharedRows};
use super::shape::{Shape, Start};
use super::slab::{Chunk, Row, Slab};
use crate::train::common::adam::AdamStep;
use crate::train::common::error::TrainError;
use crate::train::data::sample::Sample;
use crate::train::{COLUMNS, SCORE_UNIT};

pub(super) const FIRST_BIAS: f32 = 0.1;
const FIRST_OUTPUT: f32 = 1.0;
/// How many samples a pass takes at once: their accumulators fit a core's cache.
pub(in crate::train) const CHUNK: usize = 1024;

/// A network's weights with all that training needs.
pub struct Model {
    pub(super) shape: Shape,
    pub(super) slabs: Vec<Slab>,
    /// Biases of the output; its weights are in the slabs.
    pub(super) biases: Vec<Bias>,
    /// The chunk that `forward` saw last, and the slabs' outputs for it.
    chunk: Chunk,
    outputs: Vec<Vec<f32>>,
}

/// A bias with what training keeps of it.
#[derive(Clone, Copy, Default)]
pub(super) struct Bias {
    pub(super) weight: f32,
    gradient: f32,
    moments: [f32; 2],
    average: f32,
}

impl Bias {
    pub(super) fn new(weight: f32) -> Bias {
        Bias { weight, ..Bias::default() }
    }

    fn step(&mut self, step: AdamStep) {
        let (mut weight, mut gradient, mut moments) =
            ([self.weight], [self.gradient], self.moments.map(|moment| [moment]));
        step.of_others().apply(&mut weight, &mut gradient, &mut moments);
        [self.weight] = weight;
        [self.gradient] = gradient;
        self.moments = [moments[0][0], moments[1][0]];
        step.average(std::slice::from_mut(&mut self.average), &weight);
    }

    fn state(&self) -> [f32; 4] {
        [self.weight, self.moments[0], self.moments[1], self.average]
    }
}

impl Model {
    /// A model of this shape with random weights.
    ///
    /// # Errors
    /// When the width cannot be had.
    pub fn new(shape: Shape, start: &Start) -> Result<Model, TrainError> {
        shape.check()?;
        let &Start { seed, rows } = start;
        let mut rng = StdRng::seed_from_u64(seed);
        let (width, factoriser) = (shape.width, shape.factoriser);
        let most = FIRST_OUTPUT / (width as f32).sqrt();
        let shared_rows = Arc::new(SharedRows::new(factoriser));
        let mut slab = |number: usize| {
            // The output begins alike for positions of all kinds.
            let outputs: Vec<f32> = (0..2 * COLUMNS).map(|_| rng.random_range(-most..most)).collect();
            let weight = |row: Row, column: usize| match row {
                Row::Bias => FIRST_BIAS,
                Row::Output(row) => outputs[row % 2 * COLUMNS + column],
                // Rows that share weights differ at first by those alone.
                Row::Feature(_) if factoriser != Factoriser::None => 0.0,
                Row::Feature(_) => rng.random_range(-rows..=rows),
            };
            let mut shared = StdRng::seed_from_u64(!seed ^ number as u64);
            Slab::new(shape.output_rows(), Arc::clone(&shared_rows), weight, || shared.random_range(-rows..=rows))
        };
        let slabs = (0..width / COLUMNS).map(&mut slab).collect();
        Ok(Model::from_parts(shape, slabs, vec![Bias::default(); shape.stacks.count()]))
    }

    pub(super) fn from_parts(shape: Shape, slabs: Vec<Slab>, biases: Vec<Bias>) -> Model {
        let outputs = vec![Vec::new(); slabs.len()];
        Model { shape, slabs, biases, chunk: Chunk::default(), outputs }
    }

    /// What it is made of.
    pub fn shape(&self) -> Shape {
        self.shape
    }
    /// The shape in words.
    pub(in crate::train) fn architecture(&self) -> String {
        format!("{:?}", self.shape)
    }

    /// Scores of samples for their sides to move, in the internal unit.
    pub fn scores(&mut self, samples: &[Sample]) -> Vec<f32> {
        let mut outputs = Vec::new();
        let mut scores = |samples: &[Sample]| {
            self.forward(samples, &mut outputs);
            outputs.iter().map(|output| output * SCORE_UNIT).collect::<Vec<_>>()
        };
        samples.chunks(CHUNK).flat_map(&mut scores).collect()
    }

    /// The outputs for samples, for their sides to move: scores as parts of `SCORE_UNIT`.
    pub(in crate::train) fn forward(&mut self, samples: &[Sample], outputs: &mut Vec<f32>) {
        let stacks = self.shape.stacks;
        self.chunk.fill(samples, |sample| sample.stack(stacks));
        let chunk = &self.chunk;
        let slabs = self.slabs.par_iter_mut().zip(&mut self.outputs);
        slabs.for_each(|(slab, outputs)| slab.forward(chunk, outputs));
        outputs.clear();
        outputs.extend(chunk.stacks.iter().enumerate().map(|(i, &stack)| {
            self.biases[usize::from(stack)].weight + self.outputs.iter().map(|outputs| outputs[i]).sum::<f32>()
        }));
    }

    /// Adds the gradients of the samples that `forward` saw last, given the loss's derivatives by the outputs.
    pub(in crate::train) fn backward(&mut self, derivatives: &[f32]) {
        let chunk = &self.chunk;
        self.slabs.par_iter_mut().for_each(|slab| slab.backward(chunk, derivatives));
        for (&stack, derivative) in chunk.stacks.iter().zip(derivatives) {
            self.biases[usize::from(stack)].gradient += derivative;
        }
    }

    /// Moves all weights by the gradients added up since the last step.
    pub(in crate::train) fn step(&mut self, step: AdamStep) {
        self.slabs.par_iter_mut().for_each(|slab| slab.step(step));
        self.biases.iter_mut().for_each(|bias| bias.step(step));
    }

    /// Exchanges the weights with their moving average.
    pub(in crate::train) fn swap_average(&mut self) {
        self.slabs.iter_mut().for_each(Slab::swap_average);
        self.biases.iter_mut().for_each(|bias| std::mem::swap(&mut bias.weight, &mut bias.average));
    }

    /// All numbers that training changes, for a checkpoint.
    pub(in crate::train) fn state(&self) -> impl Iterator<Item = f32> + '_ {
        self.slabs.iter().flat_map(Slab::state).chain(self.biases.iter().flat_map(Bias::state))
    }

    /// How many numbers [`Model::state`] has.
    pub(in crate::train) fn state_len(&self) -> usize {
        self.slabs.iter().map(Slab::state_len).sum::<usize>() + 4 * self.biases.len()
    }

    /// Takes over a state of that length.
    pub(in crate::train) fn restore(&mut self, state: &mut dyn Iterator<Item = f32>) {
        self.slabs.iter_mut().for_each(|slab| slab.restore(state));
        for bias in &mut self.biases {
            let mut next = || state.next().unwrap_or(0.0);
            *bias = Bias { weight: next(), gradient: 0.0, moments: [next(), next()], average: next() };
        }
    }
}

/// The model each of whose numbers is the mean of those of some models of one shape; `None` where there are none.
/// Networks trained from one, with other orders of the positions or other settings, have weights that can be averaged.
pub fn mean(mut models: Vec<Model>) -> Option<Model> {
    let count = models.len() as f32;
    let mut mean = models.pop()?;
    let mut totals: Vec<f32> = mean.state().collect();
    for model in models {
        totals.iter_mut().zip(model.state()).for_each(|(total, number)| *total += number);
    }
    mean.restore(&mut totals.into_iter().map(|total| total / count));
    Some(mean)
}

#[cfg(test)]
mod tests;
