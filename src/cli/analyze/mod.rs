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
mod levels;
mod output;
mod table;
mod worker;

use std::io::{self, IsTerminal, Write};
use std::path::{self, Path, PathBuf};
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, mpsc};
use std::{env, fs, thread};

use crate::atomic_file::AtomicFile;
use crate::cli::failure::{Failure, Result};
use crate::cli::records::files::InputFiles;
use crate::cli::records::inputs::{Input, inputs_of};
use crate::cli::resumable::{ItemOutput, KeptItems};
use crate::cli::terminal::{self, Output, progress};
use crate::language::{Language, text};
use crate::position::Position;
use crate::threads::lock;
use crate::types::{Color, Phrase};
use files::GameFiles;
use input::{Job, JobQueue, Jobs, Reading};
use levels::LevelFinder;
use output::{EntryWriter, Format};
use worker::{Progress, Shared, Stop, work};

pub(super) use args::AnalyzeArgs;

/// Where pages go that somebody waits for: beside the record, where that can be, or else beside the user's own files.
const PAGES: &str = "kurosabi-pages";

/// Analyses records that are named in the place of a subcommand or dropped on the program, and opens their pages in the
/// browser.
pub(super) fn run_for_reader(mut args: AnalyzeArgs) -> Result {
    args.check_options()?;
    let inputs: Vec<Input> = args.files.iter().flat_map(Input::named).collect();
    let reading = Reading { whole_games: true, ..args.reading() };
    let positions = count(&inputs, reading, &KeptItems::default());
    args.opens_pages = true;
    args.levels = true;
    args.choose_for_pages(positions, thread::available_parallelism().map_or(1, usize::from));
    if args.html.is_some() || inputs.is_empty() {
        return analyze(&args);
    }
    let folder = folder_for_pages(Path::new(&args.files[0]), &inputs)?;
    args.html = Some(folder.clone());
    let analyzed = analyze(&args);
    // Only a folder without pages can be removed.
    let _ = fs::remove_dir(folder);
    analyzed
}

/// A folder that pages can be written to, and that is made where there is none.
fn folder_for_pages(argument: &Path, inputs: &[Input]) -> Result<PathBuf> {
    let beside =
        if argument.is_dir() { Some(argument) } else { inputs.iter().find_map(|input| input.path()?.parent()) };
    let beside = path::absolute(beside.filter(|path| !path.as_os_str().is_empty()).unwrap_or(Path::new(".")))?;
    let folders = [Some(&*beside), env::home_dir().as_deref()].map(|folder| folder.map(|folder| folder.join(PAGES)));
    let takes_pages = |folder: &&PathBuf| {
        let made = fs::create_dir_all(folder).and_then(|()| AtomicFile::create(&folder.join(files::INDEX)));
        made.is_ok()
    };
    Ok(folders.iter().flatten().find(takes_pages).cloned().unwrap_or_else(|| beside.join(PAGES)))
}

/// Analyses and reports. An error at the end says how much could not be analysed.
pub(super) fn run(args: &AnalyzeArgs) -> Result {
    args.check_options()?;
    analyze(args)
}

fn analyze(args: &AnalyzeArgs) -> Result {
    let mut settings = args.settings();
    let language = args.language();
    let network = worker::check(&settings, language)?;
    let (inputs, missing) = inputs_of(&args.files, language);
    if args.list {
        return list(&inputs, missing);
    }
    let read = InputFiles::new(&inputs);
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
    let positions = io::stderr().is_terminal().then(|| count(&inputs, args.reading(), &kept)).flatten();
    let progress = progress(Phrase::new("positions", "局面"), positions, true, language);
    let kept = Arc::new(Mutex::new(kept));
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let (queue, few) = JobQueue::new(Jobs::new(inputs, args.reading(), kept.clone()), cores)?;
    let finder = args.levels.then(|| LevelFinder::new(&settings, &network)).transpose()?;
    let report = EntryWriter::new(out, format(args), files, finder, progress.clone(), few == Some(1));
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
    let opened = match (&counts.page, args.opens_pages) {
        (Some(page), true) => open_page(page, language),
        _ => Ok(()),
    };
    let left = lock(&kept).remark();
    left.into_iter().for_each(|left| terminal::remark(&left, language));
    match counts.bad + missing {
        0 if counts.entries == 0 => {
            Err(text!("there is nothing to analyse: the input is empty", "解析する局面がありません。入力が空です"))?
        }
        0 => opened,
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

/// How many positions there are, where that can be known beforehand.
fn count(inputs: &[Input], reading: Reading, kept: &KeptItems) -> Option<u64> {
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
    let style = table::Style {
        width: args.output_file().is_none().then(terminal::width).flatten(),
        color: on_terminal && console::colors_enabled(),
        notation: args.notation(),
        language: args.language(),
    };
    if args.opens_pages { Format::Summaries(style) } else { Format::Table(style) }
}

/// Opens a page in the browser.
///
/// # Errors
/// When there is none that could open it.
fn open_page(page: &Path, language: Language) -> Result {
    let page = path::absolute(page)?;
    let name = page.display();
    terminal::remark(&text!("opening {name}", "{name} を開きます"), language);
    open::that_detached(&page).map_err(|error| {
        let unopened = text!("no browser could be started for {name}", "{name} を開くブラウザーを起動できません");
        Failure::about(&unopened, error)
    })
}

/// Whether it is worth saying how the sides stand by the entering-king rules.
fn has_entered_king(position: &Position) -> bool {
    Color::ALL.into_iter().any(|color| position.king_square(color).is_some_and(|king| king.in_promotion_zone(color)))
}

/// Why a run ends that was interrupted, and how to go on.
fn interrupted(args: &AnalyzeArgs) -> Failure {
    let pages = args.html.as_ref().filter(|_| args.opens_pages).map(|folder| folder.display());
    Failure::interrupted(match (args.json && args.output_file().is_some(), pages) {
        (false, Some(pages)) => text!(
            "stopped: the pages of the games done so far are in {pages}",
            "中断しました。解析が済んだ対局のページは {pages} にあります"
        ),
        (true, _) => text!(
            "stopped: the same command with --resume continues",
            "中断しました。同じコマンドに --resume を付けると続きから再開します"
        ),
        (false, None) => text!(
            "stopped: with --json and --output it could be continued later (--resume)",
            "中断しました。--json と --output を付けておくと、後で再開できます（--resume）"
        ),
    })
}
