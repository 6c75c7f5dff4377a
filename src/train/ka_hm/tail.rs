//! The layers after a pairwise first layer: 15 + 1 → 32 → 1, one set of them for each kind of position.
//!
//! The forward pass ([`super::passes`]) uses the weights as the file will have them; gradients move the exact ones
//! ("straight-through estimator"), so that nothing is lost when these layers become integers in the end.

use rand::RngExt;
use rand::rngs::StdRng;

use super::passes::{Passes, SHARD, Shard};
use super::rounded::Rounded;
use crate::eval::nnue::pairwise::{DOUBLED, FIRST, HIDDEN_Q, LARGEST_HIDDEN, LARGEST_LATER, SECOND, SECOND_Q};
use crate::train::common::adam::AdamStep;
use crate::train::common::parameters::Parameters;
use crate::train::common::rows::drain;

const LARGEST_FIRST: f32 = LARGEST_HIDDEN as f32 / HIDDEN_Q as f32;
/// Weights of the later layers are kept within this.
const LARGEST: f32 = LARGEST_LATER as f32 / SECOND_Q as f32;
/// Biases are kept within this.
const LARGEST_BIAS: f32 = 16.0;
const FIRST_BIAS: f32 = 0.1;

/// The weights of all stacks of layers, row by input, stack by stack.
pub(super) struct Tail {
    pub(super) stacks: usize,
    pub(super) inputs: usize,
    pub(super) first: Parameters<FIRST>,
    pub(super) first_bias: Parameters<FIRST>,
    pub(super) second: Parameters<SECOND>,
    pub(super) second_bias: Parameters<SECOND>,
    pub(super) output: Parameters<SECOND>,
    pub(super) output_bias: Parameters<1>,
    rounded: Rounded,
    averages: Vec<f32>,
    shards: Vec<Shard>,
}

impl Tail {
    /// Layers over this many activations.
    pub(super) fn new(inputs: usize, stacks: usize, rng: &mut StdRng) -> Tail {
        // All stacks begin alike: what is learnt from the positions of one stack holds for all at first.
        fn random<const N: usize>(rows: usize, stacks: usize, inputs: usize, rng: &mut StdRng) -> Parameters<N> {
            let most = 1.0 / (inputs as f32).sqrt();
            let one: Vec<f32> = (0..rows * N).map(|_| rng.random_range(-most..most)).collect();
            let mut all = (0..stacks).flat_map(|_| one.iter().copied());
            Parameters::new(rows * stacks, || all.next().unwrap_or(0.0))
        }
        let mut tail = Tail {
            first: random(inputs, stacks, inputs, rng),
            first_bias: Parameters::new(stacks, || FIRST_BIAS),
            second: random(DOUBLED, stacks, DOUBLED, rng),
            second_bias: Parameters::new(stacks, || FIRST_BIAS),
            output: random(1, stacks, SECOND, rng),
            ..Tail::zeros(inputs, stacks)
        };
        tail.averages = tail.weights().collect();
        tail.round();
        tail
    }

    /// Layers over this many activations in which all weights are 0.
    pub(super) fn zeros(inputs: usize, stacks: usize) -> Tail {
        let mut tail = Tail {
            stacks,
            inputs,
            first: Parameters::zeros(inputs * stacks),
            first_bias: Parameters::zeros(stacks),
            second: Parameters::zeros(DOUBLED * stacks),
            second_bias: Parameters::zeros(stacks),
            output: Parameters::zeros(stacks),
            output_bias: Parameters::zeros(stacks),
            rounded: Rounded::zeros(inputs, stacks),
            averages: Vec::new(),
            shards: Vec::new(),
        };
        tail.averages = tail.weights().collect();
        tail
    }

