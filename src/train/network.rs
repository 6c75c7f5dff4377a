//! From a model's weights to a network's integers, and from a network to a model that goes on from it and may be
//! larger.

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use super::COLUMNS;
use super::error::TrainError;
use super::model::{FIRST_BIAS, Model, Shape, Start};
use super::optimiser::Parameters;
use super::scores::SCORE_UNIT;
use super::slab::{Slab, SlabRow};
use crate::eval::nnue::{FEATURE_Q, FeatureSet, KuroHeader, KuroNetwork, LayerStacks, MAX_OUTPUT_WEIGHT, NnueError};

/// Parts of an activation.
const ACTIVATION_Q: f32 = (FEATURE_Q * FEATURE_Q) as f32 / 256.0;
const LARGEST_OUTPUT: f32 = MAX_OUTPUT_WEIGHT as f32;
const OUTPUT_QS: [i32; 6] = [512, 1024, 2048, 4096, 8192, 16384];

impl Model {
    /// The network in integers, and how many weights did not fit theirs and were clipped.
    pub fn quantise(&self, name: &str) -> (KuroNetwork, usize) {
        let shape = self.shape;
        let mut clipped = 0;
        let mut words = |weights: &[f32], q: f32, most: f32| -> Vec<i16> {
            let rounded = weights.iter().map(|weight| (weight * q).round());
            let fits = |rounded: f32| {
                clipped += usize::from(rounded.abs() > most);
                rounded.clamp(-most, most) as i16
            };
            rounded.map(fits).collect()
        };
        let outputs: Vec<f32> = (0..shape.output_rows()).flat_map(|row| self.row(SlabRow::Output(row))).collect();
        let largest = outputs.iter().fold(0.0f32, |largest, weight| largest.max(weight.abs()));
        let fits = |q: &&i32| largest * **q as f32 <= LARGEST_OUTPUT;
        let output_q = OUTPUT_QS.iter().rev().find(fits).copied().unwrap_or(OUTPUT_QS[0]);
        let bias = |[bias]: &[f32; 1]| (bias * ACTIVATION_Q * output_q as f32).round() as i32;
        let (q, most) = (FEATURE_Q as f32, f32::from(i16::MAX));
        let network = KuroNetwork {
            output_biases: self.biases.weights.iter().map(bias).collect(),
            output_weights: words(&outputs, output_q as f32, LARGEST_OUTPUT),
            header: KuroHeader::new(name, shape.width, output_q, SCORE_UNIT as i32).with_stacks(shape.stacks),
            feature_biases: words(&self.row(SlabRow::Bias), q, most),
            feature_weights: (0..FeatureSet::KaHm.rows())
                .flat_map(|row| words(&self.row(SlabRow::Feature(row)), q, most))
                .collect(),
        };
        (network, clipped)
    }

    /// A row of all slabs.
    fn row(&self, row: SlabRow) -> Vec<f32> {
        self.slabs.iter().flat_map(|slab| slab.weights(row)).copied().collect()
    }

    /// A model of this shape that goes on from a network, which may be narrower or have one stack where the shape has
    /// several: it evaluates as the network does. The accumulators that are new have random rows and no weights in the
    /// output yet; the stacks are alike at first.
    ///
    /// # Errors
    /// When the shape cannot be had, or not from this network.
    pub fn grown(network: &KuroNetwork, shape: Shape, start: &Start) -> Result<Model, TrainError> {
        let found = Shape::from_network(network)?;
        shape.check()?;
        let grows = found.width <= shape.width && (found.stacks == shape.stacks || found.stacks == LayerStacks::One);
        if !grows {
            return Err(TrainError::Shape { found: found.to_string(), wanted: shape.to_string() });
        }
        let KuroNetwork { header, feature_biases, feature_weights, output_biases, output_weights } = network;
        // From the network's unit of scores, which may be another, to the trainer's.
        let output_unit = header.output_q as f32 / (header.scale as f32 / SCORE_UNIT);
        // Stacks that the network lacks are as those it has.
        let known = |row: SlabRow, place: usize| match row {
            SlabRow::Bias => f32::from(feature_biases[place]) / FEATURE_Q as f32,
            SlabRow::Feature(row) => f32::from(feature_weights[row * found.width + place]) / FEATURE_Q as f32,
            SlabRow::Output(row) => {
                f32::from(output_weights[row % found.output_rows() * found.width + place]) / output_unit
            }
        };
        let mut biases = output_biases.iter().cycle().map(|&bias| bias as f32 / (ACTIVATION_Q * output_unit));
        let mut rng = StdRng::seed_from_u64(start.seed);
        let slab = |slab: usize| {
            let weight = |row: SlabRow, column: usize| match (row, slab * COLUMNS + column) {
                (row, place) if place < found.width => known(row, place),
                (SlabRow::Bias, _) => FIRST_BIAS,
                (SlabRow::Output(_), _) => 0.0,
                (SlabRow::Feature(_), _) => rng.random_range(-start.rows..=start.rows),
            };
            Slab::new(shape.output_rows(), weight, || 0.0)
        };
        let slabs = (0..shape.width / COLUMNS).map(slab).collect();
        let biases = Parameters::new(shape.stacks.count(), || biases.next().unwrap_or(0.0));
        Ok(Model::from_parts(shape, slabs, biases))
    }
}

impl Shape {
    /// The shape of a network.
    ///
    /// # Errors
    /// When it is none that this program evaluates.
    pub fn from_network(network: &KuroNetwork) -> Result<Shape, NnueError> {
        Ok(Shape { width: network.header.width, stacks: network.header.architecture()?.head.stacks() })
    }
}
