//! The network in training: `Ka_hm` rows, squares of clamped sums, one output.

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use rayon::prelude::*;

use super::factoriser::Factoriser;
use super::slab::{BIAS, Chunk, OUTPUT, Slab};
use crate::eval::nnue::{FEATURE_Q as FILE_FEATURE_Q, MAX_OUTPUT_WEIGHT, OwnHeader, OwnNetwork};
use crate::train::common::adam::AdamStep;
use crate::train::common::error::TrainError;
use crate::train::common::trainable::Trainable;
use crate::train::data::sample::{ROWS, Sample, Views};
use crate::train::{COLUMNS, SCORE_UNIT, check_width};

/// One in the units of a network file.
const FEATURE_Q: f32 = FILE_FEATURE_Q as f32;
/// Parts of an activation.
const ACTIVATION_Q: f32 = FEATURE_Q * FEATURE_Q / 256.0;
const LARGEST_OUTPUT: f32 = MAX_OUTPUT_WEIGHT as f32;
const OUTPUT_QS: [i32; 6] = [512, 1024, 2048, 4096, 8192, 16384];
const FIRST_BIAS: f32 = 0.1;
const FIRST_OUTPUT: f32 = 1.0;

/// What a model begins with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Start {
    /// The random weights follow from it.
    pub seed: u64,
    /// Weights of rows lie within this; a position has 40 rows of them.
    pub rows: f32,
    /// What the rows have in common.
    pub factoriser: Factoriser,
}

impl Default for Start {
    fn default() -> Start {
        Start { seed: 1, rows: 0.02, factoriser: Factoriser::None }
    }
}

/// A network's weights with all that training needs.
pub struct Model {
    views: Views,
    factoriser: Factoriser,
    pub(super) slabs: Vec<Slab>,
    /// Bias of the output, its gradient, moments and moving average.
    pub(super) bias: [f32; 5],
    /// The chunk that `forward` saw last, and the slabs' outputs for it.
    chunk: Chunk,
    outputs: Vec<Vec<f32>>,
}

/// A network in integers, and what was lost on the way.
#[derive(Clone, Debug)]
pub struct Quantised {
    /// The network.
    pub network: OwnNetwork,
    /// Weights that did not fit their integers and were cut.
    pub cut: usize,
}

impl Model {
    /// A model of this width with random weights.
    ///
    /// # Errors
    /// When the width cannot be had.
    pub fn new(width: usize, start: &Start) -> Result<Model, TrainError> {
        check_width(width)?;
        let &Start { seed, rows, factoriser } = start;
        let mut rng = StdRng::seed_from_u64(seed);
        let output = FIRST_OUTPUT / (width as f32).sqrt();
        let slab = |number: usize| {
            let weight = |row: usize, _| match row {
                BIAS => FIRST_BIAS,
                row if row >= OUTPUT => rng.random_range(-output..output),
                // Rows that share weights differ at first by those alone.
                _ if factoriser != Factoriser::None => 0.0,
                _ => rng.random_range(-rows..=rows),
            };
            let mut shared = StdRng::seed_from_u64(!seed ^ number as u64);
            Slab::new(factoriser, weight, || shared.random_range(-rows..=rows))
        };
        Ok(Model::of(factoriser, (0..width / COLUMNS).map(slab).collect(), 0.0))
    }

    /// A model that goes on from a network.
    ///
    /// # Errors
    /// When its width cannot be had.
    pub fn from_network(network: &OwnNetwork, factoriser: Factoriser) -> Result<Model, TrainError> {
        let width = network.header.width;
        check_width(width)?;
        let output_q = network.header.output_q as f32;
        // A network's own unit may be another.
        let scale = network.header.scale as f32 / SCORE_UNIT;
        let slab = |slab: usize| {
            let weight = |row, column| {
                let column = slab * COLUMNS + column;
                match row {
                    BIAS => f32::from(network.feature_biases[column]) / FEATURE_Q,
                    row if row >= OUTPUT => {
                        f32::from(network.output_weights[(row - OUTPUT) * width + column]) / output_q * scale
                    }
                    row => f32::from(network.feature_weights[row * width + column]) / FEATURE_Q,
                }
            };
            Slab::new(factoriser, weight, || 0.0)
        };
        let slabs = (0..width / COLUMNS).map(slab).collect();
        let bias = network.output_bias as f32 / (ACTIVATION_Q * output_q);
        Ok(Model::of(factoriser, slabs, bias * scale))
    }

