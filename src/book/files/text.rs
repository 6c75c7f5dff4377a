//! YaneuraOu's text book (DB2016), searched where it lies: on disk or in memory.
//!
//! The file is sorted by SFEN. A probe halves the range of bytes in which the position can stand until a few kilobytes
//! are left, and reads those. A few hundred places of a file are looked at when it is opened: they show whether it is
//! sorted, and spare each probe the first halvings, which on a disk cost the most.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::time::{Duration, Instant};

use super::entry::{Line, book_move, line};
use super::lines::Lines;
use super::source::Source;
use super::{Found, Visitor};
use crate::book::BookError;

/// Bytes read at once while searching: what a disk gives at a time.
const PAGE: usize = 4096;
/// Bytes read at once while reading the whole.
const CHUNK: usize = 1 << 20;
/// Between two positions there are never as many bytes as this.
const MAX_GAP: u64 = 1 << 20;
/// Places that are looked at when a file is opened, as a power of two.
const SAMPLES: u32 = 9;
/// Opening a file on a slow disk takes no longer than this.
const SAMPLING: Duration = Duration::from_millis(300);

/// A sorted text book.
pub(in crate::book) struct TextBook {
    source: Source,
    /// Positions known, by their offset.
    samples: Vec<Sample>,
}

/// A position's line.
struct Sample {
    offset: u64,
    /// The SFEN without the move number.
    key: Vec<u8>,
}

impl TextBook {
    /// A book to be searched where it is.
    ///
    /// # Errors
    /// When it is seen to be out of order, or to be no text.
    pub(super) fn sorted(source: Source) -> Result<TextBook, BookError> {
        let mut book = TextBook { source, samples: Vec::new() };
        book.check_beginning()?;
        book.sample()?;
        Ok(book)
    }

    /// A book that is read as a whole, and sorted if it is not.
    ///
    /// # Errors
    /// When it is no text.
    pub(super) fn whole(mut source: Source) -> Result<TextBook, BookError> {
        let bytes = match source {
            Source::Bytes(bytes) => bytes,
            Source::File(..) => Cow::Owned(read_whole(&mut source)?),
        };
        let positions = Positions::of(&bytes)?;
        let bytes = if positions.are_sorted(&bytes) { bytes } else { Cow::Owned(positions.sorted(&bytes)) };
        Ok(TextBook { source: Source::Bytes(bytes), samples: Vec::new() })
    }

    /// The moves of a position, given as SFEN without move number. With `ply` only if the book has it with that
    /// move number (or without any).
    pub(super) fn probe(&mut self, key: &str, ply: Option<u32>) -> Result<Option<Found>, BookError> {
        let from = self.lower_bound(key.as_bytes())?;
        let mut lines = Lines::from(&mut self.source, from, PAGE)?;
        let mut found: Option<Found> = None;
        while let Some((at, text)) = lines.next()? {
            if at - from > MAX_GAP {
                return Err(BookError::NoPosition(from));
            }
            match (line(text), &mut found) {
                (Line::Comment, _) | (Line::Move(_), None) => {}
                (Line::Position(..), Some(found)) if !found.moves.is_empty() => break,
                (Line::Position(other, _), _) if other < key.as_bytes() => found = None,
                (Line::Position(other, _), _) if other > key.as_bytes() => break,
                (Line::Position(_, other), _) => {
                    let fits = ply.is_none() || other.is_none() || ply == other;
                    found = fits.then(Found::default);
                }
                (Line::Move(text), Some(found)) => found.add(book_move(text))?,
            }
        }
        Ok(found)
    }

    /// Every position with its moves, in order.
    pub(super) fn for_each(mut self, visit: Visitor<'_>) -> Result<(), BookError> {
        let mut lines = Lines::from(&mut self.source, 0, CHUNK)?;
        let mut current: Option<(String, Option<u32>, Found)> = None;
        while let Some((_, text)) = lines.next()? {
            match (line(text), &mut current) {
                (Line::Comment, _) | (Line::Move(_), None) => {}
                (Line::Position(key, ply), _) => {
                    let key = String::from_utf8_lossy(key).into_owned();
                    if let Some((key, ply, found)) = current.replace((key, ply, Found::default())) {
                        visit(&key, ply, found)?;
                    }
                }
                (Line::Move(text), Some((.., found))) => found.add(book_move(text))?,
            }
        }
        current.map_or(Ok(()), |(key, ply, found)| visit(&key, ply, found))
    }

