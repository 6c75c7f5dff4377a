//! The layers after a pairwise first layer: 15 + 1 → 32 → 1, one set of them for each kind of position.
//!
//! The way forward uses the weights as the file will have them, rounded to their integers; gradients move the
//! exact ones ("straight through"), so that nothing is lost when these layers become integers in the end.

use rand::RngExt;
use rand::rngs::StdRng;

use super::slab::{PAIRS, Slab};
pub(super) use crate::eval::nnue::pairwise::{DOUBLED, FIRST, SECOND};
use crate::eval::nnue::pairwise::{HIDDEN_Q, LARGEST_HIDDEN, LARGEST_LATER, OUTPUT_Q, SECOND_Q};
use crate::train::common::adam::AdamStep;
use crate::train::common::parameters::Parameters;

/// Outputs of the first hidden layer that go on, squared and plain; the one after them is added to the result.
const SQUARED: usize = FIRST - 1;
/// Samples of a share. Each share has gradients of its own, which are added up in the shares' order.
pub(super) const SHARE: usize = 256;

const LARGEST_FIRST: f32 = LARGEST_HIDDEN as f32 / HIDDEN_Q as f32;
/// Weights of the later layers are kept within this.
const LARGEST: f32 = LARGEST_LATER as f32 / SECOND_Q as f32;
/// Biases are kept within this.
const LARGEST_BIAS: f32 = 16.0;
const FIRST_BIAS: f32 = 0.1;

type First = [f32; FIRST];
type Second = [f32; SECOND];

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
    shares: Vec<Share>,
}

/// The weights as the file will have them.
struct Rounded {
    first: Vec<First>,
    /// The same by output: a row for each output of each stack.
    first_by_output: Vec<f32>,
    second: Vec<Second>,
    second_by_output: Vec<[f32; DOUBLED]>,
    output: Vec<Second>,
}

/// What a sample leaves on its way forward.
#[derive(Clone, Copy)]
struct Trace {
    stack: usize,
    first: First,
    second: Second,
}

/// Some samples of a chunk on their way forward and back.
pub(super) struct Share {
    /// Activations of the first layer for each sample; after the way back, derivatives by them.
    activations: Vec<f32>,
    inputs: usize,
    traces: Vec<Trace>,
    first: Vec<First>,
    first_bias: Vec<First>,
    second: Vec<Second>,
    second_bias: Vec<Second>,
    output: Vec<Second>,
    output_bias: Vec<[f32; 1]>,
}

impl Tail {
    /// Layers over this many activations.
    pub(super) fn new(inputs: usize, stacks: usize, rng: &mut StdRng) -> Tail {
        // All stacks begin alike: positions of one kind teach nothing that others need not know.
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
            rounded: Rounded {
                first: vec![[0.0; FIRST]; inputs * stacks],
                first_by_output: vec![0.0; FIRST * inputs * stacks],
                second: vec![[0.0; SECOND]; DOUBLED * stacks],
                second_by_output: vec![[0.0; DOUBLED]; SECOND * stacks],
                output: vec![[0.0; SECOND]; stacks],
            },
            averages: Vec::new(),
            shares: Vec::new(),
        };
        tail.averages = tail.weights().collect();
        tail
    }

    /// Makes room for a chunk and gives what its ways need.
    pub(super) fn ways(&mut self, samples: usize) -> (Way<'_>, &mut [Share]) {
        let shares = samples.div_ceil(SHARE);
        if self.shares.len() < shares {
            self.shares.resize_with(shares, || Share::new(self.inputs, self.stacks));
        }
        let Tail { rounded, first_bias, second_bias, output_bias, shares: all, .. } = self;
        let way = Way {
            rounded,
            first_bias: &first_bias.weights,
            second_bias: &second_bias.weights,
            output_bias: &output_bias.weights,
        };
        (way, &mut all[..shares])
    }

    /// Adds up the gradients of all shares.
    pub(super) fn collect(&mut self) {
        for share in &mut self.shares {
            drain(&mut self.first.gradients, &mut share.first);
            drain(&mut self.first_bias.gradients, &mut share.first_bias);
            drain(&mut self.second.gradients, &mut share.second);
            drain(&mut self.second_bias.gradients, &mut share.second_bias);
            drain(&mut self.output.gradients, &mut share.output);
            drain(&mut self.output_bias.gradients, &mut share.output_bias);
        }
    }

    /// Moves all weights by the gradients of all shares.
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
        let Rounded { first, first_by_output, second, second_by_output, output } = &mut self.rounded;
        for (row, (exact, rounded)) in self.first.weights.iter().zip(first).enumerate() {
            *rounded = exact.map(|weight| round(weight, HIDDEN_Q));
            let (stack, input) = (row / self.inputs, row % self.inputs);
            for (number, weight) in rounded.iter().enumerate() {
                first_by_output[(stack * FIRST + number) * self.inputs + input] = *weight;
            }
        }
        for (row, (exact, rounded)) in self.second.weights.iter().zip(second).enumerate() {
            *rounded = exact.map(|weight| round(weight, SECOND_Q));
            for (number, weight) in rounded.iter().enumerate() {
                second_by_output[row / DOUBLED * SECOND + number][row % DOUBLED] = *weight;
            }
        }
        for (exact, rounded) in self.output.weights.iter().zip(output) {
            *rounded = exact.map(|weight| round(weight, OUTPUT_Q));
        }
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

