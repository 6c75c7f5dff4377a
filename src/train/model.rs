//! The network in training: what it is made of, what it begins with, and its passes.

use std::fmt;

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use rayon::prelude::*;

use super::sample::{SCORE_UNIT, Sample};
use super::slab::{AdamStep, Parameters, Slab, SlabRow};
use super::{COLUMNS, TrainError};
use crate::eval::nnue::{FEATURE_Q, FeatureSet, KuroHeader, KuroNetwork, LayerStacks, MAX_OUTPUT_WEIGHT, NnueError};

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
        let problem = || format!("a width of {} is not a multiple of {COLUMNS} up to 2048", self.width);
        if fits { Ok(()) } else { Err(TrainError::Impossible(problem())) }
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

// From a model's weights to a network's integers, and from a network to a model that goes on from it and may be
// larger.

/// Parts of an activation.
const ACTIVATION_Q: f32 = (FEATURE_Q * FEATURE_Q) as f32 / 256.0;
const LARGEST_OUTPUT: f32 = MAX_OUTPUT_WEIGHT as f32;
const OUTPUT_QS: [i32; 6] = [512, 1024, 2048, 4096, 8192, 16384];

impl Model {
    /// The network in integers, and how many weights did not fit theirs and were clipped.
    pub fn quantise(&self, name: &str) -> (KuroNetwork, usize) {
        let shape = self.shape;
        let mut clipped = 0;
        let mut words = |weights: &[f32], q: f32, most: f32| -> Vec<i16> {
            let rounded = weights.iter().map(|weight| (weight * q).round());
            let fits = |rounded: f32| {
                clipped += usize::from(rounded.abs() > most);
                rounded.clamp(-most, most) as i16
            };
            rounded.map(fits).collect()
        };
        let outputs: Vec<f32> = (0..shape.output_rows()).flat_map(|row| self.row(SlabRow::Output(row))).collect();
        let largest = outputs.iter().fold(0.0f32, |largest, weight| largest.max(weight.abs()));
        let fits = |q: &&i32| largest * **q as f32 <= LARGEST_OUTPUT;
        let output_q = OUTPUT_QS.iter().rev().find(fits).copied().unwrap_or(OUTPUT_QS[0]);
        let bias = |[bias]: &[f32; 1]| (bias * ACTIVATION_Q * output_q as f32).round() as i32;
        let (q, most) = (FEATURE_Q as f32, f32::from(i16::MAX));
        let network = KuroNetwork {
            output_biases: self.biases.weights.iter().map(bias).collect(),
            output_weights: words(&outputs, output_q as f32, LARGEST_OUTPUT),
            header: KuroHeader::new(name, shape.width, output_q, SCORE_UNIT as i32).with_stacks(shape.stacks),
            feature_biases: words(&self.row(SlabRow::Bias), q, most),
            feature_weights: (0..FeatureSet::KaHm.rows())
                .flat_map(|row| words(&self.row(SlabRow::Feature(row)), q, most))
                .collect(),
        };
        (network, clipped)
    }

    /// A row of all slabs.
    fn row(&self, row: SlabRow) -> Vec<f32> {
        self.slabs.iter().flat_map(|slab| slab.weights(row)).copied().collect()
    }

    /// A model of this shape that goes on from a network, which may be narrower or have one stack where the shape has
    /// several: it evaluates as the network does. The accumulators that are new have random rows and no weights in the
    /// output yet; the stacks are alike at first.
    ///
    /// # Errors
    /// When the shape cannot be had, or not from this network.
    pub fn grown(network: &KuroNetwork, shape: Shape, start: &Start) -> Result<Model, TrainError> {
        let found = Shape::from_network(network)?;
        shape.check()?;
        let grows = found.width <= shape.width && (found.stacks == shape.stacks || found.stacks == LayerStacks::One);
        if !grows {
            let problem = format!("the network to start from has {found}: it cannot go on as one of {shape}");
            return Err(TrainError::Impossible(problem));
        }
        let KuroNetwork { header, feature_biases, feature_weights, output_biases, output_weights } = network;
        // From the network's unit of scores, which may be another, to the trainer's.
        let output_unit = header.output_q as f32 / (header.scale as f32 / SCORE_UNIT);
        // Stacks that the network lacks are as those it has.
        let known = |row: SlabRow, place: usize| match row {
            SlabRow::Bias => f32::from(feature_biases[place]) / FEATURE_Q as f32,
            SlabRow::Feature(row) => f32::from(feature_weights[row * found.width + place]) / FEATURE_Q as f32,
            SlabRow::Output(row) => {
                f32::from(output_weights[row % found.output_rows() * found.width + place]) / output_unit
            }
        };
        let mut biases = output_biases.iter().cycle().map(|&bias| bias as f32 / (ACTIVATION_Q * output_unit));
        let mut rng = StdRng::seed_from_u64(start.seed);
        let slab = |slab: usize| {
            let weight = |row: SlabRow, column: usize| match (row, slab * COLUMNS + column) {
                (row, place) if place < found.width => known(row, place),
                (SlabRow::Bias, _) => FIRST_BIAS,
                (SlabRow::Output(_), _) => 0.0,
                (SlabRow::Feature(_), _) => rng.random_range(-start.rows..=start.rows),
            };
            Slab::new(shape.output_rows(), weight, || 0.0)
        };
        let slabs = (0..shape.width / COLUMNS).map(slab).collect();
        let biases = Parameters::new(shape.stacks.count(), || biases.next().unwrap_or(0.0));
        Ok(Model::from_parts(shape, slabs, biases))
    }
}

impl Shape {
    /// The shape of a network.
    ///
    /// # Errors
    /// When it is none that this program evaluates.
    pub fn from_network(network: &KuroNetwork) -> Result<Shape, NnueError> {
        Ok(Shape { width: network.header.width, stacks: network.header.architecture()?.head.stacks() })
    }
}

#[cfg(test)]
mod tests {
    use rand::seq::IndexedRandom;

    use crate::movegen::legal_moves;
    use crate::position::Position;
    use crate::train::sample::Features;

    use super::*;

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
