//! `kurosabi train`: its arguments, and the run.

use std::fs;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::Args;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use rayon::ThreadPoolBuilder;

use crate::atomic_file::{FileLock, with_suffix};
use crate::cli::arguments::{at_least, positive, share, threads_or_all};
use crate::cli::terminal::Output;
use crate::eval::Evaluation;
use crate::eval::nnue::{KuroNetwork, LayerStacks, Network, NnueError, NnueEvaluator};
use crate::open_file;
use crate::position::Position;
use crate::train::{
    Dataset, Epoch, Filters, GameFile, Model, Shape, Start, TrainError, TrainSettings, Trainer, Validation,
    check_plain, mean, write_losses, write_whole,
};

/// Train a network on files of games
///
/// The losses (.csv) are written beside the network and, until training ends, a checkpoint from which the
/// same command continues.
///
/// 対局ファイルから評価関数を学習します
///
/// 評価関数と同じ場所に、損失の表（.csv）と、学習が終わるまでは同じコマンドで続きから再開できるチェックポイントを書き込みます。
#[derive(Debug, Args)]
pub(super) struct TrainArgs {
    /// Files of games (`kurosabi datagen`); FILE:0.3 takes 30 % of the games
    ///
    /// 対局ファイル（`kurosabi datagen`）。FILE:0.3 とすると対局の30%を使います
    #[arg(value_name = "FILE", required = true)]
    files: Vec<GameFile>,
    /// The network to write
    ///
    /// 書き込む評価関数
    #[arg(long, short)]
    out: PathBuf,
    /// The network's name [default: that of the file]
    ///
    /// 評価関数の名前 [既定値: ファイルの名前]
    #[arg(long)]
    name: Option<String>,
    /// A network to start from, whose shape is the default of the options that follow; it may be narrower than they
    /// say, and may have one set of the output's weights. Given several times, training starts from the mean of their
    /// weights, which is useful if they were trained from the same network
    ///
    /// 学習を始める評価関数。以下の引数の既定値はその構造になります。より小さい評価関数や、出力の重みが一組の評価関数も使えます。何度も指定すると重みの平均から始めます（同じ評価関数から学習したものに有効です）
    #[arg(long, value_name = "FILE")]
    init: Vec<PathBuf>,
    /// Width of the first layer [default: that of --init, else 256]
    ///
    /// 第1層の大きさ [既定値: --initと同じ。なければ256]
    #[arg(long)]
    width: Option<usize>,
    /// Sets of the output's weights: one, or nine by the kings' ranks [default: as in --init, else one]
    ///
    /// 出力の重みの組: 一組、または玉の段による九組 [既定値: --initと同じ。なければ一組]
    ///
    /// one: すべての局面で一組
    ///
    /// k3k3: 両方の玉がいる段を三つに分けて九組
    #[arg(long, value_enum)]
    stacks: Option<LayerStacks>,
    /// Passes over all positions; with 0 the networks of --init are averaged and not trained
    ///
    /// すべての局面を学習する回数。0にすると、--initの評価関数を平均するだけで学習しません
    #[arg(long, default_value_t = TrainSettings::default().epochs)]
    epochs: u64,
    /// Positions per step
    ///
    /// 1ステップあたりの局面の数
    #[arg(long, default_value_t = TrainSettings::default().batch, value_parser = at_least::<usize>(1))]
    batch: usize,
    /// Highest learning rate
    ///
    /// 学習率の最大値
    #[arg(long, default_value_t = TrainSettings::default().rate, value_parser = positive)]
    lr: f32,
    /// Steps at the start in which the learning rate rises
    ///
    /// 初めに学習率を上げていくステップの数
    #[arg(long, default_value_t = TrainSettings::default().warm_up)]
    warm_up: u64,
    /// Weight decay (AdamW): each step shrinks the weights by this times the learning rate
    ///
    /// 重みの減衰（AdamW）。ステップごとに、この値と学習率の積の割合だけ重みを小さくします
    #[arg(long, default_value_t = TrainSettings::default().decay, value_parser = share::<f32>)]
    decay: f32,
    /// Share of the game's result in the target; the rest is the score
    ///
    /// 目標の値に占める対局の結果の割合。残りは評価値です
    #[arg(long, default_value_t = TrainSettings::default().wdl, value_parser = share::<f32>)]
    wdl: f32,
    /// Share of the games to hold out for validation, the same ones whichever file they are in; or a file of games
    ///
    /// 検証のために除く対局の割合（どのファイルにあっても同じ対局を除きます）、または対局ファイル
    #[arg(long, value_name = "SHARE|FILE", default_value = "0.02")]
    validation: Validation,
    /// TD(λ): weight of the later searches of a game in a position's score; 0 for its own search alone
    ///
    /// TD(λ): 局面の評価値に占める、その後の探索の重み。0にするとその局面の探索だけを使います
    #[arg(long, default_value_t = 0.75, value_parser = share::<f32>)]
    lambda: f32,
    /// Seed of the initial weights and of the order of the positions
    ///
    /// 重みの初期値と局面の順序のシード
    #[arg(long, default_value_t = TrainSettings::default().seed)]
    seed: u64,
    /// Threads; 0 for one on each core
    ///
    /// スレッド数。0はコアの数
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = threads_or_all())]
    threads: usize,
}

