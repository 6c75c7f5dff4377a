//! `kurosabi book check`.

use std::io::{BufWriter, Write};
use std::path::PathBuf;

use clap::Args;

use crate::book::{BookError, BookFormat, BookTable, DrawValues};
use crate::cli::failure::Result;
use crate::cli::records::files::naming;
use crate::cli::terminal::Output;
use crate::language::{Language, counted, text};

/// Check that a book is sorted and has only legal moves of legal positions, and count the best lines that repeat
/// positions
#[derive(Debug, Args)]
pub(super) struct CheckArgs {
    /// The book
    book: PathBuf,
}

pub(super) fn run(args: &CheckArgs, language: Language) -> Result {
    let path = &args.book;
    let mut out = BufWriter::new(Output::text());
    let (book, mut defects) = match super::open_named(path, true) {
        Err(error @ BookError::NotSorted(_)) => {
            writeln!(out, "{}", language.say(&error))?;
            (super::open(path, false)?, 1)
        }
        opened => (opened.map_err(|error| naming(path, error))?, 0),
    };
    let format = book.format();
    if format == BookFormat::Apery {
        return Err(naming(path, BookError::Unlistable));
    }
    let mut remarks = Vec::new();
    let mut table = BookTable::read(book, &mut |text| remarks.push(text)).map_err(|error| naming(path, error))?;
    for remark in &remarks {
        writeln!(out, "{}", language.say(remark))?;
    }
    defects += remarks.len();
    let scored = table.entries().flat_map(|(_, entry)| &entry.moves).filter(|book_move| book_move.is_scored()).count();
    let plies = table.entries().map(|(_, entry)| entry.ply).max().unwrap_or(0);
    let (positions, moves) = (table.len(), table.moves());
    let [of_positions, of_moves] = [(positions, "position"), (moves, "move")].map(|(count, noun)| counted(count, noun));
    let content = text!(
        "format {format}, {of_positions} up to move {plies}, {of_moves}, {scored} of them searched",
        "形式{format}、{plies}手目まで{positions}局面、{moves}手（うち{scored}手は探索済み）"
    );
    writeln!(out, "{}", language.say(&content))?;
    let solved = table.minimax(DrawValues::default());
    let (inner, repetitions) = (solved.inner_moves, solved.repetitions);
    let lines = text!(
        "moves that lead on within the book: {inner}, {repetitions} of them to a repetition by best play",
        "{inner}手が定跡内で続き、そのうち{repetitions}手は最善の進行で千日手になります"
    );
    writeln!(out, "{}", language.say(&lines))?;
    out.flush()?;
    if defects > 0 {
        let of_defects = counted(defects, "defect");
        return Err(naming(path, text!("{of_defects}", "{defects}件の問題があります")));
    }
    Ok(())
}
