//! Fitting a model to positions: with what target, how fast, and epoch by epoch.

use std::f32::consts::PI;
use std::fmt::{self, Display, Formatter};
use std::thread;

use serde::{Deserialize, Deserializer, Serialize};

use super::dataset::Dataset;
use super::error::TrainError;
use super::model::{CHUNK, Model};
use super::optimiser::AdamStep;
use super::sample::{Features, Sample};
use super::scores::{SCORE_UNIT, sigmoid};
use super::store::{GameStore, POOL, SampleStream};

/// How to train.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct TrainSettings {
    /// Passes over all positions.
    pub epochs: u64,
    /// Positions of a step.
    pub batch: usize,
    /// Highest learning rate.
    pub rate: f32,
    /// Share of the highest rate that is left at the end.
    pub final_rate: f32,
    /// How the rate falls.
    pub schedule: Schedule,
    /// Steps in which the rate rises from 0 to the highest.
    pub warm_up: u64,
    /// Weight decay of AdamW, as a share of the learning rate.
    pub decay: f32,
    /// Share of the game's result in the target, at the beginning; the rest is the score's.
    pub wdl: f32,
    /// The same at the end; in between it changes evenly.
    pub final_wdl: f32,
    /// The score (90 is a pawn) at which the odds of winning are taken to be e to 1.
    pub scale: f32,
    /// Decay of the moving average of the weights a step, such as 0.999; 0 for none.
    pub average: f32,
    /// The seed of the order of the positions.
    pub seed: u64,
}

/// How the learning rate falls from the highest to the final one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
pub enum Schedule {
    /// Along half a cosine.
    Cosine,
    /// Evenly.
    Linear,
    /// By the same factor every step.
    Exponential,
    /// Not at all.
    Constant,
}

impl Default for TrainSettings {
    fn default() -> TrainSettings {
        TrainSettings {
            epochs: 8,
            batch: 16384,
            rate: 1e-3,
            final_rate: 0.02,
            schedule: Schedule::Cosine,
            warm_up: 200,
            decay: 0.01,
            wdl: 0.1,
            final_wdl: 0.1,
            scale: 600.0,
            average: 0.0,
            seed: 1,
        }
    }
}

impl TrainSettings {
    /// The learning rate of a step, from 1.
    fn rate(&self, step: u64, all_steps: u64) -> f32 {
        let rise = (step as f32 / self.warm_up.max(1) as f32).min(1.0);
        let done = step as f32 / all_steps as f32;
        let left = match self.schedule {
            Schedule::Cosine => self.final_rate + (1.0 - self.final_rate) * 0.5 * (1.0 + (PI * done).cos()),
            Schedule::Linear => 1.0 - (1.0 - self.final_rate) * done,
            Schedule::Exponential => self.final_rate.powf(done),
            Schedule::Constant => 1.0,
        };
        self.rate * rise * left
    }

    /// The share of the game's result at a step.
    fn wdl(&self, step: u64, all_steps: u64) -> f32 {
        self.wdl + (self.final_wdl - self.wdl) * step as f32 / all_steps as f32
    }

    /// The share that a step's weights have in their moving average. Until there are enough of them it is a plain
    /// mean.
    fn average_share(&self, step: u64) -> f32 {
        if self.average > 0.0 { (1.0 - self.average).max(1.0 / step.max(1) as f32) } else { 0.0 }
    }

    /// The win probability that the network learns: a mean of what a sample's score and result say.
    fn target(&self, sample: &Sample, wdl: f32) -> f32 {
        (1.0 - wdl) * sigmoid(f32::from(sample.score) / self.scale) + wdl * sample.result()
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
    /// The run's own: squared error of the win probability against the target that the run has in the end.
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

/// The fixed scales of [`Losses::score`] and [`Losses::result`].
const SCORE_SCALE: f32 = 600.0;
const RESULT_SCALE: f32 = 900.0;

/// JSON has no NaN: it is written as `null`.
fn number_or_nan<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    Ok(Option::deserialize(deserializer)?.unwrap_or(f64::NAN))
}

/// A training run. Everything runs on the current rayon pool; results do not depend on its size.
pub struct Trainer {
    settings: TrainSettings,
    pub(super) model: Model,
    pub(super) history: Vec<Epoch>,
    pub(super) has_average: bool,
}

impl Trainer {
    /// A run that starts from this model.
    pub fn new(model: Model, settings: TrainSettings) -> Trainer {
        Trainer { settings, model, history: Vec::new(), has_average: false }
    }

