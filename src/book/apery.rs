//! Apery's book (`.bin`), searched where it lies.
//!
//! Sixteen bytes a move, sorted by position, little endian: u64 key of the position, u16 move, u16 how often it was
//! played, i32 score. Keys are Zobrist keys of Apery's own: numbers of a 64-bit Mersenne Twister with its standard
//! seed, drawn for each piece (none first, then Black's, then White's) on each square, then for each number, 0 to 18,
//! of each piece type in hand, then for the turn. They are combined by exclusive or: all 81 squares, the empty ones
//! counting nothing, the seven numbers in the hand of the side to move only, and the turn when it is White's.

use std::io::Write;

use once_cell::sync::Lazy;
use rand_mt::Mt64;

use super::BookError;
use super::moves::{BookEntry, BookMove};
use super::source::BookBytes;
use super::table::{self, BookTable, saturated};
use crate::position::Position;
use crate::types::{Color, Move, PieceType, Square};

/// Bytes of a move.
const RECORD: u64 = 16;
/// The seed that the C++ standard gives `std::mt19937_64`.
const SEED: u64 = 5489;
/// The pieces of both colours, and none, by the codes that have numbers.
const PIECES: usize = 31;
const MOST_IN_HAND: usize = 18;

/// The piece types in the order of their numbers in hand.
const HAND_ORDER: [PieceType; 7] = [
    PieceType::Pawn,
    PieceType::Lance,
    PieceType::Knight,
    PieceType::Silver,
    PieceType::Gold,
    PieceType::Bishop,
    PieceType::Rook,
];

struct Keys {
    board: [[u64; Square::COUNT]; PIECES],
    hand: [[u64; MOST_IN_HAND + 1]; 7],
    turn: u64,
}

static KEYS: Lazy<Box<Keys>> = Lazy::new(|| {
    let mut twister = Mt64::new(SEED);
    let mut keys = Box::new(Keys { board: [[0; Square::COUNT]; PIECES], hand: [[0; MOST_IN_HAND + 1]; 7], turn: 0 });
    for (piece, squares) in keys.board.iter_mut().enumerate() {
        for key in squares {
            let number = twister.next_u64();
            *key = if piece == 0 { 0 } else { number };
        }
    }
    keys.hand.as_flattened_mut().fill_with(|| twister.next_u64());
    keys.turn = twister.next_u64();
    keys
});

/// Apery's key of a position.
fn apery_key(position: &Position) -> u64 {
    let keys = &**KEYS;
    let mut key = if position.side_to_move() == Color::White { keys.turn } else { 0 };
    for square in position.occupied() {
        if let Some(piece) = position.piece_on(square) {
            let row = piece.piece_type().index() + 16 * piece.color().index();
            key ^= keys.board[row][square.index()];
        }
    }
    let hand = position.hand(position.side_to_move());
    for (numbers, piece_type) in keys.hand.iter().zip(HAND_ORDER) {
        key ^= numbers[hand.count(piece_type) as usize];
    }
    key
}

/// A move in Apery's coding: bits 0–6 to, 7–13 from, or 80 and the piece type dropped; 14 promotion.
fn move_to_apery(mv: Move) -> u16 {
    let origin = match (mv.from(), mv.dropped()) {
        (Some(from), _) => from.index(),
        (None, piece_type) => 80 + piece_type.map_or(0, PieceType::index),
    };
    mv.to().index() as u16 | (origin as u16) << 7 | u16::from(mv.is_promotion()) << 14
}

/// The move with this code.
fn move_from_apery(code: u16) -> Option<Move> {
    let to = Square::new((code & 0x7f) as u8)?;
    let origin = (code >> 7 & 0x7f) as u8;
    let promote = code >> 14 & 1 == 1;
    match Square::new(origin) {
        Some(from) => (code >> 15 == 0 && from != to).then(|| Move::board(from, to, promote)),
        None => {
            let piece_type = PieceType::new(origin - 80).filter(|piece_type| PieceType::HAND.contains(piece_type));
            piece_type.filter(|_| !promote).map(|piece_type| Move::drop(piece_type, to))
        }
    }
}

