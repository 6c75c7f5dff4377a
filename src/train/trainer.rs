//! Fitting a model to positions: with what target, how fast, and epoch by epoch.

use std::f32::consts::PI;
use std::fmt::{self, Display, Formatter};
use std::thread;

use serde::{Deserialize, Deserializer, Serialize};

use super::TrainError;
use super::dataset::Dataset;
use super::model::{CHUNK, Model};
use super::sample::{Features, SCORE_UNIT, Sample, sigmoid};
use super::slab::AdamStep;
use super::store::{GameStore, POOL, stream};

/// How to train.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct TrainSettings {
    /// Passes over all positions.
    pub epochs: u64,
    /// Positions of a step.
    pub batch: usize,
    /// Highest learning rate.
    pub rate: f32,
    /// Share of the highest rate that is left at the end. It falls along half a cosine.
    pub final_rate: f32,
    /// Steps in which the rate rises from 0 to the highest.
    pub warm_up: u64,
    /// Weight decay of AdamW, as a share of the learning rate.
    pub decay: f32,
    /// Share of the game's result in the target; the rest is the score's.
    pub wdl: f32,
    /// The seed of the order of the positions.
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

impl TrainSettings {
    /// The learning rate of a step, from 1.
    fn rate(&self, step: u64, all_steps: u64) -> f32 {
        let rise = (step as f32 / self.warm_up.max(1) as f32).min(1.0);
        let done = step as f32 / all_steps as f32;
        let left = self.final_rate + (1.0 - self.final_rate) * 0.5 * (1.0 + (PI * done).cos());
        self.rate * rise * left
    }

    /// The win probability that the network learns: a mean of what a sample's score and result say.
    fn target(&self, sample: &Sample) -> f32 {
        (1.0 - self.wdl) * sigmoid(f32::from(sample.score) / SCORE_UNIT) + self.wdl * sample.result()
    }
}

/// The results of an epoch.
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
    /// Losses on the validation set after it.
    pub validation: Losses,
}

/// Mean losses of a set of positions; NaN where it is empty.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Losses {
    /// The run's own: squared error of the win probability against the target.
    #[serde(deserialize_with = "number_or_nan")]
    pub loss: f64,
    /// Squared error of `sigmoid(score / 600)` against the search's: comparable between all runs that are measured
    /// with the same positions.
    #[serde(deserialize_with = "number_or_nan")]
    pub score: f64,
    /// Logarithmic loss of `sigmoid(score / 900)` against the games' results: comparable in the same way.
    #[serde(deserialize_with = "number_or_nan")]
    pub result: f64,
}

impl Display for Losses {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Losses { loss, score, result } = self;
        if loss.is_nan() {
            return write!(f, "none");
        }
        write!(f, "{loss:.6} (score {score:.6}, result {result:.5})")
    }
}

/// The scale of [`Losses::result`].
const RESULT_SCALE: f32 = 900.0;

/// JSON has no NaN: it is written as `null`.
fn number_or_nan<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    Ok(Option::deserialize(deserializer)?.unwrap_or(f64::NAN))
}

/// A training run. Everything runs on the current rayon pool; results do not depend on its size.
pub struct Trainer {
    /// How it trains.
    pub settings: TrainSettings,
    /// The model as it is now.
    pub model: Model,
    /// The epochs so far.
    pub history: Vec<Epoch>,
}

impl Trainer {
    /// A run that starts from this model.
    pub fn new(model: Model, settings: TrainSettings) -> Trainer {
        Trainer { settings, model, history: Vec::new() }
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
        let TrainSettings { batch, epochs, decay, seed, .. } = self.settings;
        let steps = dataset.training.positions / batch as u64;
        if steps == 0 {
            let left = dataset.training.positions;
            let problem = format!("{left} positions are left to train on, fewer than a batch of {batch}");
            return Err(TrainError::Impossible(problem));
        }
        let number = self.history.len() as u64 + 1;
        let mut step = (number - 1) * steps;
        let all_steps = epochs * steps;
        let (mut loss, mut rate, mut seen) = (0.0, 0.0, 0);
        let features = Features::new();
        thread::scope(|scope| {
            let seed = seed ^ number << 32;
            for samples in stream(scope, &dataset.training, &features, (batch, POOL), seed) {
                step += 1;
                for samples in samples.chunks(CHUNK) {
                    loss += self.learn(samples, 1.0 / batch as f32);
                }
                rate = self.settings.rate(step, all_steps);
                self.model.step(AdamStep::new(step, rate, decay));
                seen += batch as u64;
                progress(seen, loss / seen as f64);
            }
        });
        let training_loss = loss / seen as f64;
        let validation = self.validate(&dataset.validation);
        let epoch = Epoch { number, step, rate, training_loss, validation };
        self.history.push(epoch);
        Ok(epoch)
    }

    /// Mean losses of the positions of games with the present weights.
    pub fn validate(&mut self, games: &GameStore) -> Losses {
        let features = Features::new();
        let (mut samples, mut outputs) = (Vec::new(), Vec::new());
        let mut losses = [0.0; 3];
        for number in 0..games.games() {
            games.append(number, &features, &mut samples);
            if samples.len() < CHUNK && number + 1 < games.games() {
                continue;
            }
            self.model.forward(&samples, &mut outputs);
            for (&output, sample) in outputs.iter().zip(&samples) {
                let error = sigmoid(output) - self.settings.target(sample);
                let score_error = sigmoid(output) - sigmoid(f32::from(sample.score) / SCORE_UNIT);
                let win_probability = f64::from(sigmoid(output * SCORE_UNIT / RESULT_SCALE)).clamp(1e-6, 1.0 - 1e-6);
                let result = f64::from(sample.result());
                losses[0] += f64::from(error * error);
                losses[1] += f64::from(score_error * score_error);
                losses[2] -= result * win_probability.ln() + (1.0 - result) * (1.0 - win_probability).ln();
            }
            samples.clear();
        }
        let [loss, score, result] = losses.map(|total| total / games.positions as f64);
        Losses { loss, score, result }
    }

    /// Adds a chunk's gradients, each sample with this weight, and gives the sum of its losses.
    fn learn(&mut self, samples: &[Sample], weight: f32) -> f64 {
        let mut outputs = Vec::with_capacity(CHUNK);
        self.model.forward(samples, &mut outputs);
        let mut loss = 0.0;
        for (output, sample) in outputs.iter_mut().zip(samples) {
            let win_probability = sigmoid(*output);
            let error = win_probability - self.settings.target(sample);
            loss += f64::from(error * error);
            *output = 2.0 * error * win_probability * (1.0 - win_probability) * weight;
        }
        self.model.backward(samples, &outputs);
        loss
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_learning_rate_rises_and_falls() {
        let steps = 1000;
        let settings = TrainSettings { rate: 1.0, final_rate: 0.1, warm_up: 10, ..Default::default() };
        let rate = |step| settings.rate(step, steps);
        assert!((0.09..0.11).contains(&rate(1)) && rate(10) > 0.95);
        assert!((10..steps).all(|step| rate(step) > rate(step + 1)));
        assert!((rate(steps) - 0.1).abs() < 1e-3);
    }
}
