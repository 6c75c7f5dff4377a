//! `kurosabi analyze`: what the engine thinks of many positions.
//!
//! Workers, each with an engine of its own, take the positions one by one: many positions are searched on a core each,
//! a few share the cores. Results come out in the order of the input, each as soon as those before it are there.

mod input;
mod json;
mod output;
mod table;
mod worker;

use std::fs::{self, File};
use std::io::{self, BufWriter, IsTerminal, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use clap::Args;
use clap::builder::RangedU64ValueParser;

use crate::engine::{OptionError, Options};
use crate::movegen::MAX_MOVES;
use crate::position::Position;
use crate::search::{SearchControl, SearchLimits};
use crate::types::{Color, Depth, MAX_PLY};
use input::{JobQueue, Jobs};
use output::{Format, Report};
use worker::{Workplace, work};

/// Analyse positions from a file: SFENs, `sfen …`, `position …` or `startpos moves …`, one a line;
/// blank lines and lines that begin with # are skipped
#[derive(Debug, Args)]
pub(super) struct AnalyzeArgs {
    /// File to read; - for standard input
    #[arg(value_name = "FILE", default_value = "-")]
    file: PathBuf,
    /// Time for each position in milliseconds [default: 1000 when no limit is given]
    #[arg(long, value_name = "MS", value_parser = RangedU64ValueParser::<u64>::new().range(1..))]
    movetime: Option<u64>,
    /// Depth to search each position to; the same result every time
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(Depth).range(1..=MAX_PLY as i64))]
    depth: Option<Depth>,
    /// Nodes to search for each position; the same result every time
    #[arg(long, value_name = "N", value_parser = RangedU64ValueParser::<u64>::new().range(1..))]
    nodes: Option<u64>,
    /// How many best lines to find for each position
    #[arg(long, value_name = "N", default_value_t = 1,
          value_parser = RangedU64ValueParser::<usize>::new().range(1..=MAX_MOVES as u64))]
    multipv: usize,
    /// Analyse every position of the line of moves, not only the last
    #[arg(long)]
    move_by_move: bool,
    /// How many positions to search at once [default: as many as there are cores for]
    #[arg(long, value_name = "N", value_parser = RangedU64ValueParser::<usize>::new().range(1..=512))]
    jobs: Option<usize>,
    /// How many threads each search has [default: the cores shared out when time limits the search; 1 with --depth or
    /// --nodes, since the result would not be the same every time]
    #[arg(long, value_name = "N", value_parser = RangedU64ValueParser::<usize>::new().range(1..=512))]
    threads: Option<usize>,
    /// Transposition table of each position being searched
    #[arg(long, value_name = "MIB", default_value_t = 64,
          value_parser = RangedU64ValueParser::<usize>::new().range(1..=33_554_432))]
    hash: usize,
    /// Engine option, as `setoption` would set it; may be given several times
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = parse_option)]
    options: Vec<(String, String)>,
    /// One JSON object a line instead of a table
    #[arg(long)]
    json: bool,
    /// Write to this file instead of standard output
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
}

const DEFAULT_MOVE_TIME: Duration = Duration::from_millis(1000);

fn parse_option(text: &str) -> Result<(String, String), OptionError> {
    let (name, value) = text.split_once('=').map_or((text, None), |(name, value)| (name, Some(value)));
    Options::default().set(name, value)?;
    Ok((name.to_owned(), value.unwrap_or_default().to_owned()))
}

impl AnalyzeArgs {
    fn limits(&self) -> SearchLimits {
        let mut limits = SearchLimits {
            move_time: self.movetime.map(Duration::from_millis),
            depth: self.depth,
            nodes: self.nodes,
            ..SearchLimits::default()
        };
        if limits == SearchLimits::default() {
            limits.move_time = Some(DEFAULT_MOVE_TIME);
        }
        limits
    }

    /// How many positions are searched at once and on how many threads each, with so many cores and, if it is known,
    /// so many positions.
    fn shares(&self, cores: usize, positions: Option<usize>) -> (usize, usize) {
        let repeatable = self.depth.is_some() || self.nodes.is_some();
        let room = positions.unwrap_or(usize::MAX).max(1);
        let jobs = self.jobs.unwrap_or(cores / self.threads.unwrap_or(1)).clamp(1, room);
        let share = if repeatable { 1 } else { (cores / jobs).max(1) };
        (jobs, self.threads.unwrap_or(share))
    }

    /// The engine's options, as names and values. Who analyses wants full lines and exact scores.
    fn settings(&self) -> Vec<(String, String)> {
        let flags = [("USI_Hash", self.hash.to_string()), ("MultiPV", self.multipv.to_string())];
        let flags = flags.into_iter().chain([("ConsiderationMode", true.to_string())]);
        let flags = flags.map(|(name, value)| (name.to_owned(), value));
        flags.chain(self.options.iter().cloned()).collect()
    }
}

