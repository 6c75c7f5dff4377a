//! The arguments of `kurosabi train`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use crate::atomic_file::with_suffix;
use crate::cli::ranges::{at_least, positive, share, share_up_to, threads_or_all};
use crate::eval::nnue::{KuroNetwork, LayerStacks, NnueError};
use crate::train::{Factoriser, Filters, GameFile, Schedule, Shape, Start, TrainSettings, Validation};

/// A moving average that never forgets what the weights were at first would be no use.
const MOST_AVERAGE: f32 = 0.999_99;

/// Train a network on files of games
///
/// The loss curves (.csv, .png) are written beside the network and, until training ends, a checkpoint from which the
/// same command continues.
#[derive(Debug, Args)]
pub(in crate::cli) struct TrainArgs {
    /// Files of games (`kurosabi datagen`), or of 40-byte positions (.psv, .bin); FILE:0.3 takes 30 % of the games
    #[arg(value_name = "FILE", required = true)]
    pub(super) files: Vec<GameFile>,
    /// The network to write
    #[arg(long, short)]
    pub(super) out: PathBuf,
    /// The network's name [default: that of the file]
    #[arg(long)]
    pub(super) name: Option<String>,
    /// A network to start from, whose shape is the default of the options that follow; it may be narrower than they
    /// say, and may have one set of the output's weights. Given several times, training starts from the mean of their
    /// weights, which is useful if they were trained from the same network
    #[arg(long, value_name = "FILE")]
    pub(super) init: Vec<PathBuf>,
    /// Width of the first layer [default: that of --init, else 256]
    #[arg(long)]
    pub(super) width: Option<usize>,
    /// Sets of the output's weights: one, or nine by the kings' ranks [default: as in --init, else one]
    #[arg(long, value_enum)]
    pub(super) stacks: Option<Stacks>,
    /// Largest size of the first layer's initial weights
    #[arg(long, default_value_t = Start::default().rows, value_parser = positive)]
    pub(super) first_rows: f32,
    /// Weights that rows of the first layer share while they are trained
    #[arg(long, value_enum, default_value_t = Factoriser::Lines)]
    pub(super) factoriser: Factoriser,
    #[command(flatten)]
    pub(super) steps: StepArgs,
    #[command(flatten)]
    pub(super) data: DataArgs,
    /// Seed of the initial weights and of the order of the positions
    #[arg(long, default_value_t = TrainSettings::default().seed)]
    pub(super) seed: u64,
    /// Threads; 0 for one on each core
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = threads_or_all())]
    pub(super) threads: usize,
}

/// How weights move, and towards what target.
#[derive(Debug, Args)]
pub(super) struct StepArgs {
    /// Passes over all positions; with 0 the networks of --init are averaged and not trained
    #[arg(long, default_value_t = TrainSettings::default().epochs)]
    pub(super) epochs: u64,
    /// Positions per step
    #[arg(long, default_value_t = TrainSettings::default().batch, value_parser = at_least::<usize>(1))]
    pub(super) batch: usize,
    /// Highest learning rate
    #[arg(long, default_value_t = TrainSettings::default().rate, value_parser = positive)]
    pub(super) lr: f32,
    /// Learning rate at the end, as a share of the highest
    #[arg(long, default_value_t = TrainSettings::default().final_rate, value_parser = share::<f32>)]
    pub(super) final_lr: f32,
    /// How the learning rate decreases
    #[arg(long, value_enum, default_value_t = TrainSettings::default().schedule)]
    pub(super) schedule: Schedule,
    /// Steps at the start in which the learning rate rises
    #[arg(long, default_value_t = TrainSettings::default().warm_up)]
    pub(super) warm_up: u64,
    /// Weight decay (AdamW): each step shrinks the weights by this times the learning rate
    #[arg(long, default_value_t = TrainSettings::default().decay, value_parser = share::<f32>)]
    pub(super) decay: f32,
    /// Decay of a moving average of the weights, such as 0.999, which becomes the network; 0 for none
    #[arg(long, default_value_t = TrainSettings::default().average, value_parser = share_up_to(MOST_AVERAGE))]
    pub(super) average: f32,
    /// Share of the game's result in the target; the rest is the score
    #[arg(long, default_value_t = TrainSettings::default().wdl, value_parser = share::<f32>)]
    pub(super) wdl: f32,
    /// That share at the end, reached linearly [default: as at the beginning]
    #[arg(long, value_parser = share::<f32>)]
    pub(super) final_wdl: Option<f32>,
    /// Score at which the odds of winning are taken to be e to 1 (90 = a pawn); the network's scores keep their unit
    #[arg(long, default_value_t = TrainSettings::default().scale, value_parser = positive)]
    pub(super) scale: f32,
}

