//! Books as files: their formats, recognised by content, opened, probed, read and written.

use std::fmt;
use std::io::Write;
use std::path::Path;

use flate2::write::GzEncoder;

use super::apery::{self, AperyBook};
use super::moves::{BookEntry, Visitor};
use super::sbk::{self, SbkBook};
use super::source::{BookBytes, Compression};
use super::table::BookTable;
use super::text::{self, TextBook, TextLine};
use super::ybb::{self, YbbBook};
use super::{BookError, BookRemark, key};
use crate::atomic_file;
use crate::memory::Available;
use crate::position::Position;

/// How much of a file is looked at to find out what it is.
const HEAD: usize = 64 << 10;

/// A way of writing books down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BookFormat {
    /// YaneuraOu's text, DB2016 (`.db`).
    Text,
    /// YaneuraOu's binary book (`.ybb`).
    Ybb,
    /// Apery's book (`.bin`).
    Apery,
    /// ShogiGUI's book (`.sbk`).
    Sbk,
}

impl BookFormat {
    /// Every format.
    pub const ALL: [BookFormat; 4] = [BookFormat::Text, BookFormat::Ybb, BookFormat::Apery, BookFormat::Sbk];

    /// The usual extension of its files.
    pub const fn extension(self) -> &'static str {
        match self {
            BookFormat::Text => "db",
            BookFormat::Ybb => "ybb",
            BookFormat::Apery => "bin",
            BookFormat::Sbk => "sbk",
        }
    }

    /// The format of a book of `len` bytes that begins with `head`.
    pub(super) fn recognise(head: &[u8], len: u64) -> Result<BookFormat, BookError> {
        if head.is_empty() {
            Err(BookError::Empty)
        } else if head.starts_with(&ybb::MAGIC) {
            Ok(BookFormat::Ybb)
        } else if head.starts_with(&[0xff, 0xfe]) || head.starts_with(&[0xfe, 0xff]) {
            Err(BookError::Utf16)
        } else if is_text_book(head) {
            Ok(BookFormat::Text)
        } else if sbk::is_likely(head) {
            Ok(BookFormat::Sbk)
        } else if AperyBook::is_likely(head, len) {
            Ok(BookFormat::Apery)
        } else {
            Err(BookError::Unknown)
        }
    }
}

impl fmt::Display for BookFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.extension())
    }
}

/// How positions are looked up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lookup {
    /// A position counts with any move number (`IgnoreBookPly`).
    pub ignore_ply: bool,
    /// A position that the book lacks is looked up with the board turned around (`FlippedBook`).
    pub flipped: bool,
}

/// An opened book.
pub struct Book {
    content: Content,
}

enum Content {
    Text(TextBook),
    Ybb(YbbBook),
    Apery(AperyBook),
    Sbk(SbkBook),
}

impl Book {
    /// The book in the program, for even games and handicaps: made by `kurosabi book` from the engine's own searches,
    /// see `src/book/embedded/BOOK.md`.
    ///
    /// # Errors
    /// Never, unless there is no memory to unpack it.
    pub fn builtin() -> Result<Book, BookError> {
        Book::from_bytes(include_bytes!("embedded/opening.db.gz").to_vec())
    }

    /// Opens a book; its format is recognised by its content. Binary books but ShogiGUI's are searched in place, and so
    /// is a text book with `on_the_fly`, or one that is too large to be read whole.
    ///
    /// # Errors
    /// Says what is wrong with the file.
    pub fn open(path: &Path, on_the_fly: bool) -> Result<Book, BookError> {
        Book::new(BookBytes::open(path)?, on_the_fly)
    }

    /// The book that these bytes are.
    ///
    /// # Errors
    /// Says what is wrong with them.
    pub fn from_bytes(bytes: Vec<u8>) -> Result<Book, BookError> {
        Book::new(BookBytes::Memory(bytes), false)
    }

    fn new(mut bytes: BookBytes, on_the_fly: bool) -> Result<Book, BookError> {
        let limit = Available::now().resident / 4;
        match Compression::recognise(&bytes.head(HEAD)?) {
            Some(compression) => {
                let check = |content: &[u8]| {
                    BookFormat::recognise(&content[..content.len().min(HEAD)], content.len() as u64).map(drop)
                };
                let content = compression.unpack(&mut bytes, limit, &check)?;
                Book::uncompressed(BookBytes::Memory(content), false, limit)
            }
            None => Book::uncompressed(bytes, on_the_fly, limit),
        }
    }

    fn uncompressed(mut bytes: BookBytes, on_the_fly: bool, limit: u64) -> Result<Book, BookError> {
        let head = bytes.head(HEAD)?;
        let content = match BookFormat::recognise(&head, bytes.len())? {
            BookFormat::Ybb => Content::Ybb(YbbBook::open(bytes)?),
            BookFormat::Apery => Content::Apery(AperyBook::open(bytes)?),
            BookFormat::Sbk => Content::Sbk(SbkBook::open(bytes, limit)?),
            BookFormat::Text if on_the_fly || bytes.len() > limit => Content::Text(TextBook::on_disk(bytes)?),
            BookFormat::Text => Content::Text(TextBook::in_memory(bytes)?),
        };
        Ok(Book { content })
    }