/// The width without `--width` and `--init`.
const DEFAULT_WIDTH: usize = 256;

impl TrainArgs {
    /// The shape asked for; what is not said is as in the network to start from.
    fn shape(&self, init: Option<&KuroNetwork>) -> Result<Shape, NnueError> {
        let like = init.map_or(Ok(Shape::plain(DEFAULT_WIDTH)), Shape::from_network)?;
        Ok(Shape { width: self.width.unwrap_or(like.width), stacks: self.stacks.unwrap_or(like.stacks) })
    }

    fn settings(&self) -> TrainSettings {
        let &TrainArgs { epochs, batch, lr: rate, warm_up, decay, wdl, seed, .. } = self;
        TrainSettings { epochs, batch, rate, warm_up, decay, wdl, seed, ..TrainSettings::default() }
    }

    fn checkpoint(&self) -> PathBuf {
        with_suffix(&self.out, ".checkpoint")
    }

    fn name(&self) -> String {
        let stem = || self.out.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned());
        self.name.clone().unwrap_or_else(stem)
    }
}

pub(super) fn run(args: &TrainArgs) -> io::Result<()> {
    let pool = ThreadPoolBuilder::new().num_threads(args.threads).build().map_err(io::Error::other)?;
    pool.install(|| train(args)).map_err(io::Error::other)
}

impl TrainArgs {
    fn model(&self) -> Result<Model, TrainError> {
        let start = Start { seed: self.seed, ..Start::default() };
        let networks = self.init.iter().map(|path| read_network(path)).collect::<Result<Vec<_>, _>>()?;
        let shape = self.shape(networks.first())?;
        let models = networks.iter().map(|network| Model::grown(network, shape, &start));
        mean(models.collect::<Result<Vec<_>, _>>()?).map_or_else(|| Model::new(shape, &start), Ok)
    }
}

fn read_network(path: &Path) -> Result<KuroNetwork, TrainError> {
    let mut bytes = Vec::new();
    let read = open_file::regular(path).and_then(|mut file| file.read_to_end(&mut bytes));
    read.map_err(TrainError::naming(path))?;
    KuroNetwork::parse(&bytes).map_err(TrainError::naming(path))
}

/// Shows a line; nobody need be there to see it.
fn say(text: &str) {
    let _ = writeln!(Output::text(), "{text}");
}

