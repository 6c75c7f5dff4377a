//! The layers after the first.

pub(super) use super::simd::MAX_HIDDEN;
use super::simd::{AffineLayer, I8Line, I32Line, Kernels, LaterLayers, LaterOutputs, U8Line, are_narrow, element};

/// A fully connected layer.
pub(super) struct Affine {
    biases: Vec<I32Line>,
    /// For each group of four inputs, for each output the four weights.
    weights: Vec<I8Line>,
    /// See [`are_narrow`].
    narrow: bool,
}

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

    /// The layer as the kernels take it.
    #[inline(always)]
    fn as_layer(&self) -> AffineLayer<'_> {
        AffineLayer { weights: &self.weights, biases: &self.biases, narrow: self.narrow }
    }

    /// Lines of outputs.
    fn out_lines(&self) -> usize {
        self.biases.len()
    }
}

/// The last layer, which has one output.
pub(super) struct Output {
    bias: i32,
    weights: Vec<I8Line>,
}

impl Output {
    /// A layer with a weight for each input.
    pub(super) fn new(bias: i32, row: impl ExactSizeIterator<Item = i8>) -> Output {
        let mut weights = I8Line::zeros(row.len().div_ceil(64));
        row.enumerate().for_each(|(input, weight)| *element(&mut weights, input) = weight);
        Output { bias, weights }
    }
}

/// All layers after the first.
pub(super) struct Stack {
    pub(super) first: Affine,
    pub(super) second: Affine,
    pub(super) output: Output,
    /// Of an SFNN: the size of the first hidden layer, without the shortcut.
    pub(super) squared: Option<usize>,
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
        let first = &mut outputs[..self.first.out_lines()];
        kernels.affine_sparse(activations, &self.first.as_layer(), first, active);
        let layers =
            LaterLayers { squared: self.squared, second: self.second.as_layer(), output: &self.output.weights };
        self.output.bias.wrapping_add(kernels.later_layers(first, &layers, later))
    }
}