    /// An offset at or before which no position with this key begins, and behind which it follows soon.
    fn lower_bound(&mut self, key: &[u8]) -> Result<u64, BookError> {
        let above = self.samples.partition_point(|sample| sample.key.as_slice() < key);
        let mut low = above.checked_sub(1).map_or(0, |below| self.samples[below].offset);
        let mut high = self.samples.get(above).map_or(self.source.len(), |sample| sample.offset + 1);
        while high - low > PAGE as u64 {
            let middle = low + (high - low) / 2;
            match self.position_from(middle, high)? {
                Some(sample) if sample.key.as_slice() < key => low = sample.offset,
                _ => high = middle,
            }
        }
        Ok(low)
    }

    /// The first position whose line begins at `offset` or after it, but before `end`.
    fn position_from(&mut self, offset: u64, end: u64) -> Result<Option<Sample>, BookError> {
        let mut lines = Lines::from(&mut self.source, offset, PAGE)?;
        while let Some((at, text)) = lines.next()? {
            if at >= end {
                return Ok(None);
            }
            if let Line::Position(key, _) = line(text) {
                return Ok(Some(Sample { offset: at, key: key.to_vec() }));
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
        let mut lines = Lines::from(&mut self.source, 0, PAGE * 16)?;
        let mut last: Vec<u8> = Vec::new();
        while let Some((at, text)) = lines.next()?.filter(|&(at, _)| at < BEGINNING) {
            if let Line::Position(key, _) = line(text) {
                if *key < *last {
                    return Err(BookError::NotSorted(at));
                }
                last = key.to_vec();
            }
        }
        Ok(())
    }

    /// Looks at places all over the file, the coarsest division first.
    fn sample(&mut self) -> Result<(), BookError> {
        let (began, len) = (Instant::now(), self.source.len());
        let mut samples = Vec::new();
        for level in 1..=SAMPLES {
            for odd in (1..1u64 << level).step_by(2) {
                // Below a page a division spares nothing.
                if len >> level < PAGE as u64 || began.elapsed() > SAMPLING {
                    break;
                }
                let offset = ((u128::from(len) * u128::from(odd)) >> level) as u64;
                samples.extend(self.position_from(offset, len)?);
            }
        }
        samples.sort_by_key(|sample| sample.offset);
        if let Some(pair) = samples.windows(2).find(|pair| pair[0].key > pair[1].key) {
            return Err(BookError::NotSorted(pair[1].offset));
        }
        samples.dedup_by_key(|sample| sample.offset);
        self.samples = samples;
        Ok(())
    }
}

/// Reads a source to its end, as long as it looks like text.
fn read_whole(source: &mut Source) -> Result<Vec<u8>, BookError> {
    let mut bytes = Vec::new();
    loop {
        let at = bytes.len();
        bytes.resize(at + CHUNK, 0);
        let read = source.read_at(at as u64, &mut bytes[at..])?;
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
    fn of(bytes: &[u8]) -> Result<Positions, BookError> {
        let mut positions = Vec::new();
        let mut at = 0;
        while at < bytes.len() {
            let length = bytes[at..].iter().position(|&byte| byte == b'\n').unwrap_or(bytes.len() - at);
            if let Line::Position(..) = line(&bytes[at..at + length]) {
                positions.push((at, at + length));
            }
            at += length + 1;
        }
        Ok(Positions(positions))
    }

    fn compare(bytes: &[u8], a: (usize, usize), b: (usize, usize)) -> Ordering {
        let key = |(start, end): (usize, usize)| match line(&bytes[start..end]) {
            Line::Position(key, ply) => (key, ply),
            _ => (&[][..], None),
        };
        key(a).cmp(&key(b))
    }

    /// Whether the order is that of the SFENs; that of the move numbers behind them does not matter.
    fn are_sorted(&self, bytes: &[u8]) -> bool {
        let key = |&(start, end): &(usize, usize)| match line(&bytes[start..end]) {
            Line::Position(key, _) => key,
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