/// A weight as the integers will have it.
fn round(weight: f32, q: i32) -> f32 {
    (weight * q as f32).round() / q as f32
}

/// Adds gradients to others and leaves zeros.
fn drain<const N: usize>(sums: &mut [[f32; N]], gradients: &mut [[f32; N]]) {
    for (sums, gradients) in sums.iter_mut().zip(gradients) {
        add(sums, gradients, 1.0);
        *gradients = [0.0; N];
    }
}

#[inline(always)]
fn add(sums: &mut [f32], row: &[f32], factor: f32) {
    for (sum, weight) in sums.iter_mut().zip(row) {
        *sum += factor * weight;
    }
}

/// Goes through the layers.
#[derive(Clone, Copy)]
pub(super) struct Way<'a> {
    rounded: &'a Rounded,
    first_bias: &'a [First],
    second_bias: &'a [Second],
    output_bias: &'a [[f32; 1]],
}

impl Way<'_> {
    /// The outputs for the samples from `begin` on, as many as there is room for; `stacks` are theirs.
    pub(super) fn forward(self, slabs: &[Slab], begin: usize, share: &mut Share, stacks: &[u8], outputs: &mut [f32]) {
        let weights = self.rounded;
        let width = share.inputs;
        share.traces.clear();
        let samples = share.activations.chunks_exact_mut(width).zip(stacks).zip(outputs);
        for ((number, (activations, &stack)), output) in (begin..).zip(samples).map(|(n, (s, o))| ((n, s), o)) {
            let stack = usize::from(stack);
            let (us, them) = activations.split_at_mut(width / 2);
            let parts = us.as_chunks_mut::<PAIRS>().0.iter_mut().zip(them.as_chunks_mut::<PAIRS>().0);
            for ((us, them), slab) in parts.zip(slabs) {
                [*us, *them] = slab.activations[number];
            }
            let first = first_layer(activations, &weights.first[stack * width..][..width], self.first_bias[stack]);
            let mut second = self.second_bias[stack];
            for (input, row) in doubled(&first).iter().zip(&weights.second[stack * DOUBLED..][..DOUBLED]) {
                add(&mut second, row, *input);
            }
            let second = second.map(|sum| sum.clamp(0.0, 1.0));
            *output = self.output_bias[stack][0]
                + first[SQUARED]
                + second.iter().zip(&weights.output[stack]).map(|(input, weight)| input * weight).sum::<f32>();
            share.traces.push(Trace { stack, first, second });
        }
    }

    /// Adds the gradients of the samples that `forward` saw last.
    pub(super) fn backward(self, share: &mut Share, derivatives: &[f32]) {
        let weights = self.rounded;
        let width = share.inputs;
        let samples = share.activations.chunks_exact_mut(width).zip(&share.traces);
        for ((activations, &Trace { stack, first, second }), &derivative) in samples.zip(derivatives) {
            share.output_bias[stack][0] += derivative;
            add(&mut share.output[stack], &second, derivative);
            let output = &weights.output[stack];
            let by_second: Second = std::array::from_fn(|i| inside(second[i], derivative * output[i]));
            add(&mut share.second_bias[stack], &by_second, 1.0);

            let mut by_doubled = [0.0; DOUBLED];
            let rows = &weights.second_by_output[stack * SECOND..][..SECOND];
            for (derivative, row) in by_second.iter().zip(rows) {
                add(&mut by_doubled, row, *derivative);
            }
            let gradients = &mut share.second[stack * DOUBLED..][..DOUBLED];
            for (&input, gradients) in doubled(&first).iter().zip(gradients) {
                add(gradients, &by_second, input);
            }
            let mut by_first = [derivative; FIRST];
            for i in 0..SQUARED {
                let squared = if first[i] * first[i] < 1.0 { 2.0 * first[i] * by_doubled[i] } else { 0.0 };
                by_first[i] = squared + inside(first[i], by_doubled[SQUARED + i]);
            }
            add(&mut share.first_bias[stack], &by_first, 1.0);

            let gradients = &mut share.first[stack * width..][..width];
            for (&input, gradients) in activations.iter().zip(gradients) {
                add(gradients, &by_first, input);
            }
            activations.fill(0.0);
            let rows = weights.first_by_output[stack * FIRST * width..].chunks_exact(width);
            for (derivative, row) in by_first.iter().zip(rows) {
                add(activations, row, *derivative);
            }
        }
    }
}

