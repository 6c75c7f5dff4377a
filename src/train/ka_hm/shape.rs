//! What a network in training is made of, and what it begins with.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::factoriser::Factoriser;
use super::slab::PAIRS;
use crate::eval::nnue::{FeatureSet, LayerStacks};
use crate::train::common::error::TrainError;
use crate::train::{COLUMNS, check_width};

/// What a model is made of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shape {
    /// What the first layer sees, one of [`FeatureSet::KURO`].
    pub features: FeatureSet,
    /// Accumulators of a side.
    pub width: usize,
    /// What follows the first layer.
    pub head: HeadKind,
    /// How the layers after the first depend on the position.
    pub stacks: LayerStacks,
    /// What the rows of the first layer have in common in training.
    pub factoriser: Factoriser,
}

/// What follows the first layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
pub enum HeadKind {
    /// Squares of clamped accumulators, straight to the output.
    Screlu,
    /// Products of clamped accumulators, then layers of 15 + 1, 32 and 1 outputs.
    Pairwise,
}

impl Shape {
    /// Squares of this many accumulators a side, straight to one output; no shared rows.
    pub fn plain(width: usize) -> Shape {
        let (features, head) = (FeatureSet::KaHm, HeadKind::Screlu);
        Shape { features, width, head, stacks: LayerStacks::One, factoriser: Factoriser::None }
    }

    pub(super) fn check(&self) -> Result<(), TrainError> {
        check_width(self.width)?;
        // Each half of a pairwise layer makes whole lines of activations.
        let fits = self.head == HeadKind::Screlu || self.width.is_multiple_of(2 * COLUMNS);
        if fits { Ok(()) } else { Err(TrainError::BadPairWidth(self.width)) }
    }

    /// Where a column of a slab stands in the network.
    pub(super) fn place(&self, slab: usize, column: usize) -> usize {
        match self.head {
            HeadKind::Screlu => slab * COLUMNS + column,
            HeadKind::Pairwise => column / PAIRS * (self.width / 2) + slab * PAIRS + column % PAIRS,
        }
    }

    pub(super) fn output_rows(&self) -> usize {
        if self.head == HeadKind::Screlu { 2 * self.stacks.count() } else { 0 }
    }
}

/// `width 64, head screlu, stacks one`: in the words of the options.
impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let head = match self.head {
            HeadKind::Screlu => "screlu",
            HeadKind::Pairwise => "pairwise",
        };
        let zones = if self.features == FeatureSet::KaHmZones { ", king zones" } else { "" };
        write!(f, "width {}, head {head}, stacks {}{zones}", self.width, self.stacks.name())
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
