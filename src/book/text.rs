//! YaneuraOu's text book (DB2016), searched where it lies: on disk or in memory.
//!
//! The first line is `#YANEURAOU-DB2016 1.00`. A line `sfen …` names a position, with its move number; the lines behind
//! it are its moves: the move, the expected answer or `none`, and as far as they are known the score, the depth and how
//! often it was played. Lines that begin with `#` or `//` are comments.
//!
//! The file is sorted by SFEN. A probe halves the range of bytes in which the position can stand until a few kilobytes
//! are left, and reads those. A few hundred places of a file are looked at when it is opened: they show whether it is
//! sorted, and spare each probe the first halvings, which on a disk cost the most.

use std::cmp::Ordering;
use std::io::{self, Write};
use std::time::{Duration, Instant};

use super::moves::{BookEntry, BookMove};
use super::source::{BookBytes, BookLines};
use super::table::BookTable;
use super::{BookError, BookRemark, Visitor};
use crate::position::{Position, Setup, SfenError};
use crate::types::Move;

/// The first line of a text book.
const HEADER: &str = "#YANEURAOU-DB2016 1.00";

/// Bytes read at once while searching: what a disk gives at a time.
const PAGE: usize = 4096;
/// Bytes read at once while reading the whole.
const CHUNK: usize = 1 << 20;
/// Between two positions there are never as many bytes as this.
const MAX_GAP: u64 = 1 << 20;
/// Places that are looked at when a file is opened, as a power of two.
const LEVELS: u32 = 9;
/// Opening a file on a slow disk takes no longer than this.
const SURVEY: Duration = Duration::from_millis(300);

/// A sorted text book.
pub(super) struct TextBook {
    bytes: BookBytes,
    /// Positions known, by their offset.
    landmarks: Vec<Landmark>,
}

/// A position's line, whose place is known.
struct Landmark {
    offset: u64,
    /// The SFEN without the move number.
    key: Vec<u8>,
}

impl TextBook {
    /// A book to be searched where it is.
    ///
    /// # Errors
    /// When it is seen to be out of order, or to be no text.
    pub(super) fn on_disk(bytes: BookBytes) -> Result<TextBook, BookError> {
        let mut book = TextBook { bytes, landmarks: Vec::new() };
        book.check_beginning()?;
        book.find_landmarks()?;
        Ok(book)
    }

    /// A book that is read as a whole, and sorted if it is not.
    ///
    /// # Errors
    /// When it is no text.
    pub(super) fn in_memory(bytes: BookBytes) -> Result<TextBook, BookError> {
        let text = match bytes {
            BookBytes::Memory(text) => text,
            mut file @ BookBytes::File(..) => read_whole(&mut file)?,
        };
        let positions = Positions::find(&text);
        let text = if positions.are_sorted(&text) { text } else { positions.sorted(&text) };
        Ok(TextBook { bytes: BookBytes::Memory(text), landmarks: Vec::new() })
    }