/// The sums of the first hidden layer.
#[inline(always)]
fn first_layer(activations: &[f32], weights: &[First], bias: First) -> First {
    // Four sums at a time, so that none waits for the one before.
    let mut sums = [bias, [0.0; FIRST], [0.0; FIRST], [0.0; FIRST]];
    for (activations, weights) in activations.as_chunks::<4>().0.iter().zip(weights.as_chunks::<4>().0) {
        for part in 0..4 {
            add(&mut sums[part], &weights[part], activations[part]);
        }
    }
    let [mut all, rest @ ..] = sums;
    rest.iter().for_each(|sums| add(&mut all, sums, 1.0));
    all
}

/// What the second hidden layer sees: squares, then plain values, both clamped.
#[inline(always)]
fn doubled(first: &First) -> [f32; DOUBLED] {
    std::array::from_fn(|i| match i.checked_sub(SQUARED) {
        None => (first[i] * first[i]).min(1.0),
        Some(i) => first[i].clamp(0.0, 1.0),
    })
}

/// A derivative by a clamped sum, passed on to the sum.
#[inline(always)]
fn inside(sum: f32, derivative: f32) -> f32 {
    if sum > 0.0 && sum < 1.0 { derivative } else { 0.0 }
}

impl Share {
    fn new(inputs: usize, stacks: usize) -> Share {
        Share {
            activations: vec![0.0; SHARE * inputs],
            inputs,
            traces: Vec::with_capacity(SHARE),
            first: vec![[0.0; FIRST]; inputs * stacks],
            first_bias: vec![[0.0; FIRST]; stacks],
            second: vec![[0.0; SECOND]; DOUBLED * stacks],
            second_bias: vec![[0.0; SECOND]; stacks],
            output: vec![[0.0; SECOND]; stacks],
            output_bias: vec![[0.0; 1]; stacks],
        }
    }

    /// After the way back, the derivatives by the first layer's activations of a side of a sample.
    #[inline(always)]
    pub(super) fn derivatives(&self, sample: usize, side: usize) -> &[f32] {
        let half = self.inputs / 2;
        &self.activations[(2 * sample + side) * half..][..half]
    }
}
