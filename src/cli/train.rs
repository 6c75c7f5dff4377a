//! `kurosabi train`.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Instant;

use clap::{Args, ValueEnum};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use rayon::ThreadPoolBuilder;

use crate::eval::Evaluation;
use crate::eval::nnue::{KuroNetwork, LayerStacks, Network, NnueError, NnueEvaluator};
use crate::position::Position;
use crate::train::{
    Curves, Dataset, Epoch, Factoriser, Features, Filters, HalfKpModel, HeadKind, Losses, Model, Quantised, Sample,
    Schedule, Shape, Source, Start, TrainError, TrainSettings, Trainable, Trainer, Validation, beside, check_plain,
    write_whole,
};

/// A moving average that never forgets what the weights were at first would be no use.
const MOST_AVERAGE: f32 = 0.999_99;

/// Train a network on files of games
///
/// Beside the network stand its loss curves (.csv, .png) and, until it is done, a checkpoint from which the same
/// command goes on.
#[derive(Debug, Args)]
pub(super) struct TrainArgs {
    /// Files of games (`kurosabi datagen`), or of 40-byte positions (.psv, .bin); FILE:0.3 takes 30 % of the games
    #[arg(value_name = "FILE", required = true)]
    files: Vec<Source>,
    /// The network to write
    #[arg(long, short)]
    out: PathBuf,
    /// Shape and format of the network
    #[arg(long, value_enum, default_value_t = Architecture::KaHm)]
    arch: Architecture,
    /// What the network is called; the file's name when not given (halfkp: files have no names)
    #[arg(long)]
    name: Option<String>,
    /// A network to start from (not halfkp)
    #[arg(long)]
    init: Option<PathBuf>,
    /// Width of the first layer
    #[arg(long, default_value_t = 256)]
    width: usize,
    /// What follows the first layer (not halfkp)
    #[arg(long, value_enum, default_value_t = HeadKind::Screlu)]
    head: HeadKind,
    /// Sets of the layers after the first (not halfkp): one, nine by the kings' ranks, eight by the pieces in hand
    #[arg(long, value_enum, default_value_t = Stacks::One)]
    stacks: Stacks,
    /// First weights of the first layer lie within this (not halfkp)
    #[arg(long, default_value_t = Start::default().rows, value_parser = positive)]
    first_rows: f32,
    /// What rows of the first layer have in common while they are trained (not halfkp)
    #[arg(long, value_enum, default_value_t = Factoriser::Lines)]
    factoriser: Factoriser,
    #[command(flatten)]
    steps: StepArgs,
    #[command(flatten)]
    data: DataArgs,
    /// The first weights and the order of the positions follow from it
    #[arg(long, default_value_t = TrainSettings::default().seed)]
    seed: u64,
    /// Threads; 0 for one on each core
    #[arg(long, default_value_t = 0)]
    threads: usize,
}

/// How weights move, and what they aim at.
#[derive(Debug, Args)]
struct StepArgs {
    /// Passes over all positions
    #[arg(long, default_value_t = TrainSettings::default().epochs)]
    epochs: u64,
    /// Positions of a step
    #[arg(long, default_value_t = TrainSettings::default().batch)]
    batch: usize,
    /// Highest learning rate
    #[arg(long, default_value_t = TrainSettings::default().rate, value_parser = positive)]
    lr: f32,
    /// Share of the highest learning rate that is left at the end
    #[arg(long, default_value_t = TrainSettings::default().final_rate, value_parser = share::<f32>)]
    final_lr: f32,
    /// How the learning rate falls
    #[arg(long, value_enum, default_value_t = TrainSettings::default().schedule)]
    schedule: Schedule,
    /// Steps in which the learning rate rises
    #[arg(long, default_value_t = TrainSettings::default().warm_up)]
    warm_up: u64,
    /// Weight decay (AdamW); a step takes this times the learning rate of each weight
    #[arg(long, default_value_t = TrainSettings::default().decay, value_parser = share::<f32>)]
    decay: f32,
    /// Decay of the moving average of the weights, such as 0.999, which is then the network; 0 for none (not halfkp)
    #[arg(long, default_value_t = TrainSettings::default().average, value_parser = share::<f32>)]
    average: f32,
    /// Share of the game's result in what is aimed at; the rest is the score's
    #[arg(long, default_value_t = TrainSettings::default().wdl, value_parser = share::<f32>)]
    wdl: f32,
    /// The same at the end, towards which it changes evenly; that of the beginning when not given
    #[arg(long, value_parser = share::<f32>)]
    final_wdl: Option<f32>,
    /// Score at which the odds to win are taken to be e to 1 (90 = a pawn); the network's scores keep their unit
    #[arg(long, default_value_t = TrainSettings::default().scale, value_parser = positive)]
    scale: f32,
}

