//! The whole network in training.

use rand::SeedableRng;
use rand::rngs::StdRng;
use rayon::prelude::*;

use super::feature_slab::{COLUMNS, FeatureSlab};
use super::rows::{Chunk, ROWS, Side};
use super::tail::{SHARD, Tail};
use crate::eval::nnue::FeatureSet;
use crate::train::check_width;
use crate::train::common::adam::AdamStep;
use crate::train::common::error::TrainError;
use crate::train::common::trainable::Trainable;
use crate::train::data::sample::Sample;

/// A `HalfKP` network in training: rows by the own king's square with a factoriser, clipped accumulators of
/// both sides, two hidden layers of 32.
pub struct HalfKpModel {
    pub(super) slabs: Vec<FeatureSlab>,
    pub(super) tail: Tail,
    /// The chunk that `forward` saw last.
    chunk: Chunk,
    /// Rows of the first layer that have gradients.
    touched: Vec<bool>,
}

impl HalfKpModel {
    /// A model with accumulators of this width and random weights.
    ///
    /// # Errors
    /// When the width cannot be had.
    pub fn new(width: usize, seed: u64) -> Result<HalfKpModel, TrainError> {
        check_width(width)?;
        let mut rng = StdRng::seed_from_u64(seed);
        Ok(HalfKpModel {
            slabs: (0..width / COLUMNS).map(|_| FeatureSlab::new(&mut rng)).collect(),
            tail: Tail::new(2 * width, &mut rng),
            chunk: Chunk::default(),
            touched: vec![false; ROWS],
        })
    }

    /// Width of an accumulator.
    pub fn width(&self) -> usize {
        self.slabs.len() * COLUMNS
    }
}

impl Trainable for HalfKpModel {
    /// The more there are, the more rows are used again while they are near.
    const CHUNK: usize = 16384;

    fn features(&self) -> FeatureSet {
        FeatureSet::HalfKp
    }

    fn architecture(&self) -> String {
        format!("HalfKP {}x2-32-32", self.width())
    }

    fn forward(&mut self, samples: &[Sample], outputs: &mut Vec<f32>) {
        self.chunk.fill(samples);
        let (chunk, slabs) = (&self.chunk, &mut self.slabs);
        slabs.par_iter_mut().for_each(|slab| slab.forward(chunk));
        outputs.clear();
        outputs.resize(samples.len(), 0.0);
        let (passes, shards) = self.tail.passes(samples.len());
        let shards = shards.par_iter_mut().zip(outputs.par_chunks_mut(SHARD)).enumerate();
        shards.for_each(|(number, (shard, outputs))| {
            passes.forward(shard, outputs, |sample, sides| {
                for (side, activations) in sides.into_iter().enumerate() {
                    for (part, slab) in activations.as_chunks_mut().0.iter_mut().zip(slabs.iter()) {
                        *part = slab.activations[number * SHARD + sample][side];
                    }
                }
            });
        });
    }

    fn backward(&mut self, derivatives: &[f32]) {
        let (passes, shards) = self.tail.passes(self.chunk.len());
        let parts = shards.par_iter_mut().zip(derivatives.par_chunks(SHARD));
        parts.for_each(|(shard, derivatives)| passes.backward(shard, derivatives));
        for row in self.chunk.sides().iter().flat_map(Side::rows) {
            self.touched[row] = true;
        }
        let (chunk, shards) = (&self.chunk, &*shards);
        let slabs = self.slabs.par_iter_mut().enumerate();
        slabs.for_each(|(number, slab)| slab.backward(number, chunk, shards));
    }

    fn step(&mut self, step: AdamStep) {
        let touched = &self.touched;
        self.slabs.par_iter_mut().for_each(|slab| slab.step(step, touched));
        self.touched.fill(false);
        self.tail.step(step);
    }

    fn state(&self) -> Box<dyn Iterator<Item = f32> + '_> {
        let slabs = self.slabs.iter();
        let slabs = slabs.flat_map(|slab| slab.rows.state().chain(slab.pieces.state()).chain(slab.bias.state()));
        let Tail { first, second, biases, output, output_bias, .. } = &self.tail;
        let tail = [first, second, biases, output].into_iter().flat_map(|layer| layer.state());
        Box::new(slabs.chain(tail).chain(output_bias.state()))
    }

    fn state_len(&self) -> usize {
        let slabs = self.slabs.iter();
        let slabs = slabs.map(|slab| slab.rows.state_len() + slab.pieces.state_len() + slab.bias.state_len());
        let Tail { first, second, biases, output, output_bias, .. } = &self.tail;
        let tail = [first, second, biases, output].map(|layer| layer.state_len());
        slabs.chain(tail).sum::<usize>() + output_bias.state_len()
    }

    fn restore(&mut self, state: &mut dyn Iterator<Item = f32>) {
        for slab in &mut self.slabs {
            for rows in [&mut slab.rows, &mut slab.pieces, &mut slab.bias] {
                rows.restore(state);
            }
        }
        let Tail { first, second, biases, output, output_bias, .. } = &mut self.tail;
        for layer in [first, second, biases, output] {
            layer.restore(state);
        }
        output_bias.restore(state);
        self.tail.round();
    }
}