    /// The moves of a position, given as SFEN without move number. With `ply` only if the book has it with that
    /// move number (or without any).
    pub(super) fn probe(&mut self, key: &str, ply: Option<u32>) -> Result<BookEntry, BookError> {
        let from = self.lower_bound(key.as_bytes())?;
        let mut lines = BookLines::starting_at(&mut self.bytes, from, PAGE)?;
        let mut entry: Option<BookEntry> = None;
        while let Some((at, text)) = lines.next()? {
            if at - from > MAX_GAP {
                return Err(BookError::NoPosition(from));
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
        let mut lines = BookLines::starting_at(&mut self.bytes, 0, CHUNK)?;
        let mut current: Option<(Result<Position, BookRemark>, BookEntry)> = None;
        let mut finish = |current: Option<(Result<Position, BookRemark>, BookEntry)>| match current {
            Some((Ok(position), entry)) => visit(Ok((&position, entry))),
            Some((Err(remark), _)) => visit(Err(remark)),
            None => Ok(()),
        };
        while let Some((_, text)) = lines.next()? {
            match (TextLine::new(text), &mut current) {
                (TextLine::Comment, _) | (TextLine::Move(_), None) => {}
                (TextLine::Position(key, ply), _) => {
                    let next = (read_position(&String::from_utf8_lossy(key), ply), BookEntry::default());
                    finish(current.replace(next))?;
                }
                (TextLine::Move(text), Some((_, entry))) => entry.extend(book_move(text)),
            }
        }
        finish(current)
    }

    /// An offset at or before which no position with this key begins, and behind which it follows soon.
    fn lower_bound(&mut self, key: &[u8]) -> Result<u64, BookError> {
        let above = self.landmarks.partition_point(|landmark| landmark.key.as_slice() < key);
        let mut low = above.checked_sub(1).map_or(0, |below| self.landmarks[below].offset);
        let mut high = self.landmarks.get(above).map_or(self.bytes.len(), |landmark| landmark.offset + 1);
        while high - low > PAGE as u64 {
            let middle = low + (high - low) / 2;
            match self.position_from(middle, high)? {
                Some(landmark) if landmark.key.as_slice() < key => low = landmark.offset,
                _ => high = middle,
            }
        }
        Ok(low)
    }

    /// The first position whose line begins at `offset` or after it, but before `end`.
    fn position_from(&mut self, offset: u64, end: u64) -> Result<Option<Landmark>, BookError> {
        let mut lines = BookLines::starting_at(&mut self.bytes, offset, PAGE)?;
        while let Some((at, text)) = lines.next()? {
            if at >= end {
                return Ok(None);
            }
            if let TextLine::Position(key, _) = TextLine::new(text) {
                return Ok(Some(Landmark { offset: at, key: key.to_vec() }));
            }
            if at - offset > MAX_GAP {
                return Err(BookError::NoPosition(offset));
            }
        }
        Ok(None)
    }

    /// Whether the first positions are in order, which those of an unsorted book hardly ever are.
    fn check_beginning(&mut self) -> Result<(), BookError> {
        const BEGINNING: u64 = 1 << 18;
        let mut lines = BookLines::starting_at(&mut self.bytes, 0, PAGE * 16)?;
        let mut last: Vec<u8> = Vec::new();
        while let Some((at, text)) = lines.next()?.filter(|&(at, _)| at < BEGINNING) {
            if let TextLine::Position(key, _) = TextLine::new(text) {
                if *key < *last {
                    return Err(BookError::NotSorted(at));
                }
                last = key.to_vec();
            }
        }
        Ok(())
    }

    /// Looks at places all over the file, the coarsest division first.
    fn find_landmarks(&mut self) -> Result<(), BookError> {
        let (began, len) = (Instant::now(), self.bytes.len());
        let mut landmarks = Vec::new();
        for level in 1..=LEVELS {
            for odd in (1..1u64 << level).step_by(2) {
                // Below a page a division spares nothing.
                if len >> level < PAGE as u64 || began.elapsed() > SURVEY {
                    break;
                }
                let offset = ((u128::from(len) * u128::from(odd)) >> level) as u64;
                landmarks.extend(self.position_from(offset, len)?);
            }
        }
        landmarks.sort_by_key(|landmark| landmark.offset);
        if let Some(pair) = landmarks.windows(2).find(|pair| pair[0].key > pair[1].key) {
            return Err(BookError::NotSorted(pair[1].offset));
        }
        landmarks.dedup_by_key(|landmark| landmark.offset);
        self.landmarks = landmarks;
        Ok(())
    }
}

/// Reads a file to its end, as long as it looks like text.
fn read_whole(file: &mut BookBytes) -> Result<Vec<u8>, BookError> {
    let mut bytes = Vec::new();
    loop {
        let at = bytes.len();
        bytes.resize(at + CHUNK, 0);
        let read = file.read_at(at as u64, &mut bytes[at..])?;
        bytes.truncate(at + read);
        if let Some(zero) = bytes[at..].iter().position(|&byte| byte == 0) {
            return Err(BookError::NotText((at + zero) as u64));
        }
        if read < CHUNK {
            return Ok(bytes);
        }
    }
}

/// Where the positions of a text begin, and where their SFENs end.
struct Positions(Vec<(usize, usize)>);

impl Positions {
    fn find(bytes: &[u8]) -> Positions {
        let mut positions = Vec::new();
        let mut at = 0;
        while at < bytes.len() {
            let length = bytes[at..].iter().position(|&byte| byte == b'\n').unwrap_or(bytes.len() - at);
            if let TextLine::Position(..) = TextLine::new(&bytes[at..at + length]) {
                positions.push((at, at + length));
            }
            at += length + 1;
        }
        Positions(positions)
    }

    fn compare(bytes: &[u8], a: (usize, usize), b: (usize, usize)) -> Ordering {
        let key = |(start, end): (usize, usize)| match TextLine::new(&bytes[start..end]) {
            TextLine::Position(key, ply) => (key, ply),
            _ => (&[][..], None),
        };
        key(a).cmp(&key(b))
    }

    /// Whether the order is that of the SFENs; that of the move numbers behind them does not matter.
    fn are_sorted(&self, bytes: &[u8]) -> bool {
        let key = |&(start, end): &(usize, usize)| match TextLine::new(&bytes[start..end]) {
            TextLine::Position(key, _) => key,
            _ => &[],
        };
        self.0.is_sorted_by_key(key)
    }

    /// The text with its positions in order.
    fn sorted(mut self, bytes: &[u8]) -> Vec<u8> {
        let mut end = bytes.len();
        let mut ends: Vec<usize> = vec![0; self.0.len()];
        for (index, &(start, _)) in self.0.iter().enumerate().rev() {
            ends[index] = std::mem::replace(&mut end, start);
        }
        let mut entries: Vec<((usize, usize), usize)> = self.0.drain(..).zip(ends).collect();
        entries.sort_by(|a, b| Positions::compare(bytes, a.0, b.0));
        let mut text = Vec::with_capacity(bytes.len() + 1);
        for ((start, _), end) in entries {
            text.extend_from_slice(&bytes[start..end]);
            if text.last() != Some(&b'\n') {
                text.push(b'\n');
            }
        }
        text
    }
}

/// What a line is.
pub(super) enum TextLine<'a> {
    /// A position: its SFEN without the move number, and the move number where there is one.
    Position(&'a [u8], Option<u32>),
    /// A move of the position before it.
    Move(&'a [u8]),
    /// Nothing that counts.
    Comment,
}

impl TextLine<'_> {
    /// What a line is. The byte order mark that some editors put before the first line does not count.
    pub(super) fn new(text: &[u8]) -> TextLine<'_> {
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
        setup.set_move_number(ply.unwrap_or(1));
        Position::from_setup(&setup)
    };
    read().map_err(|error: SfenError| BookRemark::Position { sfen: sfen.to_owned(), error })
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
    let first = words.next().unwrap_or_default();
    if is_none(first) {
        return None;
    }
    let Ok(mv) = first.parse::<Move>() else { return Some(Err(text.trim().chars().take(60).collect())) };
    let ponder = words.next().filter(|word| !is_none(word)).and_then(|word| word.parse().ok());
    let mut number = |default: i64| words.next().and_then(|word| word.parse::<i64>().ok()).unwrap_or(default);
    let score = number(0).clamp(i32::MIN.into(), i32::MAX.into()) as i32;
    let depth = number(0).clamp(0, u32::MAX.into()) as u32;
    let count = number(1).max(0) as u64;
    Some(Ok(BookMove { mv, ponder, score, depth, count }))
}

fn is_none(word: &str) -> bool {
    ["none", "None", "resign"].contains(&word)
}

/// Writes a table, sorted as it is.
pub(super) fn write(table: &BookTable, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{HEADER}")?;
    for (sfen, entry) in table.entries() {
        writeln!(out, "sfen {sfen} {}", entry.ply)?;
        for BookMove { mv, ponder, score, depth, count } in entry.sorted() {
            match ponder {
                Some(ponder) => writeln!(out, "{mv} {ponder} {score} {depth} {count}")?,
                None => writeln!(out, "{mv} none {score} {depth} {count}")?,
            }
        }
    }
    Ok(())
}
