//! YaneuraOu's text book (DB2016), searched where it lies: on disk or in memory.
//!
//! The first line is `#YANEURAOU-DB2016 1.00`. A line `sfen …` names a position, with its move number; the lines behind
//! it are its moves: the move, the expected answer or `none`, and as far as they are known the score, the depth and how
//! often it was played. Lines that begin with `#` or `//` are comments.
//!
//! The file is sorted by SFEN. A probe halves the range of bytes in which the position can stand until a few kilobytes
//! are left, and reads those.

use std::io::{self, Write};

use super::source::BookBytes;
use super::table::{BookEntry, BookMove, BookTable, Visitor};
use super::{BookError, BookRemark};
use crate::position::{Position, Setup, SfenError};
use crate::types::Move;

/// The first line of a text book.
const HEADER: &str = "#YANEURAOU-DB2016 1.00";
/// The range of bytes that is read through.
const PAGE: u64 = 4096;
/// Between two positions there are never as many bytes as this.
const MAX_GAP: u64 = 1 << 20;
/// The positions of an unsorted book are hardly ever in order in this many bytes.
const BEGINNING: u64 = 1 << 18;

/// A sorted text book.
pub(super) struct TextBook(BookBytes);

impl TextBook {
    /// A book to be searched where it is.
    ///
    /// # Errors
    /// When it is seen to be out of order, or to be no text.
    pub(super) fn on_disk(mut bytes: BookBytes) -> Result<TextBook, BookError> {
        let mut lines = bytes.lines(0)?;
        let mut last: Vec<u8> = Vec::new();
        while let Some((at, text)) = lines.next()?.filter(|&(at, _)| at < BEGINNING) {
            if let TextLine::Position(key, _) = TextLine::new(text) {
                if *key < *last {
                    return Err(BookError::NotSorted(at));
                }
                last = key.to_vec();
            }
        }
        Ok(TextBook(bytes))
    }

    /// A book in memory, which is sorted if it is not.
    pub(super) fn in_memory(text: Vec<u8>) -> TextBook {
        let mut positions: Vec<&[u8]> = Vec::new();
        let (mut at, mut start) = (0, None);
        for line in text.split_inclusive(|&byte| byte == b'\n') {
            if let TextLine::Position(..) = TextLine::new(line) {
                positions.extend(start.replace(at).map(|start| &text[start..at]));
            }
            at += line.len();
        }
        positions.extend(start.map(|start| &text[start..]));
        fn key<'a>(position: &&'a [u8]) -> Option<(&'a [u8], Option<u32>)> {
            match TextLine::new(position.split(|&byte| byte == b'\n').next()?) {
                TextLine::Position(key, ply) => Some((key, ply)),
                _ => None,
            }
        }
        if !positions.is_sorted_by_key(key) {
            positions.sort_by_key(key);
            return TextBook(BookBytes::memory(positions.join(&b'\n')));
        }
        TextBook(BookBytes::memory(text))
    }

    /// The moves of a position, given as SFEN without move number. With `ply` only if the book has it with that
    /// move number (or without any).
    pub(super) fn probe(&mut self, key: &str, ply: Option<u32>) -> Result<BookEntry, BookError> {
        let from = self.lower_bound(key.as_bytes())?;
        let mut lines = self.0.lines(from)?;
        let mut entry: Option<BookEntry> = None;
        while let Some((at, text)) = lines.next()? {
            if at - from > MAX_GAP {
                return Err(BookError::Damaged(from));
            }
            match (TextLine::new(text), &mut entry) {
                (TextLine::Comment, _) | (TextLine::Move(_), None) => {}
                (TextLine::Position(..), Some(entry)) if !entry.moves.is_empty() => break,
                (TextLine::Position(other, _), _) if other < key.as_bytes() => entry = None,
                (TextLine::Position(other, _), _) if other > key.as_bytes() => break,
                (TextLine::Position(_, other), _) => {
                    let fits = ply.is_none() || other.is_none() || ply == other;
                    entry = fits.then(BookEntry::default);
                }
                (TextLine::Move(text), Some(entry)) => entry.extend(book_move(text)),
            }
        }
        Ok(entry.unwrap_or_default())
    }

    /// Every position with its moves, in order.
    pub(super) fn for_each(mut self, visit: Visitor<'_>) -> Result<(), BookError> {
        let mut lines = self.0.lines(0)?;
        let mut current: Option<(Result<Position, BookRemark>, BookEntry)> = None;
        let mut finish = |current: Option<(Result<Position, BookRemark>, BookEntry)>| match current {
            Some((Ok(position), entry)) => visit(Ok((&position, entry))),
            Some((Err(remark), _)) => visit(Err(remark)),
            None => {}
        };
        while let Some((_, text)) = lines.next()? {
            match (TextLine::new(text), &mut current) {
                (TextLine::Comment, _) | (TextLine::Move(_), None) => {}
                (TextLine::Position(key, ply), _) => {
                    let next = (read_position(&String::from_utf8_lossy(key), ply), BookEntry::default());
                    finish(current.replace(next));
                }
                (TextLine::Move(text), Some((_, entry))) => entry.extend(book_move(text)),
            }
        }
        finish(current);
        Ok(())
    }

    /// An offset at or before which no position with this key begins, and behind which it follows soon.
    fn lower_bound(&mut self, key: &[u8]) -> Result<u64, BookError> {
        let (mut low, mut high) = (0, self.0.len);
        while high - low > PAGE {
            let middle = low + (high - low) / 2;
            match self.first_below(key, middle, high)? {
                Some(offset) => low = offset,
                None => high = middle,
            }
        }
        Ok(low)
    }

    /// Where the first position between two offsets begins, if its key is below this one.
    fn first_below(&mut self, key: &[u8], offset: u64, end: u64) -> Result<Option<u64>, BookError> {
        let mut lines = self.0.lines(offset)?;
        while let Some((at, text)) = lines.next()?.filter(|&(at, _)| at < end) {
            if let TextLine::Position(other, _) = TextLine::new(text) {
                return Ok((other < key).then_some(at));
            }
            if at - offset > MAX_GAP {
                return Err(BookError::Damaged(offset));
            }
        }
        Ok(None)
    }
}