    fn of(factoriser: Factoriser, slabs: Vec<Slab>, bias: f32) -> Model {
        let views = Views::new();
        let chunk = Chunk::new(&views, &[]);
        Model {
            views,
            factoriser,
            chunk,
            outputs: vec![Vec::new(); slabs.len()],
            slabs,
            bias: [bias, 0.0, 0.0, 0.0, 0.0],
        }
    }

    /// Sums a side has.
    pub fn width(&self) -> usize {
        self.slabs.len() * COLUMNS
    }

    /// Scores of samples for the side to move, in the internal unit.
    pub fn scores(&mut self, samples: &[Sample]) -> Vec<f32> {
        let mut outputs = Vec::new();
        self.forward(samples, &mut outputs);
        outputs.iter().map(|output| output * SCORE_UNIT).collect()
    }

    /// The network in integers.
    pub fn quantise(&self, name: &str) -> Quantised {
        let width = self.width();
        let row = |row: usize| self.slabs.iter().flat_map(move |slab| slab.weights[row]);
        let outputs: Vec<f32> = row(OUTPUT).chain(row(OUTPUT + 1)).collect();
        let largest = outputs.iter().fold(0.0f32, |largest, weight| largest.max(weight.abs()));
        let fits = |q: &&i32| largest * **q as f32 <= LARGEST_OUTPUT;
        let output_q = OUTPUT_QS.iter().rev().find(fits).copied().unwrap_or(OUTPUT_QS[0]);
        let mut cut = 0;
        let mut integer = |weight: f32, q: f32, most: f32| {
            let rounded = (weight * q).round();
            cut += usize::from(rounded.abs() > most);
            rounded.clamp(-most, most) as i16
        };
        let most = f32::from(i16::MAX);
        let network = OwnNetwork {
            header: OwnHeader::new(name, width, output_q, SCORE_UNIT as i32),
            feature_biases: row(BIAS).map(|weight| integer(weight, FEATURE_Q, most)).collect(),
            feature_weights: (0..ROWS).flat_map(row).map(|weight| integer(weight, FEATURE_Q, most)).collect(),
            output_bias: (self.bias[0] * ACTIVATION_Q * output_q as f32).round() as i32,
            output_weights: outputs.iter().map(|&weight| integer(weight, output_q as f32, LARGEST_OUTPUT)).collect(),
        };
        Quantised { network, cut }
    }
}

impl Trainable for Model {
    /// Sums of as many positions fit a core's cache.
    const CHUNK: usize = 1024;

    fn architecture(&self) -> String {
        format!("Ka_hm {}x2 {:?}", self.width(), self.factoriser)
    }

    fn forward(&mut self, samples: &[Sample], outputs: &mut Vec<f32>) {
        self.chunk = Chunk::new(&self.views, samples);
        let chunk = &self.chunk;
        let slabs = self.slabs.par_iter_mut().zip(&mut self.outputs);
        slabs.for_each(|(slab, outputs)| slab.forward(chunk, outputs));
        let bias = self.bias[0];
        let sum = |i: usize| bias + self.outputs.iter().map(|outputs| outputs[i]).sum::<f32>();
        outputs.clear();
        outputs.extend((0..samples.len()).map(sum));
    }

    fn backward(&mut self, derivatives: &[f32]) {
        let chunk = &self.chunk;
        self.slabs.par_iter_mut().for_each(|slab| slab.backward(chunk, derivatives));
        self.bias[1] += derivatives.iter().sum::<f32>();
    }

    fn step(&mut self, step: AdamStep) {
        self.slabs.par_iter_mut().for_each(|slab| slab.step(step));
        let [mut bias, mut gradient, first, second, mut average] = self.bias.map(|number| [number]);
        let mut moments = [first, second];
        step.of_others().apply(&mut bias, &mut gradient, &mut moments);
        step.average(&mut average, &bias);
        self.bias = [bias[0], gradient[0], moments[0][0], moments[1][0], average[0]];
    }