    /// What the book is written in.
    pub fn format(&self) -> BookFormat {
        match self.content {
            Content::Text(_) => BookFormat::Text,
            Content::Ybb(_) => BookFormat::Ybb,
            Content::Apery(_) => BookFormat::Apery,
            Content::Sbk(_) => BookFormat::Sbk,
        }
    }

    /// What the book says of a position; its moves are legal, and in the order of
    /// [`BookMove::sort`](super::moves::BookMove::sort).
    ///
    /// # Errors
    /// When the file cannot be read, or is damaged.
    pub fn probe(&mut self, position: &Position, lookup: Lookup) -> Result<Option<BookEntry>, BookError> {
        let ply = (!lookup.ignore_ply).then(|| position.game_ply());
        let mut entry = self.entry(position, ply)?;
        if entry.is_empty()
            && lookup.flipped
            && let Ok(rotated) = Position::from_setup(&position.setup().rotated())
        {
            entry = self.entry(&rotated, ply)?.rotated();
        }
        let entry = entry.checked(position);
        Ok((!entry.is_empty()).then_some(entry))
    }

    /// What the book says of a position, unchecked; with `ply` only if it has the position with that move number, where
    /// the format has move numbers.
    fn entry(&mut self, position: &Position, ply: Option<u32>) -> Result<BookEntry, BookError> {
        match &mut self.content {
            Content::Text(book) => book.probe(&key(&position.setup()), ply),
            Content::Ybb(book) => book.probe(position, ply),
            Content::Apery(book) => book.probe(position),
            Content::Sbk(book) => Ok(book.probe(position)),
        }
    }

    /// Calls `visit` with each position of the book. Apery's books cannot be listed: they hold keys in place of
    /// positions.
    ///
    /// # Errors
    /// When the file cannot be read, or by Apery's; what `visit` returns ends the listing.
    pub fn for_each(self, visit: Visitor<'_>) -> Result<(), BookError> {
        match self.content {
            Content::Text(book) => book.for_each(visit),
            Content::Ybb(book) => book.for_each(visit),
            Content::Sbk(book) => book.for_each(visit),
            Content::Apery(_) => Err(BookError::Unlistable),
        }
    }
}

/// Whether there are positions of a book before anything that is neither a position nor a comment, or nothing but the
/// mark of the format.
fn is_text_book(head: &[u8]) -> bool {
    let marked = head.strip_prefix("\u{feff}".as_bytes()).unwrap_or(head).starts_with(b"#YANEURAOU-DB");
    let mut lines = head.split(|&byte| byte == b'\n').map(TextLine::new);
    match lines.find(|line| !matches!(line, TextLine::Comment)) {
        Some(TextLine::Position(key, _)) => key.split(|&byte| byte == b' ').count() == 3,
        _ => marked,
    }
}

impl BookTable {
    /// Reads a whole book. Positions that came at several move numbers become one. Entries that are no legal moves or
    /// positions are left out, and `remark` is called for each.
    ///
    /// # Errors
    /// When the file cannot be read, is damaged, or is Apery's.
    pub fn read(book: Book, remark: &mut dyn FnMut(BookRemark)) -> Result<BookTable, BookError> {
        let mut table = BookTable::default();
        book.for_each(&mut |listed| {
            match listed {
                Err(unreadable) => remark(unreadable),
                Ok((position, BookEntry { moves, unreadable })) => {
                    let sfen = || key(&position.setup());
                    unreadable.into_iter().for_each(|text| remark(BookRemark::NoMove { text, sfen: sfen() }));
                    for book_move in moves {
                        match position.check_legal(book_move.mv) {
                            Ok(()) => table.add(position, position.game_ply(), book_move),
                            Err(reason) => remark(BookRemark::Illegal { mv: book_move.mv, reason, sfen: sfen() }),
                        }
                    }
                }
            }
            Ok(())
        })?;
        Ok(table)
    }

    /// Writes the book to a file, through a temporary one beside it: the file is either as it was or complete. A text
    /// book whose name ends in `.gz` is compressed.
    ///
    /// # Errors
    /// When it cannot be written, or the format has no room for a position.
    pub fn save(&self, path: &Path, format: BookFormat) -> Result<(), BookError> {
        atomic_file::replace(path, |file| {
            if path.extension().is_some_and(|name| name == "gz") {
                let mut encoder = GzEncoder::new(&mut *file, flate2::Compression::best());
                self.write(&mut encoder, format)?;
                encoder.finish()?;
            } else {
                self.write(file, format)?;
            }
            Ok(file.sync()?)
        })
    }

    /// Writes the book.
    ///
    /// # Errors
    /// When it cannot be written, or the format has no room for a position.
    pub fn write(&self, out: &mut dyn Write, format: BookFormat) -> Result<(), BookError> {
        match format {
            BookFormat::Text => Ok(text::write(self, out)?),
            BookFormat::Ybb => ybb::write(self, out),
            BookFormat::Apery => apery::write(self, out),
            BookFormat::Sbk => sbk::write(self, out),
        }
    }
}
