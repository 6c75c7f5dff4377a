//! `kurosabi book check`.

use std::io::{self, BufWriter, Write};
use std::path::PathBuf;

use clap::Args;

use crate::book::{BookError, BookFormat, BookTable, DrawValues};

/// Check that a book is sorted and has only legal moves of legal positions, and count the best lines that repeat
/// positions
#[derive(Debug, Args)]
pub(super) struct CheckArgs {
    /// The book
    book: PathBuf,
}

pub(super) fn run(args: &CheckArgs) -> io::Result<()> {
    let path = &args.book;
    let mut out = BufWriter::new(io::stdout().lock());
    let (book, mut defects) = match super::open_named(path, true) {
        Err(error @ BookError::NotSorted(_)) => {
            writeln!(out, "{error}")?;
            (super::open(path, false)?, 1)
        }
        opened => (opened.map_err(|error| super::named(path, error))?, 0),
    };
    let format = book.format();
    if format == BookFormat::Apery {
        return Err(super::named(path, BookError::Unlistable));
    }
    let mut remarks = Vec::new();
    let mut table = BookTable::read(book, &mut |text| remarks.push(text)).map_err(|error| super::named(path, error))?;
    for text in &remarks {
        writeln!(out, "{text}")?;
    }
    defects += remarks.len();
    let scored = table.entries().flat_map(|(_, entry)| &entry.moves).filter(|book_move| book_move.is_scored()).count();
    let plies = table.entries().map(|(_, entry)| entry.ply).max().unwrap_or(0);
    writeln!(
        out,
        "format {format}, {} positions up to move {plies}, {} moves, {scored} of them searched",
        table.len(),
        table.moves()
    )?;
    let solved = table.minimax(DrawValues::default());
    writeln!(
        out,
        "{} moves lead on within the book, {} of them to a repetition by best play",
        solved.inner_moves, solved.repetitions
    )?;
    out.flush()?;
    if defects > 0 {
        return Err(super::named(path, format!("{defects} defects")));
    }
    Ok(())
}
