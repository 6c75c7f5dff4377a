//! `kurosabi datagen tree`.

use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

use clap::Args;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use rayon::ThreadPoolBuilder;
use rayon::prelude::*;

use super::play::parse_share;
use super::{create_new, games};
use crate::cli::ranges::threads_or_all;
use crate::datagen::psv::Psv;
use crate::datagen::tree::{TreeSampler, TreeSettings};
use crate::datagen::{Game, RecordError};
use crate::eval::Evaluation;
use crate::eval::nnue::NnueEvaluator;
use crate::search::STACK_SIZE;

/// Write positions from search trees, each scored by a search of its own, in the 40-byte format (PackedSfenValue) with
/// results of 0; train on them with --wdl 0
///
/// A search evaluates positions that occur in no game; with these a network learns to evaluate them.
#[derive(Debug, Args)]
pub(super) struct TreeArgs {
    /// Files of games, whose positions are searched
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// The new file
    #[arg(long, short)]
    output: PathBuf,
    /// Skip this many games, whose positions can be written elsewhere
    #[arg(long, default_value_t = 0, value_name = "NUMBER")]
    first_game: u64,
    /// Games to use; all when not given
    #[arg(long)]
    games: Option<u64>,
    /// Share of the games' positions to search
    #[arg(long, default_value_t = TreeSettings::default().share, value_parser = parse_share)]
    share: f64,
    /// Nodes of each of these searches
    #[arg(long, default_value_t = TreeSettings::default().nodes, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Keep one in this many of the positions that a search evaluates
    #[arg(long, default_value_t = TreeSettings::default().interval, value_parser = clap::value_parser!(u32).range(1..))]
    interval: u32,
    /// Nodes of the searches that score a position and those after it along the best moves. With 0 there are none:
    /// positions keep their static evaluations and get any legal move, so that something else can score them, and
    /// those whose best move captures or promotes are not left out
    #[arg(long, default_value_t = TreeSettings::default().label_nodes)]
    label_nodes: u64,
    /// Positions to score for each one that is kept: itself and those after it along the best moves
    #[arg(long, default_value_t = TreeSettings::default().plies as u64, value_parser = clap::value_parser!(u64).range(1..=MAX_PLIES))]
    plies: u64,
    /// Seed of the choice of positions
    #[arg(long, default_value_t = TreeSettings::default().seed)]
    seed: u64,
    /// Evaluation: a network file, `material`, or the built-in one when not given
    #[arg(long, default_value = "")]
    eval: String,
    /// Threads; 0 for one on each core
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = threads_or_all())]
    threads: usize,
}

/// Plies that a line may go on: longer ones are games.
const MAX_PLIES: u64 = 256;
/// Games each thread takes between two writes.
const GAMES_PER_THREAD: usize = 8;

pub(super) fn run(args: &TreeArgs) -> io::Result<()> {
    let settings = TreeSettings {
        seed: args.seed,
        share: args.share,
        nodes: args.nodes,
        interval: args.interval,
        label_nodes: args.label_nodes,
        plies: args.plies as usize,
        ..TreeSettings::default()
    };
    if !settings.is_bounded() {
        let text = format!("--interval {}: too many positions of {} nodes are kept", args.interval, args.nodes);
        return Err(io::Error::new(ErrorKind::InvalidInput, text));
    }
    let evaluation = Evaluation::named(&args.eval, NnueEvaluator::DEFAULT_FV_SCALE).map_err(io::Error::other)?;
    let stop = crate::cli::stop_on_signals()?;
    let bar = ProgressBar::with_draw_target(args.games, ProgressDrawTarget::stderr_with_hz(2));
    let style = ProgressStyle::with_template("{wide_bar} {pos}/{len} games, {msg}, {eta} left");
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    let written = write(args, &settings, &evaluation, &stop, &bar);
    bar.finish_and_clear();
    let (games, positions) = written?;
    let mut out = io::stdout().lock();
    writeln!(out, "{positions} positions of the trees of {games} games")?;
    if stop.load(Ordering::Relaxed) {
        out.flush()?;
        let text = format!("stopped: go on with another file and --first-game {}", args.first_game + games);
        return Err(io::Error::new(ErrorKind::Interrupted, text));
    }
    Ok(())
}

/// Writes the positions until there are no more games or `stop` is set; how many games it used and positions it wrote.
fn write(
    args: &TreeArgs,
    settings: &TreeSettings,
    evaluation: &Evaluation,
    stop: &AtomicBool,
    bar: &ProgressBar,
) -> io::Result<(u64, u64)> {
    let pool = ThreadPoolBuilder::new().num_threads(args.threads).stack_size(STACK_SIZE).build();
    let pool = pool.map_err(io::Error::other)?;
    let batch = GAMES_PER_THREAD * pool.current_num_threads();
    let first = usize::try_from(args.first_game).unwrap_or(usize::MAX);
    let most = args.games.map_or(usize::MAX, |games| usize::try_from(games).unwrap_or(usize::MAX));
    let mut source = games(&args.files).skip(first).take(most).peekable();
    if let Some(Err(error)) = source.next_if(Result::is_err) {
        return Err(io::Error::other(error)); // before a file is made
    }
    let mut out = BufWriter::with_capacity(1 << 20, create_new(&args.output)?);
    let (mut used, mut positions) = (0, 0);
    loop {
        let next: Vec<Game> =
            source.by_ref().take(batch).collect::<Result<_, RecordError>>().map_err(io::Error::other)?;
        if next.is_empty() {
            break;
        }
        let number = |index: usize| args.first_game + used + index as u64;
        let sampled: Vec<Option<_>> = pool.install(|| {
            let sampler = || TreeSampler::new(settings, evaluation);
            let numbered = next.par_iter().enumerate().with_max_len(1);
            let sample = |sampler: &mut TreeSampler<'_>, (index, game): (usize, &Game)| {
                (!stop.load(Ordering::Relaxed)).then(|| sampler.sample(game, number(index)))
            };
            numbered.map_init(sampler, sample).collect()
        });
        // Of the games that a stop leaves out, the first one ends the file.
        for of_game in sampled.into_iter().map_while(|of_game| of_game) {
            let of_game: Vec<Psv> = of_game.map_err(io::Error::other)?;
            of_game.iter().try_for_each(|psv| out.write_all(&psv.to_bytes()))?;
            used += 1;
            positions += of_game.len() as u64;
        }
        bar.set_position(used);
        bar.set_message(format!("{positions} positions"));
        if stop.load(Ordering::Relaxed) {
            break;
        }
    }
    out.flush()?;
    Ok((used, positions))
}