/// Which positions are trained on, and which are measured with.
#[derive(Debug, Args)]
pub(super) struct DataArgs {
    /// Share of the games to hold out for validation, the same ones whichever file they are in; or a file of games
    #[arg(long, value_name = "SHARE|FILE", default_value = "0.02")]
    pub(super) validation: Validation,
    /// TD(λ): weight of the later searches of a game in a position's score; 0 for its own search alone
    #[arg(long, default_value_t = 0.75, value_parser = share::<f32>)]
    pub(super) lambda: f32,
    /// Leave out positions with higher scores (90 = a pawn)
    #[arg(long, default_value_t = Filters::default().max_score)]
    pub(super) max_score: i32,
    /// Use only a share of the positions with scores above this
    #[arg(long, default_value_t = Filters::default().thin_above)]
    pub(super) thin_above: i32,
    /// The share of --thin-above
    #[arg(long, default_value_t = Filters::default().thin_share, value_parser = share::<f64>)]
    pub(super) thin_share: f64,
    /// Leave out the first plies of games
    #[arg(long, default_value_t = 0)]
    pub(super) min_ply: u32,
    /// Also use positions in check and those before captures and promotions
    #[arg(long)]
    pub(super) all_positions: bool,
}

/// How the output's weights depend on the position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Stacks {
    /// One set for all
    One,
    /// By the thirds of the board that the kings stand in
    #[value(name = "k3k3")]
    KingThirds,
}

/// The width without `--width` and `--init`.
const DEFAULT_WIDTH: usize = 256;

impl From<Stacks> for LayerStacks {
    fn from(stacks: Stacks) -> LayerStacks {
        match stacks {
            Stacks::One => LayerStacks::One,
            Stacks::KingThirds => LayerStacks::KingThirds,
        }
    }
}

impl TrainArgs {
    /// The shape asked for; what is not said is as in the network to start from.
    pub(super) fn shape(&self, init: Option<&KuroNetwork>) -> Result<Shape, NnueError> {
        let plain = Shape { factoriser: self.factoriser, ..Shape::plain(DEFAULT_WIDTH) };
        let like = init.map_or(Ok(plain), |network| Shape::from_network(network, self.factoriser))?;
        Ok(Shape {
            width: self.width.unwrap_or(like.width),
            stacks: self.stacks.map_or(like.stacks, LayerStacks::from),
            ..like
        })
    }

    pub(super) fn settings(&self) -> TrainSettings {
        let StepArgs { epochs, batch, lr, final_lr, schedule, warm_up, decay, average, wdl, final_wdl, scale } =
            self.steps;
        TrainSettings {
            epochs,
            batch,
            rate: lr,
            final_rate: final_lr,
            schedule,
            warm_up,
            decay,
            wdl,
            final_wdl: final_wdl.unwrap_or(wdl),
            scale,
            average,
            seed: self.seed,
        }
    }

    pub(super) fn checkpoint(&self) -> PathBuf {
        with_suffix(&self.out, ".checkpoint")
    }

    pub(super) fn filters(&self) -> Filters {
        let DataArgs { max_score, thin_above, thin_share, min_ply, all_positions, .. } = self.data;
        let quiet = !all_positions;
        Filters { checks: quiet, tactical: quiet, max_score, min_ply, thin_above, thin_share }
    }

    pub(super) fn name(&self) -> String {
        let stem = || self.out.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned());
        self.name.clone().unwrap_or_else(stem)
    }
}
