//! The network in integers, and its file.

use super::feature_slab::COLUMNS;
use super::model::HalfKpModel;
use super::rows::{PIECES, ROWS, Side};
use super::tail::{ACTIVATION_Q, FV_SCALE, HIDDEN, HIDDEN_Q, OUTPUT_Q};
use crate::eval::nnue::{FILE_VERSION, FeatureSet, PublicArch};
use crate::train::SCORE_UNIT;
use crate::train::data::sample::Sample;

/// Outputs of hidden layers are divided by this and rounded down; half of it in their biases makes that rounding to
/// the nearest.
const HALF_STEP: i32 = 32;

/// A network in integers, which `FV_SCALE` 16 turns into scores.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HalfKpNetwork {
    width: usize,
    feature_biases: Vec<i16>,
    /// Row by row.
    feature_weights: Vec<i16>,
    hidden: [Dense; 2],
    output: Dense,
    /// Weights that did not fit their integers and were clipped.
    pub clipped: usize,
}

/// A layer after the first; its weights are row by output.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Dense {
    biases: Vec<i32>,
    weights: Vec<i8>,
}

impl Dense {
    fn new(
        biases: &[f32],
        bias: impl Fn(f32) -> i32,
        rows: &[[f32; HIDDEN]],
        mut weight: impl FnMut(f32) -> i8,
    ) -> Dense {
        let weights = (0..biases.len()).flat_map(|output| rows.iter().map(move |row| row[output]));
        Dense {
            biases: biases.iter().map(|&number| bias(number)).collect(),
            weights: weights.map(&mut weight).collect(),
        }
    }

    fn outputs(&self, inputs: &[u8]) -> impl Iterator<Item = i32> {
        let rows = self.weights.chunks_exact(inputs.len());
        self.biases.iter().zip(rows).map(move |(&bias, row)| {
            bias + row.iter().zip(inputs).map(|(&weight, &input)| i32::from(weight) * i32::from(input)).sum::<i32>()
        })
    }

    fn write(&self, bytes: &mut Vec<u8>) {
        bytes.extend(self.biases.iter().flat_map(|bias| bias.to_le_bytes()));
        bytes.extend(self.weights.iter().map(|&weight| weight as u8));
    }
}

impl HalfKpModel {
    /// The network in integers, the factoriser folded in.
    pub fn quantise(&mut self) -> HalfKpNetwork {
        let width = self.width();
        let mut clipped = 0;
        let mut integer = |weight: f32, q: f32, most: f32| {
            let rounded = (weight * q).round();
            clipped += usize::from(rounded.abs() > most);
            rounded.clamp(-most, most)
        };
        let (word, byte) = (f32::from(i16::MAX), f32::from(i8::MAX));
        let biases = self.slabs.iter().flat_map(|slab| slab.bias.weights[0]);
        let feature_biases = biases.map(|weight| integer(weight, ACTIVATION_Q, word) as i16).collect();
        let mut feature_weights = vec![0; ROWS * width];
        for (number, slab) in self.slabs.iter_mut().enumerate() {
            for base in (0..ROWS).step_by(PIECES) {
                let places = feature_weights[base * width..].chunks_exact_mut(width);
                for (row, places) in slab.fold(base).iter().zip(places) {
                    let places = &mut places[number * COLUMNS..][..COLUMNS];
                    let weights = row.map(|weight| integer(weight, ACTIVATION_Q, word) as i16);
                    places.copy_from_slice(&weights);
                }
            }
        }
        let tail = &self.tail;
        let hidden_bias = |bias: f32| (bias * ACTIVATION_Q * HIDDEN_Q).round() as i32 + HALF_STEP;
        let mut hidden = |number: usize, rows| {
            let weight = |weight| integer(weight, HIDDEN_Q, byte) as i8;
            Dense::new(&tail.biases.weights[number], hidden_bias, rows, weight)
        };
        let hidden = [hidden(0, &tail.first.weights), hidden(1, &tail.second.weights)];
        let output = Dense {
            biases: vec![(tail.output_bias.weights[0][0] * SCORE_UNIT * FV_SCALE).round() as i32],
            weights: tail.output.weights[0].map(|weight| integer(weight, OUTPUT_Q, byte) as i8).to_vec(),
        };
        HalfKpNetwork { width, feature_biases, feature_weights, hidden, output, clipped }
    }

    /// The scores that a network in integers gives to samples.
    pub fn integer_scores(&self, network: &HalfKpNetwork, samples: &[Sample]) -> Vec<i32> {
        samples.iter().map(|sample| network.output(&Side::both(sample)) / FV_SCALE as i32).collect()
    }
}

impl HalfKpNetwork {
    fn output(&self, sides: &[Side; 2]) -> i32 {
        let activations: Vec<u8> = sides.iter().flat_map(|side| self.activations(side)).collect();
        let clip = |output: i32| (output >> 6).clamp(0, 127) as u8;
        let first: Vec<u8> = self.hidden[0].outputs(&activations).map(clip).collect();
        let second: Vec<u8> = self.hidden[1].outputs(&first).map(clip).collect();
        self.output.outputs(&second).sum()
    }

    fn activations(&self, side: &Side) -> Vec<u8> {
        let mut accumulator = self.feature_biases.clone();
        for row in side.rows() {
            let weights = &self.feature_weights[row * self.width..][..self.width];
            accumulator.iter_mut().zip(weights).for_each(|(number, weight)| *number = number.wrapping_add(*weight));
        }
        accumulator.into_iter().map(|number| number.clamp(0, 127) as u8).collect()
    }

    fn arch(&self) -> PublicArch {
        PublicArch { features: FeatureSet::HalfKp, width: self.width, hidden: [HIDDEN; 2], sfnn: None }
    }

    /// The file, as nodchip's format has it.
    pub fn to_bytes(&self) -> Vec<u8> {
        let arch = self.arch();
        let (width, inputs) = (self.width, 2 * self.width);
        let text = format!(
            "Features=HalfKP(Friend)[{ROWS}->{width}x2],Network=AffineTransform[1<-{HIDDEN}](ClippedReLU[{HIDDEN}]\
             (AffineTransform[{HIDDEN}<-{HIDDEN}](ClippedReLU[{HIDDEN}](AffineTransform[{HIDDEN}<-{inputs}]\
             (InputSlice[{inputs}(0:{inputs})])))))"
        );
        let (feature_hash, stack_hash) = (arch.feature_hash(), arch.stack_hash());
        let mut bytes = Vec::with_capacity(2 * COLUMNS + 2 * self.feature_weights.len() + (1 << 16));
        for number in [FILE_VERSION, feature_hash ^ stack_hash, text.len() as u32] {
            bytes.extend(number.to_le_bytes());
        }
        bytes.extend(text.as_bytes());
        bytes.extend(feature_hash.to_le_bytes());
        let features = self.feature_biases.iter().chain(&self.feature_weights);
        bytes.extend(features.flat_map(|number| number.to_le_bytes()));
        bytes.extend(stack_hash.to_le_bytes());
        self.hidden.iter().chain([&self.output]).for_each(|layer| layer.write(&mut bytes));
        bytes
    }
}
