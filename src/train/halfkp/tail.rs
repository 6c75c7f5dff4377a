//! The layers after the first: two hidden ones and the output.
//!
//! The forward pass uses the weights as the file will have them, rounded to their integers; gradients move the
//! exact ones ("straight through"). So nothing is lost when these layers become integers in the end.

use rand::RngExt;
use rand::rngs::StdRng;

use crate::train::SCORE_UNIT;
use crate::train::common::adam::AdamStep;
use crate::train::common::parameters::Parameters;
use crate::train::common::rows::{add, add_scaled, drain, rounded, through_clamp};

/// Outputs of each hidden layer.
pub(super) const HIDDEN: usize = 32;
/// Samples of a shard. Each shard has gradients of its own, which are added up in the order of the shards.
pub(super) const SHARD: usize = 512;

/// Parts of an activation.
pub(super) const ACTIVATION_Q: f32 = 127.0;
/// One in the units of the weights of hidden layers.
pub(super) const HIDDEN_Q: f32 = 64.0;
/// What the output is divided by to make a score.
pub(super) const FV_SCALE: f32 = 16.0;
/// One in the units of the output's weights.
pub(super) const OUTPUT_Q: f32 = SCORE_UNIT * FV_SCALE / ACTIVATION_Q;
/// Largest weights of 8 bits.
const LARGEST_BYTE: f32 = 127.0;
const LARGEST_HIDDEN: f32 = LARGEST_BYTE / HIDDEN_Q;
const LARGEST_OUTPUT: f32 = LARGEST_BYTE / OUTPUT_Q;
const LARGEST_BIAS: f32 = 16.0;
const FIRST_BIAS: f32 = 0.25;

type Hidden = [f32; HIDDEN];

/// The layers' weights, row by input, and what the passes through them need.
pub(super) struct Tail {
    pub(super) first: Parameters<HIDDEN>,
    pub(super) second: Parameters<HIDDEN>,
    /// Biases of the hidden layers.
    pub(super) biases: Parameters<HIDDEN>,
    pub(super) output: Parameters<HIDDEN>,
    pub(super) output_bias: Parameters<1>,
    rounded: Rounded,
    pub(super) shards: Vec<Shard>,
}

/// The weights as the file will have them.
struct Rounded {
    first: Vec<Hidden>,
    second: Vec<Hidden>,
    /// Row by output.
    first_by_output: Vec<f32>,
    second_by_output: Vec<f32>,
    output: Hidden,
    biases: [Hidden; 2],
    output_bias: f32,
}

/// Some samples of a chunk: what their passes work on, and their gradients.
pub(super) struct Shard {
    /// Activations of the first layer for each sample; after the backward pass, derivatives by the accumulators.
    inputs: Vec<f32>,
    width: usize,
    /// Activations of the hidden layers.
    hidden: Vec<[Hidden; 2]>,
    first: Vec<Hidden>,
    second: Vec<Hidden>,
    biases: [Hidden; 2],
    output: Hidden,
    output_bias: f32,
}

impl Tail {
    /// Layers over this many activations.
    pub(super) fn new(inputs: usize, rng: &mut StdRng) -> Tail {
        let mut random = |rows: usize, inputs: usize| {
            let most = 1.0 / (inputs as f32).sqrt();
            Parameters::new(rows, || rng.random_range(-most..most))
        };
        let mut tail = Tail {
            first: random(inputs, inputs),
            second: random(HIDDEN, HIDDEN),
            biases: Parameters::new(2, || FIRST_BIAS),
            output: random(1, HIDDEN),
            output_bias: Parameters::zeros(1),
            rounded: Rounded {
                first: vec![[0.0; HIDDEN]; inputs],
                second: vec![[0.0; HIDDEN]; HIDDEN],
                first_by_output: vec![0.0; HIDDEN * inputs],
                second_by_output: vec![0.0; HIDDEN * HIDDEN],
                output: [0.0; HIDDEN],
                biases: [[0.0; HIDDEN]; 2],
                output_bias: 0.0,
            },
            shards: Vec::new(),
        };
        tail.round();
        tail
    }

    /// Makes room for a chunk and gives what its passes need.
    pub(super) fn passes(&mut self, samples: usize) -> (Passes<'_>, &mut [Shard]) {
        let (shards, inputs) = (samples.div_ceil(SHARD), self.first.weights.len());
        if self.shards.len() < shards {
            self.shards.resize_with(shards, || Shard::new(inputs));
        }
        (Passes(&self.rounded), &mut self.shards[..shards])
    }

    /// Adds up the gradients of all shards.
    pub(super) fn collect(&mut self) {
        for shard in &mut self.shards {
            drain(&mut self.first.gradients, &mut shard.first);
            drain(&mut self.second.gradients, &mut shard.second);
            drain(&mut self.biases.gradients, &mut shard.biases);
            drain(&mut self.output.gradients, std::slice::from_mut(&mut shard.output));
            self.output_bias.gradients[0][0] += std::mem::take(&mut shard.output_bias);
        }
    }

    /// Moves all weights by the gradients of all shards.
    pub(super) fn step(&mut self, step: AdamStep) {
        self.collect();
        self.first.step(step.within(LARGEST_HIDDEN));
        self.second.step(step.within(LARGEST_HIDDEN));
        self.output.step(step.within(LARGEST_OUTPUT));
        self.biases.step(step.of_others().within(LARGEST_BIAS));
        self.output_bias.step(step.of_others());
        self.round();
    }

