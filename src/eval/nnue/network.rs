//! A network in memory, and its architecture.

use std::fmt;

use thiserror::Error;

use super::features::{FeatureMap, FeatureSet};
use super::simd::{I8Line, I16Line, I32Line, InstructionSet, Kernels, LaterOutputs, U8Line, are_narrow, element};
use crate::memory::LargeSlice;
use crate::position::Position;
use crate::types::Color;

/// A network read from a file. It never changes: share it in an `Arc`.
pub struct Network {
    pub(super) architecture: Architecture,
    /// What its makers call it.
    pub(super) name: Option<String>,
    pub(super) warnings: Vec<NnueWarning>,
    pub(super) kernels: &'static Kernels,
    pub(super) features: FeatureMap,
    pub(super) transformer: Transformer,
    pub(super) layers: Layers,
}

/// What follows the first layer: one for each kind of position.
pub(super) enum Layers {
    /// Of a classic network or an SFNN.
    Stacks(Vec<Stack>),
    /// Of Kurosabi's own networks.
    Screlu {
        outputs: Vec<ScreluOutput>,
        /// Scores are outputs times the first number, divided by the second.
        scale: (i64, i64),
    },
}

/// An output over squares of clamped accumulators.
pub(super) struct ScreluOutput {
    pub(super) bias: i32,
    /// Weights of the side to move's accumulators, then of the other's.
    pub(super) weights: Vec<I16Line>,
}

/// The first layer.
pub(super) struct Transformer {
    /// Lines a row has. Rows are padded with zeros so that each half of them fills pairs of lines.
    pub(super) width: usize,
    pub(super) biases: Vec<I16Line>,
    /// A row for each feature.
    pub(super) weights: LargeSlice<I16Line>,
}

impl Network {
    pub(super) fn new(architecture: Architecture, transformer: Transformer, layers: Layers) -> Network {
        let features = FeatureMap::new(architecture.features);
        let (name, warnings, kernels) = (None, Vec::new(), Kernels::chosen());
        Network { architecture, name, warnings, kernels, features, transformer, layers }
    }

    /// The network's architecture.
    pub fn architecture(&self) -> Architecture {
        self.architecture
    }

    /// The network in words: architecture and name.
    pub fn description(&self) -> String {
        match &self.name {
            Some(name) => format!("{} {name:?}", self.architecture()),
            None => self.architecture().to_string(),
        }
    }

    /// The score that an output stands for; `None` where the output itself is the score times `FV_SCALE`.
    #[inline(always)]
    pub(super) fn kuro_score(&self, raw: i32) -> Option<i32> {
        match &self.layers {
            Layers::Stacks(_) => None,
            Layers::Screlu { scale, .. } => {
                Some((i64::from(raw) * scale.0 / scale.1).clamp(i32::MIN.into(), i32::MAX.into()) as i32)
            }
        }
    }

    /// Whether scores do not depend on `FV_SCALE`.
    pub fn has_own_scale(&self) -> bool {
        matches!(self.layers, Layers::Screlu { .. })
    }

    /// What was odd about the file.
    pub fn warnings(&self) -> &[NnueWarning] {
        &self.warnings
    }

    /// What instructions evaluate it.
    pub fn instruction_set(&self) -> InstructionSet {
        self.kernels.instruction_set
    }

    /// The same evaluated by this instruction set, or without vectors where the processor lacks it.
    #[must_use]
    pub fn with_instruction_set(self, set: InstructionSet) -> Network {
        Network { kernels: Kernels::for_set(set), ..self }
    }

    pub(super) fn scratch(&self) -> Scratch {
        Scratch::new(2 * self.activation_lines())
    }

    /// Lines of activations that one side's accumulators make.
    fn activation_lines(&self) -> usize {
        match self.architecture.head {
            NetworkHead::Classic { .. } => self.transformer.width / 2,
            NetworkHead::Sfnn { .. } => self.transformer.width / 4,
            NetworkHead::Screlu { .. } => 0,
        }
    }

    /// The output for both sides' accumulators, those of the side to move first.
    #[inline]
    pub(super) fn propagate(&self, position: &Position, accumulators: [&[I16Line]; 2], scratch: &mut Scratch) -> i32 {
        let kind = self.architecture.head.stacks().index(position);
        match &self.layers {
            Layers::Stacks(stacks) => {
                let (us, them) = scratch.activations.split_at_mut(self.activation_lines());
                for (accumulator, activations) in accumulators.into_iter().zip([us, them]) {
                    match self.architecture.head {
                        NetworkHead::Sfnn { .. } => self.kernels.pair(accumulator, activations),
                        _ => self.kernels.clip(accumulator, activations),
                    }
                }
                stacks[kind].propagate(self.kernels, scratch)
            }
            Layers::Screlu { outputs, .. } => outputs[kind].propagate(self.kernels, accumulators),
        }
    }
}

