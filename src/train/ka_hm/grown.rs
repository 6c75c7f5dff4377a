//! From a network's integers to a model that goes on from it, which may be larger.

use std::sync::Arc;

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use super::factoriser::{Factoriser, SharedRows};
use super::model::{Bias, FIRST_BIAS, Model, Top};
use super::quantise::{ACTIVATION_Q, feature_q};
use super::shape::{HeadKind, Shape, Start};
use super::slab::{Row, Slab};
use super::tail::Tail;
use crate::eval::nnue::pairwise::{self, DOUBLED, HIDDEN_Q, SECOND_Q, SUM_Q};
use crate::eval::nnue::{
    Architecture, FeatureSet, KuroLayers, KuroNetwork, LayerStacks, NetworkHead, NnueError, PairwiseLayers,
};
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

    /// A model of this shape that goes on from a network, which may be narrower (unless it is pairwise), have one stack
    /// of layers where the shape has several, or rows for all zones of the king together: it evaluates as the network
    /// does. The accumulators that are new have random rows and no weights in the output yet; the stacks are alike at
    /// first.
    ///
    /// # Errors
    /// When the shape cannot be had, or not from this network.
    pub fn grown(network: &KuroNetwork, shape: Shape, start: &Start) -> Result<Model, TrainError> {
        let found = Shape::of(network, shape.factoriser).map_err(TrainError::Head)?;
        shape.check()?;
        if !found.grows_to(shape) {
            return Err(TrainError::Shape { found: found.to_string(), wanted: shape.to_string() });
        }
        let shared_rows = Arc::new(SharedRows::new(shape.features, shape.factoriser));
        let known = KnownWeights::of(network, found);
        let mut rng = StdRng::seed_from_u64(start.seed);
        let slab = |slab: usize| {
            let weight = |row: Row, column: usize| match (row, shape.place(slab, column)) {
                (row, place) if place < found.width => known.weight(row, place),
                (Row::Bias, _) => FIRST_BIAS,
                (Row::Output(_), _) => 0.0,
                (Row::Feature(_), _) => rng.random_range(-start.rows..=start.rows),
            };
            Slab::new(shape.output_rows(), Arc::clone(&shared_rows), weight, || 0.0)
        };
        let slabs = (0..shape.width / COLUMNS).map(slab).collect();
        Ok(Model::of(shape, slabs, known.top(shape)))
    }
}

/// A network's weights as those of a model.
struct KnownWeights<'a> {
    network: &'a KuroNetwork,
    output_rows: usize,
    feature_q: f32,
    output_q: f32,
    /// From the network's unit of scores, which may be another, to the trainer's.
    scale: f32,
}

impl KnownWeights<'_> {
    fn of(network: &KuroNetwork, shape: Shape) -> KnownWeights<'_> {
        KnownWeights {
            network,
            output_rows: shape.output_rows(),
            feature_q: feature_q(shape.head),
            output_q: network.header.output_q as f32,
            scale: network.header.scale as f32 / SCORE_UNIT,
        }
    }

    /// The weight of a slab's row for one of the network's accumulators. Stacks that the network lacks are as those it
    /// has.
    fn weight(&self, row: Row, place: usize) -> f32 {
        let KuroNetwork { header, feature_biases, feature_weights, layers } = self.network;
        match (row, layers) {
            (Row::Bias, _) => f32::from(feature_biases[place]) / self.feature_q,
            (Row::Feature(row), _) => {
                f32::from(feature_weights[row % header.rows * header.width + place]) / self.feature_q
            }
            (Row::Output(row), KuroLayers::Screlu { weights, .. }) => {
                let row = row % self.output_rows;
                f32::from(weights[row * header.width + place]) / self.output_q * self.scale
            }
            (Row::Output(_), KuroLayers::Pairwise(_)) => 0.0, // there are none
        }
    }

    /// What stands over the accumulators in a model of a shape; the stacks that the network lacks are as those it has.
    fn top(&self, shape: Shape) -> Top {
        let stacks = shape.stacks.count();
        match &self.network.layers {
            KuroLayers::Screlu { biases, .. } => {
                let bias = |&bias: &i32| Bias::new(bias as f32 / (ACTIVATION_Q * self.output_q) * self.scale);
                Top::Screlu(biases.iter().cycle().take(stacks).map(bias).collect())
            }
            KuroLayers::Pairwise(layers) => {
                let layers: Vec<_> = layers.iter().cycle().take(stacks).cloned().collect();
                Top::Pairwise(Box::new(Tail::from_layers(shape.width, &layers)))
            }
        }
    }
}

impl Shape {
    /// The shape of a network.
    ///
    /// # Errors
    /// When it is none that this program evaluates.
    pub fn of(network: &KuroNetwork, factoriser: Factoriser) -> Result<Shape, NnueError> {
        let Architecture { features, head, .. } = network.header.architecture()?;
        let kind = if matches!(head, NetworkHead::Pairwise { .. }) { HeadKind::Pairwise } else { HeadKind::Screlu };
        Ok(Shape { features, width: network.header.width, head: kind, stacks: head.stacks(), factoriser })
    }

    /// Whether a network of this shape can go on as one of another, see [`Model::grown`].
    fn grows_to(self, other: Shape) -> bool {
        let width = self.width == other.width || self.head == HeadKind::Screlu && self.width < other.width;
        let features = self.features == other.features || self.features == FeatureSet::KaHm;
        self.head == other.head && width && features && (self.stacks == other.stacks || self.stacks == LayerStacks::One)
    }
}

impl Tail {
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
