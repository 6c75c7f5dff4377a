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

use std::cmp::Ordering;
use std::io::Write;

use super::moves::{BookEntry, BookMove, Visitor};
use super::packed_sfen::{PackedSfen, move_from_field, move_to_field, pack, unpack};
use super::source::BookBytes;
use super::table::{self, BookTable, saturated};
use super::{BookError, BookRemark};
use crate::position::Position;

/// The first 16 bytes.
pub(super) const MAGIC: [u8; 16] = *b"YANE-BINBOOK-V1\0";
/// Bytes before the positions.
const HEADER: u64 = 32;
/// Bytes of a position.
const RECORD: u64 = 44;
/// The flag that moves have a depth.
const DEPTH_FLAG: u64 = 1;

/// An opened binary book.
pub(super) struct YbbBook {
    bytes: BookBytes,
    positions: u64,
    /// Bytes of a move.
    move_bytes: u64,
}

/// A position of the file.
struct YbbRecord {
    packed: PackedSfen,
    offset: u64,
    ply: u16,
    moves: u16,
}

impl YbbBook {
    pub(super) fn open(mut bytes: BookBytes) -> Result<YbbBook, BookError> {
        let mut header = [0; HEADER as usize];
        bytes.read_exact_at(0, &mut header)?;
        let (positions, flags) = (u64_at(&header, 16), u64_at(&header, 24));
        if flags & !DEPTH_FLAG != 0 {
            return Err(BookError::Flags(flags));
        }
        let promised = positions.checked_mul(RECORD).and_then(|bytes| bytes.checked_add(HEADER)).unwrap_or(u64::MAX);
        if promised > bytes.len() {
            return Err(BookError::Cut { promised, found: bytes.len() });
        }
        let mut book = YbbBook { bytes, positions, move_bytes: if flags & DEPTH_FLAG != 0 { 6 } else { 4 } };
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

    fn record(&mut self, index: u64) -> Result<YbbRecord, BookError> {
        let mut bytes = [0; RECORD as usize];
        self.bytes.read_exact_at(HEADER + index * RECORD, &mut bytes)?;
        let mut packed = [0; 32];
        packed.copy_from_slice(&bytes[..32]);
        Ok(YbbRecord { packed, offset: u64_at(&bytes, 32), ply: u16_at(&bytes, 40), moves: u16_at(&bytes, 42) })
    }

    /// The moves of a position; with `ply` only if the book has it with that move number. A position that the format
    /// has no room for (pieces are missing from the set) has none.
    pub(super) fn probe(&mut self, position: &Position, ply: Option<u32>) -> Result<BookEntry, BookError> {
        let Ok(packed) = pack(position) else { return Ok(BookEntry::default()) };
        let (mut low, mut high) = (0, self.positions);
        while low < high {
            let middle = low + (high - low) / 2;
            let record = self.record(middle)?;
            match packed.cmp(&record.packed) {
                Ordering::Less => high = middle,
                Ordering::Greater => low = middle + 1,
                Ordering::Equal if ply.is_some_and(|ply| ply != u32::from(record.ply)) => {
                    return Ok(BookEntry::default());
                }
                Ordering::Equal => return self.moves(&record),
            }
        }
        Ok(BookEntry::default())
    }

    fn moves(&mut self, record: &YbbRecord) -> Result<BookEntry, BookError> {
        let base = HEADER + self.positions * RECORD;
        let mut bytes = vec![0; (u64::from(record.moves) * self.move_bytes) as usize];
        self.bytes.read_exact_at(base.saturating_add(record.offset), &mut bytes)?;
        let mut entry = BookEntry::default();
        for coded in bytes.chunks_exact(self.move_bytes as usize) {
            let code = u16_at(coded, 0);
            let score = i32::from(u16_at(coded, 2) as i16);
            let depth = if coded.len() > 4 { u32::from(u16_at(coded, 4)) } else { 0 };
            let mv = move_from_field(code).ok_or_else(|| format!("{code:#06x}"));
            entry.add(mv.map(|mv| BookMove { mv, ponder: None, score, depth, count: 0 }));
        }
        Ok(entry)
    }

    /// Every position with its moves, in order.
    pub(super) fn for_each(mut self, visit: Visitor<'_>) -> Result<(), BookError> {
        for index in 0..self.positions {
            let record = self.record(index)?;
            match unpack(&record.packed, record.ply.into()) {
                Ok(position) => visit(Ok((&position, self.moves(&record)?)))?,
                Err(error) => visit(Err(BookRemark::Packed { index, error }))?,
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

/// Writes a table. The format has no expected answers and no counts.
pub(super) fn write(table: &BookTable, out: &mut dyn Write) -> Result<(), BookError> {
    let mut records = Vec::with_capacity(table.len());
    for (sfen, entry) in table.entries() {
        let packed = pack(&table::position(sfen)?);
        let packed = packed.map_err(|_| BookError::Unwritable { format: ".ybb", sfen: sfen.to_owned() })?;
        records.push((packed, entry));
    }
    records.sort_by_key(|record| record.0);
    out.write_all(&MAGIC)?;
    out.write_all(&(records.len() as u64).to_le_bytes())?;
    out.write_all(&DEPTH_FLAG.to_le_bytes())?;
    let mut offset = 0u64;
    for (packed, entry) in &records {
        out.write_all(packed)?;
        out.write_all(&offset.to_le_bytes())?;
        out.write_all(&saturated(entry.ply.into()).to_le_bytes())?;
        out.write_all(&(entry.moves.len() as u16).to_le_bytes())?;
        offset += 6 * entry.moves.len() as u64;
    }
    for (_, entry) in &records {
        for book_move in entry.sorted() {
            out.write_all(&move_to_field(book_move.mv).to_le_bytes())?;
            let score = book_move.score.clamp(i16::MIN.into(), i16::MAX.into()) as i16;
            out.write_all(&score.to_le_bytes())?;
            out.write_all(&saturated(book_move.depth.into()).to_le_bytes())?;
        }
    }
    Ok(())
}
