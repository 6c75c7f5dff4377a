//! A network in memory.

use std::fmt;
use std::fs;
use std::path::Path;

use super::features::FeatureMap;
use super::format;
use super::layers::{Scratch, Stack};
use super::simd::{I16Line, Kernels, U8Line};
use super::topology::{Head, LayerStacks, Topology};
use super::{NnueError, NnueWarning};
use crate::position::Position;
use crate::types::Color;

/// The largest file that is read, in bytes.
const MAX_FILE: u64 = 2 << 30;

/// A network read from a file. It never changes: share it in an `Arc`.
pub struct Network {
    pub(super) topology: Topology,
    pub(super) warnings: Vec<NnueWarning>,
    pub(super) kernels: &'static Kernels,
    pub(super) features: FeatureMap,
    pub(super) transformer: Transformer,
    pub(super) stacks: Vec<Stack>,
}

/// The first layer.
pub(super) struct Transformer {
    /// Lines a row has. Rows are padded with zeros so that each half of them fills pairs of lines.
    pub(super) width: usize,
    pub(super) biases: Vec<I16Line>,
    /// A row for each feature.
    pub(super) weights: Vec<I16Line>,
}

impl Network {
    /// Reads a network from the bytes of a file in one of the public formats.
    pub fn read(bytes: &[u8]) -> Result<Network, NnueError> {
        format::read(bytes)
    }

    /// Reads a network file, or the `nn.bin` of a folder.
    pub fn load(path: impl AsRef<Path>) -> Result<Network, NnueError> {
        let path = path.as_ref();
        let io = |path: &Path| {
            let path = path.to_owned();
            move |error| NnueError::Io { path, error }
        };
        let path = if path.is_dir() { path.join("nn.bin") } else { path.to_owned() };
        let metadata = fs::metadata(&path).map_err(io(&path))?;
        if !metadata.is_file() {
            return Err(NnueError::NotAFile { path });
        }
        if metadata.len() > MAX_FILE {
            return Err(NnueError::TooLarge { bytes: metadata.len(), limit: MAX_FILE, path });
        }
        Network::read(&fs::read(&path).map_err(io(&path))?)
    }

    /// The network's shape.
    pub fn topology(&self) -> Topology {
        self.topology
    }

    /// What was odd about the file.
    pub fn warnings(&self) -> &[NnueWarning] {
        &self.warnings
    }

    /// The name of the instruction set that evaluates it.
    pub fn instruction_set(&self) -> &'static str {
        self.kernels.name()
    }

    pub(super) fn scratch(&self) -> Scratch {
        Scratch::new(2 * self.activation_lines())
    }

    /// Lines of activations that one side's sums make.
    fn activation_lines(&self) -> usize {
        match self.topology.head {
            Head::Classic { .. } => self.transformer.width / 2,
            Head::Sfnn { .. } => self.transformer.width / 4,
        }
    }

    /// The output for both sides' sums, those of the side to move first.
    #[inline]
    pub(super) fn propagate(&self, position: &Position, sums: [&[I16Line]; 2], scratch: &mut Scratch) -> i32 {
        let (us, them): (&mut [U8Line], &mut [U8Line]) = scratch.activations.split_at_mut(self.activation_lines());
        match self.topology.head {
            Head::Classic { .. } => {
                self.kernels.clip(sums[0], us);
                self.kernels.clip(sums[1], them);
            }
            Head::Sfnn { .. } => {
                self.kernels.pair(sums[0], us);
                self.kernels.pair(sums[1], them);
            }
        }
        self.stacks[self.stack(position)].propagate(self.kernels, scratch)
    }

    /// Which layer stack a position is for.
    #[inline]
    fn stack(&self, position: &Position) -> usize {
        match self.topology.head.stacks() {
            LayerStacks::One => 0,
            LayerStacks::KingThirds => {
                // A king that is not there counts as at home.
                let third =
                    |color: Color| position.king_square(color).map_or(2, |king| king.rank().relative(color) / 3);
                let us = position.side_to_move();
                third(us) * 3 + third(!us)
            }
        }
    }
}

impl fmt::Debug for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Network({}, {})", self.topology, self.instruction_set())
    }
}