/// Which positions are trained on, and which are measured with.
#[derive(Debug, Args)]
struct DataArgs {
    /// Share of the games to measure with, the same ones in whatever file they stand; or a file of games
    #[arg(long, value_name = "SHARE|FILE", default_value = "0.02")]
    validation: Validation,
    /// Leave out positions with higher scores (90 = a pawn)
    #[arg(long, default_value_t = Filters::default().max_score)]
    max_score: i32,
    /// Of positions with higher scores than this only a share is used
    #[arg(long, default_value_t = Filters::default().thin_above)]
    thin_above: i32,
    /// That share
    #[arg(long, default_value_t = Filters::default().thin_share, value_parser = share::<f64>)]
    thin_share: f64,
    /// Leave out the first plies of games
    #[arg(long, default_value_t = 0)]
    min_ply: u32,
    /// Use positions in check and those before captures and promotions as well
    #[arg(long)]
    all_positions: bool,
}

fn positive(text: &str) -> Result<f32, String> {
    let number = text.parse().ok().filter(|number: &f32| *number > 0.0 && number.is_finite());
    number.ok_or_else(|| "it must be a positive number".to_owned())
}

fn share<F: FromStr + PartialOrd + From<u8>>(text: &str) -> Result<F, String> {
    let number = text.parse().ok().filter(|number| (F::from(0)..=F::from(1)).contains(number));
    number.ok_or_else(|| "it must be a number from 0 to 1".to_owned())
}

/// What can be trained.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Architecture {
    /// Kurosabi's own networks (.kuro)
    KaHm,
    /// HalfKP with hidden layers of 32, as YaneuraOu and others read it (nn.bin); FV_SCALE is 16
    #[value(name = "halfkp")]
    HalfKp,
}

/// How the layers after the first depend on the position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Stacks {
    /// One set for all
    One,
    /// By the thirds of the board that the kings stand in
    #[value(name = "k3k3")]
    KingThirds,
    /// By the number of pieces in both hands
    Hands,
}

pub(super) fn run(args: &TrainArgs) -> io::Result<()> {
    let pool = ThreadPoolBuilder::new().num_threads(args.threads).build().map_err(io::Error::other)?;
    pool.install(|| train(args)).map_err(io::Error::other)
}

impl TrainArgs {
    fn settings(&self) -> TrainSettings {
        let StepArgs { epochs, batch, lr, final_lr, schedule, warm_up, decay, average, wdl, final_wdl, scale } =
            self.steps;
        TrainSettings {
            epochs,
            batch: batch.max(1),
            rate: lr,
            final_rate: final_lr,
            schedule,
            warm_up,
            decay,
            wdl,
            final_wdl: final_wdl.unwrap_or(wdl),
            scale,
            average: if self.arch == Architecture::HalfKp { 0.0 } else { average.min(MOST_AVERAGE) },
            seed: self.seed,
        }
    }

    fn checkpoint(&self) -> PathBuf {
        beside(&self.out, ".checkpoint")
    }

    fn filters(&self) -> Filters {
        let DataArgs { max_score, thin_above, thin_share, min_ply, all_positions, .. } = self.data;
        let quiet = !all_positions;
        Filters { checks: quiet, tactical: quiet, max_score, min_ply, thin_above, thin_share }
    }