    /// The model as it is now.
    pub fn model(&mut self) -> &mut Model {
        &mut self.model
    }

    /// The model that the run has come to: with averaged weights where the settings ask for them.
    pub fn finish(mut self) -> Model {
        self.swap_average();
        self.model
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
        let TrainSettings { batch, epochs, decay, seed, .. } = self.settings;
        let steps = dataset.training.positions() / batch as u64;
        if steps == 0 {
            return Err(TrainError::TooFew(dataset.training.positions(), batch));
        }
        let number = self.history.len() as u64 + 1;
        let mut step = (number - 1) * steps;
        let all_steps = epochs * steps;
        let (mut loss, mut rate, mut seen) = (0.0, 0.0, 0);
        let features = Features::new();
        thread::scope(|scope| {
            let seed = seed ^ number << 32;
            let mut stream = SampleStream::start(scope, &dataset.training, &features, (batch, POOL), seed);
            while let Some(samples) = stream.next() {
                step += 1;
                let wdl = self.settings.wdl(step, all_steps);
                for samples in samples.chunks(CHUNK) {
                    loss += self.learn(samples, wdl, 1.0 / batch as f32);
                }
                rate = self.settings.rate(step, all_steps);
                self.model.step(AdamStep::new(step, rate, decay).averaging(self.settings.average_share(step)));
                self.has_average = true;
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

    /// Mean losses of the positions of games with the present weights, averaged ones where the settings ask for them.
    pub fn validate(&mut self, games: &GameStore) -> Losses {
        self.swap_average();
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
                let score = output * SCORE_UNIT;
                let error =
                    sigmoid(score / self.settings.scale) - self.settings.target(sample, self.settings.final_wdl);
                let score_error = sigmoid(score / SCORE_SCALE) - sigmoid(f32::from(sample.score) / SCORE_SCALE);
                let (win_probability, result) = (f64::from(sigmoid(score / RESULT_SCALE)), f64::from(sample.result()));
                let win_probability = win_probability.clamp(1e-6, 1.0 - 1e-6);
                losses[0] += f64::from(error * error);
                losses[1] += f64::from(score_error * score_error);
                losses[2] -= result * win_probability.ln() + (1.0 - result) * (1.0 - win_probability).ln();
            }
            samples.clear();
        }
        self.swap_average();
        let [loss, score, result] = losses.map(|total| total / games.positions() as f64);
        Losses { loss, score, result }
    }

    fn swap_average(&mut self) {
        // Before the first step there is no average.
        if self.settings.average > 0.0 && self.has_average {
            self.model.swap_average();
        }
    }

    /// Adds a chunk's gradients, each sample with this weight, and gives the sum of its losses.
    fn learn(&mut self, samples: &[Sample], wdl: f32, weight: f32) -> f64 {
        let mut outputs = Vec::with_capacity(CHUNK);
        self.model.forward(samples, &mut outputs);
        let unit = SCORE_UNIT / self.settings.scale;
        let mut loss = 0.0;
        for (output, sample) in outputs.iter_mut().zip(samples) {
            let win_probability = sigmoid(*output * unit);
            let error = win_probability - self.settings.target(sample, wdl);
            loss += f64::from(error * error);
            *output = 2.0 * error * win_probability * (1.0 - win_probability) * unit * weight;
        }
        self.model.backward(&outputs);
        loss
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_learning_rate_rises_and_falls_by_its_schedule() {
        let steps = 1000;
        for schedule in [Schedule::Cosine, Schedule::Linear, Schedule::Exponential] {
            let settings = TrainSettings { rate: 1.0, final_rate: 0.1, warm_up: 10, schedule, ..Default::default() };
            let rate = |step| settings.rate(step, steps);
            assert!((0.09..0.1).contains(&rate(1)) && rate(10) > 0.95, "{schedule:?}");
            assert!((10..steps).all(|step| rate(step) > rate(step + 1)), "{schedule:?}");
            assert!((rate(steps) - 0.1).abs() < 1e-3, "{schedule:?}");
        }
        let constant = TrainSettings { schedule: Schedule::Constant, warm_up: 0, ..Default::default() };
        assert_eq!(constant.rate(500, steps), constant.rate);
    }

    #[test]
    fn the_share_of_the_result_changes_linearly() {
        let settings = TrainSettings { wdl: 0.1, final_wdl: 0.5, ..Default::default() };
        assert!((settings.wdl(50, 100) - 0.3).abs() < 1e-6 && (settings.wdl(100, 100) - 0.5).abs() < 1e-6);
    }
}
