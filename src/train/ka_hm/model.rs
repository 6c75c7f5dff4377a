//! The network in training.

use std::fmt;
use std::sync::Arc;

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::factoriser::{Factoriser, SharedRows};
use super::slab::{BIAS, Chunk, OUTPUT, PAIRS, Slab};
use super::tail::{SHARE, Tail};
use crate::eval::nnue::{FeatureSet, LayerStacks};
use crate::train::common::adam::AdamStep;
use crate::train::common::error::TrainError;
use crate::train::common::trainable::Trainable;
use crate::train::data::sample::Sample;
use crate::train::{COLUMNS, SCORE_UNIT, check_width};

const FIRST_BIAS: f32 = 0.1;
/// Of a pairwise layer: products of smaller ones would hardly have gradients.
const FIRST_PAIR_BIAS: f32 = 0.4;
const FIRST_OUTPUT: f32 = 1.0;

/// What a model is made of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shape {
    /// Accumulators of a side.
    pub width: usize,
    /// What follows the first layer.
    pub head: HeadKind,
    /// How the layers after the first depend on the position.
    pub stacks: LayerStacks,
    /// What the rows of the first layer have in common in training.
    pub factoriser: Factoriser,
}

/// What follows the first layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
pub enum HeadKind {
    /// Squares of clamped accumulators, straight to the output.
    Screlu,
    /// Products of clamped accumulators, then layers of 15 + 1, 32 and 1 outputs.
    Pairwise,
}

impl Shape {
    /// Squares of this many accumulators a side, straight to one output; no shared rows.
    pub fn plain(width: usize) -> Shape {
        Shape { width, head: HeadKind::Screlu, stacks: LayerStacks::One, factoriser: Factoriser::None }
    }

    pub(super) fn check(&self) -> Result<(), TrainError> {
        check_width(self.width)?;
        // Each half of a pairwise layer makes whole lines of activations.
        let fits = self.head == HeadKind::Screlu || self.width.is_multiple_of(2 * COLUMNS);
        if fits { Ok(()) } else { Err(TrainError::BadPairWidth(self.width)) }
    }

    /// Where a column of a slab stands in the network.
    pub(super) fn place(&self, slab: usize, column: usize) -> usize {
        match self.head {
            HeadKind::Screlu => slab * COLUMNS + column,
            HeadKind::Pairwise => column / PAIRS * (self.width / 2) + slab * PAIRS + column % PAIRS,
        }
    }

    pub(super) fn output_rows(&self) -> usize {
        if self.head == HeadKind::Screlu { 2 * self.stacks.count() } else { 0 }
    }
}

/// `64 wide, Screlu, One`.
impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} wide, {:?}, {:?}", self.width, self.head, self.stacks)
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
    pub(super) shape: Shape,
    pub(super) slabs: Vec<Slab>,
    pub(super) top: Top,
    /// The chunk that `forward` saw last, and the slabs' outputs for it.
    chunk: Chunk,
    outputs: Vec<Vec<f32>>,
}

