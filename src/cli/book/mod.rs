//! `kurosabi book`: opening books, looked at, made and changed.

mod change;
mod check;
mod make;
mod show;
mod think;
mod waiting;

use std::io::{self, Write};
use std::path::Path;

use clap::{Args, Subcommand};
use indicatif::{ProgressBar, ProgressDrawTarget};

use crate::book::{Book, BookError, BookFormat, BookTable};

/// Show, make, improve, merge and convert opening books
///
/// Books may be YaneuraOu's text (.db) or binary (.ybb) ones, Apery's (.bin) or ShogiGUI's (.sbk), and compressed with
/// gzip or Zstandard; they are recognised by their content. `builtin` names the one in the program. The format of a
/// book that is written follows from its name: .db, .db.gz, .ybb, .bin or .sbk. A .bin cannot be listed, only probed;
/// a .sbk has weights and no scores.
#[derive(Debug, Args)]
pub(super) struct BookArgs {
    #[command(subcommand)]
    command: BookCommand,
}

#[derive(Debug, Subcommand)]
enum BookCommand {
    Check(check::CheckArgs),
    Convert(change::ConvertArgs),
    Cut(change::CutArgs),
    Make(make::MakeArgs),
    Merge(change::MergeArgs),
    Minimax(change::MinimaxArgs),
    Show(show::ShowArgs),
    Think(think::ThinkArgs),
    Waiting(waiting::WaitingArgs),
}

pub(super) fn run(args: &BookArgs) -> io::Result<()> {
    match &args.command {
        BookCommand::Check(args) => check::run(args),
        BookCommand::Convert(args) => change::convert(args),
        BookCommand::Cut(args) => change::cut(args),
        BookCommand::Make(args) => make::run(args),
        BookCommand::Merge(args) => change::merge(args),
        BookCommand::Minimax(args) => change::minimax(args),
        BookCommand::Show(args) => show::run(args),
        BookCommand::Think(args) => think::run(args),
        BookCommand::Waiting(args) => waiting::run(args),
    }
}

/// How many remarks on one file are shown.
const REMARKS: usize = 10;

fn named(path: &Path, error: impl std::fmt::Display) -> io::Error {
    io::Error::other(format!("{}: {error}", path.display()))
}

/// The name of the book in the program, where no file has it.
const BUILTIN: &str = "builtin";

fn open(path: &Path, on_the_fly: bool) -> io::Result<Book> {
    open_named(path, on_the_fly).map_err(|error| named(path, error))
}

/// A file, or the book in the program.
fn open_named(path: &Path, on_the_fly: bool) -> Result<Book, BookError> {
    if path == Path::new(BUILTIN) && !path.exists() { Book::builtin() } else { Book::open(path, on_the_fly) }
}

/// Reads a whole book; what is wrong with single lines is told on stderr.
fn read(path: &Path) -> io::Result<BookTable> {
    let mut remarks = 0;
    let table = BookTable::read(open(path, false)?, &mut |text| {
        remarks += 1;
        if remarks <= REMARKS {
            let _ = writeln!(io::stderr(), "{}: {text}", path.display());
        }
    });
    if remarks > REMARKS {
        let _ = writeln!(io::stderr(), "{}: and {} lines more that are left out", path.display(), remarks - REMARKS);
    }
    table.map_err(|error| named(path, error))
}

/// Reads a book that is to be made where there is none.
fn read_or_empty(path: &Path) -> io::Result<BookTable> {
    if path.exists() { read(path) } else { Ok(BookTable::default()) }
}

/// Writes a book in the format that its name asks for, and says so.
fn save(table: &BookTable, path: &Path) -> io::Result<()> {
    let format = format_of(path)?;
    table.save(path, format).map_err(|error| named(path, error))?;
    writeln!(io::stdout(), "{}: {} positions, {} moves", path.display(), table.len(), table.moves())
}

fn format_of(path: &Path) -> io::Result<BookFormat> {
    let name = path.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
    let name = name.strip_suffix(".gz").unwrap_or(&name);
    let found = BookFormat::ALL.into_iter().find(|format| name.ends_with(&format!(".{}", format.extension())));
    found.ok_or_else(|| named(path, "the name of a book to write ends in .db, .db.gz, .ybb, .bin or .sbk"))
}

/// The progress on the terminal, of so many if it is known.
fn progress(unit: &str, length: Option<u64>) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(length, ProgressDrawTarget::stderr_with_hz(2));
    let template = match length {
        Some(_) => format!("{{wide_bar}} {{pos}}/{{len}} {unit}, {{rate}}, {{eta}} left"),
        None => format!("{{elapsed_precise}} {{pos}} {unit}, {{rate}}"),
    };
    bar.with_style(crate::cli::progress::style(&template))
}
