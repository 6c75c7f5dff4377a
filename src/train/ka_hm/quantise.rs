//! Between a model's weights and a network's integers.

use std::sync::Arc;

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use super::factoriser::{Factoriser, SharedRows};
use super::model::{Bias, FIRST_BIAS, Model, Top};
use super::shape::{HeadKind, Shape, Start};
use super::slab::{BIAS, OUTPUT, Slab};
use super::tail::Tail;
use crate::eval::nnue::pairwise::{self, DOUBLED, FIRST, HIDDEN_Q, SECOND_Q, SUM_Q};
use crate::eval::nnue::{
    Architecture, FEATURE_Q, Head, KuroHeader, KuroLayers, KuroNetwork, LayerStacks, MAX_OUTPUT_WEIGHT, NnueError,
    PairwiseLayers,
};
use crate::train::common::error::TrainError;
use crate::train::{COLUMNS, KURO_FEATURES, ROWS, SCORE_UNIT};

/// Parts of an activation of a `screlu` network.
const ACTIVATION_Q: f32 = (FEATURE_Q * FEATURE_Q) as f32 / 256.0;
const LARGEST_OUTPUT: f32 = MAX_OUTPUT_WEIGHT as f32;
const OUTPUT_QS: [i32; 6] = [512, 1024, 2048, 4096, 8192, 16384];

/// A network in integers, and what was lost on the way.
#[derive(Clone, Debug)]
pub struct Quantised {
    /// The network.
    pub network: KuroNetwork,
    /// Weights that did not fit their integers and were cut.
    pub cut: usize,
}

/// Rounds weights and counts those that do not fit.
#[derive(Default)]
struct Rounding {
    cut: usize,
}

impl Rounding {
    fn integer(&mut self, weight: f32, q: f32, most: f32) -> f32 {
        let rounded = (weight * q).round();
        self.cut += usize::from(rounded.abs() > most);
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
                let rows = (OUTPUT..OUTPUT + shape.output_rows()).flat_map(|row| self.row(row));
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
            header: header.with_features(KURO_FEATURES).with_stacks(shape.stacks),
            feature_biases: rounding.words(&self.row(BIAS), q, most),
            feature_weights: (0..ROWS).flat_map(|row| rounding.words(&self.row(row), q, most)).collect(),
            layers,
        };
        Quantised { network, cut: rounding.cut }
    }

    /// A row of the first layer, in the network's order.
    fn row(&self, row: usize) -> Vec<f32> {
        let mut places = vec![0.0; self.shape.width];
        for (number, slab) in self.slabs.iter().enumerate() {
            for (column, weight) in slab.weights[row].iter().enumerate() {
                places[self.shape.place(number, column)] = *weight;
            }
        }
        places
    }

    /// A model that goes on from a network.
    ///
    /// # Errors
    /// When its width cannot be had.
    pub fn from_network(network: &KuroNetwork, factoriser: Factoriser) -> Result<Model, TrainError> {
        let shape = Shape::of(network, factoriser).map_err(TrainError::Head)?;
        Model::grown(network, shape, &Start::default())
    }

    /// A model of this shape that goes on from a network, which may be narrower (unless it is pairwise) or have one
    /// stack of layers where the shape has several: it evaluates as the network does. The accumulators that are new have
    /// random rows and no weights in the output yet; the stacks are alike at first.
    ///
    /// # Errors
    /// When the shape cannot be had, or not from this network.
    pub fn grown(network: &KuroNetwork, shape: Shape, start: &Start) -> Result<Model, TrainError> {
        let found = Shape::of(network, shape.factoriser).map_err(TrainError::Head)?;
        shape.check()?;
        if !found.grows_to(shape) {
            return Err(TrainError::Shape { found: found.to_string(), wanted: shape.to_string() });
        }
        let width = found.width;
        // A network's own unit may be another.
        let scale = network.header.scale as f32 / SCORE_UNIT;
        let output_q = network.header.output_q as f32;
        let q = feature_q(shape.head);
        let shared_rows = Arc::new(SharedRows::new(shape.factoriser));
        let mut rng = StdRng::seed_from_u64(start.seed);
        let slab = |slab: usize| {
            let weight = |row: usize, column: usize| {
                let place = shape.place(slab, column);
                match (row, &network.layers) {
                    (BIAS, _) if place >= width => FIRST_BIAS,
                    (row, _) if place >= width && row >= OUTPUT => 0.0,
                    (_, _) if place >= width => rng.random_range(-start.rows..=start.rows),
                    (BIAS, _) => f32::from(network.feature_biases[place]) / q,
                    (row, KuroLayers::Screlu { weights, .. }) if row >= OUTPUT => {
                        let row = (row - OUTPUT) % found.output_rows();
                        f32::from(weights[row * width + place]) / output_q * scale
                    }
                    (row, _) => f32::from(network.feature_weights[row * width + place]) / q,
                }
            };
            Slab::new(shape.output_rows(), Arc::clone(&shared_rows), weight, || 0.0)
        };
        let slabs = (0..shape.width / COLUMNS).map(slab).collect();
        let stacks = shape.stacks.count();
        let top = match &network.layers {
            KuroLayers::Screlu { biases, .. } => {
                let bias = |&bias: &i32| Bias::new(bias as f32 / (ACTIVATION_Q * output_q) * scale);
                Top::Screlu(biases.iter().cycle().take(stacks).map(bias).collect())
            }
            KuroLayers::Pairwise(layers) => {
                let layers: Vec<_> = layers.iter().cycle().take(stacks).cloned().collect();
                Top::Pairwise(Box::new(Tail::from_layers(shape.width, &layers)))
            }
        };
        Ok(Model::of(shape, slabs, top))
    }
}