/// What follows the slabs.
pub(super) enum Top {
    /// Biases of the output; its weights are in the slabs.
    Screlu(Vec<Bias>),
    Pairwise(Box<Tail>),
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
        let bias = if shape.head == HeadKind::Screlu { FIRST_BIAS } else { FIRST_PAIR_BIAS };
        let shared_rows = Arc::new(SharedRows::new(factoriser));
        let mut slab = |number: usize| {
            // The output begins alike for positions of all kinds.
            let outputs: Vec<f32> = (0..2 * COLUMNS).map(|_| rng.random_range(-most..most)).collect();
            let weight = |row: usize, column: usize| match row {
                BIAS => bias,
                row if row >= OUTPUT => outputs[(row - OUTPUT) % 2 * COLUMNS + column],
                // Rows that share weights differ at first by those alone.
                _ if factoriser != Factoriser::None => 0.0,
                _ => rng.random_range(-rows..=rows),
            };
            let mut shared = StdRng::seed_from_u64(!seed ^ number as u64);
            Slab::new(shape.output_rows(), Arc::clone(&shared_rows), weight, || shared.random_range(-rows..=rows))
        };
        let slabs = (0..width / COLUMNS).map(&mut slab).collect();
        let top = match shape.head {
            HeadKind::Screlu => Top::Screlu(vec![Bias::default(); shape.stacks.count()]),
            HeadKind::Pairwise => Top::Pairwise(Box::new(Tail::new(width, shape.stacks.count(), &mut rng))),
        };
        Ok(Model::of(shape, slabs, top))
    }

    pub(super) fn of(shape: Shape, slabs: Vec<Slab>, top: Top) -> Model {
        let outputs = vec![Vec::new(); slabs.len()];
        Model { shape, slabs, top, chunk: Chunk::default(), outputs }
    }

    /// What it is made of.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// Scores of samples for the side to move, in the internal unit.
    pub fn scores(&mut self, samples: &[Sample]) -> Vec<f32> {
        let mut outputs = Vec::new();
        let mut scores = |samples: &[Sample]| {
            self.forward(samples, &mut outputs);
            outputs.iter().map(|output| output * SCORE_UNIT).collect::<Vec<_>>()
        };
        samples.chunks(Self::CHUNK).flat_map(&mut scores).collect()
    }
}

impl Trainable for Model {
    /// Accumulators of as many positions fit a core's cache.
    const CHUNK: usize = 1024;
    const FEATURES: FeatureSet = FeatureSet::KaHm;

    fn architecture(&self) -> String {
        format!("Ka_hm {:?}", self.shape)
    }

    fn forward(&mut self, samples: &[Sample], outputs: &mut Vec<f32>) {
        let stacks = self.shape.stacks;
        self.chunk.fill(samples, |sample| sample.stack(stacks));
        let chunk = &self.chunk;
        outputs.clear();
        match &mut self.top {
            Top::Screlu(biases) => {
                let slabs = self.slabs.par_iter_mut().zip(&mut self.outputs);
                slabs.for_each(|(slab, outputs)| slab.forward_screlu(chunk, outputs));
                outputs.extend(chunk.stacks.iter().enumerate().map(|(i, &stack)| {
                    biases[usize::from(stack)].weight + self.outputs.iter().map(|outputs| outputs[i]).sum::<f32>()
                }));
            }
            Top::Pairwise(tail) => {
                self.slabs.par_iter_mut().for_each(|slab| slab.forward_pairs(chunk));
                outputs.resize(samples.len(), 0.0);
                let (way, shares) = tail.ways(samples.len());
                let (slabs, stacks) = (&self.slabs, chunk.stacks.par_chunks(SHARE));
                let shares = shares.par_iter_mut().zip(stacks).zip(outputs.par_chunks_mut(SHARE)).enumerate();
                shares.for_each(|(number, ((share, stacks), outputs))| {
                    way.forward(slabs, number * SHARE, share, stacks, outputs);
                });
            }
        }
    }

    fn backward(&mut self, derivatives: &[f32]) {
        let chunk = &self.chunk;
        match &mut self.top {
            Top::Screlu(biases) => {
                self.slabs.par_iter_mut().for_each(|slab| slab.backward_screlu(chunk, derivatives));
                for (&stack, derivative) in chunk.stacks.iter().zip(derivatives) {
                    biases[usize::from(stack)].gradient += derivative;
                }
            }
            Top::Pairwise(tail) => {
                let (way, shares) = tail.ways(chunk.len());
                let parts = shares.par_iter_mut().zip(derivatives.par_chunks(SHARE));
                parts.for_each(|(share, derivatives)| way.backward(share, derivatives));
                let (slabs, shares) = (self.slabs.par_iter_mut().enumerate(), &*shares);
                slabs.for_each(|(number, slab)| slab.backward_pairs(number, chunk, shares));
            }
        }
    }

    fn step(&mut self, step: AdamStep) {
        self.slabs.par_iter_mut().for_each(|slab| slab.step(step));
        match &mut self.top {
            Top::Screlu(biases) => biases.iter_mut().for_each(|bias| bias.step(step)),
            Top::Pairwise(tail) => tail.step(step),
        }
    }

