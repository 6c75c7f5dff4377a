//! `kurosabi book`: opening books, looked at, made and changed.

mod change;
mod make;
mod show;
mod think;

use std::io::Write;
use std::path::Path;

use clap::{Args, Subcommand};

use crate::atomic_file::FileLock;
use crate::book::{Book, BookError, BookFormat, BookTable};
use crate::cli::arguments::LanguageArg;
use crate::cli::failure::Result;
use crate::cli::records::files::{lock, naming};
use crate::cli::terminal::{Output, remark};
use crate::language::{Foreign, Language, Text, counted, text};

/// Show, make, improve, merge and convert opening books
///
/// Books may be YaneuraOu's text (.db) or binary (.ybb) ones, Apery's (.bin) or ShogiGUI's (.sbk), and compressed with
/// gzip or Zstandard; they are recognised by their content. `builtin` names the one in the program. The format of a
/// book that is written follows from its name: .db, .db.gz, .ybb, .bin or .sbk. A .bin cannot be listed, only probed;
/// a .sbk has weights and no scores.
///
/// 定跡を表示、作成、改良、結合、変換します
///
/// やねうら王のテキスト（.db）とバイナリ（.ybb）、Apery（.bin）、ShogiGUI（.sbk）の定跡を、gzipやZstandardで圧縮されたものも含めて読み込みます。種類は内容から判断します。
/// `builtin`は内蔵の定跡です。書き込む定跡の形式は、名前の末尾（.db、.db.gz、.ybb、.bin、.sbk）で決まります。.binは検索だけで一覧はできません。.sbkには重みだけで評価値がありません。
#[derive(Debug, Args)]
pub(super) struct BookArgs {
    #[command(flatten)]
    lang: LanguageArg,
    #[command(subcommand)]
    command: BookCommand,
}

#[derive(Debug, Subcommand)]
enum BookCommand {
    Check(show::CheckArgs),
    Convert(change::ConvertArgs),
    Cut(change::CutArgs),
    Make(make::MakeArgs),
    Merge(change::MergeArgs),
    Minimax(change::MinimaxArgs),
    Show(show::ShowArgs),
    Think(think::ThinkArgs),
    Waiting(show::WaitingArgs),
}

pub(super) fn run(args: &BookArgs) -> Result {
    let language = args.lang.language();
    match &args.command {
        BookCommand::Check(args) => show::check(args, language),
        BookCommand::Convert(args) => change::convert(args, language),
        BookCommand::Cut(args) => change::cut(args, language),
        BookCommand::Make(args) => make::run(args, language),
        BookCommand::Merge(args) => change::merge(args, language),
        BookCommand::Minimax(args) => change::minimax(args, language),
        BookCommand::Show(args) => show::show(args, language),
        BookCommand::Think(args) => think::run(args, language),
        BookCommand::Waiting(args) => show::waiting(args, language),
    }
}

/// How many remarks on one file are shown.
const REMARKS: usize = 10;

/// The name of the book in the program, where no file has it.
const BUILTIN: &str = "builtin";

fn open(path: &Path, on_the_fly: bool) -> Result<Book> {
    open_named(path, on_the_fly).map_err(|error| naming(path, error))
}

/// A file, or the book in the program.
fn open_named(path: &Path, on_the_fly: bool) -> Result<Book, BookError> {
    if path == Path::new(BUILTIN) && !path.exists() { Book::builtin() } else { Book::open(path, on_the_fly) }
}

/// Reads a whole book, with remarks on lines that are left out.
fn read(path: &Path, language: Language) -> Result<BookTable> {
    let mut remarks = 0;
    let table = BookTable::read(open(path, false)?, &mut |text| {
        remarks += 1;
        if remarks <= REMARKS {
            remark(&Text::about(&Foreign(&path.to_string_lossy()), &text), language);
        }
    });
    if remarks > REMARKS {
        let more = remarks - REMARKS;
        let of_more = counted(more, "more line");
        let left_out = text!("and {of_more} left out", "ほかに{more}行を省きました");
        remark(&Text::about(&Foreign(&path.to_string_lossy()), &left_out), language);
    }
    table.map_err(|error| naming(path, error))
}

/// Reads a book that is to be made where there is none.
fn read_or_empty(path: &Path, language: Language) -> Result<BookTable> {
    if path.exists() { read(path, language) } else { Ok(BookTable::default()) }
}

/// A book that this process alone writes, in the format that its name asks for.
struct BookOutput<'a> {
    path: &'a Path,
    format: BookFormat,
    _lock: FileLock,
}

impl BookOutput<'_> {
    /// Sees to it that the book can be written, before the work that goes into it.
    ///
    /// # Errors
    /// When its name ends like no book, or another process works on it.
    fn new(path: &Path) -> Result<BookOutput<'_>> {
        Ok(BookOutput { path, format: format_of(path)?, _lock: lock(path)? })
    }

    /// Writes the book.
    fn write(&self, table: &BookTable) -> Result {
        table.save(self.path, self.format).map_err(|error| naming(self.path, error))
    }

    /// Writes the book and says so.
    fn save(&self, table: &BookTable, language: Language) -> Result {
        self.write(table)?;
        let (positions, moves) = (table.len(), table.moves());
        let [of_positions, of_moves] =
            [(positions, "position"), (moves, "move")].map(|(count, noun)| counted(count, noun));
        let saved = text!("{of_positions}, {of_moves}", "{positions}局面、{moves}手");
        write_line(&Text::about(&Foreign(&self.path.to_string_lossy()), &saved), language)
    }
}

/// Writes a line of the result.
fn write_line(text: &Text, language: Language) -> Result {
    Ok(writeln!(Output::text(), "{}", language.say(text))?)
}

fn format_of(path: &Path) -> Result<BookFormat> {
    let name = path.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
    let name = name.strip_suffix(".gz").unwrap_or(&name);
    let found = BookFormat::ALL.into_iter().find(|format| name.ends_with(&format!(".{}", format.extension())));
    found.ok_or_else(|| {
        let endings = text!(
            "the name of a book to write ends in .db, .db.gz, .ybb, .bin or .sbk",
            "書き込む定跡の名前は .db、.db.gz、.ybb、.bin、.sbk のどれかで終わる必要があります"
        );
        naming(path, endings)
    })
}
