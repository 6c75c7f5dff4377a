//! A network in memory.

use std::fmt;

use thiserror::Error;

use super::arch::{Architecture, NetworkHead};
use super::features::FeatureMap;
use super::layers::{Scratch, Stack};
use super::simd::{I16Line, InstructionSet, Kernels, U8Line};
use crate::memory::LargeSlice;
use crate::position::Position;

/// A network read from a file. It never changes: share it in an `Arc`.
pub struct Network {
    pub(super) arch: Architecture,
    /// What its makers call it.
    pub(super) name: Option<String>,
    pub(super) warnings: Vec<NnueWarning>,
    pub(super) kernels: &'static Kernels,
    pub(super) features: FeatureMap,
    pub(super) transformer: Transformer,
    pub(super) layers: Layers,
}

/// What follows the first layer.
pub(super) enum Layers {
    /// One stack of layers, or one for each kind of position.
    Stacks(Vec<Stack>),
    /// The outputs of a `.kuro` network, one for each kind of position.
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
    /// The network's architecture.
    pub fn architecture(&self) -> Architecture {
        self.arch
    }

    /// The network in words: architecture and name.
    pub fn description(&self) -> String {
        match &self.name {
            Some(name) => format!("{} {name:?}", self.arch),
            None => self.arch.to_string(),
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
        !matches!(self.layers, Layers::Stacks(_))
    }

    /// What was odd about the file.
    pub fn warnings(&self) -> &[NnueWarning] {
        &self.warnings
    }

    /// What instructions evaluate it.
    pub fn instruction_set(&self) -> InstructionSet {
        self.kernels.instruction_set()
    }

    /// The same evaluated by this instruction set, or without vectors where the processor lacks it.
    #[must_use]
    pub fn with_instruction_set(self, set: InstructionSet) -> Network {
        Network { kernels: Kernels::of(set), ..self }
    }

    pub(super) fn scratch(&self) -> Scratch {
        Scratch::new(2 * self.activation_lines())
    }

    /// Lines of activations that one side's accumulators make.
    fn activation_lines(&self) -> usize {
        match self.arch.head {
            NetworkHead::Classic { .. } => self.transformer.width / 2,
            NetworkHead::Sfnn { .. } => self.transformer.width / 4,
            NetworkHead::Screlu { .. } => 0,
        }
    }

    /// The output for both sides' accumulators, those of the side to move first.
    #[inline]
    pub(super) fn propagate(&self, position: &Position, accumulators: [&[I16Line]; 2], scratch: &mut Scratch) -> i32 {
        let stack = self.arch.head.stacks().of(position);
        let (us, them): (&mut [U8Line], &mut [U8Line]) = scratch.activations.split_at_mut(self.activation_lines());
        let stacks = match &self.layers {
            Layers::Stacks(stacks) => stacks,
            Layers::Screlu { outputs, .. } => return outputs[stack].propagate(self.kernels, accumulators),
        };
        match self.arch.head {
            NetworkHead::Classic { .. } => {
                self.kernels.clip(accumulators[0], us);
                self.kernels.clip(accumulators[1], them);
            }
            NetworkHead::Sfnn { .. } => {
                self.kernels.pair(accumulators[0], us);
                self.kernels.pair(accumulators[1], them);
            }
            NetworkHead::Screlu { .. } => {}
        }
        stacks[stack].propagate(self.kernels, scratch)
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
        write!(f, "Network({}, {})", self.arch, self.instruction_set())
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