    fn swap_average(&mut self) {
        self.slabs.iter_mut().for_each(Slab::swap_average);
        match &mut self.top {
            Top::Screlu(biases) => {
                biases.iter_mut().for_each(|bias| std::mem::swap(&mut bias.weight, &mut bias.average));
            }
            Top::Pairwise(tail) => tail.swap_average(),
        }
    }

    fn state(&self) -> Box<dyn Iterator<Item = f32> + '_> {
        let slabs = self.slabs.iter().flat_map(Slab::state);
        match &self.top {
            Top::Screlu(biases) => Box::new(slabs.chain(biases.iter().flat_map(Bias::state))),
            Top::Pairwise(tail) => Box::new(slabs.chain(tail.state())),
        }
    }

    fn state_len(&self) -> usize {
        let top = match &self.top {
            Top::Screlu(biases) => 4 * biases.len(),
            Top::Pairwise(tail) => tail.state_len(),
        };
        self.slabs.iter().map(Slab::state_len).sum::<usize>() + top
    }

    fn restore(&mut self, state: &mut dyn Iterator<Item = f32>) {
        self.slabs.iter_mut().for_each(|slab| slab.restore(state));
        match &mut self.top {
            Top::Screlu(biases) => {
                for bias in biases {
                    let mut next = || state.next().unwrap_or(0.0);
                    *bias = Bias { weight: next(), gradient: 0.0, moments: [next(), next()], average: next() };
                }
            }
            Top::Pairwise(tail) => tail.restore(state),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::movegen::legal_moves;
    use crate::position::Position;
    use crate::train::data::sample::Features;
    use rand::seq::IndexedRandom;

    fn samples(count: usize) -> Vec<Sample> {
        let mut rng = StdRng::seed_from_u64(1);
        let mut samples = Vec::new();
        let mut position = Position::startpos();
        let features = Features::new(Model::FEATURES);
        while samples.len() < count {
            match legal_moves(&position).choose(&mut rng) {
                Some(&mv) if position.game_ply() < 120 => drop(position.do_move(mv)),
                _ => position = Position::startpos(),
            }
            samples.push(features.sample(&position, rng.random_range(-500..500), 1.0));
        }
        samples
    }

    fn shapes() -> [Shape; 4] {
        [
            Shape::plain(64),
            Shape { factoriser: Factoriser::Lines, stacks: LayerStacks::Hands, ..Shape::plain(128) },
            Shape { head: HeadKind::Pairwise, ..Shape::plain(128) },
            Shape { head: HeadKind::Pairwise, stacks: LayerStacks::KingThirds, ..Shape::plain(128) },
        ]
    }

    /// Rows large enough for the samples to differ.
    fn start(seed: u64) -> Start {
        Start { seed, rows: 0.1 }
    }

    /// Derivatives of the sum of all outputs by the weights of the first layer against finite differences.
    #[test]
    fn gradients_are_those_of_the_outputs() {
        for shape in shapes() {
            let mut model = Model::new(Shape { factoriser: Factoriser::None, ..shape }, &start(3)).unwrap();
            let samples = samples(400);
            let mut outputs = Vec::new();
            let mut total = |model: &mut Model| {
                model.forward(&samples, &mut outputs);
                outputs.iter().map(|&output| f64::from(output)).sum::<f64>()
            };
            total(&mut model);
            model.backward(&vec![1.0; samples.len()]);
            let mut compared = 0;
            let outputs = OUTPUT..OUTPUT + shape.output_rows();
            let rows = [0, 500, 567 + 5, 1134, 1172 + 8, 1700, BIAS].into_iter().chain(outputs);
            for (row, column) in rows.flat_map(|row| [0, 17, 63].map(|column| (row, column))) {
                let expected = f64::from(model.slabs[0].gradient(row, column));
                // Products are rounded: steps must be larger than that.
                let step = if shape.head == HeadKind::Pairwise { 2e-2 } else { 1e-3 };
                let weight = model.slabs[0].weights[row][column];
                model.slabs[0].set(row, column, weight + step);
                let above = total(&mut model);
                model.slabs[0].set(row, column, weight - step);
                let below = total(&mut model);
                model.slabs[0].set(row, column, weight);
                let found = (above - below) / (2.0 * f64::from(step));
                let wide = if shape.head == HeadKind::Pairwise { 0.1 } else { 0.02 };
                assert!(
                    (found - expected).abs() <= wide * expected.abs().max(1.0),
                    "{row} {column}: {found} {expected}"
                );
                compared += usize::from(expected.abs() > 0.5);
            }
            assert!(compared > 4, "{compared}");
        }
    }

    /// The same by the weights of the layers after a pairwise one.
    #[test]
    fn gradients_of_later_layers_are_those_of_the_outputs() {
        type Weight = fn(&mut Tail) -> (&mut f32, f32);
        let weights: [Weight; 8] = [
            |tail| (&mut tail.first.weights[3][1], tail.first.gradients[3][1]),
            |tail| (&mut tail.first.weights[77][14], tail.first.gradients[77][14]),
            |tail| (&mut tail.first.weights[100][15], tail.first.gradients[100][15]),
            |tail| (&mut tail.first_bias.weights[0][4], tail.first_bias.gradients[0][4]),
            |tail| (&mut tail.second.weights[2][30], tail.second.gradients[2][30]),
            |tail| (&mut tail.second.weights[20][7], tail.second.gradients[20][7]),
            |tail| (&mut tail.second_bias.weights[0][9], tail.second_bias.gradients[0][9]),
            |tail| (&mut tail.output.weights[0][11], tail.output.gradients[0][11]),
        ];
        let shape = Shape { head: HeadKind::Pairwise, ..Shape::plain(128) };
        let mut model = Model::new(shape, &start(3)).unwrap();
        let samples = samples(300);
        fn tail(model: &mut Model) -> &mut Tail {
            let Top::Pairwise(tail) = &mut model.top else { panic!() };
            tail
        }
        let total = |model: &mut Model| model.scores(&samples).iter().map(|&score| f64::from(score)).sum::<f64>();
        total(&mut model);
        model.backward(&vec![SCORE_UNIT; samples.len()]);
        tail(&mut model).collect();
        for (number, weight) in weights.into_iter().enumerate() {
            // Rounded weights move by whole steps.
            let step = 1.0 / 64.0;
            let expected = f64::from(weight(tail(&mut model)).1);
            let mut moved = |by: f32| {
                *weight(tail(&mut model)).0 += by;
                tail(&mut model).round();
                total(&mut model)
            };
            let above = moved(step);
            let below = moved(-2.0 * step);
            moved(step);
            let found = (above - below) / (2.0 * f64::from(step));
            assert!((found - expected).abs() <= 0.05 * expected.abs().max(50.0), "{number}: {found} {expected}");
        }
    }

    #[test]
    fn a_state_is_whole() {
        for shape in shapes() {
            let samples = samples(50);
            let mut model = Model::new(shape, &start(5)).unwrap();
            let step = |model: &mut Model, number| {
                model.scores(&samples);
                model.backward(&vec![0.1; samples.len()]);
                model.step(AdamStep::new(number, 1e-2, 0.1).averaging(0.5));
            };
            step(&mut model, 1);
            let state: Vec<f32> = model.state().collect();
            assert_eq!(state.len(), model.state_len());
            let mut other = Model::new(shape, &start(6)).unwrap();
            assert_ne!(other.scores(&samples), model.scores(&samples));
            other.restore(&mut state.into_iter());
            // As do the steps after it, and the average.
            for model in [&mut model, &mut other] {
                step(model, 2);
            }
            assert_eq!(other.scores(&samples), model.scores(&samples));
            let now = model.scores(&samples);
            model.swap_average();
            other.swap_average();
            assert_eq!(other.scores(&samples), model.scores(&samples));
            assert_ne!(model.scores(&samples), now);
        }
    }
}
