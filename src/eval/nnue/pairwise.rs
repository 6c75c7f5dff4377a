//! The layers after a pairwise first layer of Kurosabi's own networks, in integers.
//!
//! | what | unit of 1 | arithmetic |
//! |---|---|---|
//! | accumulators | 2040 | i16: biases and rows |
//! | activations | 2040² / 2¹⁵ = 127.0 | u8: an accumulator of the first half times that of the second half, both clamped to 0..=2040, the product rounded to the nearest; the side to move's first |
//! | first hidden layer | 2040² / 2⁹ = 8128.1 | i32: biases and i8 weights (64 is 1); 16 outputs |
//! | its activations | 8128 | of 15 outputs first the squares (of −1..=1), then themselves clamped to 0..=1 |
//! | second hidden layer | 8128 | i32: biases and i16 weights (1024 is 1), divided by 1024 and rounded to the nearest, clamped to 0..=1; 32 outputs |
//! | output | 8128 · 1024 | bias, i16 weights (1024 is 1), and the first layer's 16th output |
//!
//! Only the first hidden layer has many weights; the others keep more digits than 8 bits at no cost that could be
//! measured, so that the network plays what was trained.

// The trainer, which is a feature, rounds to the same units.
#![cfg_attr(not(feature = "train"), allow(dead_code))]

use super::layers::{Affine, Scratch};
use super::simd::{I16Line, I32Line, Kernels, PairwiseLater, element};

/// 1 in the unit of the accumulators: with it no activation exceeds 127.
pub(crate) const FEATURE_Q: i32 = 2040;
/// Products are divided by 2 to this power.
const PRODUCT_SHIFT: i32 = 15;
/// 1 in the unit of the activations.
pub(crate) const ACTIVATION_Q: f32 = (FEATURE_Q * FEATURE_Q) as f32 / (1 << PRODUCT_SHIFT) as f32;
/// 1 in the unit of the first hidden layer's weights.
pub(crate) const HIDDEN_Q: i32 = 64;
/// Its largest weight.
pub(crate) const LARGEST_HIDDEN: i32 = 127;
/// 1 in the unit of the first hidden layer's outputs.
pub(crate) const SUM_Q: f32 = ACTIVATION_Q * HIDDEN_Q as f32;
/// 1 in the unit of the second hidden layer's weights.
pub(crate) const SECOND_Q: i32 = PairwiseLater::WEIGHT_ONE;
/// 1 in the unit of the output's weights.
pub(crate) const OUTPUT_Q: i32 = 1024;
/// Larger weights of the second hidden layer and the output could carry their outputs beyond 32 bits.
pub(crate) const LARGEST_LATER: i32 = 4 * 1024;
/// The same of biases.
pub(crate) const LARGEST_BIAS: i32 = 1 << 29;

/// Outputs of the first hidden layer: 15 that go on, and one that is added to the result.
pub(crate) const FIRST: usize = 16;
/// Inputs of the second hidden layer.
pub(crate) const DOUBLED: usize = 2 * (FIRST - 1);
/// Outputs of the second hidden layer.
pub(crate) const SECOND: usize = 32;
/// 1 in the unit of the hidden layers' activations.
const ONE: i32 = PairwiseLater::ONE;

/// The layers for one kind of position, as they stand in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PairwiseLayers {
    /// Biases of the first hidden layer, 16.
    pub first_biases: Vec<i32>,
    /// Its weights, row by output.
    pub first_weights: Vec<i8>,
    /// Biases of the second hidden layer, 32.
    pub second_biases: Vec<i32>,
    /// Its weights, row by output: 30 each.
    pub second_weights: Vec<i16>,
    /// Bias of the output.
    pub output_bias: i32,
    /// Weights of the output, 32.
    pub output_weights: Vec<i16>,
}

impl PairwiseLayers {
    /// Whether there are as many numbers as a network of this width needs, none larger than can be used.
    pub(super) fn fits(&self, width: usize) -> bool {
        let bias = |bias: &i32| bias.unsigned_abs() <= LARGEST_BIAS as u32;
        let later = |weight: &i16| i32::from(*weight).abs() <= LARGEST_LATER;
        let sizes = [
            (self.first_biases.len(), FIRST),
            (self.first_weights.len(), FIRST * width),
            (self.second_biases.len(), SECOND),
            (self.second_weights.len(), SECOND * DOUBLED),
            (self.output_weights.len(), SECOND),
        ];
        sizes.iter().all(|(found, wanted)| found == wanted)
            && self.first_biases.iter().chain(&self.second_biases).chain([&self.output_bias]).all(bias)
            && self.second_weights.iter().chain(&self.output_weights).all(later)
    }
}

/// The layers for one kind of position, ready to evaluate.
pub(super) struct PairwiseStack {
    first: Affine,
    later: PairwiseLater,
    output_bias: i32,
}

impl PairwiseStack {
    /// Takes over layers that [`PairwiseLayers::fits`] a network of this width.
    pub(super) fn new(layers: &PairwiseLayers) -> PairwiseStack {
        let mut later = PairwiseLater {
            weights: [I16Line::zero(); SECOND],
            biases: [I32Line::zero(); 2],
            output: [I32Line::zero(); 2],
        };
        for (place, bias) in layers.second_biases.iter().enumerate() {
            *element(&mut later.biases, place) = *bias;
        }
        for (place, weight) in layers.output_weights.iter().enumerate() {
            *element(&mut later.output, place) = i32::from(*weight);
        }
        for (output, row) in layers.second_weights.chunks(DOUBLED).enumerate() {
            let (squares, plain) = row.split_at(FIRST - 1);
            for (first, part) in [(0, squares), (FIRST, plain)] {
                for (input, weight) in part.iter().enumerate().map(|(place, weight)| (first + place, weight)) {
                    *element(&mut later.weights, (input / 2 * SECOND + output) * 2 + input % 2) = *weight;
                }
            }
        }
        let first = Affine::new(&layers.first_biases, &layers.first_weights);
        PairwiseStack { first, later, output_bias: layers.output_bias }
    }

    /// The output for the first layer's activations in `scratch`.
    #[inline]
    pub(super) fn propagate(&self, kernels: &'static Kernels, scratch: &mut Scratch) -> i32 {
        let mut outputs = [I32Line::zero()];
        self.first.propagate_sparse(kernels, scratch, &mut outputs);
        let [outputs] = &outputs;
        let shortcut = i64::from(outputs.0[FIRST - 1]) * i64::from(OUTPUT_Q);
        let later = kernels.pairwise_later(outputs, &self.later);
        let output = i64::from(self.output_bias) + shortcut + i64::from(later);
        output.clamp(i32::MIN.into(), i32::MAX.into()) as i32
    }

    /// What an output is multiplied with and divided by to make a score, for a network with this scale.
    pub(super) fn scale(scale: i32) -> (i64, i64) {
        (i64::from(scale), i64::from(ONE) * i64::from(OUTPUT_Q))
    }
}
