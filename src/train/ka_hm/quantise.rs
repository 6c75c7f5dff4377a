//! From a model's weights to a network's integers.

use super::model::{Bias, Model, Top};
use super::shape::HeadKind;
use super::slab::Row;
use super::tail::Tail;
use crate::eval::nnue::pairwise::{self, DOUBLED, FIRST, HIDDEN_Q, SECOND_Q, SUM_Q};
use crate::eval::nnue::{FEATURE_Q, KuroHeader, KuroLayers, KuroNetwork, MAX_OUTPUT_WEIGHT, PairwiseLayers};
use crate::train::SCORE_UNIT;

/// Parts of an activation of a `screlu` network.
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

    fn biases(&mut self, weights: &[f32], q: f32) -> Vec<i32> {
        weights.iter().map(|&weight| self.integer(weight, q, pairwise::LARGEST_BIAS as f32) as i32).collect()
    }
}

impl Model {
    /// The network in integers.
    pub fn quantise(&self, name: &str) -> Quantised {
        let shape = self.shape;
        let mut rounding = Rounding::default();
        let scale = SCORE_UNIT as i32;
        let (header, layers) = match &self.top {
            Top::Screlu(biases) => {
                let rows = (0..shape.output_rows()).flat_map(|row| self.row(Row::Output(row)));
                let outputs: Vec<f32> = rows.collect();
                let largest = outputs.iter().fold(0.0f32, |largest, weight| largest.max(weight.abs()));
                let fits = |q: &&i32| largest * **q as f32 <= LARGEST_OUTPUT;
                let output_q = OUTPUT_QS.iter().rev().find(fits).copied().unwrap_or(OUTPUT_QS[0]);
                let bias = |bias: &Bias| (bias.weight * ACTIVATION_Q * output_q as f32).round() as i32;
                let layers = KuroLayers::Screlu {
                    biases: biases.iter().map(bias).collect(),
                    weights: rounding.words(&outputs, output_q as f32, LARGEST_OUTPUT),
                };
                (KuroHeader::new(name, shape.width, output_q, scale), layers)
            }
            Top::Pairwise(tail) => {
                let stacks = (0..tail.stacks).map(|stack| tail.layers(stack, &mut rounding)).collect();
                (KuroHeader::pairwise(name, shape.width, scale), KuroLayers::Pairwise(stacks))
            }
        };
        let (q, most) = (feature_q(shape.head), f32::from(i16::MAX));
        let network = KuroNetwork {
            header: header.with_features(shape.features).with_stacks(shape.stacks),
            feature_biases: rounding.words(&self.row(Row::Bias), q, most),
            feature_weights: (0..shape.features.rows())
                .flat_map(|row| rounding.words(&self.row(Row::Feature(row)), q, most))
                .collect(),
            layers,
        };
        Quantised { network, clipped: rounding.clipped }
    }

    /// A row of the first layer, in the network's order.
    fn row(&self, row: Row) -> Vec<f32> {
        let mut places = vec![0.0; self.shape.width];
        for (number, slab) in self.slabs.iter().enumerate() {
            for (column, weight) in slab.weights(row).iter().enumerate() {
                places[self.shape.place(number, column)] = *weight;
            }
        }
        places
    }
}

/// 1 in the unit of the first layer.
pub(super) fn feature_q(head: HeadKind) -> f32 {
    match head {
        HeadKind::Screlu => FEATURE_Q as f32,
        HeadKind::Pairwise => pairwise::FEATURE_Q as f32,
    }
}

impl Tail {
    /// A stack of layers in integers.
    fn layers(&self, stack: usize, rounding: &mut Rounding) -> PairwiseLayers {
        let first = &self.first.weights[stack * self.inputs..][..self.inputs];
        let second = &self.second.weights[stack * DOUBLED..][..DOUBLED];
        let by_output = |rows: &[[f32; FIRST]]| (0..FIRST).flat_map(|i| rows.iter().map(move |row| row[i])).collect();
        let first: Vec<f32> = by_output(first);
        let second: Vec<f32> = (0..pairwise::SECOND).flat_map(|i| second.iter().map(move |row| row[i])).collect();
        let (byte, later) = (pairwise::LARGEST_HIDDEN as f32, pairwise::LARGEST_LATER as f32);
        let (second_q, output_q) = (SECOND_Q as f32, pairwise::OUTPUT_Q as f32);
        PairwiseLayers {
            first_biases: rounding.biases(&self.first_bias.weights[stack], SUM_Q),
            first_weights: first.iter().map(|&weight| rounding.integer(weight, HIDDEN_Q as f32, byte) as i8).collect(),
            second_biases: rounding.biases(&self.second_bias.weights[stack], SUM_Q * second_q),
            second_weights: rounding.words(&second, second_q, later),
            output_bias: rounding.biases(&self.output_bias.weights[stack], SUM_Q * output_q).into_iter().sum(),
            output_weights: rounding.words(&self.output.weights[stack], output_q, later),
        }
    }
}
