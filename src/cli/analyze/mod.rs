//! `kurosabi analyze`: what the engine thinks of many positions.
//!
//! Positions go to the cores one by one, each core having an engine of its own; results come out in
//! the order of the input, each as soon as those before it are there.

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
use std::time::Duration;

use clap::Args;
use clap::builder::RangedU64ValueParser;

use crate::engine::{OptionError, Options};
use crate::movegen::MAX_MOVES;
use crate::position::Position;
use crate::search::{SearchControl, SearchLimits};
use crate::types::{Color, Depth, MAX_PLY};
use input::Jobs;
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
    /// How many positions to search at once; 0 for one on each core
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = RangedU64ValueParser::<usize>::new().range(0..=512))]
    threads: usize,
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
    let settings = args.settings();
    for remark in worker::check(&settings)? {
        let _ = writeln!(io::stderr(), "kurosabi: {remark}");
    }
    let (input, positions) = open_input(&args.file, args.move_by_move)?;
    let report = Report::new(open_output(args.output.as_deref())?, format(args), positions);
    let place = Workplace {
        jobs: Mutex::new(Jobs::new(input, args.move_by_move).enumerate()),
        settings,
        limits: args.limits(),
        control: SearchControl::new(),
    };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(args.threads).build().map_err(io::Error::other)?;
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
