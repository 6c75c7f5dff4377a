//! The line that is shown for a root move: the search's own, gone on with by the transposition table.

use super::Bound;
use super::terminal::PLIES_BACK;
use super::thread::{RootMove, SearchThread};
use crate::eval::Evaluator;
use crate::mate::mate_in_one;
use crate::position::{Position, Repetition};
use crate::types::{Depth, Move, Outcome};

/// A move and the answer to it: what a player needs who thinks on the opponent's time.
const LEAST_LENGTH: usize = 2;

impl<E: Evaluator> SearchThread<'_, E> {
    /// The line to show for a root move searched to a depth.
    ///
    /// A line may end early, where a node failed high or its result came from the table. It is then
    /// gone on with up to two moves, and in `consideration_mode` up to the depth, or to the mate.
    pub(super) fn shown_pv(&self, root: &RootMove, depth: Depth) -> Vec<Move> {
        let length = if self.shared.settings.consideration_mode { full_length(root, depth) } else { LEAST_LENGTH };
        let mut pv = root.pv.clone();
        if pv.len() < length {
            let mut position = self.position.clone();
            for (at, &mv) in root.pv.iter().enumerate() {
                if !position.is_legal(mv) {
                    pv.truncate(at);
                    return pv;
                }
                position.do_move(mv);
            }
            while pv.len() < length
                && let Some(mv) = self.next_of_line(&mut position, &pv)
            {
                pv.push(mv);
                position.do_move(mv);
            }
        }
        pv
    }

    /// The move by which a line goes on from the position after it: the table's, or a mate in one or a repetition,
    /// which search sees without making it. None where the line ends by rule, or the table has nothing better than
    /// the least refuted move of a position that failed low, which is only good enough to `ponder` on.
    fn next_of_line(&self, position: &mut Position, line: &[Move]) -> Option<Move> {
        let settings = self.shared.settings;
        let ply = line.len();
        if position.search_repetition(ply) != Repetition::None
            || settings.rules.is_too_long(position)
            || settings.rules.can_declare(position)
        {
            return None;
        }
        let ponder = ply < LEAST_LENGTH;
        let entry = self.shared.table.probe(position.key()).filter(|entry| ponder || entry.bound != Bound::Upper);
        let known = entry.and_then(|entry| entry.mv).filter(|&mv| position.is_legal(mv));
        known
            .or_else(|| if position.in_check() { None } else { mate_in_one(position) })
            .or_else(|| if ply > PLIES_BACK { position.repeating_move(line[ply - 2]) } else { None })
    }
}

/// The depth in moves; a mate's length where that is known and more.
fn full_length(root: &RootMove, depth: Depth) -> usize {
    let depth = depth.max(0) as usize;
    match root.score.outcome() {
        Outcome::MateIn(plies) | Outcome::MatedIn(plies) => depth.max(plies as usize),
        _ => depth,
    }
}