    /// Makes room for a chunk and gives what its passes need.
    pub(super) fn passes(&mut self, samples: usize) -> (Passes<'_>, &mut [Shard]) {
        let shards = samples.div_ceil(SHARD);
        if self.shards.len() < shards {
            self.shards.resize_with(shards, || Shard::new(self.inputs, self.stacks));
        }
        let Tail { rounded, first_bias, second_bias, output_bias, shards: all, .. } = self;
        let passes = Passes {
            rounded,
            first_bias: &first_bias.weights,
            second_bias: &second_bias.weights,
            output_bias: &output_bias.weights,
        };
        (passes, &mut all[..shards])
    }

    /// Adds up the gradients of all shards.
    pub(super) fn collect(&mut self) {
        for shard in &mut self.shards {
            drain(&mut self.first.gradients, &mut shard.first);
            drain(&mut self.first_bias.gradients, &mut shard.first_bias);
            drain(&mut self.second.gradients, &mut shard.second);
            drain(&mut self.second_bias.gradients, &mut shard.second_bias);
            drain(&mut self.output.gradients, &mut shard.output);
            drain(&mut self.output_bias.gradients, &mut shard.output_bias);
        }
    }

    /// Moves all weights by the gradients of all shards.
    pub(super) fn step(&mut self, step: AdamStep) {
        self.collect();
        self.first.step(step.within(LARGEST_FIRST));
        self.second.step(step.within(LARGEST));
        self.output.step(step.within(LARGEST));
        let biases = step.of_others().within(LARGEST_BIAS);
        self.first_bias.step(biases);
        self.second_bias.step(biases);
        self.output_bias.step(biases);
        let mut averages = std::mem::take(&mut self.averages);
        averages.iter_mut().zip(self.weights()).for_each(|(average, weight)| {
            step.average(std::slice::from_mut(average), &[weight]);
        });
        self.averages = averages;
        self.round();
    }

    fn weights(&self) -> impl Iterator<Item = f32> + '_ {
        let Tail { first, first_bias, second, second_bias, output, output_bias, .. } = self;
        let first = first.weights.as_flattened().iter().chain(first_bias.weights.as_flattened());
        let second = second.weights.as_flattened().iter().chain(second_bias.weights.as_flattened());
        let output = output.weights.as_flattened().iter().chain(output_bias.weights.as_flattened());
        first.chain(second).chain(output).copied()
    }

    /// Exchanges the weights with their moving average.
    pub(super) fn swap_average(&mut self) {
        let Tail { first, first_bias, second, second_bias, output, output_bias, .. } = self;
        let first = first.weights.as_flattened_mut().iter_mut().chain(first_bias.weights.as_flattened_mut());
        let second = second.weights.as_flattened_mut().iter_mut().chain(second_bias.weights.as_flattened_mut());
        let output = output.weights.as_flattened_mut().iter_mut().chain(output_bias.weights.as_flattened_mut());
        let all = first.chain(second).chain(output).zip(&mut self.averages);
        all.for_each(|(weight, average)| std::mem::swap(weight, average));
        self.round();
    }

    /// Brings the rounded weights up to date.
    pub(super) fn round(&mut self) {
        self.rounded.update(&self.first.weights, &self.second.weights, &self.output.weights);
    }

    /// What training changes, for a checkpoint.
    pub(super) fn state(&self) -> impl Iterator<Item = f32> + '_ {
        let first = self.first.state().chain(self.first_bias.state());
        let second = self.second.state().chain(self.second_bias.state());
        let output = self.output.state().chain(self.output_bias.state());
        first.chain(second).chain(output).chain(self.averages.iter().copied())
    }

    /// How many numbers [`Tail::state`] has.
    pub(super) fn state_len(&self) -> usize {
        4 * self.averages.len()
    }

    /// Takes over a state.
    pub(super) fn restore(&mut self, state: &mut dyn Iterator<Item = f32>) {
        self.first.restore(state);
        self.first_bias.restore(state);
        self.second.restore(state);
        self.second_bias.restore(state);
        self.output.restore(state);
        self.output_bias.restore(state);
        self.averages.iter_mut().zip(state).for_each(|(place, number)| *place = number);
        self.round();
    }
}
