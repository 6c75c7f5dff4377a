//! `kurosabi book waiting`.

use std::io::{BufWriter, Write};
use std::path::PathBuf;

use clap::Args;

use super::think::GrowthArgs;
use crate::cli::failure::Result;
use crate::cli::terminal::Output;
use crate::language::Language;
use crate::position::Position;

/// List the positions of a book that have not been searched yet
///
/// Those without a searched move or, with --leaves, positions that the book's moves lead to, the best first. They are
/// written one per line, as `book think --only` reads them, for programs that share the work among machines.
#[derive(Debug, Args)]
pub(super) struct WaitingArgs {
    /// The book; one that does not exist counts as empty
    book: PathBuf,
    /// List up to this many positions that would extend the book, instead of its own
    #[arg(long, value_name = "N")]
    leaves: Option<usize>,
    #[command(flatten)]
    growth: GrowthArgs,
}

pub(super) fn run(args: &WaitingArgs, language: Language) -> Result {
    let table = super::read_or_empty(&args.book, language)?;
    let mut out = BufWriter::new(Output::data());
    let mut write = |position: Position| writeln!(out, "sfen {}", position.to_sfen());
    match args.leaves {
        Some(most) => {
            table.leaves(&args.growth.starts()?, &args.growth.growth(), most).into_iter().try_for_each(&mut write)?;
        }
        None => table.unsearched().try_for_each(&mut write)?,
    }
    Ok(out.flush()?)
}
