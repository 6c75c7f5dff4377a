//! `kurosabi book`: opening books, looked at, made and changed.

mod change;
mod make;
mod show;
mod think;

use std::io::Write;
use std::path::Path;

use clap::{Args, Subcommand};

use crate::atomic_file::FileLock;
use crate::book::{Book, BookTable};
use crate::cli::arguments::LanguageArg;
use crate::cli::failure::Result;
use crate::cli::records::files::{lock, naming};
use crate::cli::terminal::{Output, remark};
use crate::language::{Foreign, Language, Text, counted, text};

/// Show, make, improve and convert opening books
///
/// Books may be YaneuraOu's text (.db) or binary (.ybb) ones, Apery's (.bin) or ShogiGUI's (.sbk), and compressed with
/// gzip or Zstandard; they are recognised by their content. `builtin` names the one in the program. Books are written
/// as YaneuraOu's text (.db), compressed if the name ends in .db.gz. A .bin cannot be listed, only probed; a .sbk has
/// weights and no scores.
///
/// 定跡を表示、作成、改良、変換します
///
/// やねうら王のテキスト（.db）とバイナリ（.ybb）、Apery（.bin）、ShogiGUI（.sbk）の定跡を、gzipやZstandardで圧縮されたものも含めて読み込みます。
/// 種類は内容から判断します。`builtin`は内蔵の定跡です。書き込む形式はやねうら王のテキスト（.db）で、名前が .db.gz で終わるときはgzipで圧縮します。
/// .binは検索だけで一覧はできません。.sbkには重みだけで評価値がありません。
#[derive(Debug, Args)]
pub(super) struct BookArgs {
    #[command(flatten)]
    lang: LanguageArg,
    #[command(subcommand)]
    command: BookCommand,
}

#[derive(Debug, Subcommand)]
enum BookCommand {
    Convert(change::ConvertArgs),
    Cut(change::CutArgs),
    Make(make::MakeArgs),
    Minimax(change::MinimaxArgs),
    Show(show::ShowArgs),
    Think(think::ThinkArgs),
}

pub(super) fn run(args: &BookArgs) -> Result {
    let language = args.lang.language();
    match &args.command {
        BookCommand::Convert(args) => change::convert(args, language),
        BookCommand::Cut(args) => change::cut(args, language),
        BookCommand::Make(args) => make::run(args, language),
        BookCommand::Minimax(args) => change::minimax(args, language),
        BookCommand::Show(args) => show::show(args, language),
        BookCommand::Think(args) => think::run(args, language),
    }
}

/// How many remarks on one file are shown.
const REMARKS: usize = 10;

/// Opens a file or, where no file has that name, the book in the program.
fn open(path: &Path, on_the_fly: bool) -> Result<Book> {
    let is_builtin = path == Path::new("builtin") && !path.exists();
    let book = if is_builtin { Book::builtin() } else { Book::open(path, on_the_fly) };
    book.map_err(|error| naming(path, error))
}

/// Reads a whole book, with remarks on entries that are left out; with how many these are.
fn read(path: &Path, language: Language) -> Result<(BookTable, usize)> {
    let mut left_out = 0;
    let table = BookTable::read(open(path, false)?, &mut |text| {
        left_out += 1;
        if left_out <= REMARKS {
            remark(&Text::about(&Foreign(&path.to_string_lossy()), &text), language);
        }
    });
    if left_out > REMARKS {
        let more = left_out - REMARKS;
        let of_more = counted(more, "more line");
        let left_out = text!("and {of_more} left out", "ほかに{more}行を省きました");
        remark(&Text::about(&Foreign(&path.to_string_lossy()), &left_out), language);
    }
    Ok((table.map_err(|error| naming(path, error))?, left_out))
}

/// A book that this process alone writes.
struct BookOutput<'a> {
    path: &'a Path,
    _lock: FileLock,
}

impl BookOutput<'_> {
    /// Sees to it that the book can be written, before the work that goes into it.
    ///
    /// # Errors
    /// When its name ends like no text book, or another process works on it.
    fn new(path: &Path) -> Result<BookOutput<'_>> {
        let name = path.to_string_lossy().to_lowercase();
        if !name.ends_with(".db") && !name.ends_with(".db.gz") {
            let endings = text!(
                "the name of a book to write ends in .db or .db.gz",
                "書き込む定跡の名前は .db か .db.gz で終わる必要があります"
            );
            return Err(naming(path, endings));
        }
        Ok(BookOutput { path, _lock: lock(path)? })
    }

    /// Writes the book.
    fn write(&self, table: &BookTable) -> Result {
        table.save(self.path).map_err(|error| naming(self.path, error))
    }

    /// Writes the book and says so.
    fn save(&self, table: &BookTable, language: Language) -> Result {
        self.write(table)?;
        let (positions, moves) = (table.len(), table.moves());
        let (of_positions, of_moves) = (counted(positions, "position"), counted(moves, "move"));
        let saved = text!("{of_positions}, {of_moves}", "{positions}局面、{moves}手");
        write_line(&Text::about(&Foreign(&self.path.to_string_lossy()), &saved), language)
    }
}

/// Writes a line of the result.
fn write_line(text: &Text, language: Language) -> Result {
    Ok(writeln!(Output::text(), "{}", language.say(text))?)
}
