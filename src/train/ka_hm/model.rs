//! The network in training.

use std::sync::Arc;

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use rayon::prelude::*;

use super::factoriser::{Factoriser, SharedRows};
use super::passes::SHARD;
use super::shape::{HeadKind, Shape, Start};
use super::slab::{Chunk, PAIRS, Row, Slab};
use super::tail::Tail;
use crate::eval::nnue::FeatureSet;
use crate::train::COLUMNS;
use crate::train::common::adam::AdamStep;
use crate::train::common::error::TrainError;
use crate::train::common::trainable::Trainable;
use crate::train::data::sample::Sample;

pub(super) const FIRST_BIAS: f32 = 0.1;
/// Of a pairwise layer: products of smaller ones would hardly have gradients.
const FIRST_PAIR_BIAS: f32 = 0.4;
const FIRST_OUTPUT: f32 = 1.0;

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
        let shared_rows = Arc::new(SharedRows::new(shape.features, factoriser));
        let mut slab = |number: usize| {
            // The output begins alike for positions of all kinds.
            let outputs: Vec<f32> = (0..2 * COLUMNS).map(|_| rng.random_range(-most..most)).collect();
            let weight = |row: Row, column: usize| match row {
                Row::Bias => bias,
                Row::Output(row) => outputs[row % 2 * COLUMNS + column],
                // Rows that share weights differ at first by those alone.
                Row::Feature(_) if factoriser != Factoriser::None => 0.0,
                Row::Feature(_) => rng.random_range(-rows..=rows),
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
}

impl Trainable for Model {
    /// Accumulators of as many positions fit a core's cache.
    const CHUNK: usize = 1024;

    fn features(&self) -> FeatureSet {
        self.shape.features
    }

    fn architecture(&self) -> String {
        format!("{:?}", self.shape)
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
                let (passes, shards) = tail.passes(samples.len());
                let (slabs, stacks) = (&self.slabs, chunk.stacks.par_chunks(SHARD));
                let shards = shards.par_iter_mut().zip(stacks).zip(outputs.par_chunks_mut(SHARD)).enumerate();
                shards.for_each(|(number, ((shard, stacks), outputs))| {
                    passes.forward(shard, stacks, outputs, |sample, sides| {
                        for (side, activations) in sides.into_iter().enumerate() {
                            for (part, slab) in activations.as_chunks_mut::<PAIRS>().0.iter_mut().zip(slabs) {
                                *part = slab.activations[number * SHARD + sample][side];
                            }
                        }
                    });
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
                let (passes, shards) = tail.passes(chunk.len());
                let parts = shards.par_iter_mut().zip(derivatives.par_chunks(SHARD));
                parts.for_each(|(shard, derivatives)| passes.backward(shard, derivatives));
                let (slabs, shards) = (self.slabs.par_iter_mut().enumerate(), &*shards);
                slabs.for_each(|(number, slab)| slab.backward_pairs(number, chunk, shards));
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
mod tests;