impl Shape {
    /// The shape of a network.
    ///
    /// # Errors
    /// When it is none that this program evaluates, or has other features than those that are trained.
    pub fn of(network: &KuroNetwork, factoriser: Factoriser) -> Result<Shape, NnueError> {
        let Architecture { features, head, .. } = network.header.architecture()?;
        if features != KURO_FEATURES {
            let reason =
                format!("{} can't be trained further: the trainer has {}", features.name(), KURO_FEATURES.name());
            return Err(NnueError::Unsupported { reason });
        }
        let kind = if matches!(head, Head::Pairwise { .. }) { HeadKind::Pairwise } else { HeadKind::Screlu };
        Ok(Shape { width: network.header.width, head: kind, stacks: head.stacks(), factoriser })
    }
}

impl Shape {
    /// Whether a network of this shape can go on as one of another, see [`Model::grown`].
    fn grows_to(self, other: Shape) -> bool {
        let width = self.width == other.width || self.head == HeadKind::Screlu && self.width < other.width;
        self.head == other.head && width && (self.stacks == other.stacks || self.stacks == LayerStacks::One)
    }
}

/// 1 in the unit of the first layer.
fn feature_q(head: HeadKind) -> f32 {
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

    /// Layers over this many activations, as a network has them.
    fn from_layers(inputs: usize, stacks: &[PairwiseLayers]) -> Tail {
        let mut tail = Tail::zeros(inputs, stacks.len());
        let (second_q, output_q) = (SECOND_Q as f32, pairwise::OUTPUT_Q as f32);
        for (stack, layers) in stacks.iter().enumerate() {
            for (at, &weight) in layers.first_weights.iter().enumerate() {
                tail.first.weights[stack * inputs + at % inputs][at / inputs] = f32::from(weight) / HIDDEN_Q as f32;
            }
            for (at, &weight) in layers.second_weights.iter().enumerate() {
                tail.second.weights[stack * DOUBLED + at % DOUBLED][at / DOUBLED] = f32::from(weight) / second_q;
            }
            fill(&mut tail.first_bias.weights[stack], layers.first_biases.iter().map(|&bias| bias as f32 / SUM_Q));
            let biases = layers.second_biases.iter().map(|&bias| bias as f32 / (SUM_Q * second_q));
            fill(&mut tail.second_bias.weights[stack], biases);
            let weights = layers.output_weights.iter().map(|&weight| f32::from(weight) / output_q);
            fill(&mut tail.output.weights[stack], weights);
            tail.output_bias.weights[stack] = [layers.output_bias as f32 / (SUM_Q * output_q)];
        }
        tail.round();
        tail
    }
}

fn fill(places: &mut [f32], numbers: impl Iterator<Item = f32>) {
    places.iter_mut().zip(numbers).for_each(|(place, number)| *place = number);
}
