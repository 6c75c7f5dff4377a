//! `kurosabi analyze`: what the engine thinks of positions and of games.
//!
//! Workers, each with an engine of its own, take the positions one by one: many positions are searched on a core each,
//! a few share the cores. Results come out in the order of the input, each as soon as those before it are there; a
//! game's positions are followed by its report.

mod args;
mod drills;
mod entry_table;
mod files;
mod input;
mod json;
mod output;
mod table;
mod worker;

use std::fs;
use std::io::{self, IsTerminal, Write};
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::thread;

use crate::cli::failure::{Failure, Result};
use crate::cli::records::files::InputFiles;
use crate::cli::records::inputs::{Input, inputs_of};
use crate::cli::resumable::{ItemOutput, KeptItems};
use crate::cli::terminal::{self, Output, progress};
use crate::language::text;
use crate::position::Position;
use crate::types::{Color, Phrase};
use files::GameFiles;
use input::{Job, JobQueue, Jobs, Reading};
use output::{EntryWriter, Format};
use worker::{Progress, Shared, Stop, work};

pub(super) use args::AnalyzeArgs;

/// Analyses and reports. An error at the end says how much could not be analysed.
pub(super) fn run(args: &AnalyzeArgs) -> Result {
    args.check_options()?;
    let mut settings = args.settings();
    let language = args.language();
    let network = worker::check(&settings, language)?;
    let (inputs, missing) = inputs_of(&args.files, language);
    if args.list {
        return list(&inputs, missing);
    }
    let read = InputFiles::new(inputs.iter().filter_map(Input::path));
    args.output_file().map_or(Ok(()), |output| read.refuse(output))?;
    GameFiles::refuse_inputs(args, &read)?;
    let heading = (args.json && args.output_file().is_some()).then(|| args.heading());
    let (out, kept) = match args.output_file() {
        Some(path) => ItemOutput::open(path, heading.as_ref(), args.resume)?,
        None if args.json => (ItemOutput::stream(Output::data()), KeptItems::default()),
        None => (ItemOutput::stream(Output::painted()), KeptItems::default()),
    };
    let is_begun = !kept.is_empty();
    let files = GameFiles::new(args, is_begun)?;
    let progress = progress(Phrase::new("positions", "局面"), count(&inputs, args.reading(), &kept), true, language);
    let kept = Arc::new(Mutex::new(kept));
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let (queue, few) = JobQueue::new(Jobs::new(inputs, args.reading(), kept.clone()), cores)?;
    let report = EntryWriter::new(out, format(args), files, progress.clone(), few == Some(1));
    let (workers, threads) = args.shares(cores, few);
    // Without --threads, what --option says comes later and holds.
    settings.insert(0, ("Threads".to_owned(), threads.to_string()));
    let stop = Arc::new(Stop::new(workers));
    let shared = Shared {
        jobs: Mutex::new(queue),
        settings,
        network: Mutex::new(network),
        limits: args.limits(),
        until_stable: args.until_stable,
        mate_nodes: args.mate_nodes,
        progress: Progress::new(progress, args.notation(), language),
        stop: stop.clone(),
    };
    let is_interrupted = super::stop_on_signals(move || stop.ask())?;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(workers).build()?;
    let (sender, results) = mpsc::channel();
    let counts = pool.in_place_scope(|scope| {
        let shared = &shared;
        // A worker waits inside its search. With a broadcast rather than a parallel iterator the pool has
        // no other work that it could pick up meanwhile, deeper on the same stack.
        scope.spawn_broadcast(move |_, context| work(shared, context.index(), &sender));
        let reported = report.write_in_order(results);
        shared.stop.ask();
        reported
    })?;
    if is_interrupted.load(Ordering::Relaxed) {
        return Err(interrupted(args));
    }
    let left = kept.lock().unwrap_or_else(PoisonError::into_inner).remark();
    left.into_iter().for_each(|left| terminal::remark(&left, language));
    match counts.bad + missing {
        0 if counts.entries == 0 => {
            Err(text!("there is nothing to analyse: the input is empty", "解析する局面がありません。入力が空です"))?
        }
        0 => Ok(()),
        bad => {
            let all = counts.entries + missing;
            Err(text!(
                "{bad} of {all} games and positions could not be analysed",
                "対局と局面{all}件のうち{bad}件は解析できませんでした"
            ))?
        }
    }
}

/// Lists what the inputs hold.
fn list(inputs: &[Input], missing: usize) -> Result {
    for input in inputs {
        Output::data().write_all(json::input(input, input::holds_lines(input)).as_bytes())?;
    }
    match missing {
        0 => Ok(()),
        missing => {
            Err(text!("{missing} of the inputs could not be found", "入力のうち{missing}件が見つかりませんでした"))?
        }
    }
}

/// Inputs larger than this in all are not read twice.
const COUNTED_BYTES: u64 = 64 << 20;

/// How many positions there are, where somebody looks at the progress and it is known beforehand.
fn count(inputs: &[Input], reading: Reading, kept: &KeptItems) -> Option<u64> {
    if !io::stderr().is_terminal() {
        return None;
    }
    let size = |input: &Input| match input {
        // A pipe or a device may never end.
        Input::File(path) => fs::metadata(path).ok().filter(fs::Metadata::is_file).map(|metadata| metadata.len()),
        Input::Stdin => None,
    };
    let bytes: Option<u64> = inputs.iter().map(size).sum();
    bytes.filter(|&bytes| bytes <= COUNTED_BYTES)?;
    let jobs = Jobs::new(inputs.to_vec(), reading, Arc::new(Mutex::new(kept.clone())));
    Some(jobs.filter(|job| matches!(job, Ok(Job::Position(..)))).count() as u64)
}

fn format(args: &AnalyzeArgs) -> Format {
    if args.json {
        return Format::Json;
    }
    let on_terminal = args.output_file().is_none() && io::stdout().is_terminal();
    Format::Table(table::Style {
        width: args.output_file().is_none().then(terminal::width).flatten(),
        color: on_terminal && console::colors_enabled(),
        notation: args.notation(),
        language: args.language(),
    })
}

/// Whether it is worth saying how the sides stand by the entering-king rules.
fn has_entered_king(position: &Position) -> bool {
    Color::ALL.into_iter().any(|color| position.king_square(color).is_some_and(|king| king.in_promotion_zone(color)))
}

/// Why a run ends that was interrupted, and how to go on.
fn interrupted(args: &AnalyzeArgs) -> Failure {
    Failure::interrupted(match args.json && args.output_file().is_some() {
        true => text!(
            "stopped: the same command with --resume continues",
            "中断しました。同じコマンドに --resume を付けると続きから再開します"
        ),
        false => text!(
            "stopped: with --json and --output it could be continued later (--resume)",
            "中断しました。--json と --output を付けておくと、後で再開できます（--resume）"
        ),
    })
}
