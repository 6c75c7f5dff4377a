//! `kurosabi book waiting`.

use std::io::{self, Write};
use std::path::PathBuf;

use clap::Args;

use super::think::GrowthArgs;
use crate::position::Position;

/// List the positions of a book that wait to be searched
///
/// Those without a searched move or, with --leaves, positions that the book's moves lead to, the best first. They come
/// one a line, as `book think --only` reads them: for programs that share the work out to several machines.
#[derive(Debug, Args)]
pub(super) struct WaitingArgs {
    /// The book; one that is not there is empty
    book: PathBuf,
    /// Up to so many positions at which the book would grow, in place of its own
    #[arg(long, value_name = "N")]
    leaves: Option<usize>,
    #[command(flatten)]
    growth: GrowthArgs,
}

pub(super) fn run(args: &WaitingArgs) -> io::Result<()> {
    let table = super::read_or_empty(&args.book)?;
    let mut out = io::BufWriter::new(io::stdout().lock());
    let mut write = |position: Position| writeln!(out, "sfen {}", position.to_sfen());
    match args.leaves {
        Some(most) => {
            table.leaves(&args.growth.starts()?, &args.growth.growth(), most).into_iter().try_for_each(&mut write)?;
        }
        None => table.unsearched().try_for_each(&mut write)?,
    }
    out.flush()
}
