//! The layers after the first.

pub(super) use super::simd::{Affine, MAX_HIDDEN, Stack};
use super::simd::{I8Line, I32Line, Kernels, LaterOutputs, U8Line, are_narrow, element};

impl Affine {
    /// A layer whose inputs lie among `places` activations, each where `place` says.
    pub(super) fn with_places(
        biases: &[i32],
        rows: impl Iterator<Item: Iterator<Item = i8>>,
        places: usize,
        place: impl Fn(usize) -> usize,
    ) -> Affine {
        let stride = biases.len().div_ceil(16);
        let (mut lines, mut weights) = (I32Line::zeros(stride), I8Line::zeros(places.div_ceil(4) * stride));
        for (output, (&bias, row)) in biases.iter().zip(rows).enumerate() {
            *element(&mut lines, output) = bias;
            for (input, weight) in row.enumerate() {
                let place = place(input);
                *element(&mut weights, place / 4 * stride * 64 + output * 4 + place % 4) = weight;
            }
        }
        let narrow = are_narrow(&weights, stride);
        Affine { biases: lines, weights, narrow }
    }
}

/// Room for a position's way through the layers. Places that a network has no use for stay 0.
pub(super) struct Scratch {
    /// The first layer's activations, for the side to move, then for the other.
    pub(super) activations: Vec<U8Line>,
    /// Which groups of four of them are not all 0.
    active: Vec<u16>,
    /// Outputs of the first hidden layer.
    outputs: [I32Line; MAX_HIDDEN / 16],
    later: LaterOutputs,
}

impl Scratch {
    pub(super) fn new(activation_lines: usize) -> Scratch {
        Scratch {
            activations: U8Line::zeros(activation_lines),
            active: vec![0; activation_lines * 16 + 8],
            outputs: [I32Line::zero(); MAX_HIDDEN / 16],
            later: LaterOutputs::new(),
        }
    }
}

impl Stack {
    /// The network's output for the first layer's activations in `scratch`.
    #[inline]
    pub(super) fn propagate(&self, kernels: &'static Kernels, scratch: &mut Scratch) -> i32 {
        let Scratch { activations, active, outputs, later } = scratch;
        let first = &mut outputs[..self.first.biases.len()];
        kernels.affine_sparse(activations, &self.first, first, active);
        self.bias.wrapping_add(kernels.later_layers(first, self, later))
    }
}