fn train(args: &TrainArgs) -> Result<(), TrainError> {
    // What cannot be written is better known before hours of training than after.
    for path in [args.out.clone(), args.checkpoint(), with_suffix(&args.out, ".csv")] {
        check_plain(&path)?;
    }
    let failed = TrainError::naming::<io::Error>(&args.out);
    let Some(_lock) = FileLock::take(&args.out).map_err(failed)? else {
        return Err(failed(io::Error::other("another process is working on this file")));
    };
    let dataset = Dataset::load(&args.files, &Filters::default(), args.lambda, &args.validation)?;
    let (training, validation) = (&dataset.training, &dataset.validation);
    for (store, purpose) in [(training, "to train on"), (validation, "to measure with")] {
        say(&format!("{purpose}: {} positions of {} games", store.positions, store.games()));
    }

    let trainer = fit(args, args.model()?, &dataset)?;
    export(args, &trainer, &dataset)?;
    // The checkpoint has done its duty; one that stays is no harm.
    let _ = fs::remove_file(args.checkpoint());
    Ok(())
}

/// Runs all epochs that are left.
fn fit(args: &TrainArgs, model: Model, dataset: &Dataset) -> Result<Trainer, TrainError> {
    // The counts differ where files have grown since.
    let counts = [&dataset.training, &dataset.validation].map(|store| (store.positions, store.games()));
    let data = format!("{:?} {} {:?} {:?} {counts:?}", args.files, args.lambda, args.validation, args.init);
    let checkpoint = args.checkpoint();
    let mut trainer = Trainer::new(model, args.settings());
    if trainer.resume(&checkpoint, &data)? {
        say(&format!("going on after epoch {}", trainer.history.len()));
    } else if !args.init.is_empty() {
        say(&format!("at the start: validation {}", trainer.validate(&dataset.validation)));
    }
    while !trainer.is_done() {
        run_epoch(&mut trainer, dataset)?;
        trainer.save(&checkpoint, &data)?;
        write_losses(&with_suffix(&args.out, ".csv"), &trainer.history)?;
    }
    Ok(trainer)
}

fn run_epoch(trainer: &mut Trainer, dataset: &Dataset) -> Result<(), TrainError> {
    let bar = ProgressBar::with_draw_target(Some(dataset.training.positions), ProgressDrawTarget::stderr_with_hz(2));
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
    say(&format!("epoch {number:3}: loss {training_loss:.6}, validation {validation}, {rate:.0} positions/s"));
    Ok(())
}

/// Positions that anyone can judge.
const SHOWN: [(&str, &str); 3] = [
    ("even", "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1"),
    ("a pawn up", "lnsgkgsnl/1r5b1/1pppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b P 1"),
    ("a rook up", "lnsgkgsnl/7b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b R 1"),
];

/// Writes the network, and shows what it thinks of positions when read back.
fn export(args: &TrainArgs, trainer: &Trainer, dataset: &Dataset) -> Result<(), TrainError> {
    let (mut network, clipped) = trainer.model.quantise(&args.name());
    let files = args.files.iter().map(|source| format!("{}:{}", source.path.display(), source.share));
    network.header.training = serde_json::json!({
        "files": files.collect::<Vec<_>>(),
        "positions": dataset.training.positions,
        "lambda": args.lambda,
        "init": args.init,
        "settings": trainer.settings,
        "losses": trainer.history.last(),
    });
    let failed = TrainError::naming::<NnueError>(&args.out);
    let bytes = network.to_bytes().map_err(failed)?;
    // A network's file is whole or not there: loops take one that is there for done.
    write_whole(&args.out, |file| file.write_all(&bytes))?;
    say(&format!("rounding: {clipped} weights clipped"));
    let network = Network::load(&args.out).map_err(failed)?.into();
    let evaluation = Evaluation::Network { network, fv_scale: NnueEvaluator::DEFAULT_FV_SCALE };
    for (name, sfen) in SHOWN {
        if let Ok(position) = Position::from_sfen(sfen) {
            say(&format!("{name}: {}", evaluation.report(&position).eval));
        }
    }
    Ok(())
}
