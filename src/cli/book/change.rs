//! `kurosabi book` `convert`, `merge`, `cut` and `minimax`.

use std::io::{self, Write};
use std::path::PathBuf;

use clap::Args;

use crate::book::{Cut, DrawValues};
use crate::rules::GameLine;

/// Write a book in another format, sorted and without lines that are no legal moves
#[derive(Debug, Args)]
pub(super) struct ConvertArgs {
    /// The book to read
    book: PathBuf,
    /// The file to write: .db, .db.gz, .ybb or .bin
    output: PathBuf,
}

pub(super) fn convert(args: &ConvertArgs) -> io::Result<()> {
    super::format_of(&args.output)?;
    super::save(&super::read(&args.book)?, &args.output)
}

/// Mix books: counts are added, of scores the one that was searched deepest stays
#[derive(Debug, Args)]
pub(super) struct MergeArgs {
    /// The books to read
    #[arg(required = true, num_args = 1..)]
    books: Vec<PathBuf>,
    /// The book to write: .db, .db.gz, .ybb or .bin
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
}

pub(super) fn merge(args: &MergeArgs) -> io::Result<()> {
    super::format_of(&args.output)?;
    let mut books = args.books.iter();
    let Some(first) = books.next() else { return Ok(()) };
    let mut table = super::read(first)?;
    for book in books {
        table.merge(super::read(book)?);
    }
    super::save(&table, &args.output)
}

/// Leave only part of a book; what is left without moves is left out
#[derive(Debug, Args)]
pub(super) struct CutArgs {
    /// The book to read
    book: PathBuf,
    /// The book to write: .db, .db.gz, .ybb or .bin
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// Positions up to this move number
    #[arg(long, value_name = "N")]
    max_ply: Option<u32>,
    /// Moves that were played so often at least
    #[arg(long, value_name = "N", default_value_t = 0)]
    min_count: u64,
    /// Moves that are at most so many centipawns worse than the best of their position
    #[arg(long, value_name = "CP")]
    diff: Option<i32>,
    /// Moves that were searched so deep at least
    #[arg(long, value_name = "PLIES", default_value_t = 0)]
    min_depth: u32,
    /// So many moves of each position, the best ones
    #[arg(long, value_name = "N")]
    max_moves: Option<usize>,
    /// Only positions that moves of the book lead to, from here: an SFEN or startpos, and moves
    #[arg(long, value_name = "POSITION")]
    from: Option<String>,
}

pub(super) fn cut(args: &CutArgs) -> io::Result<()> {
    super::format_of(&args.output)?;
    let start = args.from.as_ref().map(|text| text.parse::<GameLine>()).transpose().map_err(io::Error::other)?;
    let mut table = super::read(&args.book)?;
    table.cut(&Cut {
        max_ply: args.max_ply,
        min_count: args.min_count,
        eval_diff: args.diff,
        min_depth: args.min_depth,
        max_moves: args.max_moves,
    });
    if let Some(start) = start {
        table.keep_reachable(&start.end());
    }
    super::save(&table, &args.output)
}

/// Carry the scores at the ends of a book up to its beginning
///
/// Every move gets the score and depth of the line that best play within the book makes of it, over transpositions too.
/// Moves that lead to another position of the book are added where it does not list them. A line on which best play
/// goes round in a circle is a draw, with depth 999.
#[derive(Debug, Args)]
pub(super) struct MinimaxArgs {
    /// The book to read
    book: PathBuf,
    /// The book to write: .db, .db.gz, .ybb or .bin
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// What a draw is worth to Black in centipawns, for Black's moves
    #[arg(long, value_name = "CP", default_value_t = 0, allow_hyphen_values = true)]
    draw_black: i32,
    /// What a draw is worth to White in centipawns, for White's moves
    #[arg(long, value_name = "CP", default_value_t = 0, allow_hyphen_values = true)]
    draw_white: i32,
    /// Leave out moves that the book does not list
    #[arg(long)]
    listed_only: bool,
}

pub(super) fn minimax(args: &MinimaxArgs) -> io::Result<()> {
    super::format_of(&args.output)?;
    let mut table = super::read(&args.book)?;
    let added = if args.listed_only { 0 } else { table.add_transpositions() };
    let done = table.minimax(DrawValues([args.draw_black, args.draw_white]));
    writeln!(
        io::stdout(),
        "{} moves lead to other positions of the book ({added} of them added), {} changed, {} end in a repetition; {} \
         sweeps",
        done.inner_moves,
        done.changed,
        done.repetitions,
        done.sweeps
    )?;
    super::save(&table, &args.output)
}
