//! Moves with their scores, handed out best first.

use std::array;

use arrayvec::ArrayVec;

use crate::movegen::MAX_MOVES;
use crate::types::Move;

/// A move and its place in the order: the higher its score, the earlier; of equals the one added first.
///
/// All of it is in one number, so that the best of many is their maximum: from the highest bits the score,
/// then what makes earlier places larger, then the move.
///
/// The number is held as a double, since the maximum of doubles is one instruction on every x86-64, that of integers of
/// 64 bits only with AVX-512. (Where the highest bits are free, doubles are ordered as their bits are.)
///
/// What [`RankedMoves`] hands out was made of a move.
#[derive(Clone, Copy)]
pub(super) struct Ranked(f64);

/// Bits of a place.
const PLACE_BITS: u32 = 10;
const PLACE_SHIFT: u32 = 16;
const SCORE_SHIFT: u32 = PLACE_SHIFT + PLACE_BITS;
const LAST_PLACE: usize = (1 << PLACE_BITS) - 1;
const _: () = assert!(MAX_MOVES <= LAST_PLACE && SCORE_SHIFT + i32::BITS < 62);

impl Ranked {
    /// Ranks below all moves.
    const TAKEN: Ranked = Ranked(0.0);

    #[inline(always)]
    fn new(mv: Move, score: i32, place: usize) -> Ranked {
        debug_assert!(score > i32::MIN && place < MAX_MOVES);
        let score = u64::from(score.cast_unsigned() ^ 1 << 31) << SCORE_SHIFT;
        let place = ((LAST_PLACE - place) << PLACE_SHIFT) as u64;
        Ranked(f64::from_bits(score | place | u64::from(mv.to_bits())))
    }

    #[inline(always)]
    fn bits(self) -> u64 {
        self.0.to_bits()
    }

    /// The better of two.
    #[inline(always)]
    fn max(self, other: Ranked) -> Ranked {
        // Not `f64::max`, which has to look for NaN.
        if self.0 > other.0 { self } else { other }
    }

    #[inline(always)]
    pub(super) fn mv(self) -> Move {
        // SAFETY: see `Ranked`: these are the bits of the move that it was made of.
        unsafe { Move::from_bits_unchecked(self.bits() as u16) }
    }

    #[inline(always)]
    pub(super) fn score(self) -> i32 {
        ((self.bits() >> SCORE_SHIFT) as u32 ^ 1 << 31).cast_signed()
    }

    #[inline(always)]
    fn place(self) -> usize {
        LAST_PLACE - ((self.bits() >> PLACE_SHIFT) as usize & LAST_PLACE)
    }
}

/// How many maxima are taken side by side.
const LANES: usize = 8;

/// Moves of a node that have not been tried.
///
/// They are never sorted: most nodes are left after few moves, and to look for the best of some dozens takes
/// a handful of vector instructions, without branches that depend on the scores.
pub(super) struct RankedMoves {
    /// With room for what fills the lanes up.
    moves: ArrayVec<Ranked, { MAX_MOVES + LANES }>,
    /// The best move left, where it has been looked for and not been taken.
    next: Option<Ranked>,
}

impl RankedMoves {
    #[inline(always)]
    pub(super) fn new() -> RankedMoves {
        RankedMoves { moves: ArrayVec::new(), next: None }
    }

    #[inline(always)]
    pub(super) fn push(&mut self, mv: Move, score: i32) {
        // There is room: no position has more moves than the array holds.
        let _ = self.moves.try_push(Ranked::new(mv, score, self.moves.len()));
    }

    /// Makes room for this many moves, which are [put](Self::put) there one by one, and returns the first place. The
    /// room that is left empty counts for nothing.
    #[inline]
    pub(super) fn grow(&mut self, count: usize) -> usize {
        let first = self.moves.len();
        for _ in 0..count.div_ceil(LANES) {
            self.add_lanes();
        }
        self.moves.truncate(first + count);
        first
    }

    /// Puts a move at a place for which [`grow`](Self::grow) made room.
    #[inline(always)]
    pub(super) fn put(&mut self, place: usize, mv: Move, score: i32) {
        if let Some(entry) = self.moves.get_mut(place) {
            *entry = Ranked::new(mv, score, place);
        }
    }

    /// Ends the adding of moves, so that they fill all lanes: what is beside them would be looked at one by one each
    /// time that a move is taken.
    #[inline]
    pub(super) fn finish(&mut self) {
        let full = self.moves.len().next_multiple_of(LANES);
        self.add_lanes();
        self.moves.truncate(full);
    }

    /// Adds what ranks below all moves, to each lane once.
    #[inline(always)]
    fn add_lanes(&mut self) {
        let _ = self.moves.try_extend_from_slice(&[Ranked::TAKEN; LANES]);
    }

    pub(super) fn clear(&mut self) {
        self.moves.clear();
        self.next = None;
    }

    /// The move that is taken next.
    #[inline]
    pub(super) fn peek(&mut self) -> Option<Move> {
        if self.next.is_none() {
            self.next = self.best();
        }
        self.next.map(Ranked::mv)
    }

    /// The best move left.
    #[inline(never)]
    fn best(&self) -> Option<Ranked> {
        // Compilers make vectors of this.
        let mut lanes = [Ranked::TAKEN; LANES];
        let (chunks, rest) = self.moves.as_chunks::<LANES>();
        debug_assert!(rest.is_empty(), "moves beside the lanes are not looked at: see `finish`");
        for chunk in chunks {
            lanes = array::from_fn(|i| chunk[i].max(lanes[i]));
        }
        let four: [Ranked; 4] = array::from_fn(|i| lanes[i].max(lanes[i + 4]));
        let two: [Ranked; 2] = array::from_fn(|i| four[i].max(four[i + 2]));
        let best = two[0].max(two[1]);
        (best.bits() != Ranked::TAKEN.bits()).then_some(best)
    }

    /// Takes the best move left.
    #[inline]
    pub(super) fn take_best(&mut self) -> Option<Ranked> {
        self.take_best_above(i32::MIN)
    }

    /// Takes the best move left, if it scores more than `bound`.
    #[inline]
    pub(super) fn take_best_above(&mut self, bound: i32) -> Option<Ranked> {
        let best = match self.next {
            Some(best) => best,
            None => self.best()?,
        };
        if best.score() <= bound {
            self.next = Some(best);
            return None;
        }
        self.next = None;
        if let Some(entry) = self.moves.get_mut(best.place()) {
            *entry = Ranked::TAKEN;
        }
        Some(best)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::types::Square;

    fn moves() -> impl Strategy<Value = Vec<(Move, i32)>> {
        let mv = (0..81_u8, 1..81_u8).prop_map(|(from, distance)| {
            let [from, to] = [from, (from + distance) % 81].map(|index| Square::new(index).unwrap());
            Move::board(from, to, false)
        });
        // Few different scores, so that many are equal
        let score = prop_oneof![-3..3, any::<i32>().prop_map(|score| score.max(i32::MIN + 1))];
        prop::collection::vec((mv, score), 0..=MAX_MOVES)
    }

    proptest! {
        #[test]
        fn moves_come_as_a_stable_sort_has_them(moves in moves()) {
            let mut ranked = RankedMoves::new();
            for &(mv, score) in &moves {
                ranked.push(mv, score);
            }
            ranked.finish();
            let mut expected = moves;
            expected.sort_by_key(|&(_, score)| std::cmp::Reverse(score));
            let came: Vec<_> =
                std::iter::from_fn(|| ranked.take_best()).map(|best| (best.mv(), best.score())).collect();
            prop_assert_eq!(came, expected);
        }
    }
}
