//! Correction history (from Caissa and Stockfish): by how much static evaluations of similar positions were off.
//!
//! Where a search finds another score than the static evaluation, the difference goes into an entry for each of
//! several keys: pawns, minor pieces, each side's pieces but pawns, hands, and the last moves. Static evaluations of
//! positions with the same keys are corrected by these entries.
//!
//! All threads share the tables, so that each learns from what all have searched. The other histories stay with each
//! thread: they are written so often that sharing them costs a fifth of the speed with two threads already.

use crate::memory::{OutOfMemory, PREFETCHES, prefetch, try_array};
use crate::position::Position;
use crate::search::history::{PlayedMove, SharedHistoryEntry};
use crate::search::params::*;
use crate::types::numbers::GOLDEN;
use crate::types::{Color, Depth, Score};

/// The bound of an entry, either way.
const LIMIT: i32 = 1024;
/// Entries of a table for each side to move, as a power of two.
const BITS: u32 = 15;
type Table = [SharedHistoryEntry<LIMIT>; 1 << BITS];
/// Keys of a position: pawns, minor pieces, each side's pieces but pawns, hands, ...
const KEYS: usize = 7;
/// ... and, the last of them, those of its moves.
const MOVE_KEYS: usize = 2;
/// The table of each key. Continuation correction history: the last move together with the move 2 (or 4) plies before
/// this position; both pairs share one table.
const TABLES: [usize; KEYS] = [0, 1, 2, 3, 4, 5, 5];
/// How many tables there are, each for both sides to move.
const TABLE_COUNT: usize = TABLES[KEYS - 1] + 1;

/// The tables: for each side to move, those of the keys.
pub(super) struct Corrections(Box<[Table; 2 * TABLE_COUNT]>);

/// A position's places in the tables.
#[derive(Clone, Copy)]
pub(super) struct CorrectionKeys {
    side: Color,
    places: [u16; KEYS],
    /// Without a last move, the keys of moves do not count.
    follows_move: bool,
}

impl CorrectionKeys {
    /// Those of a position. Continuation correction history: `last` together with the moves 2 and 4 plies before
    /// this position.
    #[inline]
    pub(super) fn new(
        position: &Position,
        last: Option<PlayedMove>,
        before: [Option<PlayedMove>; 2],
    ) -> CorrectionKeys {
        let index = |played: Option<PlayedMove>| played.map_or(0, |played| played.index() as u64 + 1);
        let follows = |played| (index(played) << 16 | index(last)).wrapping_mul(GOLDEN);
        let hashes = [
            position.pawn_key(),
            position.minor_key(),
            position.non_pawn_key(Color::Black),
            position.non_pawn_key(Color::White),
            position.hand_key().wrapping_mul(GOLDEN),
            follows(before[0]),
            follows(before[1]),
        ];
        CorrectionKeys {
            side: position.side_to_move(),
            places: hashes.map(|hash| (hash >> (64 - BITS)) as u16),
            follows_move: last.is_some(),
        }
    }

    /// Calls `f` with each key that counts.
    #[inline(always)]
    fn for_each(self, mut f: impl FnMut(usize)) {
        (0..KEYS - MOVE_KEYS).for_each(&mut f);
        if self.follows_move {
            (KEYS - MOVE_KEYS..KEYS).for_each(f);
        }
    }

    /// The place of a key in its table.
    #[inline(always)]
    fn place(self, key: usize) -> usize {
        usize::from(self.places[key]) % (1 << BITS)
    }
}

/// The units of a correction that make a point.
pub(super) const UNITS_PER_POINT: i32 = 1 << 17;

/// An evaluation, moved by a correction.
#[inline(always)]
pub(super) fn corrected(eval: Score, correction: i32) -> Score {
    Score::from_eval(eval.value() + correction / UNITS_PER_POINT)
}

/// How much a key's value moves the evaluation, in [`UNITS_PER_POINT`].
fn weights() -> [i32; KEYS] {
    let non_pawn = correction_non_pawn();
    let moves = correction_moves();
    [correction_pawn(), correction_minor(), non_pawn, non_pawn, correction_hands(), moves, moves]
}

/// What part of a bonus each key's entry takes, in 1/128.
fn rates() -> [i32; KEYS] {
    let (pawn, non_pawn) = (correction_rate_pawn(), correction_rate_non_pawn());
    [pawn, correction_rate_minor(), non_pawn, non_pawn, pawn, correction_rate_moves(), correction_rate_moves_far()]
}

impl Corrections {
    pub(super) fn try_new() -> Result<Corrections, OutOfMemory> {
        let table: Table = std::array::from_fn(|_| SharedHistoryEntry::default());
        Ok(Corrections(try_array(table)?))
    }

    pub(super) fn clear(&mut self) {
        self.0.as_flattened_mut().fill_with(SharedHistoryEntry::default);
    }

    /// The tables of a side to move.
    #[inline(always)]
    fn tables(&self, side: Color) -> &[Table; TABLE_COUNT] {
        &self.0.as_chunks().0[side.index()]
    }

    /// Prefetches the entries of these keys.
    #[inline(always)]
    pub(super) fn prefetch(&self, keys: CorrectionKeys) {
        if PREFETCHES {
            let tables = self.tables(keys.side);
            (0..KEYS).for_each(|key| prefetch(&tables[TABLES[key]][keys.place(key)]));
        }
    }

    /// By how much evaluations under these keys were off, in [`UNITS_PER_POINT`].
    #[inline]
    pub(super) fn get(&self, keys: CorrectionKeys) -> i32 {
        let (tables, weights) = (self.tables(keys.side), weights());
        let mut sum = 0;
        keys.for_each(|key| sum += tables[TABLES[key]][keys.place(key)].get() * weights[key]);
        sum
    }

    /// Updates the entries of these keys after a search to this depth, whose score differed this much from the
    /// (corrected) static evaluation.
    #[inline]
    pub(super) fn update(&self, keys: CorrectionKeys, depth: Depth, difference: i32, failed_low: bool) {
        let weight = if failed_low { correction_bonus_low() } else { correction_bonus_high() };
        let bonus = (difference * depth * weight / 128).clamp(-LIMIT / 4, LIMIT / 4) * correction_bonus_scale() / 1024;
        let (tables, rates) = (self.tables(keys.side), rates());
        keys.for_each(|key| tables[TABLES[key]][keys.place(key)].update(bonus * rates[key] / 128));
    }
}
