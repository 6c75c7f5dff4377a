//! The formats of books: told apart by content, opened and searched.

pub(in crate::book) mod apery;
pub(in crate::book) mod entry;
mod lines;
pub(in crate::book) mod sbk;
mod source;
mod text;
mod unpack;
pub(in crate::book) mod ybb;

use std::fmt;
use std::path::Path;

use super::BookError;
use super::flip::{flipped_position, flipped_sfen};
use super::moves::BookMove;
use crate::memory::Available;
use crate::movegen::MAX_MOVES;
use crate::position::Position;
use apery::AperyBook;
use sbk::SbkBook;
use source::Source;
use text::TextBook;
use unpack::Packing;
use ybb::YbbBook;

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
}

impl fmt::Display for BookFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.extension())
    }
}

/// What a book says of a position.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Found {
    /// Its moves.
    pub moves: Vec<BookMove>,
    /// Texts in the place of a move that are no moves, or illegal ones.
    pub unreadable: Vec<String>,
}

impl Found {
    fn add(&mut self, read: Result<Option<BookMove>, String>) -> Result<(), BookError> {
        // A damaged file must not fill the memory: entries beyond the number of moves of any position are dropped.
        if self.moves.len() + self.unreadable.len() <= MAX_MOVES {
            match read {
                Ok(Some(book_move)) if self.moves.iter().all(|known| known.mv != book_move.mv) => {
                    self.moves.push(book_move);
                }
                Ok(_) => {}
                Err(text) => self.unreadable.push(text),
            }
        }
        Ok(())
    }

    fn is_empty(&self) -> bool {
        self.moves.is_empty() && self.unreadable.is_empty()
    }

    /// Keeps the moves that are legal in a position.
    fn checked(mut self, position: &Position) -> Found {
        let unreadable = &mut self.unreadable;
        self.moves.retain(|book_move| {
            let legal = position.is_legal(book_move.mv);
            if !legal {
                unreadable.push(book_move.mv.to_string());
            }
            legal
        });
        BookMove::sort(&mut self.moves);
        self
    }

    fn flipped(mut self) -> Found {
        for book_move in &mut self.moves {
            *book_move = book_move.flipped();
        }
        self
    }
}

/// Called with each position of a book: the SFEN without the move number, the move number if there is one, and what the
/// book says.
pub type Visitor<'a> = &'a mut dyn FnMut(&str, Option<u32>, Found) -> Result<(), BookError>;

/// How positions are looked up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lookup {
    /// A position counts whatever its move number is (`IgnoreBookPly`).
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
    /// Opens a book; its format is recognised by its content. Binary books but ShogiGUI's are searched in place, and so
    /// is a text book with `on_the_fly`, or one that is too large to be read whole.
    ///
    /// # Errors
    /// Says what is wrong with the file.
    pub fn open(path: &Path, on_the_fly: bool) -> Result<Book, BookError> {
        Book::of(Source::open(path)?, on_the_fly)
    }

    /// The book that these bytes are.
    ///
    /// # Errors
    /// Says what is wrong with them.
    pub fn from_bytes(bytes: Vec<u8>) -> Result<Book, BookError> {
        Book::of(Source::Bytes(bytes.into()), false)
    }

    fn of(mut source: Source, on_the_fly: bool) -> Result<Book, BookError> {
        let head = source.head(HEAD)?;
        let limit = Available::now().resident / 4;
        if let Some(packing) = Packing::of(&head) {
            let bytes = packing.unpack(&mut source, limit)?;
            return Book::unpacked(Source::Bytes(bytes.into()), false, limit);
        }
        Book::unpacked(source, on_the_fly, limit)
    }

    fn unpacked(mut source: Source, on_the_fly: bool, limit: u64) -> Result<Book, BookError> {
        let head = source.head(HEAD)?;
        let content = match format(&head, source.len())? {
            BookFormat::Ybb => Content::Ybb(YbbBook::open(source)?),
            BookFormat::Apery => Content::Apery(AperyBook::open(source)?),
            BookFormat::Sbk => Content::Sbk(SbkBook::open(source, limit)?),
            BookFormat::Text if on_the_fly || source.len() > limit => Content::Text(TextBook::sorted(source)?),
            BookFormat::Text => Content::Text(TextBook::whole(source)?),
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

    /// What the book says of a position; its moves are legal, and in the order of [`BookMove::sort`].
    ///
    /// # Errors
    /// When the file cannot be read, or is damaged.
    pub fn probe(&mut self, position: &Position, lookup: Lookup) -> Result<Option<Found>, BookError> {
        let ply = (!lookup.ignore_ply).then(|| position.game_ply());
        let found = match &mut self.content {
            Content::Text(book) => book.probe(key(&position.to_sfen()), ply)?,
            Content::Ybb(book) => book.probe(position, ply)?,
            Content::Apery(book) => book.probe(position)?,
            Content::Sbk(book) => book.probe(position)?,
        };
        let found = match found.filter(|found| !found.is_empty()) {
            None if lookup.flipped => self.probe_flipped(position, ply)?.map(Found::flipped),
            found => found,
        };
        Ok(found.map(|found| found.checked(position)).filter(|found| !found.is_empty()))
    }

    fn probe_flipped(&mut self, position: &Position, ply: Option<u32>) -> Result<Option<Found>, BookError> {
        match &mut self.content {
            Content::Text(book) => book.probe(key(&flipped_sfen(position)), ply),
            Content::Ybb(book) => book.probe(&flipped_position(position), ply),
            Content::Apery(book) => book.probe(&flipped_position(position)),
            Content::Sbk(book) => book.probe(&flipped_position(position)),
        }
    }

    /// Calls `visit` with each position of the book: its SFEN without the move number, the move number where there is
    /// one, and what the book says of it, unchecked. Apery's books cannot be listed: they hold keys in place of
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

/// What text or bytes are.
fn format(head: &[u8], len: u64) -> Result<BookFormat, BookError> {
    if head.is_empty() {
        return Err(BookError::Empty);
    }
    if head.starts_with(&ybb::MAGIC) {
        return Ok(BookFormat::Ybb);
    }
    if head.starts_with(&[0xff, 0xfe]) || head.starts_with(&[0xfe, 0xff]) {
        return Err(BookError::Utf16);
    }
    if is_text_book(head) {
        return Ok(BookFormat::Text);
    }
    if sbk::is_likely(head) {
        return Ok(BookFormat::Sbk);
    }
    if AperyBook::is_likely(head, len) {
        return Ok(BookFormat::Apery);
    }
    Err(BookError::Unknown)
}

/// Whether there are positions of a book before anything that is neither a position nor a comment, or nothing but the
/// mark of the format.
fn is_text_book(head: &[u8]) -> bool {
    let marked = head.strip_prefix("\u{feff}".as_bytes()).unwrap_or(head).starts_with(b"#YANEURAOU-DB");
    let first = head.split(|&byte| byte == b'\n').map(entry::line).find(|line| !matches!(line, entry::Line::Comment));
    match first {
        Some(entry::Line::Position(key, _)) => key.split(|&byte| byte == b' ').count() == 3,
        _ => marked,
    }
}

/// An SFEN without its move number.
pub(in crate::book) fn key(sfen: &str) -> &str {
    sfen.rsplit_once(' ').map_or(sfen, |(key, _)| key)
}
