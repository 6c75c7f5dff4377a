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

use super::packed_sfen::{PackedSfen, move_from_field, pack, unpack};
use super::source::{BookBytes, Records};
use super::table::{BookEntry, BookMove, Visitor};
use super::{BookError, BookRemark};
use crate::position::Position;

/// The first 16 bytes.
pub(super) const MAGIC: [u8; 16] = *b"YANE-BINBOOK-V1\0";
/// Bytes before the positions.
const HEADER: u64 = 32;
/// Bytes of a position.
const RECORD: usize = 44;
/// The flag that moves have a depth.
const DEPTH_FLAG: u64 = 1;

/// An opened binary book.
pub(super) struct YbbBook {
    records: Records<RECORD, PackedSfen>,
    /// Bytes of a move.
    move_bytes: u64,
}

fn packed(record: &[u8; RECORD]) -> PackedSfen {
    *record.first_chunk().expect("a record is longer")
}

/// The move number of a position.
fn ply(record: &[u8; RECORD]) -> u32 {
    number(&record[40..42]) as u32
}

/// The number that up to eight bytes are.
fn number(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte))
}

impl YbbBook {
    pub(super) fn open(mut bytes: BookBytes) -> Result<YbbBook, BookError> {
        let mut header = [0; HEADER as usize];
        bytes.read_exact_at(0, &mut header)?;
        let (positions, flags) = (number(&header[16..24]), number(&header[24..]));
        if flags & !DEPTH_FLAG != 0 {
            return Err(BookError::Flags(flags));
        }
        if positions > bytes.len / RECORD as u64 {
            return Err(BookError::Damaged(bytes.len));
        }
        let records = Records::new(bytes, HEADER, positions, packed)?;
        Ok(YbbBook { records, move_bytes: if flags & DEPTH_FLAG != 0 { 6 } else { 4 } })
    }

    /// The moves of a position; with `with_ply` only if the book has it with that move number. A position that the
    /// format has no room for (pieces are missing from the set) has none.
    pub(super) fn probe(&mut self, position: &Position, with_ply: Option<u32>) -> Result<BookEntry, BookError> {
        let Some(key) = pack(position) else { return Ok(BookEntry::default()) };
        let index = self.records.lower_bound(&key)?;
        if index < self.records.count {
            let record = self.records.get(index)?;
            if packed(&record) == key && with_ply.is_none_or(|wanted| wanted == ply(&record)) {
                return self.moves(&record);
            }
        }
        Ok(BookEntry::default())
    }

    fn moves(&mut self, record: &[u8; RECORD]) -> Result<BookEntry, BookError> {
        let base = HEADER + self.records.count * RECORD as u64;
        let mut bytes = vec![0; (number(&record[42..]) * self.move_bytes) as usize];
        self.records.bytes.read_exact_at(base.saturating_add(number(&record[32..40])), &mut bytes)?;
        let mut entry = BookEntry::default();
        for coded in bytes.chunks_exact(self.move_bytes as usize) {
            let code = number(&coded[..2]) as u16;
            let mv = move_from_field(code).ok_or_else(|| format!("{code:#06x}"));
            let score = i32::from(number(&coded[2..4]) as i16);
            let depth = number(&coded[4..]) as u32;
            entry.add(mv.map(|mv| BookMove { mv, ponder: None, score, depth, count: 0 }));
        }
        Ok(entry)
    }

    /// Every position with its moves, in order.
    pub(super) fn for_each(mut self, visit: Visitor<'_>) -> Result<(), BookError> {
        for index in 0..self.records.count {
            let record = self.records.get(index)?;
            match unpack(&packed(&record), ply(&record)) {
                Some(position) => visit(Ok((&position, self.moves(&record)?))),
                None => visit(Err(BookRemark::Packed(index))),
            }
        }
        Ok(())
    }
}
