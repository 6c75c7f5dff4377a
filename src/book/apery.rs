//! Apery's book (`.bin`), searched where it lies.
//!
//! Sixteen bytes a move, sorted by position, little endian: u64 key of the position, u16 move, u16 how often it was
//! played, i32 score. Keys are Zobrist keys of Apery's own: numbers of a 64-bit Mersenne Twister with its standard
//! seed, drawn for each piece (none first, then Black's, then White's) on each square, then for each number, 0 to 18,
//! of each piece type in hand, then for the turn. They are combined by exclusive or: all 81 squares, the empty ones
//! counting nothing, the seven numbers in the hand of the side to move only, and the turn when it is White's.

use once_cell::sync::Lazy;
use rand_mt::Mt64;

use super::BookError;
use super::source::{BookBytes, Records};
use super::table::{BookEntry, BookMove};
use crate::position::Position;
use crate::types::{Color, Hand, Move, PieceType, Square};

/// Bytes of a move.
const RECORD: usize = 16;
/// The seed that the C++ standard gives `std::mt19937_64`.
const SEED: u64 = 5489;
/// The pieces of both colours, and none, by the codes that have numbers.
const PIECES: usize = 31;
const MOST_IN_HAND: usize = 18;

struct Keys {
    board: [[u64; Square::COUNT]; PIECES],
    hand: [[u64; MOST_IN_HAND + 1]; 7],
    turn: u64,
}

static KEYS: Lazy<Box<Keys>> = Lazy::new(|| {
    let mut twister = Mt64::new(SEED);
    let mut keys = Box::new(Keys { board: [[0; Square::COUNT]; PIECES], hand: [[0; MOST_IN_HAND + 1]; 7], turn: 0 });
    keys.board.as_flattened_mut().fill_with(|| twister.next_u64());
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
            key ^= keys.board[piece.index()][square.index()];
        }
    }
    let hand = position.hand(position.side_to_move());
    for (numbers, piece_type) in keys.hand.iter().rev().zip(Hand::ORDER) {
        key ^= numbers[hand.count(piece_type) as usize];
    }
    key
}

/// The move of a code: bits 0–6 to, 7–13 from, or 80 and the piece type dropped; 14 promotion.
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
pub(super) struct AperyBook(Records<RECORD, u64>);

/// The key of a record, and the code, the count and the score of its move.
fn parts(
    &[a, b, c, d, e, f, g, h, code0, code1, count0, count1, ref score @ ..]: &[u8; RECORD],
) -> (u64, u16, u16, i32) {
    (
        u64::from_le_bytes([a, b, c, d, e, f, g, h]),
        u16::from_le_bytes([code0, code1]),
        u16::from_le_bytes([count0, count1]),
        i32::from_le_bytes(*score),
    )
}

impl AperyBook {
    /// Whether bytes from the beginning of a file look like this format, which has no mark of its own.
    pub(super) fn is_likely(head: &[u8], len: u64) -> bool {
        let is_move = |record| matches!(parts(record), (1.., code, ..) if move_from_apery(code).is_some());
        len.is_multiple_of(RECORD as u64) && head.as_chunks().0.iter().take(256).all(is_move)
    }

    pub(super) fn open(bytes: BookBytes) -> Result<AperyBook, BookError> {
        let count = bytes.len / RECORD as u64;
        Ok(AperyBook(Records::new(bytes, 0, count, |record| parts(record).0)?))
    }

    /// The moves of a position. The format has no move numbers, so it does not matter when it comes.
    pub(super) fn probe(&mut self, position: &Position) -> Result<BookEntry, BookError> {
        /// A position has no more moves; more entries of one key are damage.
        const MOST: u64 = 1000;
        let wanted = apery_key(position);
        let from = self.0.lower_bound(&wanted)?;
        let mut entry = BookEntry::default();
        for index in from..self.0.count.min(from + MOST) {
            let (key, code, count, score) = parts(&self.0.get(index)?);
            if key != wanted {
                break;
            }
            let mv = move_from_apery(code).ok_or_else(|| format!("{code:#06x}"));
            // The format has no depth; YaneuraOu takes one that passes every limit.
            entry.add(mv.map(|mv| BookMove { mv, ponder: None, score, depth: 256, count: count.into() }));
        }
        Ok(entry)
    }
}
