//! `kurosabi train`.

mod args;

pub(super) use args::TrainArgs;

use std::fs;
use std::io::{self, Read, Write};
use std::path::Path;
use std::time::Instant;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use rayon::ThreadPoolBuilder;

use crate::atomic_file::{FileLock, with_suffix};
use crate::cli::terminal::Output;
use crate::eval::Evaluation;
use crate::eval::nnue::{KuroNetwork, Network, NnueEvaluator};
use crate::open_file;
use crate::position::Position;
use crate::train::{
    Curves, Dataset, Epoch, Factoriser, Features, Model, Quantised, Sample, Start, TrainError, Trainer, check_plain,
    mean, write_whole,
};

pub(super) fn run(args: &TrainArgs) -> io::Result<()> {
    let pool = ThreadPoolBuilder::new().num_threads(args.threads).build().map_err(io::Error::other)?;
    pool.install(|| train(args)).map_err(io::Error::other)
}

impl TrainArgs {
    fn model(&self) -> Result<Model, TrainError> {
        let start = Start { seed: self.seed, rows: self.first_rows };
        let networks = self.init.iter().map(|path| read_network(path)).collect::<Result<Vec<_>, _>>()?;
        let shape = self.shape(networks.first()).map_err(TrainError::Head)?;
        let models = networks.iter().map(|network| Model::grown(network, shape, &start));
        mean(models.collect::<Result<Vec<_>, _>>()?).map_or_else(|| Model::new(shape, &start), Ok)
    }
}

fn read_network(path: &Path) -> Result<KuroNetwork, TrainError> {
    let mut bytes = Vec::new();
    let read = open_file::regular(path).and_then(|mut file| file.read_to_end(&mut bytes));
    read.map_err(|error| TrainError::Io { path: path.to_owned(), error })?;
    KuroNetwork::parse(&bytes).map_err(|error| TrainError::Network { path: path.to_owned(), error })
}

fn train(args: &TrainArgs) -> Result<(), TrainError> {
    let mut out = Output::text();
    let mut say = |text: String| drop(writeln!(out, "{text}"));
    // What cannot be written is better known before hours of training than after.
    for path in [args.out.clone(), args.checkpoint(), with_suffix(&args.out, ".csv"), with_suffix(&args.out, ".png")] {
        check_plain(&path)?;
    }
    let failed = |error| TrainError::Io { path: args.out.clone(), error };
    let Some(_lock) = FileLock::take(&args.out).map_err(failed)? else {
        return Err(failed(io::Error::other("another process is working on this file")));
    };
    let dataset = Dataset::load(&args.files, &args.filters(), args.data.lambda, &args.data.validation)?;
    let (training, validation) = (&dataset.training, &dataset.validation);
    for (store, purpose) in [(training, "to train on"), (validation, "to measure with")] {
        say(format!("{purpose}: {} positions of {} games", store.positions(), store.games()));
    }

    let trainer = fit(args, args.model()?, &dataset, &mut say)?;
    export(args, trainer, &dataset, &mut say)?;
    // The checkpoint has done its duty; one that stays is no harm.
    let _ = fs::remove_file(args.checkpoint());
    Ok(())
}

/// Runs all epochs that are left.
fn fit(args: &TrainArgs, model: Model, dataset: &Dataset, say: &mut impl FnMut(String)) -> Result<Trainer, TrainError> {
    // The counts differ where files have grown since.
    let counts = [&dataset.training, &dataset.validation].map(|store| (store.positions(), store.games()));
    let data = format!(
        "{:?} {:?} {} {:?} {:?} {counts:?}",
        args.files,
        args.filters(),
        args.data.lambda,
        args.data.validation,
        args.init
    );
    let checkpoint = args.checkpoint();
    let mut trainer = Trainer::new(model, args.settings());
    if trainer.resume(&checkpoint, &data)? {
        say(format!("going on after epoch {}", trainer.history().len()));
    } else if !args.init.is_empty() {
        say(format!("at the start: validation {}", trainer.validate(&dataset.validation)));
    }
    while !trainer.is_done() {
        let epoch = run_epoch(&mut trainer, dataset, say)?;
        trainer.save(&checkpoint, &data)?;
        let curves = Curves(trainer.history());
        curves.write_csv(&with_suffix(&args.out, ".csv"))?;
        if epoch.number > 1 {
            curves.draw_png(&with_suffix(&args.out, ".png"))?;
        }
    }
    Ok(trainer)
}

fn run_epoch(trainer: &mut Trainer, dataset: &Dataset, say: &mut impl FnMut(String)) -> Result<Epoch, TrainError> {
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
    let Epoch { number, training_loss, validation, .. } = epoch;
    say(format!("epoch {number:3}: loss {training_loss:.6}, validation {validation}, {rate:.0} positions/s"));
    Ok(epoch)
}

/// Positions that anyone can judge.
const SHOWN: [(&str, &str); 3] = [
    ("even", "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1"),
    ("a pawn up", "lnsgkgsnl/1r5b1/1pppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b P 1"),
    ("a rook up", "lnsgkgsnl/7b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b R 1"),
];

/// Writes the network.
fn export(
    args: &TrainArgs,
    trainer: Trainer,
    dataset: &Dataset,
    say: &mut impl FnMut(String),
) -> Result<(), TrainError> {
    let (settings, losses) = (*trainer.settings(), trainer.history().last().copied());
    let mut model = trainer.finish();
    let Quantised { mut network, clipped } = model.quantise(&args.name());
    network.header.training = serde_json::json!({
        "files": args.files.iter().map(|source| format!("{}:{}", source.path.display(), source.share)).collect::<Vec<_>>(),
        "positions": dataset.training.positions(),
        "lambda": args.data.lambda,
        "init": args.init,
        "settings": settings,
        "first_rows": args.first_rows,
        "factoriser": args.factoriser,
        "losses": losses,
    });
    let failed = |error| TrainError::Network { path: args.out.clone(), error };
    let bytes = network.to_bytes().map_err(failed)?;
    let samples = some_samples(dataset);
    let rounded = Model::from_network(&network, Factoriser::None)?.scores(&samples);
    report(args, &bytes, clipped, &model.scores(&samples), &rounded, say)
}

/// Some positions of the validation set.
fn some_samples(dataset: &Dataset) -> Vec<Sample> {
    let features = Features::new();
    let games = &dataset.validation;
    let mut samples = Vec::new();
    for number in (0..games.games()).step_by(games.games() / 64 + 1) {
        games.append(number, &features, &mut samples);
    }
    samples
}

/// Writes a network and shows what it has lost against the exact one, and what it thinks of positions when read
/// back.
fn report(
    args: &TrainArgs,
    bytes: &[u8],
    clipped: usize,
    exact: &[f32],
    rounded: &[f32],
    say: &mut impl FnMut(String),
) -> Result<(), TrainError> {
    // A network's file is whole or not there: loops take one that is there for done.
    write_whole(&args.out, |file| file.write_all(bytes))?;
    let differences: Vec<f32> = exact.iter().zip(rounded).map(|(exact, rounded)| (exact - rounded).abs()).collect();
    let mean = differences.iter().sum::<f32>() / differences.len().max(1) as f32;
    let largest = differences.iter().copied().fold(0.0, f32::max);
    say(format!(
        "rounding: {clipped} weights clipped, scores off by {mean:.1} in the mean, {largest:.1} at most (90 = a pawn)"
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