/// Analyses and reports. An error at the end tells how many lines could not be analysed.
pub(super) fn run(args: &AnalyzeArgs) -> io::Result<()> {
    let mut settings = args.settings();
    for remark in worker::check(&settings)? {
        let _ = writeln!(io::stderr(), "kurosabi: {remark}");
    }
    let (input, positions) = open_input(&args.file, args.move_by_move)?;
    let report = Report::new(open_output(args.output.as_deref())?, format(args), positions);
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let (queue, few) = JobQueue::new(Jobs::new(input, args.move_by_move), cores)?;
    let (jobs, threads) = args.shares(cores, few);
    // What --option says comes later, and holds.
    settings.insert(0, ("Threads".to_owned(), threads.to_string()));
    let place = Workplace {
        jobs: Mutex::new(queue.enumerate()),
        settings,
        limits: args.limits(),
        control: SearchControl::new(),
    };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(jobs).build().map_err(io::Error::other)?;
    let (sender, results) = mpsc::channel();
    let counts = pool.in_place_scope(|scope| {
        let place = &place;
        // A worker waits inside its search. With a broadcast rather than a parallel iterator the pool has
        // no other work that it could pick up meanwhile, deeper on the same stack.
        scope.spawn_broadcast(move |_, _| work(place, &sender));
        let reported = report.write_in_order(results);
        place.control.stop();
        reported
    })?;
    match counts.bad_lines {
        0 => Ok(()),
        bad => Err(io::Error::other(format!("{bad} of {} entries could not be analysed", counts.entries))),
    }
}

/// The input, and the number of entries that it will give when that can be told beforehand.
fn open_input(path: &Path, move_by_move: bool) -> io::Result<(Box<dyn Read + Send>, Option<u64>)> {
    if path == Path::new("-") {
        if io::stdin().is_terminal() {
            let _ = writeln!(io::stderr(), "kurosabi: reading positions, one a line, from the terminal");
        }
        return Ok((Box::new(io::stdin()), None));
    }
    let file = File::open(path).map_err(|error| naming(path, &error))?;
    if !file.metadata().is_ok_and(|metadata| metadata.is_file()) {
        // A pipe or a device may never end.
        return Ok((Box::new(file), None));
    }
    let text = fs::read(path).map_err(|error| naming(path, &error))?;
    let positions = io::stderr().is_terminal().then(|| Jobs::new(text.as_slice(), move_by_move).count() as u64);
    Ok((Box::new(io::Cursor::new(text)), positions))
}

fn open_output(path: Option<&Path>) -> io::Result<Box<dyn Write>> {
    Ok(match path {
        Some(path) => Box::new(BufWriter::new(File::create(path).map_err(|error| naming(path, &error))?)),
        None => Box::new(BufWriter::new(io::stdout())),
    })
}

fn naming(path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}

fn format(args: &AnalyzeArgs) -> Format {
    match args.json {
        true => Format::Json,
        false => Format::Table { width: args.output.is_none().then(table::terminal_width).flatten() },
    }
}

/// Whether it is worth telling how the sides stand by the entering-king rules.
fn has_entered_king(position: &Position) -> bool {
    Color::ALL.into_iter().any(|color| position.king_square(color).is_some_and(|king| king.in_promotion_zone(color)))
}

fn side_name(color: Color) -> &'static str {
    match color {
        Color::Black => "black",
        Color::White => "white",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(clap::Parser)]
    struct Command {
        #[command(flatten)]
        args: AnalyzeArgs,
    }

    /// Positions at once and threads of each, on eight cores.
    fn shares(arguments: &str, positions: Option<usize>) -> (usize, usize) {
        let words = std::iter::once("analyze").chain(arguments.split_whitespace());
        <Command as clap::Parser>::parse_from(words).args.shares(8, positions)
    }

    #[test]
    fn one_position_has_all_cores_and_many_have_one_each() {
        assert_eq!(shares("", Some(1)), (1, 8));
        assert_eq!(shares("", Some(3)), (3, 2));
        assert_eq!(shares("--movetime 500", None), (8, 1));
        assert_eq!(shares("", Some(0)), (1, 8));
        assert_eq!(shares("--depth 12", Some(1)), (1, 1), "the same result every time");
        assert_eq!(shares("--depth 12 --threads 4", Some(1)), (1, 4));
        assert_eq!(shares("--threads 4", None), (2, 4));
        assert_eq!(shares("--threads 16", None), (1, 16));
        assert_eq!(shares("--jobs 2", None), (2, 4));
        assert_eq!(shares("--jobs 2 --threads 1", Some(1)), (1, 1));
    }
}
