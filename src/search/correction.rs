//! What static evaluations were off by in similar positions ("correction history", from Caissa and
//! Stockfish).
//!
//! Where a search found another score than the static evaluation, the difference is remembered under
//! several keys that positions share: pawns, kings with their golds and silvers, hands, and the last two
//! moves. Later evaluations under the same keys are moved by what was learnt.

use super::history::{Gauge, PlayedMove};
use super::params::correction_divisor;
use crate::bitboard::Bitboard;
use crate::position::Position;
use crate::types::{Color, Depth, PieceType};

const LIMIT: i32 = 1024;
/// Entries of a table for each side to move, as a power of two.
const BITS: u32 = 14;
const KEYS: usize = 4;

/// The tables of one thread.
pub(super) struct Corrections(Vec<Gauge<LIMIT>>);

/// A position's places in the tables.
#[derive(Clone, Copy)]
pub(super) struct CorrectionKeys([usize; KEYS]);

impl CorrectionKeys {
    /// The places of a position to which these two moves led, the last one first.
    #[inline]
    pub(super) fn of(position: &Position, last: [Option<PlayedMove>; 2]) -> CorrectionKeys {
        let men = |piece_type| Color::ALL.map(|color| position.men_of(color, piece_type));
        let by_color = |color| {
            let of = |piece_type| position.men_of(color, piece_type);
            of(PieceType::King) | of(PieceType::Gold) | of(PieceType::Silver)
        };
        let moves = last.map(|played| played.map_or(0, |played| played.index() as u64 + 1));
        let hashes = [
            hash(men(PieceType::Pawn)),
            hash(Color::ALL.map(by_color)),
            position.hand_key().wrapping_mul(MIX),
            (moves[0] << 16 | moves[1]).wrapping_mul(MIX),
        ];
        let side = position.side_to_move().index();
        let mut table = 0;
        CorrectionKeys(hashes.map(|hash| {
            table += 1;
            ((table - 1) * 2 + side) << BITS | (hash >> (64 - BITS)) as usize
        }))
    }
}

impl CorrectionKeys {
    /// Stands for the pawn structure.
    pub(super) fn pawn_index(self) -> usize {
        self.0[0]
    }
}

/// An odd number without pattern (the golden ratio's fraction).
const MIX: u64 = 0x9e37_79b9_7f4a_7c15;

#[inline]
fn hash(sets: [Bitboard; 2]) -> u64 {
    let [a, b] = sets.map(|set| set.bits());
    let low = (a as u64).wrapping_mul(MIX) ^ (b as u64);
    let high = ((a >> 64) as u64 | ((b >> 64) as u64) << 32).wrapping_mul(0xd1b5_4a32_d192_ed03);
    (low.wrapping_mul(MIX) ^ low >> 29 ^ high).wrapping_mul(MIX)
}

impl Corrections {
    pub(super) fn new() -> Corrections {
        Corrections(vec![Gauge::default(); (2 * KEYS) << BITS])
    }

    pub(super) fn clear(&mut self) {
        self.0.fill(Gauge::default());
    }

    /// By how much evaluations under these keys were off.
    #[inline]
    pub(super) fn get(&self, keys: CorrectionKeys) -> i32 {
        let sum: i32 = keys.0.iter().map(|&key| self.0[key].get()).sum();
        sum / correction_divisor()
    }

    /// Learns from a search of this depth that found another score than the (corrected) evaluation.
    #[inline]
    pub(super) fn learn(&mut self, keys: CorrectionKeys, depth: Depth, difference: i32) {
        let bonus = (difference * depth / 8).clamp(-LIMIT / 4, LIMIT / 4);
        for key in keys.0 {
            self.0[key].update(bonus);
        }
    }
}
