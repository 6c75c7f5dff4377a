//! Positions whose score needs no search of moves.

use crate::mate::mate_in_one;
use crate::position::{Repetition, SearchRepetition};
use crate::rules::GameEnd;
use crate::search::params::MATE_DEPTH;
use crate::search::stack::{NodeType, PLIES_BACK};
use crate::search::thread::SearchThread;
use crate::search::tt::{Bound, TtEntry};
use crate::types::{Depth, MAX_PLY, Score};

impl SearchThread<'_> {
    /// The score of a position in which the rules or the tree end the line.
    #[inline]
    pub(super) fn ended_score(&mut self, ply: usize) -> Option<Score> {
        match self.position.search_repetition(ply) {
            SearchRepetition::Rules(Repetition::None) => {}
            SearchRepetition::Rules(Repetition::Draw) => return Some(self.draw_score()),
            SearchRepetition::Rules(Repetition::Win) => return Some(Score::win_in(ply)),
            SearchRepetition::Rules(Repetition::Lose) => return Some(Score::loss_in(ply)),
            // The opponent could have had more, so this line refutes its play; and the reverse.
            SearchRepetition::Superior => return Some(Score::MAX_EVAL),
            SearchRepetition::Inferior => return Some(-Score::MAX_EVAL),
        }
        if self.shared.settings.rules.is_too_long(&self.position) {
            // As `GameEnd::from_position` has it: a last move that leaves none wins, and it is too late to declare.
            return Some(match GameEnd::without_move(&self.position) {
                Some(_) => Score::mated_in(ply),
                None => self.draw_score(),
            });
        }
        if ply >= MAX_PLY {
            let in_check = self.position.in_check();
            return Some(if in_check { self.draw_score() } else { self.evaluator.evaluate(&self.position) });
        }
        None
    }

    /// Alpha, or what a draw is worth where that is more and the next move can repeat a position of the tree
    /// (upcoming repetition, from Stockfish). Only the usual case is looked at, both sides shuffling with
    /// one piece, so that one comparison of keys does for a table of moves.
    #[inline]
    pub(super) fn alpha_with_repetition(&self, alpha: Score, ply: usize) -> Score {
        let draw = self.draw_score();
        if alpha >= draw || ply <= PLIES_BACK {
            return alpha;
        }
        let repeats = self.prior_move(ply, 2).is_some_and(|made| self.position.repeating_move(made.mv).is_some());
        if repeats { draw } else { alpha }
    }

    /// A win the side to move can have at once. Mate in one is looked for only in positions that the
    /// table does not know: the others have been looked at.
    #[inline(always)]
    pub(super) fn immediate_win<N: NodeType>(
        &mut self,
        ply: usize,
        depth: Depth,
        entry: Option<&TtEntry>,
    ) -> Option<Score> {
        if self.shared.settings.rules.can_declare(&self.position) {
            return Some(Score::win_in(ply + 1));
        }
        if entry.is_some() || self.position.in_check() {
            return None;
        }
        let mv = mate_in_one(&mut self.position)?;
        if N::PV {
            self.pvs.clear(ply + 1);
            self.pvs.set(ply, mv);
        }
        let score = Score::mate_in(ply + 1);
        let depth = depth + MATE_DEPTH;
        let known = TtEntry {
            mv: Some(mv),
            score: Some(score.to_table(ply)),
            eval: None,
            depth,
            bound: Bound::Exact,
            pv: N::PV,
        };
        self.shared.table.store(self.position.key(), known);
        Some(score)
    }
}
