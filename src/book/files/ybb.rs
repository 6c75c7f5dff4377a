//! YaneuraOu's binary book (`.ybb`), searched where it lies.
//!
//! All numbers are little endian. Layout as YaneuraOu reads it:
//!
//! | bytes | what |
//! |---|---|
//! | 16 | `YANE-BINBOOK-V1` and a zero |
//! | u64 | how many positions |
//! | u64 | flags; bit 0: moves have a depth |
//! | 44 each | positions, sorted by their first 32 bytes: the packed position, u64 offset of its moves from the end of this table, u16 move number, u16 how many moves |
//! | 4 or 6 each | moves: u16 move in the field's coding, i16 score, u16 depth |

use super::source::Source;
use super::{Found, Visitor};
use crate::book::{BookError, BookMove};
use crate::datagen::psv::move_from_field;
use crate::datagen::psv::packed::{PackedSfen, pack, unpack};
use crate::position::Position;

/// The first 16 bytes.
pub(in crate::book) const MAGIC: [u8; 16] = *b"YANE-BINBOOK-V1\0";
/// Bytes before the positions.
pub(in crate::book) const HEADER: u64 = 32;
/// Bytes of a position.
pub(in crate::book) const RECORD: u64 = 44;
/// The flag that moves have a depth.
pub(in crate::book) const DEPTH_FLAG: u64 = 1;

/// An opened binary book.
pub(in crate::book) struct YbbBook {
    source: Source,
    positions: u64,
    /// Bytes of a move.
    move_bytes: u64,
}

struct Record {
    packed: PackedSfen,
    offset: u64,
    ply: u16,
    moves: u16,
}

impl YbbBook {
    pub(super) fn open(mut source: Source) -> Result<YbbBook, BookError> {
        let mut header = [0; HEADER as usize];
        source.read_exact_at(0, &mut header)?;
        let (positions, flags) = (u64_at(&header, 16), u64_at(&header, 24));
        if flags & !DEPTH_FLAG != 0 {
            return Err(BookError::Flags(flags));
        }
        let promised = positions.checked_mul(RECORD).and_then(|bytes| bytes.checked_add(HEADER)).unwrap_or(u64::MAX);
        if promised > source.len() {
            return Err(BookError::Cut { promised, found: source.len() });
        }
        let mut book = YbbBook { source, positions, move_bytes: if flags & DEPTH_FLAG != 0 { 6 } else { 4 } };
        book.check_order()?;
        Ok(book)
    }

    /// Whether positions all over the file are in order.
    fn check_order(&mut self) -> Result<(), BookError> {
        let mut last = [0; 32];
        let step = (self.positions / 256).max(1);
        for index in (0..self.positions).step_by(step as usize) {
            let record = self.record(index)?;
            if record.packed < last {
                return Err(BookError::NotSorted(HEADER + index * RECORD));
            }
            last = record.packed;
        }
        Ok(())
    }

    fn record(&mut self, index: u64) -> Result<Record, BookError> {
        let mut bytes = [0; RECORD as usize];
        self.source.read_exact_at(HEADER + index * RECORD, &mut bytes)?;
        let mut packed = [0; 32];
        packed.copy_from_slice(&bytes[..32]);
        Ok(Record { packed, offset: u64_at(&bytes, 32), ply: u16_at(&bytes, 40), moves: u16_at(&bytes, 42) })
    }

    /// The moves of a position; with `ply` only if the book has it with that move number. A position that the format
    /// has no room for (pieces are missing from the set) has none.
    pub(super) fn probe(&mut self, position: &Position, ply: Option<u32>) -> Result<Option<Found>, BookError> {
        let Ok(packed) = pack(position) else { return Ok(None) };
        let (mut low, mut high) = (0, self.positions);
        while low < high {
            let middle = low + (high - low) / 2;
            let record = self.record(middle)?;
            match packed.cmp(&record.packed) {
                std::cmp::Ordering::Less => high = middle,
                std::cmp::Ordering::Greater => low = middle + 1,
                std::cmp::Ordering::Equal if ply.is_some_and(|ply| ply != u32::from(record.ply)) => return Ok(None),
                std::cmp::Ordering::Equal => return self.moves(&record).map(Some),
            }
        }
        Ok(None)
    }

    fn moves(&mut self, record: &Record) -> Result<Found, BookError> {
        let base = HEADER + self.positions * RECORD;
        let mut bytes = vec![0; (u64::from(record.moves) * self.move_bytes) as usize];
        self.source.read_exact_at(base.saturating_add(record.offset), &mut bytes)?;
        let mut found = Found::default();
        for coded in bytes.chunks_exact(self.move_bytes as usize) {
            let code = u16_at(coded, 0);
            found.add(match move_from_field(code) {
                Some(mv) => {
                    let score = i32::from(u16_at(coded, 2) as i16);
                    let depth = if coded.len() > 4 { u32::from(u16_at(coded, 4)) } else { 0 };
                    Ok(Some(BookMove { mv, ponder: None, score, depth, count: 0 }))
                }
                None => Err(format!("{code:#06x}")),
            })?;
        }
        Ok(found)
    }

    /// Every position with its moves, in order.
    pub(super) fn for_each(mut self, visit: Visitor<'_>) -> Result<(), BookError> {
        for index in 0..self.positions {
            let record = self.record(index)?;
            let mut found = self.moves(&record)?;
            let ply = u32::from(record.ply);
            match unpack(&record.packed, ply.max(1)) {
                Ok(position) => visit(crate::book::key(&position.to_sfen()), Some(ply), found)?,
                Err(error) => {
                    found.unreadable.push(format!("position {index}: {error}"));
                    visit("", None, found)?;
                }
            }
        }
        Ok(())
    }
}

fn u16_at(bytes: &[u8], at: usize) -> u16 {
    u16::from_le_bytes([bytes[at], bytes[at + 1]])
}

fn u64_at(bytes: &[u8], at: usize) -> u64 {
    let mut word = [0; 8];
    word.copy_from_slice(&bytes[at..at + 8]);
    u64::from_le_bytes(word)
}