impl ScreluOutput {
    #[inline(always)]
    fn propagate(&self, kernels: &'static Kernels, [us, them]: [&[I16Line]; 2]) -> i32 {
        let (ours, theirs) = self.weights.split_at(us.len());
        let sum = kernels.screlu_dot(us, ours) + kernels.screlu_dot(them, theirs);
        (sum + i64::from(self.bias)).clamp(i32::MIN.into(), i32::MAX.into()) as i32
    }
}

impl fmt::Debug for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Network({}, {})", self.architecture(), self.instruction_set())
    }
}

/// Something odd about a file that could be read all the same.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum NnueWarning {
    /// The header's description says something else than the data.
    #[error("the file calls itself {found:?}, read as {read}")]
    Architecture {
        /// The header's description, shortened.
        found: String,
        /// What it was read as.
        read: String,
    },
    /// A section's hash is not that of the network.
    #[error("hash of the {section} is {found:#010x}, expected {expected:#010x}")]
    Hash {
        /// Whose hash it is.
        section: &'static str,
        /// What the file says.
        found: u32,
        /// What the network's layout gives.
        expected: u32,
    },
}

/// The architecture of a network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Architecture {
    /// What the first layer sees.
    pub features: FeatureSet,
    /// Accumulators of each side: outputs of the first layer.
    pub width: usize,
    /// What follows.
    pub head: NetworkHead,
}

/// The layers after the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NetworkHead {
    /// Both sides' accumulators, clamped, through two hidden layers of these sizes.
    Classic {
        /// Sizes of the hidden layers.
        hidden: [usize; 2],
    },
    /// Products of each side's accumulators; the first hidden layer's outputs are used squared and plain, and
    /// one more (where the first size is one less than a multiple of 8) is added to the result.
    Sfnn {
        /// Sizes of the hidden layers.
        hidden: [usize; 2],
        /// How the layers depend on the position.
        stacks: LayerStacks,
    },
    /// Both sides' accumulators, clamped and squared, straight to the output: Kurosabi's own networks.
    Screlu {
        /// How the output's weights depend on the position.
        stacks: LayerStacks,
    },
}

/// Which of several sets of layers evaluates a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "train", derive(clap::ValueEnum))]
pub enum LayerStacks {
    /// One for all positions
    One,
    /// By the third of the board that each king stands in
    #[cfg_attr(feature = "train", value(name = "k3k3"))]
    KingThirds,
}

impl LayerStacks {
    /// All of them.
    pub const ALL: [LayerStacks; 2] = [LayerStacks::One, LayerStacks::KingThirds];

    /// Which of them a position is for.
    #[inline]
    pub(crate) fn index(self, position: &Position) -> usize {
        if self == LayerStacks::One {
            return 0;
        }
        // A king that is not there counts as at home.
        let third = |color: Color| position.king_square(color).map_or(2, |king| king.rank().relative(color) / 3);
        let us = position.side_to_move();
        third(us) * 3 + third(!us)
    }

    /// How many sets there are.
    pub fn count(self) -> usize {
        match self {
            LayerStacks::One => 1,
            LayerStacks::KingThirds => 9,
        }
    }

    /// `one` or `k3k3`.
    pub fn name(self) -> &'static str {
        match self {
            LayerStacks::One => "one",
            LayerStacks::KingThirds => "k3k3",
        }
    }
}

impl NetworkHead {
    /// How the layers depend on the position.
    pub fn stacks(self) -> LayerStacks {
        match self {
            NetworkHead::Classic { .. } => LayerStacks::One,
            NetworkHead::Sfnn { stacks, .. } | NetworkHead::Screlu { stacks } => stacks,
        }
    }
}

/// `HalfKP 256x2-32-32`, `SFNN HalfKA_hm2 1536-15-32 k3k3`.
impl fmt::Display for Architecture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (features, width) = (self.features.name(), self.width);
        match self.head {
            NetworkHead::Classic { hidden: [first, second] } => write!(f, "{features} {width}x2-{first}-{second}")?,
            NetworkHead::Sfnn { hidden: [first, second], .. } => {
                write!(f, "SFNN {features} {width}-{first}-{second}")?;
            }
            NetworkHead::Screlu { .. } => write!(f, "Kurosabi {features} {width}x2")?,
        }
        match self.head.stacks() {
            LayerStacks::One => Ok(()),
            stacks => write!(f, " {}", stacks.name()),
        }
    }
}

// The layers after the first.

pub(super) use super::simd::{Affine, MAX_HIDDEN, Stack};

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