    fn own_model(&self) -> Result<Model, TrainError> {
        let &TrainArgs { seed, first_rows: rows, factoriser, width, head, .. } = self;
        let stacks = match self.stacks {
            Stacks::One => LayerStacks::One,
            Stacks::KingThirds => LayerStacks::KingThirds,
            Stacks::Hands => LayerStacks::Hands,
        };
        let shape = Shape { width, head, stacks, factoriser };
        let Some(path) = &self.init else { return Model::new(shape, &Start { seed, rows }) };
        let model = Model::from_network(&read_network(path)?, factoriser)?;
        if model.shape() != shape {
            return Err(TrainError::Shape { found: model.shape().to_string(), wanted: shape.to_string() });
        }
        Ok(model)
    }

    fn halfkp_model(&self) -> Result<HalfKpModel, TrainError> {
        match &self.init {
            None => HalfKpModel::new(self.width, self.seed),
            Some(path) => Err(TrainError::Init { path: path.clone() }),
        }
    }

    fn name(&self) -> String {
        let stem = || self.out.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned());
        self.name.clone().unwrap_or_else(stem)
    }
}

fn read_network(path: &Path) -> Result<KuroNetwork, TrainError> {
    let failed = |error| TrainError::Network { path: path.to_owned(), error };
    let io = |error| failed(NnueError::Io { path: path.to_owned(), error });
    KuroNetwork::parse(&fs::read(path).map_err(io)?).map_err(failed)
}

fn train(args: &TrainArgs) -> Result<(), TrainError> {
    let mut out = io::stdout();
    let mut say = |text: String| drop(writeln!(out, "{text}"));
    // What cannot be written is better known before hours of training than after.
    for path in [args.out.clone(), args.checkpoint(), beside(&args.out, ".csv"), beside(&args.out, ".png")] {
        check_plain(&path)?;
    }
    let dataset = Dataset::load(&args.files, &args.filters(), &args.data.validation)?;
    let (training, validation) = (&dataset.training, &dataset.validation);
    for (store, purpose) in [(training, "to train on"), (validation, "to measure with")] {
        say(format!("{purpose}: {} positions of {} games", store.positions(), store.games()));
    }

    match args.arch {
        Architecture::KaHm => {
            let trainer = fit(args, args.own_model()?, &dataset, &mut say)?;
            export_own(args, trainer, &dataset, &mut say)?;
        }
        Architecture::HalfKp => {
            let trainer = fit(args, args.halfkp_model()?, &dataset, &mut say)?;
            export_halfkp(args, trainer, &dataset, &mut say)?;
        }
    }
    // The checkpoint has done its duty; one that stays is no harm.
    let _ = fs::remove_file(args.checkpoint());
    Ok(())
}

/// Runs all epochs that are left.
fn fit<M: Trainable>(
    args: &TrainArgs,
    model: M,
    dataset: &Dataset,
    say: &mut impl FnMut(String),
) -> Result<Trainer<M>, TrainError> {
    // The counts tell of files that have grown since.
    let counts = [&dataset.training, &dataset.validation].map(|store| (store.positions(), store.games()));
    let data = format!("{:?} {:?} {:?} {:?} {counts:?}", args.files, args.filters(), args.data.validation, args.init);
    let checkpoint = args.checkpoint();
    let mut trainer = Trainer::new(model, args.settings());
    if trainer.resume(&checkpoint, &data)? {
        say(format!("going on after epoch {}", trainer.history().len()));
    }
    while !trainer.is_done() {
        let epoch = run_epoch(&mut trainer, dataset, say)?;
        trainer.save(&checkpoint, &data)?;
        let curves = Curves(trainer.history());
        curves.write_csv(&beside(&args.out, ".csv"))?;
        if epoch.number > 1 {
            curves.draw_png(&beside(&args.out, ".png"))?;
        }
    }
    Ok(trainer)
}

fn run_epoch<M: Trainable>(
    trainer: &mut Trainer<M>,
    dataset: &Dataset,
    say: &mut impl FnMut(String),
) -> Result<Epoch, TrainError> {
    let bar = ProgressBar::with_draw_target(Some(dataset.training.positions()), ProgressDrawTarget::stderr_with_hz(2));
    let style = ProgressStyle::with_template("{wide_bar} {pos}/{len} {msg} {eta}");
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    let start = Instant::now();
    let mut rate = 0.0;
    let epoch = trainer.epoch(dataset, |seen, loss| {
        rate = seen as f64 / start.elapsed().as_secs_f64();
        bar.set_position(seen);
        bar.set_message(format!("loss {loss:.6}, {rate:.0} positions/s"));
    })?;
    bar.finish_and_clear();
    let Epoch { number, training_loss, validation: Losses { loss, score, result }, .. } = epoch;
    say(format!(
        "epoch {number:3}: loss {training_loss:.6}, validation {loss:.6} (score {score:.6}, result {result:.5}), \
         {rate:.0} positions/s"
    ));
    Ok(epoch)
}

