//! Repeated positions: sennichite (千日手) and what it means for the side to move.

use super::{Position, StateInfo, zobrist};
use crate::types::{Hand, Move, MoveKind};

/// What the rules make of a position that has occurred before, for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Repetition {
    /// The position has not occurred before (or not often enough).
    None,
    /// The same position: a draw.
    Draw,
    /// The same position, the opponent having given check with every move in between: the side to move wins.
    Win,
    /// The same position, the side to move having given check with every move in between: it loses.
    Lose,
}

/// What a search makes of a board that has occurred before, for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SearchRepetition {
    /// What the rules say of the same position, one repetition being as good as three; or no repetition.
    Rules(Repetition),
    /// The same board, with more pieces in the hand of the side to move than before: no rule, but good for search.
    Superior,
    /// The same board, with fewer pieces in the hand of the side to move than before.
    Inferior,
}

impl Repetition {
    /// The word the `d` command shows.
    pub fn name(self) -> &'static str {
        ["none", "draw", "win", "lose"][self as usize]
    }
}

/// Board, turn and hands must differ by at least this many plies before they can be the same again.
const SHORTEST_CYCLE: usize = 4;

impl Position {
    /// Earlier positions with the same pieces on the board and the same turn, newest first, with their
    /// distance in plies; up to the last null move.
    #[inline]
    fn same_boards(&self) -> impl Iterator<Item = (usize, &StateInfo)> {
        let (key, now) = (self.state.board_key, self.history.len());
        let reach = (self.state.plies_from_null as usize).min(now);
        let earlier =
            (SHORTEST_CYCLE..=reach).step_by(2).map(move |distance| (distance, &self.history[now - distance]));
        earlier.filter(move |(_, state)| state.board_key == key)
    }

    /// The verdict on a cycle of this many plies that ends here.
    #[inline]
    fn cycle_verdict(&self, distance: usize) -> Repetition {
        let us = self.side_to_move;
        let checked_throughout =
            |color: crate::types::Color| usize::from(self.state.checking_plies[color.index()]) >= distance;
        match (checked_throughout(us), checked_throughout(!us)) {
            (true, false) => Repetition::Lose,
            (false, true) => Repetition::Win,
            // Where both sides gave check with every move, the rules blame neither.
            (false, false) | (true, true) => Repetition::Draw,
        }
    }

    /// The verdict of the rules: whether this is the fourth occurrence of the position, and for whom
    /// that counts. Looks at the whole history.
    pub fn repetition(&self) -> Repetition {
        let hands = self.state.hands;
        let earlier = self.same_boards().filter(|(_, state)| state.hands == hands).nth(2);
        earlier.map_or(Repetition::None, |(distance, _)| self.cycle_verdict(distance))
    }

    /// How often the position has occurred, this time included, as far as the history goes.
    pub fn occurrences(&self) -> usize {
        let hands = self.state.hands;
        1 + self.same_boards().filter(|(_, state)| state.hands == hands).count()
    }

    /// The positions that have occurred three times or more, which end the game when they come again: the keys of their
    /// boards, with the hands.
    pub(crate) fn occurred_thrice(&self) -> Vec<(u64, [Hand; 2])> {
        let reach = self.state.plies_from_null as usize;
        if reach < 2 * SHORTEST_CYCLE {
            return Vec::new();
        }
        let states = self.history[self.history.len() - reach..].iter().chain([&self.state]);
        let mut positions: Vec<_> = states.map(|state| (state.board_key, state.hands)).collect();
        positions.sort_unstable_by_key(|&(board, hands)| (board, hands.map(Hand::bits)));
        let mut thrice: Vec<_> = positions.windows(3).filter(|run| run[0] == run[2]).map(|run| run[0]).collect();
        thrice.dedup();
        thrice
    }

    /// What search makes of earlier occurrences of this board, `ply` plies below its root.
    ///
    /// Within the tree one repetition is as good as three, since the side that profits can repeat again, and hands
    /// that only grew or shrank are better or worse than what could be had before. What was on the board
    /// before the root cannot be had again: there only the fourth occurrence counts.
    #[inline]
    pub fn search_repetition(&self, ply: usize) -> SearchRepetition {
        if self.repetition_filter.may_contain(self.state.board_key) {
            self.repetition_in_history(ply)
        } else {
            SearchRepetition::Rules(Repetition::None)
        }
    }

