//! `kurosabi book waiting`.

use std::io::{self, Write};
use std::path::PathBuf;

use clap::Args;

use super::think::GrowthArgs;

/// List the positions of a book that wait to be searched
///
/// Those without a searched move or, with --leaves, positions that the book's moves lead to, the best first. They come one
/// a line, as `book think --only` reads them: for programs that share the work out to several machines.
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
    let waiting = match args.leaves {
        Some(most) => table.leaves(&args.growth.starts()?, &args.growth.growth(), most),
        None => table.unsearched(usize::MAX),
    };
    let mut out = io::BufWriter::new(io::stdout().lock());
    for position in waiting {
        writeln!(out, "sfen {}", position.to_sfen())?;
    }
    out.flush()
}