/// Whether there are positions of a book before anything that is neither a position nor a comment, or nothing but the
/// mark of the format.
pub(super) fn is_likely(head: &[u8]) -> bool {
    let marked = head.strip_prefix("\u{feff}".as_bytes()).unwrap_or(head).starts_with(b"#YANEURAOU-DB");
    let mut lines = head.split(|&byte| byte == b'\n').map(TextLine::new);
    match lines.find(|line| !matches!(line, TextLine::Comment)) {
        Some(TextLine::Position(key, _)) => key.split(|&byte| byte == b' ').count() == 3,
        _ => marked,
    }
}

/// What a line is.
enum TextLine<'a> {
    /// A position: its SFEN without the move number, and the move number where there is one.
    Position(&'a [u8], Option<u32>),
    /// A move of the position before it.
    Move(&'a [u8]),
    /// Nothing that counts.
    Comment,
}

impl TextLine<'_> {
    /// What a line is. The byte order mark that some editors put before the first line does not count.
    fn new(text: &[u8]) -> TextLine<'_> {
        let text = text.strip_prefix("\u{feff}".as_bytes()).unwrap_or(text).trim_ascii();
        match text {
            [] | [b'#', ..] | [b'/', b'/', ..] => TextLine::Comment,
            _ => match text.strip_prefix(b"sfen ") {
                Some(sfen) => {
                    let (key, ply) = without_number(sfen.trim_ascii());
                    TextLine::Position(key, ply)
                }
                None => TextLine::Move(text),
            },
        }
    }
}

/// The position of an SFEN without move number, with the number that the book has for it.
fn read_position(sfen: &str, ply: Option<u32>) -> Result<Position, BookRemark> {
    let read = || {
        let mut setup = Setup::from_sfen(sfen)?;
        setup.move_number = ply.unwrap_or(1);
        Position::from_setup(&setup)
    };
    read().map_err(|error: SfenError| BookRemark::Position(sfen.to_owned(), error))
}

/// An SFEN without the move number at its end, and that number.
fn without_number(sfen: &[u8]) -> (&[u8], Option<u32>) {
    let Some(blank) = sfen.iter().rposition(|&byte| byte == b' ') else { return (sfen, None) };
    let ply = std::str::from_utf8(&sfen[blank + 1..]).ok().and_then(|text| text.parse().ok());
    if ply.is_some() { (sfen[..blank].trim_ascii_end(), ply) } else { (sfen, None) }
}

/// Reads a move's line; `None` where it says that there is no move.
///
/// # Errors
/// With the text that is no move.
fn book_move(line: &[u8]) -> Option<Result<BookMove, String>> {
    let text = String::from_utf8_lossy(line);
    let mut words = text.split_ascii_whitespace().take_while(|word| !word.starts_with(['#', '/']));
    let first = words.next().filter(|word| !is_none(word))?;
    let Ok(mv) = first.parse::<Move>() else { return Some(Err(text.trim().chars().take(60).collect())) };
    let ponder = words.next().and_then(|word| word.parse().ok());
    let mut number = |default: i64| words.next().and_then(|word| word.parse::<i64>().ok()).unwrap_or(default);
    let score = number(0).clamp(i32::MIN.into(), i32::MAX.into()) as i32;
    let depth = number(0).clamp(0, u32::MAX.into()) as u32;
    let count = number(1).max(0) as u64;
    Some(Ok(BookMove { mv, ponder, score, depth, count }))
}

fn is_none(word: &str) -> bool {
    ["none", "None", "resign"].contains(&word)
}

impl BookTable {
    /// Writes the book as YaneuraOu's text, sorted as it is.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "{HEADER}")?;
        for (sfen, entry) in self.entries() {
            writeln!(out, "sfen {sfen} {}", entry.ply)?;
            let mut moves = entry.moves.clone();
            BookMove::sort(&mut moves);
            for BookMove { mv, ponder, score, depth, count } in moves {
                let ponder = ponder.map_or("none".to_owned(), |mv| mv.to_string());
                writeln!(out, "{mv} {ponder} {score} {depth} {count}")?;
            }
        }
        Ok(())
    }
}
