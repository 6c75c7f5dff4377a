//! What a trainer asks of the network that it trains.

use super::adam::AdamStep;
use crate::eval::nnue::FeatureSet;
use crate::train::SCORE_UNIT;
use crate::train::data::sample::Sample;

/// A network in training. Results do not depend on the number of threads of the rayon pool that it uses.
pub trait Trainable {
    /// How many samples `forward` is best given at once.
    const CHUNK: usize;

    /// What its first layer sees.
    fn features(&self) -> FeatureSet;

    /// The network's shape in words.
    fn architecture(&self) -> String;

    /// The outputs for samples, for their sides to move: scores as parts of `SCORE_UNIT`.
    fn forward(&mut self, samples: &[Sample], outputs: &mut Vec<f32>);

    /// Scores of samples for their sides to move, in the internal unit.
    fn scores(&mut self, samples: &[Sample]) -> Vec<f32> {
        let mut outputs = Vec::new();
        let mut scores = |samples: &[Sample]| {
            self.forward(samples, &mut outputs);
            outputs.iter().map(|output| output * SCORE_UNIT).collect::<Vec<_>>()
        };
        samples.chunks(Self::CHUNK).flat_map(&mut scores).collect()
    }

    /// Adds the gradients of the samples that `forward` saw last, given the loss's derivatives by the outputs.
    fn backward(&mut self, derivatives: &[f32]);

    /// Moves all weights by the gradients added up since the last step.
    fn step(&mut self, step: AdamStep);

    /// Exchanges the weights with their moving average. Does nothing in networks that keep none.
    fn swap_average(&mut self) {}

    /// All numbers that training changes, for a checkpoint.
    fn state(&self) -> Box<dyn Iterator<Item = f32> + '_>;

    /// How many numbers [`Trainable::state`] has.
    fn state_len(&self) -> usize;

    /// Takes over a state of that length.
    fn restore(&mut self, state: &mut dyn Iterator<Item = f32>);
}

/// The network each of whose numbers is the mean of those of some networks of one shape; `None` where there are none.
/// Networks trained from one, with other orders of the positions or other settings, have weights that can be averaged.
pub fn mean<M: Trainable>(mut networks: Vec<M>) -> Option<M> {
    let count = networks.len() as f32;
    let mut mean = networks.pop()?;
    let mut totals: Vec<f32> = mean.state().collect();
    for network in networks {
        totals.iter_mut().zip(network.state()).for_each(|(total, number)| *total += number);
    }
    mean.restore(&mut totals.into_iter().map(|total| total / count));
    Some(mean)
}
