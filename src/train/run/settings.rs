//! How a run trains: with what target and how fast.

use std::f32::consts::PI;

use serde::{Deserialize, Serialize};

use crate::datagen::scores::sigmoid;
use crate::train::data::sample::Sample;

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
    pub(super) fn rate(&self, step: u64, all_steps: u64) -> f32 {
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
    pub(super) fn wdl(&self, step: u64, all_steps: u64) -> f32 {
        self.wdl + (self.final_wdl - self.wdl) * step as f32 / all_steps as f32
    }

    /// The share that a step's weights have in their moving average. Until there are enough of them it is a plain
    /// mean.
    pub(super) fn average_share(&self, step: u64) -> f32 {
        if self.average > 0.0 { (1.0 - self.average).max(1.0 / step.max(1) as f32) } else { 0.0 }
    }

    /// The win probability that the network learns: a mean of what a sample's score and result say.
    pub(super) fn target(&self, sample: &Sample, wdl: f32) -> f32 {
        (1.0 - wdl) * sigmoid(f32::from(sample.score) / self.scale) + wdl * sample.result()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_rise_and_fall_as_asked() {
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
    fn the_results_share_changes_evenly() {
        let settings = TrainSettings { wdl: 0.1, final_wdl: 0.5, ..Default::default() };
        assert!((settings.wdl(50, 100) - 0.3).abs() < 1e-6 && (settings.wdl(100, 100) - 0.5).abs() < 1e-6);
    }
}
