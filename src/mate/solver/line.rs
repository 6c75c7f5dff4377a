//! The moves of a mate.

use super::dfpn::Dfpn;
use super::node::{Child, is_mated};
use crate::types::Move;

/// The shortest mate with the longest defence, from a position known to be mate in `plies` and not in fewer. `None`
/// when a limit is reached before all of it is known.
pub(super) fn exact_line<const ATTACK: bool>(search: &mut Dfpn<'_>, plies: u16) -> Option<Vec<Move>> {
    let mut moves = Vec::new();
    let mut attack = ATTACK;
    let mut left = plies;
    while left > 0 {
        let next = if attack {
            search.decide::<true>(left).1
        } else {
            // The move that escapes from a mate two plies shorter is the longest defence.
            search.decide::<false>(left.checked_sub(2)?).1
        };
        let Some(mv) = next.filter(|_| !search.aborted) else { break };
        search.position.do_move(mv);
        moves.push(mv);
        attack = !attack;
        left -= 1;
    }
    let complete = left == 0 && search.is_mated();
    moves.iter().rev().for_each(|&mv| search.position.undo_move(mv));
    complete.then_some(moves)
}

/// A mate in at most `plies`, from a position just found to have one, with as long a defence as is known.
pub(super) fn proven_line<const ATTACK: bool>(search: &mut Dfpn<'_>, plies: u16) -> Option<Vec<Move>> {
    search.beyond_limits(|search| {
        let mut moves = Vec::new();
        let mut attack = ATTACK;
        let mut left = plies;
        let mut keys = Vec::new();
        // With no ply left nothing may be asked: a mate that is not there by then is none.
        while left > 0 && !search.is_mated() {
            let next = if attack {
                let (numbers, mv) = search.decide::<true>(left);
                mv.map(|mv| (mv, Some(numbers.length - 1)))
            } else {
                search.longest_known_defence(left)
            };
            let Some((mv, numbers)) = next else { break };
            keys.push(search.position.key());
            search.position.do_move(mv);
            moves.push(mv);
            attack = !attack;
            left = numbers.unwrap_or(left - 1);
            // What was found meanwhile may lead back: such moves are left out.
            if let Some(first) = keys.iter().position(|&key| key == search.position.key()) {
                moves.drain(first..).rev().for_each(|mv| search.position.undo_move(mv));
                keys.truncate(first);
            }
        }
        let complete = search.is_mated();
        moves.iter().rev().for_each(|&mv| search.position.undo_move(mv));
        complete.then_some(moves)
    })
}

impl Dfpn<'_> {
    fn is_mated(&mut self) -> bool {
        is_mated(&mut self.position, self.without_futile)
    }

    /// The defence that is known to hold out longest, where the defender is mated in `length` plies.
    fn longest_known_defence(&mut self, length: u16) -> Option<(Move, Option<u16>)> {
        let hand = self.attacking_hand::<false>();
        let start = self.children.len();
        self.expand::<false>(hand, length);
        let proven_length = |child: &Child| child.numbers.is_proven().then_some(child.numbers.length);
        let defences = self.children[start..].iter().map(|child| (child.mv, proven_length(child)));
        let longest = defences.max_by_key(|(_, length)| length.unwrap_or(u16::MAX));
        self.children.truncate(start);
        longest
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mate::solver::path::Path;
    use crate::mate::solver::proofs::ProofTable;
    use crate::mate::{MateLimits, SilentMateObserver};
    use crate::position::Position;
    use crate::types::Color;

    #[test]
    fn no_ply_is_asked_about_where_none_is_left() {
        let position = Position::from_sfen("4k4/9/4P4/9/9/9/9/9/4K4 w G 1").unwrap();
        let (table, mut path) = (ProofTable::new(1, 1), Path::new());
        path.begin(&position, Color::Black);
        let mut search = Dfpn::new(position, &table, &mut path, &SilentMateObserver, &MateLimits::default());
        assert_eq!(proven_line::<false>(&mut search, 0), None);
        assert_eq!(proven_line::<true>(&mut search, 0), None);
    }
}
