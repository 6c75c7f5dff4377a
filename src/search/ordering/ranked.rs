//! Moves with their scores, handed out best first.

use arrayvec::ArrayVec;

use crate::movegen::MAX_MOVES;
use crate::types::Move;

/// A move and its place in the order: the higher its score, the earlier; of equals the one added first.
///
/// All of it is in one number, so that the best of many is their maximum: from the highest bits the score,
/// then what makes earlier places larger, then the move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Ranked(i64);

impl Ranked {
    /// Ranks below all moves.
    const TAKEN: Ranked = Ranked(i64::MIN);
    const LAST_PLACE: usize = u16::MAX as usize;

    #[inline(always)]
    fn new(mv: Move, score: i32, place: usize) -> Ranked {
        debug_assert!(score > i32::MIN && place < MAX_MOVES);
        Ranked(i64::from(score) << 32 | ((Ranked::LAST_PLACE - place) << 16) as i64 | i64::from(mv.to_bits()))
    }

    #[inline(always)]
    pub(crate) fn mv(self) -> Move {
        // A ranked move that is taken out holds the bits of the move it was made of.
        Move::from_bits(self.0 as u16).unwrap_or_else(|| unreachable!("no move in {:#x}", self.0))
    }

    #[inline(always)]
    pub(crate) fn score(self) -> i32 {
        (self.0 >> 32) as i32
    }

    #[inline(always)]
    fn place(self) -> usize {
        Ranked::LAST_PLACE - usize::from((self.0 >> 16) as u16)
    }
}

/// Moves of a node that have not been tried.
///
/// They are never sorted: most nodes are left after few moves, and to look for the best of some dozens takes
/// a handful of vector instructions, without branches that depend on the scores.
pub(crate) struct RankedMoves(ArrayVec<Ranked, MAX_MOVES>);

impl RankedMoves {
    #[inline(always)]
    pub(crate) fn new() -> RankedMoves {
        RankedMoves(ArrayVec::new())
    }

    #[inline(always)]
    pub(crate) fn push(&mut self, mv: Move, score: i32) {
        // There is room: no position has more moves than the array holds.
        let _ = self.0.try_push(Ranked::new(mv, score, self.0.len()));
    }

    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }

    /// The best move left.
    #[inline(never)]
    fn best(&self) -> Option<Ranked> {
        // A plain maximum of numbers: compilers know how to do that with vectors.
        let best = self.0.iter().fold(Ranked::TAKEN.0, |best, ranked| best.max(ranked.0));
        (best != Ranked::TAKEN.0).then_some(Ranked(best))
    }

    /// Takes the best move left.
    #[inline]
    pub(crate) fn take_best(&mut self) -> Option<Ranked> {
        self.take_best_above(i32::MIN)
    }

    /// Takes the best move left, if it scores more than `bound`.
    #[inline]
    pub(crate) fn take_best_above(&mut self, bound: i32) -> Option<Ranked> {
        let best = self.best().filter(|best| best.score() > bound)?;
        if let Some(entry) = self.0.get_mut(best.place()) {
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
            let mut expected = moves;
            expected.sort_by_key(|&(_, score)| std::cmp::Reverse(score));
            let came: Vec<_> =
                std::iter::from_fn(|| ranked.take_best()).map(|best| (best.mv(), best.score())).collect();
            prop_assert_eq!(came, expected);
        }
    }
}
