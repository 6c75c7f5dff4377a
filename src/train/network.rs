//! From a model's weights to a network's integers, and from a network to a model that goes on from it and may be
//! larger.

use std::sync::Arc;

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use super::COLUMNS;
use super::error::TrainError;
use super::model::{Bias, FIRST_BIAS, Model, Shape, Start};
use super::scores::SCORE_UNIT;
use super::slab::{Factoriser, SharedRows, Slab, SlabRow};
use crate::eval::nnue::{FEATURE_Q, FeatureSet, KuroHeader, KuroNetwork, LayerStacks, MAX_OUTPUT_WEIGHT, NnueError};

/// Parts of an activation.
const ACTIVATION_Q: f32 = (FEATURE_Q * FEATURE_Q) as f32 / 256.0;
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
        let outputs: Vec<f32> = (0..shape.output_rows()).flat_map(|row| self.row(SlabRow::Output(row))).collect();
        let largest = outputs.iter().fold(0.0f32, |largest, weight| largest.max(weight.abs()));
        let fits = |q: &&i32| largest * **q as f32 <= LARGEST_OUTPUT;
        let output_q = OUTPUT_QS.iter().rev().find(fits).copied().unwrap_or(OUTPUT_QS[0]);
        let bias = |bias: &Bias| (bias.weight * ACTIVATION_Q * output_q as f32).round() as i32;
        let (q, most) = (FEATURE_Q as f32, f32::from(i16::MAX));
        let network = KuroNetwork {
            output_biases: self.biases.iter().map(bias).collect(),
            output_weights: rounding.words(&outputs, output_q as f32, LARGEST_OUTPUT),
            header: KuroHeader::new(name, shape.width, output_q, SCORE_UNIT as i32).with_stacks(shape.stacks),
            feature_biases: rounding.words(&self.row(SlabRow::Bias), q, most),
            feature_weights: (0..FeatureSet::KaHm.rows())
                .flat_map(|row| rounding.words(&self.row(SlabRow::Feature(row)), q, most))
                .collect(),
        };
        Quantised { network, clipped: rounding.clipped }
    }

    /// A row of all slabs.
    fn row(&self, row: SlabRow) -> Vec<f32> {
        self.slabs.iter().flat_map(|slab| slab.weights(row)).copied().collect()
    }
}

impl Model {
    /// A model that goes on from a network.
    ///
    /// # Errors
    /// When its width cannot be had.
    pub fn from_network(network: &KuroNetwork, factoriser: Factoriser) -> Result<Model, TrainError> {
        let shape = Shape::from_network(network, factoriser).map_err(TrainError::Head)?;
        Model::grown(network, shape, &Start::default())
    }

    /// A model of this shape that goes on from a network, which may be narrower or have one stack where the shape has
    /// several: it evaluates as the network does. The accumulators that are new have random rows and no weights in the
    /// output yet; the stacks are alike at first.
    ///
    /// # Errors
    /// When the shape cannot be had, or not from this network.
    pub fn grown(network: &KuroNetwork, shape: Shape, start: &Start) -> Result<Model, TrainError> {
        let found = Shape::from_network(network, shape.factoriser).map_err(TrainError::Head)?;
        shape.check()?;
        if !found.grows_to(shape) {
            return Err(TrainError::Shape { found: found.to_string(), wanted: shape.to_string() });
        }
        let shared_rows = Arc::new(SharedRows::new(shape.factoriser));
        let known = KnownWeights::new(network, found);
        let mut rng = StdRng::seed_from_u64(start.seed);
        let slab = |slab: usize| {
            let weight = |row: SlabRow, column: usize| match (row, slab * COLUMNS + column) {
                (row, place) if place < found.width => known.weight(row, place),
                (SlabRow::Bias, _) => FIRST_BIAS,
                (SlabRow::Output(_), _) => 0.0,
                (SlabRow::Feature(_), _) => rng.random_range(-start.rows..=start.rows),
            };
            Slab::new(shape.output_rows(), Arc::clone(&shared_rows), weight, || 0.0)
        };
        let slabs = (0..shape.width / COLUMNS).map(slab).collect();
        Ok(Model::from_parts(shape, slabs, known.biases(shape.stacks)))
    }
}

/// A network's weights as those of a model.
struct KnownWeights<'a> {
    network: &'a KuroNetwork,
    output_rows: usize,
    output_q: f32,
    /// From the network's unit of scores, which may be another, to the trainer's.
    scale: f32,
}

impl KnownWeights<'_> {
    fn new(network: &KuroNetwork, shape: Shape) -> KnownWeights<'_> {
        KnownWeights {
            network,
            output_rows: shape.output_rows(),
            output_q: network.header.output_q as f32,
            scale: network.header.scale as f32 / SCORE_UNIT,
        }
    }

    /// The weight of a slab's row for one of the network's accumulators. Stacks that the network lacks are as those it
    /// has.
    fn weight(&self, row: SlabRow, place: usize) -> f32 {
        let KuroNetwork { header, feature_biases, feature_weights, output_weights, .. } = self.network;
        match row {
            SlabRow::Bias => f32::from(feature_biases[place]) / FEATURE_Q as f32,
            SlabRow::Feature(row) => f32::from(feature_weights[row * header.width + place]) / FEATURE_Q as f32,
            SlabRow::Output(row) => {
                let row = row % self.output_rows;
                f32::from(output_weights[row * header.width + place]) / self.output_q * self.scale
            }
        }
    }

    /// The biases of the output; those of stacks that the network lacks are as those it has.
    fn biases(&self, stacks: LayerStacks) -> Vec<Bias> {
        let bias = |&bias: &i32| Bias::new(bias as f32 / (ACTIVATION_Q * self.output_q) * self.scale);
        self.network.output_biases.iter().cycle().take(stacks.count()).map(bias).collect()
    }
}

impl Shape {
    /// The shape of a network.
    ///
    /// # Errors
    /// When it is none that this program evaluates.
    pub fn from_network(network: &KuroNetwork, factoriser: Factoriser) -> Result<Shape, NnueError> {
        let stacks = network.header.architecture()?.head.stacks();
        Ok(Shape { width: network.header.width, stacks, factoriser })
    }

    /// Whether a network of this shape can go on as one of another, see [`Model::grown`].
    fn grows_to(self, other: Shape) -> bool {
        self.width <= other.width && (self.stacks == other.stacks || self.stacks == LayerStacks::One)
    }
}
