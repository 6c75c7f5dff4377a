//! The forward and backward passes of samples through the layers after the first.

use super::rounded::{First, Rounded, Second};
use crate::eval::nnue::pairwise::{DOUBLED, FIRST, SECOND};
use crate::train::common::rows::{add, add_scaled, through_clamp};

/// Outputs of the first hidden layer that go on, squared and plain; the one after them is added to the result.
const SQUARED: usize = FIRST - 1;
/// Samples of a shard. Each shard has gradients of its own, which are added up in the order of the shards.
pub(super) const SHARD: usize = 256;

/// What the forward pass of a sample leaves for the backward pass.
#[derive(Clone, Copy)]
struct Trace {
    stack: usize,
    first: First,
    second: Second,
}

/// Some samples of a chunk: what their passes work on, and their gradients.
pub(super) struct Shard {
    /// Activations of the first layer for each sample; after the backward pass, derivatives by them.
    activations: Vec<f32>,
    inputs: usize,
    traces: Vec<Trace>,
    pub(super) first: Vec<First>,
    pub(super) first_bias: Vec<First>,
    pub(super) second: Vec<Second>,
    pub(super) second_bias: Vec<Second>,
    pub(super) output: Vec<Second>,
    pub(super) output_bias: Vec<[f32; 1]>,
}

/// The weights that both passes go through.
#[derive(Clone, Copy)]
pub(super) struct Passes<'a> {
    pub(super) rounded: &'a Rounded,
    pub(super) first_bias: &'a [First],
    pub(super) second_bias: &'a [Second],
    pub(super) output_bias: &'a [[f32; 1]],
}

impl Passes<'_> {
    /// The outputs for as many samples as there is room for; `stacks` are theirs. `load` sets the activations of a
    /// sample, of both sides.
    pub(super) fn forward(
        self,
        shard: &mut Shard,
        stacks: &[u8],
        outputs: &mut [f32],
        load: impl Fn(usize, [&mut [f32]; 2]),
    ) {
        let weights = self.rounded;
        let width = shard.inputs;
        shard.traces.clear();
        let samples = shard.activations.chunks_exact_mut(width).zip(stacks).zip(outputs);
        for (number, ((activations, &stack), output)) in samples.enumerate() {
            let stack = usize::from(stack);
            load(number, activations.split_at_mut(width / 2).into());
            let first = first_layer(activations, &weights.first[stack * width..][..width], self.first_bias[stack]);
            let mut second = self.second_bias[stack];
            for (input, row) in doubled(&first).iter().zip(&weights.second[stack * DOUBLED..][..DOUBLED]) {
                add_scaled(&mut second, row, *input);
            }
            let second = second.map(|output| output.clamp(0.0, 1.0));
            *output = self.output_bias[stack][0]
                + first[SQUARED]
                + second.iter().zip(&weights.output[stack]).map(|(input, weight)| input * weight).sum::<f32>();
            shard.traces.push(Trace { stack, first, second });
        }
    }

    /// Adds the gradients of the samples that `forward` saw last.
    pub(super) fn backward(self, shard: &mut Shard, derivatives: &[f32]) {
        let weights = self.rounded;
        let width = shard.inputs;
        let samples = shard.activations.chunks_exact_mut(width).zip(&shard.traces);
        for ((activations, &Trace { stack, first, second }), &derivative) in samples.zip(derivatives) {
            shard.output_bias[stack][0] += derivative;
            add_scaled(&mut shard.output[stack], &second, derivative);
            let output = &weights.output[stack];
            let by_second: Second = std::array::from_fn(|i| through_clamp(second[i], derivative * output[i]));
            add(&mut shard.second_bias[stack], &by_second);

            let mut by_doubled = [0.0; DOUBLED];
            let rows = &weights.second_by_output[stack * SECOND..][..SECOND];
            for (derivative, row) in by_second.iter().zip(rows) {
                add_scaled(&mut by_doubled, row, *derivative);
            }
            let gradients = &mut shard.second[stack * DOUBLED..][..DOUBLED];
            for (&input, gradients) in doubled(&first).iter().zip(gradients) {
                add_scaled(gradients, &by_second, input);
            }
            let mut by_first = [derivative; FIRST];
            for i in 0..SQUARED {
                let squared = if first[i] * first[i] < 1.0 { 2.0 * first[i] * by_doubled[i] } else { 0.0 };
                by_first[i] = squared + through_clamp(first[i], by_doubled[SQUARED + i]);
            }
            add(&mut shard.first_bias[stack], &by_first);

            let gradients = &mut shard.first[stack * width..][..width];
            for (&input, gradients) in activations.iter().zip(gradients) {
                add_scaled(gradients, &by_first, input);
            }
            activations.fill(0.0);
            let rows = weights.first_by_output[stack * FIRST * width..].chunks_exact(width);
            for (derivative, row) in by_first.iter().zip(rows) {
                add_scaled(activations, row, *derivative);
            }
        }
    }
}

/// The outputs of the first hidden layer, before clamping.
#[inline(always)]
fn first_layer(activations: &[f32], weights: &[First], bias: First) -> First {
    // Four accumulators, so that no addition waits for the one before.
    let mut parts = [bias, [0.0; FIRST], [0.0; FIRST], [0.0; FIRST]];
    for (activations, weights) in activations.as_chunks::<4>().0.iter().zip(weights.as_chunks::<4>().0) {
        for part in 0..4 {
            add_scaled(&mut parts[part], &weights[part], activations[part]);
        }
    }
    let [mut all, rest @ ..] = parts;
    rest.iter().for_each(|part| add(&mut all, part));
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

impl Shard {
    pub(super) fn new(inputs: usize, stacks: usize) -> Shard {
        Shard {
            activations: vec![0.0; SHARD * inputs],
            inputs,
            traces: Vec::with_capacity(SHARD),
            first: vec![[0.0; FIRST]; inputs * stacks],
            first_bias: vec![[0.0; FIRST]; stacks],
            second: vec![[0.0; SECOND]; DOUBLED * stacks],
            second_bias: vec![[0.0; SECOND]; stacks],
            output: vec![[0.0; SECOND]; stacks],
            output_bias: vec![[0.0; 1]; stacks],
        }
    }

    /// After the backward pass, the derivatives by the first layer's activations of a side of a sample.
    #[inline(always)]
    pub(super) fn derivatives(&self, sample: usize, side: usize) -> &[f32] {
        let half = self.inputs / 2;
        &self.activations[(2 * sample + side) * half..][..half]
    }
}