#[cfg(test)]
mod tests {
    use super::super::rows::PIECES;
    use super::super::tail::{HIDDEN_Q, OUTPUT_Q};
    use super::*;
    use crate::train::common::test_samples::samples;

    /// A weight of a model.
    type Weight = Box<dyn Fn(&mut HalfKpModel) -> &mut f32>;

    /// Derivatives of the sum of all outputs against finite differences.
    #[test]
    fn gradients_are_those_of_the_outputs() {
        let samples = samples(FeatureSet::HalfKp, 700);
        let mut model = HalfKpModel::new(64, 3).unwrap();
        let mut outputs = Vec::new();
        let mut total = |model: &mut HalfKpModel| {
            model.tail.round();
            model.forward(&samples, &mut outputs);
            outputs.iter().map(|&output| f64::from(output)).sum::<f64>()
        };
        total(&mut model);
        model.backward(&vec![1.0; samples.len()]);
        model.tail.collect();
        let touched: Vec<usize> = (0..ROWS).filter(|&row| model.touched[row]).collect();
        touched.iter().for_each(|&row| model.slabs[0].pass_on(row));

        let mut cases: Vec<(f32, f32, Weight)> = Vec::new();
        for (number, column) in [(0, 3), (50, 17), (400, 30), (401, 60)] {
            let row = touched[number];
            let slab = &model.slabs[0];
            let gradient = slab.rows.gradients[row][column];
            cases.push((gradient, 1e-3, Box::new(move |model| &mut model.slabs[0].rows.weights[row][column])));
            let (gradient, row) = (slab.pieces.gradients[row % PIECES][column], row % PIECES);
            cases.push((gradient, 1e-3, Box::new(move |model| &mut model.slabs[0].pieces.weights[row][column])));
            let gradient = slab.bias.gradients[0][column];
            cases.push((gradient, 1e-3, Box::new(move |model| &mut model.slabs[0].bias.weights[0][column])));
        }
        // Rounded weights move by whole steps.
        let (hidden, output) = (1.0 / HIDDEN_Q, 1.0 / OUTPUT_Q);
        for (input, column) in [(0, 0), (20, 7), (70, 12), (127, 31)] {
            let tail = &model.tail;
            let gradient = tail.first.gradients[input][column];
            cases.push((gradient, hidden, Box::new(move |model| &mut model.tail.first.weights[input][column])));
            let (gradient, input) = (tail.second.gradients[input / 4][column], input / 4);
            cases.push((gradient, hidden, Box::new(move |model| &mut model.tail.second.weights[input][column])));
            let gradient = tail.output.gradients[0][column];
            cases.push((gradient, output, Box::new(move |model| &mut model.tail.output.weights[0][column])));
            for layer in 0..2 {
                let gradient = tail.biases.gradients[layer][column];
                cases.push((gradient, 1e-3, Box::new(move |model| &mut model.tail.biases.weights[layer][column])));
            }
        }
        let mut compared = 0;
        for (number, (expected, step, weight)) in cases.into_iter().enumerate() {
            let exact = *weight(&mut model);
            *weight(&mut model) = exact + step;
            let above = total(&mut model);
            *weight(&mut model) = exact - step;
            let below = total(&mut model);
            *weight(&mut model) = exact;
            let (found, expected) = ((above - below) / (2.0 * f64::from(step)), f64::from(expected));
            assert!((found - expected).abs() <= 0.03 * expected.abs().max(1.0), "{number}: {found} {expected}");
            compared += usize::from(expected.abs() > 0.3);
        }
        assert!(compared > 15, "{compared}");
    }

    #[test]
    fn a_state_is_whole() {
        let mut model = HalfKpModel::new(64, 5).unwrap();
        let samples = samples(FeatureSet::HalfKp, 20);
        let mut outputs = Vec::new();
        model.forward(&samples, &mut outputs);
        model.backward(&[1.0; 20]);
        model.step(AdamStep::new(1, 1e-2, 0.0));
        assert_eq!(model.state().count(), model.state_len());
        let scores = model.scores(&samples);
        let mut other = HalfKpModel::new(64, 6).unwrap();
        assert_ne!(other.scores(&samples), scores);
        other.restore(&mut model.state());
        assert_eq!(other.scores(&samples), scores);
    }
}
