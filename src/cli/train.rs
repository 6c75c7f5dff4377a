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
use crate::eval::nnue::{Network, NnueError, NnueEvaluator, OwnNetwork};
use crate::position::Position;
use crate::train::{
    Curves, Dataset, Epoch, Filters, HalfKpModel, Model, Quantised, Sample, Source, TrainError, TrainSettings,
    Trainable, Trainer,
};

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
    /// Passes over all positions
    #[arg(long, default_value_t = TrainSettings::default().epochs)]
    epochs: u64,
    /// Highest learning rate
    #[arg(long, default_value_t = TrainSettings::default().rate, value_parser = positive)]
    lr: f32,
    /// Positions of a step
    #[arg(long, default_value_t = TrainSettings::default().batch)]
    batch: usize,
    /// Share of the game's result in what is aimed at
    #[arg(long, default_value_t = TrainSettings::default().wdl, value_parser = share::<f32>)]
    wdl: f32,
    /// Share of the games to measure with
    #[arg(long, default_value_t = 0.02, value_parser = share::<f64>)]
    validation: f64,
    /// Leave out positions with higher scores (90 = a pawn)
    #[arg(long, default_value_t = Filters::default().max_score)]
    max_score: i32,
    /// Leave out the first plies of games
    #[arg(long, default_value_t = 0)]
    min_ply: u32,
    /// Use positions in check and those before captures and promotions as well
    #[arg(long)]
    all_positions: bool,
    /// The first weights and the order of the positions follow from it
    #[arg(long, default_value_t = TrainSettings::default().seed)]
    seed: u64,
    /// Threads; 0 for one on each core
    #[arg(long, default_value_t = 0)]
    threads: usize,
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

pub(super) fn run(args: &TrainArgs) -> io::Result<()> {
    let pool = ThreadPoolBuilder::new().num_threads(args.threads).build().map_err(io::Error::other)?;
    pool.install(|| train(args)).map_err(io::Error::other)
}

impl TrainArgs {
    fn settings(&self) -> TrainSettings {
        TrainSettings {
            epochs: self.epochs,
            batch: self.batch.max(1),
            rate: self.lr,
            wdl: self.wdl,
            seed: self.seed,
            ..TrainSettings::default()
        }
    }

    fn checkpoint(&self) -> PathBuf {
        self.out.with_extension("checkpoint")
    }

    fn filters(&self) -> Filters {
        let quiet = !self.all_positions;
        Filters { checks: quiet, tactical: quiet, max_score: self.max_score, min_ply: self.min_ply }
    }

    fn own_model(&self) -> Result<Model, TrainError> {
        let Some(path) = &self.init else { return Model::new(self.width, self.seed) };
        let network = read_network(path)?;
        let found = network.header.width;
        if found != self.width {
            return Err(TrainError::Width { found, wanted: self.width });
        }
        Model::from_network(&network)
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

fn read_network(path: &Path) -> Result<OwnNetwork, TrainError> {
    let failed = |error| TrainError::Network { path: path.to_owned(), error };
    let io = |error| failed(NnueError::Io { path: path.to_owned(), error });
    OwnNetwork::parse(&fs::read(path).map_err(io)?).map_err(failed)
}

fn train(args: &TrainArgs) -> Result<(), TrainError> {
    let mut out = io::stdout();
    let mut say = |text: String| drop(writeln!(out, "{text}"));
    let dataset = Dataset::load(&args.files, &args.filters(), args.validation)?;
    let (training, validation) = (dataset.training.len(), dataset.validation.len());
    say(format!("{training} positions to train on, {validation} to measure with, of {} read", dataset.read));

    match args.arch {
        Architecture::KaHm => {
            let mut trainer = fit(args, args.own_model()?, &dataset, &mut say)?;
            export_own(args, &mut trainer, &dataset, &mut say)?;
        }
        Architecture::HalfKp => {
            let mut trainer = fit(args, args.halfkp_model()?, &dataset, &mut say)?;
            export_halfkp(args, &mut trainer, &dataset, &mut say)?;
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
    let counts = [dataset.training.len() as u64, dataset.validation.len() as u64, dataset.read];
    let data = format!("{:?} {:?} {} {:?} {counts:?}", args.files, args.filters(), args.validation, args.init);
    let checkpoint = args.checkpoint();
    let mut trainer = Trainer::new(model, args.settings());
    if trainer.resume(&checkpoint, &data)? {
        say(format!("going on after epoch {}", trainer.history().len()));
    }
    while !trainer.is_done() {
        let epoch = run_epoch(&mut trainer, dataset, say)?;
        trainer.save(&checkpoint, &data)?;
        let curves = Curves(trainer.history());
        curves.write_csv(&args.out.with_extension("csv"))?;
        if epoch.number > 1 {
            curves.draw_png(&args.out.with_extension("png"))?;
        }
    }
    Ok(trainer)
}

fn run_epoch<M: Trainable>(
    trainer: &mut Trainer<M>,
    dataset: &Dataset,
    say: &mut impl FnMut(String),
) -> Result<Epoch, TrainError> {
    let bar = ProgressBar::with_draw_target(Some(dataset.training.len() as u64), ProgressDrawTarget::stderr_with_hz(2));
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
    let Epoch { number, training_loss, validation_loss, .. } = epoch;
    say(format!("epoch {number:3}: loss {training_loss:.6}, validation {validation_loss:.6}, {rate:.0} positions/s"));
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
    trainer: &mut Trainer<Model>,
    dataset: &Dataset,
    say: &mut impl FnMut(String),
) -> Result<(), TrainError> {
    let Quantised { mut network, cut } = trainer.model().quantise(&args.name());
    network.header.training = serde_json::json!({
        "files": args.files.iter().map(|source| format!("{}:{}", source.path.display(), source.share)).collect::<Vec<_>>(),
        "positions": dataset.training.len(),
        "init": args.init,
        "settings": trainer.settings(),
        "losses": trainer.history().last(),
    });
    let bytes = network.to_bytes();
    let samples = some_samples(dataset);
    let rounded = Model::from_network(&network)?.scores(&samples);
    report(args, &bytes, cut, &trainer.model().scores(&samples), &rounded, say)
}

/// Writes a network of the public format.
fn export_halfkp(
    args: &TrainArgs,
    trainer: &mut Trainer<HalfKpModel>,
    dataset: &Dataset,
    say: &mut impl FnMut(String),
) -> Result<(), TrainError> {
    let model = trainer.model();
    let network = model.quantise();
    let samples = some_samples(dataset);
    let rounded: Vec<f32> = model.integer_scores(&network, &samples).iter().map(|&score| score as f32).collect();
    report(args, &network.to_bytes(), network.cut, &model.scores(&samples), &rounded, say)
}

/// Some positions of the validation set.
fn some_samples(dataset: &Dataset) -> Vec<Sample> {
    dataset.validation.iter().step_by(dataset.validation.len() / 4096 + 1).copied().collect()
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
    let temporary = args.out.with_extension("tmp");
    let written = fs::write(&temporary, bytes).and_then(|()| fs::rename(&temporary, &args.out));
    written.map_err(|error| TrainError::Io { path: args.out.clone(), error })?;
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
