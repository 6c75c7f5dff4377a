//! What a network in training is made of, and what it begins with.

use std::fmt;

use super::factoriser::Factoriser;
use crate::eval::nnue::LayerStacks;
use crate::train::check_width;
use crate::train::common::error::TrainError;

/// What a model is made of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shape {
    /// Accumulators of a side.
    pub width: usize,
    /// How the output's weights depend on the position.
    pub stacks: LayerStacks,
    /// What the rows of the first layer have in common in training.
    pub factoriser: Factoriser,
}

impl Shape {
    /// Squares of this many accumulators a side, straight to one output; no shared rows.
    pub fn plain(width: usize) -> Shape {
        Shape { width, stacks: LayerStacks::One, factoriser: Factoriser::None }
    }

    pub(super) fn check(&self) -> Result<(), TrainError> {
        check_width(self.width)
    }

    pub(super) fn output_rows(&self) -> usize {
        2 * self.stacks.count()
    }
}

/// `width 64, stacks one`: in the words of the options.
impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "width {}, stacks {}", self.width, self.stacks.name())
    }
}

/// What a model begins with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Start {
    /// The random weights follow from it.
    pub seed: u64,
    /// Weights of rows lie within this; a position has 40 rows of them.
    pub rows: f32,
}

impl Default for Start {
    fn default() -> Start {
        Start { seed: 1, rows: 0.02 }
    }
}