    /// Brings the rounded weights up to date.
    pub(super) fn round(&mut self) {
        let Rounded { first, second, first_by_output, second_by_output, output, biases, output_bias } =
            &mut self.rounded;
        round_layer(&self.first.weights, first, first_by_output);
        round_layer(&self.second.weights, second, second_by_output);
        *output = self.output.weights[0].map(|weight| rounded(weight, OUTPUT_Q));
        *biases = [self.biases.weights[0], self.biases.weights[1]];
        *output_bias = self.output_bias.weights[0][0];
    }
}

fn round_layer(exact: &[Hidden], rounded_rows: &mut [Hidden], by_output: &mut [f32]) {
    let inputs = exact.len();
    for (input, (exact, place)) in exact.iter().zip(rounded_rows).enumerate() {
        *place = exact.map(|weight| rounded(weight, HIDDEN_Q));
        for (output, weight) in place.iter().enumerate() {
            by_output[output * inputs + input] = *weight;
        }
    }
}

/// The weights that both passes go through.
#[derive(Clone, Copy)]
pub(super) struct Passes<'a>(&'a Rounded);

impl Passes<'_> {
    /// The outputs for as many samples as there is room for. `load` sets the activations of a sample, of both sides.
    pub(super) fn forward(self, shard: &mut Shard, outputs: &mut [f32], load: impl Fn(usize, [&mut [f32]; 2])) {
        let weights = self.0;
        let half = shard.width / 2;
        shard.hidden.clear();
        let samples = shard.inputs.chunks_exact_mut(shard.width).zip(outputs);
        for (number, (inputs, output)) in samples.enumerate() {
            load(number, inputs.split_at_mut(half).into());
            let first = layer(inputs, &weights.first, weights.biases[0]);
            let second = layer(&first, &weights.second, weights.biases[1]);
            *output = weights.output_bias
                + second.iter().zip(&weights.output).map(|(input, weight)| input * weight).sum::<f32>();
            shard.hidden.push([first, second]);
        }
    }

    /// Adds the gradients of the samples that `forward` saw last.
    pub(super) fn backward(self, shard: &mut Shard, derivatives: &[f32]) {
        let weights = self.0;
        let samples = shard.inputs.chunks_exact_mut(shard.width).zip(&shard.hidden);
        for ((inputs, [first, second]), &derivative) in samples.zip(derivatives) {
            shard.output_bias += derivative;
            add_scaled(&mut shard.output, second, derivative);
            let by_second: Hidden = std::array::from_fn(|i| through_clamp(second[i], derivative * weights.output[i]));
            add(&mut shard.biases[1], &by_second);
            let mut by_first = *first;
            layer_back(&mut by_first, &by_second, &mut shard.second, &weights.second_by_output);
            add(&mut shard.biases[0], &by_first);
            layer_back(inputs, &by_first, &mut shard.first, &weights.first_by_output);
        }
    }
}

/// The activations of a layer.
#[inline(always)]
fn layer(inputs: &[f32], weights: &[Hidden], biases: Hidden) -> Hidden {
    let mut outputs = biases;
    for (&input, row) in inputs.iter().zip(weights) {
        add_scaled(&mut outputs, row, input);
    }
    outputs.map(|output| output.clamp(0.0, 1.0))
}

/// Turns a layer's inputs into the derivatives by the numbers that they were clamped from, given those by the
/// layer's own outputs before clamping, and adds the gradients of its weights.
#[inline(always)]
fn layer_back(inputs: &mut [f32], by_outputs: &Hidden, gradients: &mut [Hidden], by_output: &[f32]) {
    for (&input, gradients) in inputs.iter().zip(gradients) {
        if input > 0.0 {
            add_scaled(gradients, by_outputs, input);
        }
    }
    let mut by_inputs = [0.0; MOST_INPUTS];
    let by_inputs = &mut by_inputs[..inputs.len()];
    for (&derivative, row) in by_outputs.iter().zip(by_output.chunks_exact(inputs.len())) {
        if derivative != 0.0 {
            add_scaled(by_inputs, row, derivative);
        }
    }
    for (input, &derivative) in inputs.iter_mut().zip(&*by_inputs) {
        *input = through_clamp(*input, derivative);
    }
}

/// Most activations of the first layer.
const MOST_INPUTS: usize = 4096;

impl Shard {
    fn new(inputs: usize) -> Shard {
        Shard {
            inputs: vec![0.0; SHARD * inputs],
            width: inputs,
            hidden: Vec::with_capacity(SHARD),
            first: vec![[0.0; HIDDEN]; inputs],
            second: vec![[0.0; HIDDEN]; HIDDEN],
            biases: [[0.0; HIDDEN]; 2],
            output: [0.0; HIDDEN],
            output_bias: 0.0,
        }
    }

    /// After the backward pass, the derivatives by the accumulator of a side of a sample.
    #[inline(always)]
    pub(super) fn derivatives(&self, sample: usize, side: usize) -> &[f32] {
        let half = self.width / 2;
        &self.inputs[(2 * sample + side) * half..][..half]
    }
}
