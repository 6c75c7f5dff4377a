//! The network in training: what it is made of, what it begins with, and its passes.

use std::fmt;

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use rayon::prelude::*;

use super::COLUMNS;
use super::error::TrainError;
use super::optimiser::{AdamStep, Parameters};
use super::sample::Sample;
use super::scores::SCORE_UNIT;
use super::slab::{Slab, SlabRow};
use crate::eval::nnue::LayerStacks;

pub(super) const FIRST_BIAS: f32 = 0.1;
const FIRST_OUTPUT: f32 = 1.0;
/// How many samples a pass takes at once: their accumulators fit a core's cache.
pub(super) const CHUNK: usize = 1024;

/// What a model is made of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shape {
    /// Accumulators of a side.
    pub width: usize,
    /// How the output's weights depend on the position.
    pub stacks: LayerStacks,
}

impl Shape {
    /// Squares of this many accumulators a side, straight to one output.
    pub fn plain(width: usize) -> Shape {
        Shape { width, stacks: LayerStacks::One }
    }

    pub(super) fn check(&self) -> Result<(), TrainError> {
        let fits = self.width.is_multiple_of(COLUMNS) && (COLUMNS..=2048).contains(&self.width);
        if fits { Ok(()) } else { Err(TrainError::BadWidth(self.width)) }
    }

    pub(super) fn output_rows(&self) -> usize {
        2 * self.stacks.count()
    }
}

/// `width 64, stacks one`: in the words of the options.
impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "width {}, stacks {}", self.width, self.stacks.name())
    }
}

/// What a model begins with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Start {
    /// The random weights follow from it.
    pub seed: u64,
    /// Weights of rows lie within this; a position has 40 rows of them.
    pub rows: f32,
}

impl Default for Start {
    fn default() -> Start {
        Start { seed: 1, rows: 0.02 }
    }
}