/// An opened book of Apery's.
pub(super) struct AperyBook {
    bytes: BookBytes,
    records: u64,
}

/// A move of the file.
struct AperyRecord {
    key: u64,
    code: u16,
    count: u16,
    score: i32,
}

impl AperyRecord {
    fn from_bytes(bytes: [u8; RECORD as usize]) -> AperyRecord {
        let [a, b, c, d, e, f, g, h, move0, move1, count0, count1, score @ ..] = bytes;
        AperyRecord {
            key: u64::from_le_bytes([a, b, c, d, e, f, g, h]),
            code: u16::from_le_bytes([move0, move1]),
            count: u16::from_le_bytes([count0, count1]),
            score: i32::from_le_bytes(score),
        }
    }
}

impl AperyBook {
    /// Whether bytes from the beginning of a file look like this format, which has no mark of its own.
    pub(super) fn is_likely(head: &[u8], len: u64) -> bool {
        let mut records =
            head.as_chunks::<{ RECORD as usize }>().0.iter().take(256).map(|&bytes| AperyRecord::from_bytes(bytes));
        len > 0
            && len.is_multiple_of(RECORD)
            && records.all(|record| record.key != 0 && move_from_apery(record.code).is_some())
    }

    pub(super) fn open(bytes: BookBytes) -> Result<AperyBook, BookError> {
        let records = bytes.len() / RECORD;
        let mut book = AperyBook { bytes, records };
        let mut last = 0;
        for index in (0..records).step_by((records / 256).max(1) as usize) {
            let key = book.record(index)?.key;
            if key < last {
                return Err(BookError::NotSorted(index * RECORD));
            }
            last = key;
        }
        Ok(book)
    }

    fn record(&mut self, index: u64) -> Result<AperyRecord, BookError> {
        let mut bytes = [0; RECORD as usize];
        self.bytes.read_exact_at(index * RECORD, &mut bytes)?;
        Ok(AperyRecord::from_bytes(bytes))
    }

    /// The moves of a position. The format has no move numbers, so it does not matter when it comes.
    pub(super) fn probe(&mut self, position: &Position) -> Result<BookEntry, BookError> {
        /// A position has no more moves; more entries of one key are damage.
        const MOST: u64 = 1000;
        let key = apery_key(position);
        let (mut low, mut high) = (0, self.records);
        while low < high {
            let middle = low + (high - low) / 2;
            if self.record(middle)?.key < key { low = middle + 1 } else { high = middle }
        }
        let mut entry = BookEntry::default();
        for index in low..self.records.min(low + MOST) {
            let record = self.record(index)?;
            if record.key != key {
                break;
            }
            let mv = move_from_apery(record.code).ok_or_else(|| format!("{:#06x}", record.code));
            // The format has no depth; YaneuraOu takes one that passes every limit.
            let (score, depth, count) = (record.score, 256, record.count.into());
            entry.add(mv.map(|mv| BookMove { mv, ponder: None, score, depth, count }));
        }
        Ok(entry)
    }
}

/// Writes a table. The format has no expected answers, no depths and no move numbers.
pub(super) fn write(table: &BookTable, out: &mut dyn Write) -> Result<(), BookError> {
    let mut records = Vec::with_capacity(table.len());
    for (sfen, entry) in table.entries() {
        records.push((apery_key(&table::position(sfen)?), entry));
    }
    records.sort_by_key(|record| record.0);
    for (key, entry) in records {
        for book_move in entry.sorted() {
            out.write_all(&key.to_le_bytes())?;
            out.write_all(&move_to_apery(book_move.mv).to_le_bytes())?;
            out.write_all(&saturated(book_move.count).to_le_bytes())?;
            out.write_all(&book_move.score.to_le_bytes())?;
        }
    }
    Ok(())
}