    fn swap_average(&mut self) {
        self.slabs.iter_mut().for_each(Slab::swap_average);
        self.bias.swap(0, 4);
    }

    fn state(&self) -> Box<dyn Iterator<Item = f32> + '_> {
        Box::new(self.bias.into_iter().chain(self.slabs.iter().flat_map(Slab::state)))
    }

    fn state_len(&self) -> usize {
        self.bias.len() + self.slabs.iter().map(Slab::state_len).sum::<usize>()
    }

    fn restore(&mut self, state: &mut dyn Iterator<Item = f32>) {
        // The places come first: what is taken from the state must not exceed them.
        self.bias.iter_mut().zip(&mut *state).for_each(|(place, number)| *place = number);
        self.slabs.iter_mut().for_each(|slab| slab.restore(state));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::movegen::legal_moves;
    use crate::position::Position;
    use rand::seq::IndexedRandom;

    fn start(seed: u64) -> Start {
        Start { seed, rows: 0.1, factoriser: Factoriser::Lines }
    }

    fn samples(count: usize) -> Vec<Sample> {
        let mut rng = StdRng::seed_from_u64(1);
        let mut samples = Vec::new();
        let mut position = Position::startpos();
        while samples.len() < count {
            match legal_moves(&position).choose(&mut rng) {
                Some(&mv) if position.game_ply() < 120 => drop(position.do_move(mv)),
                _ => position = Position::startpos(),
            }
            samples.push(Sample::new(&position, rng.random_range(-500..500), 1.0));
        }
        samples
    }

    /// Derivatives of the sum of all outputs against finite differences.
    #[test]
    fn gradients_are_those_of_the_outputs() {
        let mut model = Model::new(64, &Start { seed: 3, rows: 0.1, factoriser: Factoriser::None }).unwrap();
        // A bias this high keeps sums off the edges, where no derivative exists.
        let samples = samples(30);
        let mut outputs = Vec::new();
        let mut total = |model: &mut Model| {
            model.forward(&samples, &mut outputs);
            outputs.iter().map(|&output| f64::from(output)).sum::<f64>()
        };
        total(&mut model);
        model.backward(&vec![1.0; samples.len()]);
        let mut compared = 0;
        let rows = [0, 500, 567 + 5, 1134, 1172 + 8, 1700, BIAS, OUTPUT, OUTPUT + 1];
        for (row, column) in rows.into_iter().flat_map(|row| [0, 17, 63].map(|column| (row, column))) {
            let expected = f64::from(model.slabs[0].gradient(row, column));
            let step = 1e-3;
            let weight = model.slabs[0].weights[row][column];
            model.slabs[0].weights[row][column] = weight + step;
            let above = total(&mut model);
            model.slabs[0].weights[row][column] = weight - step;
            let below = total(&mut model);
            model.slabs[0].weights[row][column] = weight;
            let found = (above - below) / (2.0 * f64::from(step));
            assert!((found - expected).abs() <= 0.02 * expected.abs().max(0.5), "{row} {column}: {found} {expected}");
            compared += usize::from(expected.abs() > 0.01);
        }
        assert!(compared > 5, "{compared}");
    }

    #[test]
    fn a_network_survives_integers() {
        let mut model = Model::new(128, &start(5)).unwrap();
        let samples = samples(200);
        let exact = model.scores(&samples);
        let quantised = model.quantise("test");
        assert_eq!(quantised.cut, 0);
        let mut again = Model::from_network(&quantised.network, Factoriser::Lines).unwrap();
        for (exact, rounded) in exact.iter().zip(again.scores(&samples)) {
            assert!((exact - rounded).abs() < 2.0, "{exact} {rounded}");
        }
        assert_eq!(again.quantise("test").network, quantised.network);
    }

    #[test]
    fn a_state_is_whole() {
        let mut model = Model::new(64, &start(5)).unwrap();
        let state: Vec<f32> = model.state().collect();
        assert_eq!(state.len(), model.state_len());
        let samples = samples(20);
        let scores = model.scores(&samples);
        let mut other = Model::new(64, &start(6)).unwrap();
        assert_ne!(other.scores(&samples), scores);
        other.restore(&mut state.into_iter());
        assert_eq!(other.scores(&samples), scores);
    }
}