/// A network's weights with all that training needs.
pub struct Model {
    /// What it is made of.
    pub shape: Shape,
    pub(super) slabs: Vec<Slab>,
    /// Biases of the output; its weights are in the slabs.
    pub(super) biases: Parameters<1>,
    /// The slabs' outputs for the samples that `forward` saw last.
    outputs: Vec<Vec<f32>>,
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
        let most = FIRST_OUTPUT / (shape.width as f32).sqrt();
        let mut slab = |number: usize| {
            // The output begins alike for positions of all kinds.
            let outputs: Vec<f32> = (0..2 * COLUMNS).map(|_| rng.random_range(-most..most)).collect();
            let weight = |row: SlabRow, column: usize| match row {
                SlabRow::Bias => FIRST_BIAS,
                SlabRow::Output(row) => outputs[row % 2 * COLUMNS + column],
                // Rows differ at first by the weights that they share with others.
                SlabRow::Feature(_) => 0.0,
            };
            let mut shared = StdRng::seed_from_u64(!seed ^ number as u64);
            Slab::new(shape.output_rows(), weight, || shared.random_range(-rows..=rows))
        };
        let slabs = (0..shape.width / COLUMNS).map(&mut slab).collect();
        Ok(Model::from_parts(shape, slabs, Parameters::zeros(shape.stacks.count())))
    }

    pub(super) fn from_parts(shape: Shape, slabs: Vec<Slab>, biases: Parameters<1>) -> Model {
        let outputs = vec![Vec::new(); slabs.len()];
        Model { shape, slabs, biases, outputs }
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
    pub(super) fn forward(&mut self, samples: &[Sample], outputs: &mut Vec<f32>) {
        let stacks = self.shape.stacks;
        let slabs = self.slabs.par_iter_mut().zip(&mut self.outputs);
        slabs.for_each(|(slab, outputs)| slab.forward(samples, stacks, outputs));
        outputs.clear();
        outputs.extend(samples.iter().enumerate().map(|(i, sample)| {
            self.biases.weights[sample.stack(stacks)][0] + self.outputs.iter().map(|outputs| outputs[i]).sum::<f32>()
        }));
    }

    /// Adds the gradients of the samples that `forward` saw last, given the loss's derivatives by the outputs.
    pub(super) fn backward(&mut self, samples: &[Sample], derivatives: &[f32]) {
        let stacks = self.shape.stacks;
        self.slabs.par_iter_mut().for_each(|slab| slab.backward(samples, stacks, derivatives));
        for (sample, derivative) in samples.iter().zip(derivatives) {
            self.biases.gradients[sample.stack(stacks)][0] += derivative;
        }
    }

    /// Moves all weights by the gradients added up since the last step.
    pub(super) fn step(&mut self, step: AdamStep) {
        self.slabs.par_iter_mut().for_each(|slab| slab.step(step));
        self.biases.step(step.for_outputs());
    }

    /// All numbers that training changes, for a checkpoint.
    pub(super) fn state(&self) -> impl Iterator<Item = f32> + '_ {
        self.slabs.iter().flat_map(Slab::state).chain(self.biases.state())
    }

    /// Takes over a state of that length.
    pub(super) fn restore(&mut self, state: &mut dyn Iterator<Item = f32>) {
        self.slabs.iter_mut().for_each(|slab| slab.restore(state));
        self.biases.restore(state);
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
mod tests {
    use rand::seq::IndexedRandom;

    use super::*;
    use crate::movegen::legal_moves;
    use crate::position::Position;
    use crate::train::sample::Features;

    /// The first `count` samples of random games, which are always the same.
    fn samples(count: usize) -> Vec<Sample> {
        let mut rng = StdRng::seed_from_u64(1);
        let mut samples = Vec::new();
        let mut position = Position::startpos();
        let features = Features::new();
        while samples.len() < count {
            match legal_moves(&position).choose(&mut rng) {
                Some(&mv) if position.game_ply() < 120 => drop(position.do_move(mv)),
                _ => position = Position::startpos(),
            }
            samples.push(features.sample(&position, rng.random_range(-500..500), 1.0));
        }
        samples
    }

    fn shapes() -> [Shape; 2] {
        [Shape::plain(64), Shape { stacks: LayerStacks::KingThirds, width: 128 }]
    }

    /// Rows large enough for the samples to differ.
    fn start(seed: u64) -> Start {
        Start { seed, rows: 0.1 }
    }

    /// Derivatives of the sum of all outputs by the weights of the first layer against finite differences.
    #[test]
    fn gradients_agree_with_finite_differences_of_the_outputs() {
        for shape in shapes() {
            let network = Model::new(shape, &start(3)).unwrap().quantise("").0;
            // Its shared rows are 0: the own weights are the network's.
            let mut model = Model::grown(&network, shape, &start(3)).unwrap();
            let samples = samples(400);
            let mut outputs = Vec::new();
            let mut total = |model: &mut Model| {
                model.forward(&samples, &mut outputs);
                outputs.iter().map(|&output| f64::from(output)).sum::<f64>()
            };
            total(&mut model);
            model.backward(&samples, &vec![1.0; samples.len()]);
            let mut compared = 0;
            let features = [0, 500, 567 + 5, 1134, 1172 + 8, 1700].map(SlabRow::Feature);
            let outputs = (0..shape.output_rows()).map(SlabRow::Output);
            let rows = features.into_iter().chain([SlabRow::Bias]).chain(outputs);
            for (row, column) in rows.flat_map(|row| [0, 17, 63].map(|column| (row, column))) {
                let expected = f64::from(model.slabs[0].gradient(row, column));
                let step = 1e-3;
                let weight = model.slabs[0].weights(row)[column];
                model.slabs[0].set(row, column, weight + step);
                let above = total(&mut model);
                model.slabs[0].set(row, column, weight - step);
                let below = total(&mut model);
                model.slabs[0].set(row, column, weight);
                let found = (above - below) / (2.0 * f64::from(step));
                assert!(
                    (found - expected).abs() <= 0.02 * expected.abs().max(1.0),
                    "{row:?} {column}: {found} {expected}"
                );
                compared += usize::from(expected.abs() > 0.5);
            }
            assert!(compared > 4, "{compared}");
        }
    }

    #[test]
    fn a_restored_state_gives_the_same_scores_and_steps() {
        for shape in shapes() {
            let samples = samples(50);
            let mut model = Model::new(shape, &start(5)).unwrap();
            let step = |model: &mut Model, number| {
                model.scores(&samples);
                model.backward(&samples, &vec![0.1; samples.len()]);
                model.step(AdamStep::new(number, 1e-2, 0.1));
            };
            step(&mut model, 1);
            let state: Vec<f32> = model.state().collect();
            let mut other = Model::new(shape, &start(6)).unwrap();
            assert_ne!(other.scores(&samples), model.scores(&samples));
            other.restore(&mut state.into_iter());
            // The steps after it agree as well.
            for model in [&mut model, &mut other] {
                step(model, 2);
            }
            assert_eq!(other.scores(&samples), model.scores(&samples));
        }
    }
}