    /// The same where the board may have occurred.
    #[inline(never)]
    fn repetition_in_history(&self, ply: usize) -> SearchRepetition {
        let us = self.side_to_move.index();
        let hand = self.state.hands[us];
        for (distance, state) in self.same_boards() {
            if distance >= ply {
                return SearchRepetition::Rules(self.repetition());
            }
            let before = state.hands[us];
            // With equal boards the two hands hold the same pieces in all, so one hand is enough.
            if hand == before {
                return SearchRepetition::Rules(self.cycle_verdict(distance));
            } else if hand.includes(before) {
                return SearchRepetition::Superior;
            } else if before.includes(hand) {
                return SearchRepetition::Inferior;
            }
        }
        SearchRepetition::Rules(Repetition::None)
    }

    /// The move by which the side to move takes back its last one, `last`, and so repeats the position before
    /// it, the opponent having just taken back its own. None where that cannot be, and where either gives checks,
    /// which may make the repetition more than a draw.
    #[inline]
    pub fn repeating_move(&self, last: Move) -> Option<Move> {
        let MoveKind::Board { from, to, promote: false } = last.kind() else { return None };
        if (self.state.plies_from_null as usize) < SHORTEST_CYCLE - 1 || self.in_check() {
            return None;
        }
        let before = self.history.len() - (SHORTEST_CYCLE - 1);
        let piece = self.piece_on(to)?;
        let taken_back = zobrist::on_board(piece, from) ^ zobrist::on_board(piece, to) ^ zobrist::TURN;
        let back = Move::board(to, from, false);
        let repeats = self.state.board_key ^ self.history[before].board_key == taken_back
            && self.state.hands == self.history[before].hands
            && !self.history[before + 2].checkers.any()
            && self.is_legal(back);
        repeats.then_some(back)
    }
}

/// Slots that keys are counted in. With 200 past boards, one new board in twenty passes the filter and is looked for in
/// the history.
const SLOTS: usize = 1 << 12;

/// A counting filter of past boards (Fan, Cao, Almeida and Broder, 1998), which shows at a single look-up that a board
/// is new. No game is so long that a count comes round to 0.
#[derive(Clone)]
pub(super) struct RepetitionFilter(Box<[u16; SLOTS]>);

impl RepetitionFilter {
    pub(super) fn new() -> RepetitionFilter {
        RepetitionFilter(Box::new([0; SLOTS]))
    }

    #[inline(always)]
    fn slot(key: u64) -> usize {
        key as usize % SLOTS
    }

    #[inline(always)]
    pub(super) fn add(&mut self, key: u64) {
        let count = &mut self.0[Self::slot(key)];
        *count = count.wrapping_add(1);
    }

    /// Takes a key back that was added.
    #[inline(always)]
    pub(super) fn remove(&mut self, key: u64) {
        let count = &mut self.0[Self::slot(key)];
        *count = count.wrapping_sub(1);
    }

    /// Whether a board may be among the past ones; `false` is certain.
    #[inline(always)]
    fn may_contain(&self, key: u64) -> bool {
        self.0[Self::slot(key)] != 0
    }
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// Few keys, of which many share a slot, added and removed in any order.
        #[test]
        fn the_filter_denies_no_key_that_it_holds(steps in vec((0..4u64, 0..3u64, any::<bool>()), 0..200)) {
            let (mut filter, mut keys) = (RepetitionFilter::new(), Vec::<u64>::new());
            for (slot, high, take_back) in steps {
                let key = high << 32 | slot;
                let shares_slot = keys.iter().any(|other| other & 3 == slot);
                prop_assert_eq!(filter.may_contain(key), shares_slot);
                if !take_back {
                    filter.add(key);
                    keys.push(key);
                } else if let Some(last) = keys.pop() {
                    filter.remove(last);
                }
            }
        }
    }
}
