//! From a model's weights to a network's integers.

use super::model::{Bias, Model};
use super::slab::Row;
use crate::eval::nnue::{FEATURE_Q, FeatureSet, KuroHeader, KuroNetwork, MAX_OUTPUT_WEIGHT};
use crate::train::SCORE_UNIT;

/// Parts of an activation.
pub(super) const ACTIVATION_Q: f32 = (FEATURE_Q * FEATURE_Q) as f32 / 256.0;
const LARGEST_OUTPUT: f32 = MAX_OUTPUT_WEIGHT as f32;
const OUTPUT_QS: [i32; 6] = [512, 1024, 2048, 4096, 8192, 16384];

/// A network in integers, and what was lost on the way.
#[derive(Clone, Debug)]
pub struct Quantised {
    /// The network.
    pub network: KuroNetwork,
    /// Weights that did not fit their integers and were clipped.
    pub clipped: usize,
}

/// Rounds weights and counts those that do not fit.
#[derive(Default)]
struct Rounding {
    clipped: usize,
}

impl Rounding {
    fn integer(&mut self, weight: f32, q: f32, most: f32) -> f32 {
        let rounded = (weight * q).round();
        self.clipped += usize::from(rounded.abs() > most);
        rounded.clamp(-most, most)
    }

    fn words(&mut self, weights: &[f32], q: f32, most: f32) -> Vec<i16> {
        weights.iter().map(|&weight| self.integer(weight, q, most) as i16).collect()
    }
}

impl Model {
    /// The network in integers.
    pub fn quantise(&self, name: &str) -> Quantised {
        let shape = self.shape;
        let mut rounding = Rounding::default();
        let outputs: Vec<f32> = (0..shape.output_rows()).flat_map(|row| self.row(Row::Output(row))).collect();
        let largest = outputs.iter().fold(0.0f32, |largest, weight| largest.max(weight.abs()));
        let fits = |q: &&i32| largest * **q as f32 <= LARGEST_OUTPUT;
        let output_q = OUTPUT_QS.iter().rev().find(fits).copied().unwrap_or(OUTPUT_QS[0]);
        let bias = |bias: &Bias| (bias.weight * ACTIVATION_Q * output_q as f32).round() as i32;
        let (q, most) = (FEATURE_Q as f32, f32::from(i16::MAX));
        let network = KuroNetwork {
            output_biases: self.biases.iter().map(bias).collect(),
            output_weights: rounding.words(&outputs, output_q as f32, LARGEST_OUTPUT),
            header: KuroHeader::new(name, shape.width, output_q, SCORE_UNIT as i32).with_stacks(shape.stacks),
            feature_biases: rounding.words(&self.row(Row::Bias), q, most),
            feature_weights: (0..FeatureSet::KaHm.rows())
                .flat_map(|row| rounding.words(&self.row(Row::Feature(row)), q, most))
                .collect(),
        };
        Quantised { network, clipped: rounding.clipped }
    }

    /// A row of all slabs.
    fn row(&self, row: Row) -> Vec<f32> {
        self.slabs.iter().flat_map(|slab| slab.weights(row)).copied().collect()
    }
}
