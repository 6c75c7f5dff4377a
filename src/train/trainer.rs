//! Fitting a model to positions.

use std::f32::consts::PI;

use rand::SeedableRng;
use rand::rngs::StdRng;
use rand::seq::SliceRandom;
use serde::{Deserialize, Deserializer, Serialize};

use super::adam::AdamStep;
use super::error::TrainError;
use super::loader::Dataset;
use super::model::SCALE;
use super::sample::Sample;
use super::trainable::Trainable;

/// How to train.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct TrainSettings {
    /// Passes over all positions.
    pub epochs: u64,
    /// Positions of a step.
    pub batch: usize,
    /// Highest learning rate; it rises over the first steps and falls along a cosine.
    pub rate: f32,
    /// Share of the highest rate that is left at the end.
    pub final_rate: f32,
    /// Steps of the rise.
    pub warm_up: u64,
    /// Weight decay.
    pub decay: f32,
    /// Share of the game's result in what is aimed at; the rest is the score's.
    pub wdl: f32,
    /// The order of the positions follows from it.
    pub seed: u64,
}

impl Default for TrainSettings {
    fn default() -> TrainSettings {
        TrainSettings {
            epochs: 8,
            batch: 16384,
            rate: 1e-3,
            final_rate: 0.02,
            warm_up: 200,
            decay: 0.01,
            wdl: 0.1,
            seed: 1,
        }
    }
}

/// What an epoch brought.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Epoch {
    /// Its number, from 1.
    pub number: u64,
    /// Steps made so far.
    pub step: u64,
    /// Learning rate at its end.
    pub rate: f32,
    /// Mean loss of its positions before each step.
    pub training_loss: f64,
    /// Mean loss of the validation set after it; NaN where there is none.
    #[serde(deserialize_with = "number_or_nan")]
    pub validation_loss: f64,
}

/// JSON has no NaN: it is written as `null`.
fn number_or_nan<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    Ok(Option::deserialize(deserializer)?.unwrap_or(f64::NAN))
}

/// A training run. Everything runs on the current rayon pool; results do not depend on its size.
pub struct Trainer<M> {
    settings: TrainSettings,
    pub(super) model: M,
    pub(super) history: Vec<Epoch>,
}

impl<M: Trainable> Trainer<M> {
    /// A run that begins with this model.
    pub fn new(model: M, settings: TrainSettings) -> Trainer<M> {
        Trainer { settings, model, history: Vec::new() }
    }

    /// The model as it is now.
    pub fn model(&mut self) -> &mut M {
        &mut self.model
    }

    /// The epochs so far.
    pub fn history(&self) -> &[Epoch] {
        &self.history
    }

    /// How it trains.
    pub fn settings(&self) -> &TrainSettings {
        &self.settings
    }

    /// Whether all epochs are done.
    pub fn is_done(&self) -> bool {
        self.history.len() as u64 >= self.settings.epochs
    }

    /// Trains for one epoch; `progress` is called after each step with the positions seen and the mean loss so far.
    ///
    /// # Errors
    /// When there are fewer positions than a batch.
    pub fn epoch(&mut self, dataset: &Dataset, mut progress: impl FnMut(u64, f64)) -> Result<Epoch, TrainError> {
        let TrainSettings { batch, epochs, decay, wdl, seed, .. } = self.settings;
        let samples = &dataset.training;
        let steps = samples.len() / batch;
        if steps == 0 {
            return Err(TrainError::TooFew(samples.len(), batch));
        }
        let number = self.history.len() as u64 + 1;
        let mut order: Vec<u32> = (0..samples.len() as u32).collect();
        order.shuffle(&mut StdRng::seed_from_u64(seed ^ number << 32));

        let mut step = (number - 1) * steps as u64;
        let all_steps = epochs * steps as u64;
        let (mut loss, mut rate) = (0.0, 0.0);
        let mut chunk = Vec::with_capacity(M::CHUNK);
        for (index, batch_order) in order.chunks_exact(batch).enumerate() {
            for order in batch_order.chunks(M::CHUNK) {
                chunk.clear();
                chunk.extend(order.iter().map(|&i| samples[i as usize]));
                loss += self.learn(&chunk, wdl, 1.0 / batch as f32);
            }
            step += 1;
            rate = self.rate(step, all_steps);
            self.model.step(AdamStep::new(step, rate, decay));
            let seen = (index + 1) * batch;
            progress(seen as u64, loss / seen as f64);
        }
        let epoch = Epoch {
            number,
            step,
            rate,
            training_loss: loss / (steps * batch) as f64,
            validation_loss: self.validate(&dataset.validation),
        };
        self.history.push(epoch);
        Ok(epoch)
    }

    /// Mean loss of samples with the present weights.
    pub fn validate(&mut self, samples: &[Sample]) -> f64 {
        let mut outputs = Vec::new();
        let mut loss = 0.0;
        for samples in samples.chunks(M::CHUNK) {
            self.model.forward(samples, &mut outputs);
            let errors =
                outputs.iter().zip(samples).map(|(&output, sample)| sigmoid(output) - aim(sample, self.settings.wdl));
            loss += errors.map(|error| f64::from(error * error)).sum::<f64>();
        }
        loss / samples.len() as f64
    }

    /// Adds a chunk's gradients, each sample with this weight, and gives the sum of its losses.
    fn learn(&mut self, samples: &[Sample], wdl: f32, weight: f32) -> f64 {
        let mut outputs = Vec::with_capacity(M::CHUNK);
        self.model.forward(samples, &mut outputs);
        let mut loss = 0.0;
        for (output, sample) in outputs.iter_mut().zip(samples) {
            let chance = sigmoid(*output);
            let error = chance - aim(sample, wdl);
            loss += f64::from(error * error);
            *output = 2.0 * error * chance * (1.0 - chance) * weight;
        }
        self.model.backward(&outputs);
        loss
    }

    fn rate(&self, step: u64, all_steps: u64) -> f32 {
        let TrainSettings { rate, final_rate, warm_up, .. } = self.settings;
        let rise = (step as f32 / warm_up.max(1) as f32).min(1.0);
        let fall = 0.5 * (1.0 + (PI * step as f32 / all_steps as f32).cos());
        rate * rise * (final_rate + (1.0 - final_rate) * fall)
    }
}

/// The chance to win that a sample's score and result tell.
fn aim(sample: &Sample, wdl: f32) -> f32 {
    (1.0 - wdl) * sigmoid(f32::from(sample.score) / SCALE) + wdl * f32::from(sample.points) / 2.0
}

fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}
