//! Books as files: recognised by their content, opened, probed, read and written.

use std::path::Path;

use flate2::write::GzEncoder;

use super::apery::AperyBook;
use super::sbk::{self, SbkBook};
use super::source::{BookBytes, Compression};
use super::table::{BookEntry, BookTable, Visitor};
use super::text::{self, TextBook};
use super::ybb::{self, YbbBook};
use super::{BookError, BookRemark, key};
use crate::atomic_file;
use crate::memory::Available;
use crate::position::Position;

/// How positions are looked up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lookup {
    /// A position counts with any move number (`IgnoreBookPly`).
    pub ignore_ply: bool,
    /// A position that the book lacks is looked up with the board turned around (`FlippedBook`).
    pub flipped: bool,
}

/// An opened book.
pub struct Book(Content);

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
        Book::new(BookBytes::memory(bytes), false)
    }

    fn new(mut bytes: BookBytes, on_the_fly: bool) -> Result<Book, BookError> {
        let limit = Available::now().resident / 4;
        let mut head = bytes.head()?;
        let is_compressed = Compression::recognise(&head).is_some();
        if is_compressed {
            bytes = BookBytes::memory(bytes.read_whole(limit)?);
            head = bytes.head()?;
        }
        Ok(Book(if head.is_empty() {
            return Err(BookError::Empty);
        } else if head.starts_with(&ybb::MAGIC) {
            Content::Ybb(YbbBook::open(bytes)?)
        } else if text::is_likely(&head) {
            let on_disk = on_the_fly && !is_compressed || bytes.len > limit;
            Content::Text(if on_disk {
                TextBook::on_disk(bytes)?
            } else {
                TextBook::in_memory(bytes.read_whole(limit)?)
            })
        } else if sbk::is_likely(&head) {
            Content::Sbk(SbkBook::open(&bytes.read_whole(limit / 8)?)?)
        } else if AperyBook::is_likely(&head, bytes.len) {
            Content::Apery(AperyBook::open(bytes)?)
        } else {
            return Err(BookError::Unknown);
        }))
    }

    /// What the book is written in, by the usual extension of such files.
    pub fn format(&self) -> &'static str {
        match self.0 {
            Content::Text(_) => "db",
            Content::Ybb(_) => "ybb",
            Content::Apery(_) => "bin",
            Content::Sbk(_) => "sbk",
        }
    }

    /// What the book says of a position; its moves are legal, and in the order of
    /// [`BookMove::sort`](super::table::BookMove::sort).
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
        match &mut self.0 {
            Content::Text(book) => book.probe(&key(&position.setup()), ply),
            Content::Ybb(book) => book.probe(position, ply),
            Content::Apery(book) => book.probe(position),
            Content::Sbk(book) => Ok(book.probe(position)),
        }
    }

    /// Calls `visit` with each position of the book.
    fn for_each(self, visit: Visitor<'_>) -> Result<(), BookError> {
        match self.0 {
            Content::Text(book) => book.for_each(visit),
            Content::Ybb(book) => book.for_each(visit),
            Content::Sbk(book) => book.for_each(visit),
            Content::Apery(_) => Err(BookError::Unlistable),
        }
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
        book.for_each(&mut |listed| match listed {
            Err(unreadable) => remark(unreadable),
            Ok((position, BookEntry { moves, unreadable })) => {
                let sfen = || key(&position.setup());
                unreadable.into_iter().for_each(|text| remark(BookRemark::NoMove(text, sfen())));
                for book_move in moves {
                    match position.check_legal(book_move.mv) {
                        Ok(()) => table.add(position, position.game_ply(), book_move),
                        Err(reason) => remark(BookRemark::Illegal { mv: book_move.mv, reason, sfen: sfen() }),
                    }
                }
            }
        })?;
        Ok(table)
    }

    /// Writes the book as YaneuraOu's text, through a temporary file beside the other one: the file is either as it was
    /// or complete. It is compressed if its name ends in `.gz`.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn save(&self, path: &Path) -> Result<(), BookError> {
        atomic_file::replace(path, |file| {
            if path.extension().is_some_and(|name| name == "gz") {
                let mut encoder = GzEncoder::new(&mut *file, flate2::Compression::best());
                self.write(&mut encoder)?;
                encoder.finish()?;
            } else {
                self.write(file)?;
            }
            Ok(file.sync()?)
        })
    }
}