/// Positions that anyone can judge.
const SHOWN: [(&str, &str); 3] = [
    ("even", "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1"),
    ("a pawn up", "lnsgkgsnl/1r5b1/1pppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b P 1"),
    ("a rook up", "lnsgkgsnl/7b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b R 1"),
];

/// Writes a network of our own.
fn export_own(
    args: &TrainArgs,
    trainer: Trainer<Model>,
    dataset: &Dataset,
    say: &mut impl FnMut(String),
) -> Result<(), TrainError> {
    let (settings, losses) = (*trainer.settings(), trainer.history().last().copied());
    let mut model = trainer.finish();
    let Quantised { mut network, cut } = model.quantise(&args.name());
    network.header.training = serde_json::json!({
        "files": args.files.iter().map(|source| format!("{}:{}", source.path.display(), source.share)).collect::<Vec<_>>(),
        "positions": dataset.training.positions(),
        "init": args.init,
        "settings": settings,
        "first_rows": args.first_rows,
        "factoriser": args.factoriser,
        "losses": losses,
    });
    let failed = |error| TrainError::Network { path: args.out.clone(), error };
    let bytes = network.to_bytes().map_err(failed)?;
    let samples = some_samples::<Model>(dataset);
    let rounded = Model::from_network(&network, Factoriser::None)?.scores(&samples);
    report(args, &bytes, cut, &model.scores(&samples), &rounded, say)
}

/// Writes a network of the public format.
fn export_halfkp(
    args: &TrainArgs,
    trainer: Trainer<HalfKpModel>,
    dataset: &Dataset,
    say: &mut impl FnMut(String),
) -> Result<(), TrainError> {
    let mut model = trainer.finish();
    let network = model.quantise();
    let samples = some_samples::<HalfKpModel>(dataset);
    let rounded: Vec<f32> = model.integer_scores(&network, &samples).iter().map(|&score| score as f32).collect();
    report(args, &network.to_bytes(), network.cut, &model.scores(&samples), &rounded, say)
}

/// Some positions of the validation set.
fn some_samples<M: Trainable>(dataset: &Dataset) -> Vec<Sample> {
    let games = &dataset.validation;
    let mut samples = Vec::new();
    for number in (0..games.games()).step_by(games.games() / 64 + 1) {
        games.append(number, &Features::new(M::FEATURES), &mut samples);
    }
    samples
}

/// Writes a network and tells what it has lost against the exact one, and what it thinks of positions when read
/// back.
fn report(
    args: &TrainArgs,
    bytes: &[u8],
    cut: usize,
    exact: &[f32],
    rounded: &[f32],
    say: &mut impl FnMut(String),
) -> Result<(), TrainError> {
    // A network's file is whole or not there: loops take one that is there for done.
    write_whole(&args.out, |path| fs::write(path, bytes))?;
    let differences: Vec<f32> = exact.iter().zip(rounded).map(|(exact, rounded)| (exact - rounded).abs()).collect();
    let mean = differences.iter().sum::<f32>() / differences.len().max(1) as f32;
    let largest = differences.iter().copied().fold(0.0, f32::max);
    say(format!(
        "rounding: {cut} weights cut, scores off by {mean:.1} in the mean, {largest:.1} at most (90 = a pawn)"
    ));
    let network = Network::load(&args.out).map_err(|error| TrainError::Network { path: args.out.clone(), error })?;
    network.warnings().iter().for_each(|warning| say(format!("warning: {warning}")));
    let evaluation = Evaluation::Network { network: network.into(), fv_scale: NnueEvaluator::DEFAULT_FV_SCALE };
    for (name, sfen) in SHOWN {
        if let Ok(position) = Position::from_sfen(sfen) {
            say(format!("{name}: {}", evaluation.report(&position).eval));
        }
    }
    Ok(())
}
