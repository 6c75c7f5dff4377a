//! From a network's integers to a model that goes on from it, which may be larger.

use std::sync::Arc;

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use super::factoriser::{Factoriser, SharedRows};
use super::model::{Bias, FIRST_BIAS, Model};
use super::quantise::ACTIVATION_Q;
use super::shape::{Shape, Start};
use super::slab::{Row, Slab};
use crate::eval::nnue::{FEATURE_Q, KuroNetwork, LayerStacks, NnueError};
use crate::train::common::error::TrainError;
use crate::train::{COLUMNS, SCORE_UNIT};

impl Model {
    /// A model that goes on from a network.
    ///
    /// # Errors
    /// When its width cannot be had.
    pub fn from_network(network: &KuroNetwork, factoriser: Factoriser) -> Result<Model, TrainError> {
        let shape = Shape::of(network, factoriser).map_err(TrainError::Head)?;
        Model::grown(network, shape, &Start::default())
    }

    /// A model of this shape that goes on from a network, which may be narrower or have one stack where the shape has
    /// several: it evaluates as the network does. The accumulators that are new have random rows and no weights in the
    /// output yet; the stacks are alike at first.
    ///
    /// # Errors
    /// When the shape cannot be had, or not from this network.
    pub fn grown(network: &KuroNetwork, shape: Shape, start: &Start) -> Result<Model, TrainError> {
        let found = Shape::of(network, shape.factoriser).map_err(TrainError::Head)?;
        shape.check()?;
        if !found.grows_to(shape) {
            return Err(TrainError::Shape { found: found.to_string(), wanted: shape.to_string() });
        }
        let shared_rows = Arc::new(SharedRows::new(shape.factoriser));
        let known = KnownWeights::new(network, found);
        let mut rng = StdRng::seed_from_u64(start.seed);
        let slab = |slab: usize| {
            let weight = |row: Row, column: usize| match (row, slab * COLUMNS + column) {
                (row, place) if place < found.width => known.weight(row, place),
                (Row::Bias, _) => FIRST_BIAS,
                (Row::Output(_), _) => 0.0,
                (Row::Feature(_), _) => rng.random_range(-start.rows..=start.rows),
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
    fn weight(&self, row: Row, place: usize) -> f32 {
        let KuroNetwork { header, feature_biases, feature_weights, output_weights, .. } = self.network;
        match row {
            Row::Bias => f32::from(feature_biases[place]) / FEATURE_Q as f32,
            Row::Feature(row) => f32::from(feature_weights[row * header.width + place]) / FEATURE_Q as f32,
            Row::Output(row) => {
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
    pub fn of(network: &KuroNetwork, factoriser: Factoriser) -> Result<Shape, NnueError> {
        let stacks = network.header.architecture()?.head.stacks();
        Ok(Shape { width: network.header.width, stacks, factoriser })
    }

    /// Whether a network of this shape can go on as one of another, see [`Model::grown`].
    fn grows_to(self, other: Shape) -> bool {
        self.width <= other.width && (self.stacks == other.stacks || self.stacks == LayerStacks::One)
    }
}
