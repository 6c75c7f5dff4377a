//! Positions whose score needs no search of moves.

use crate::eval::Evaluator;
use crate::mate::{OnePly, mate_in_three, one_ply};
use crate::position::Repetition;
use crate::search::control::Bound;
use crate::search::params::{MATE_DEPTH, mate_in_three_flights};
use crate::search::state::node::NodeType;
use crate::search::state::thread::SearchThread;
use crate::search::tables::tt::TtEntry;
use crate::types::{Depth, MAX_PLY, Move, Score};

/// The repeated position, three plies above the one with the repeating move, must lie below the root.
pub(crate) const PLIES_BACK: usize = 3;

/// What a look at the next move shows.
pub(crate) enum Immediate {
    Win(Score),
    /// No win, and how many squares the enemy king may step to, if that was looked at.
    NoWin {
        flights: Option<u32>,
    },
}

impl SearchThread<'_> {
    /// The score of a position in which the rules or the tree end the line.
    #[inline]
    pub(crate) fn ended_score(&mut self, ply: usize) -> Option<Score> {
        match self.position.search_repetition(ply) {
            Repetition::None => {}
            Repetition::Draw => return Some(self.draw_score()),
            Repetition::Win => return Some(Score::win_in(ply)),
            Repetition::Lose => return Some(Score::loss_in(ply)),
            // The opponent could have had more, so this line refutes its play; and the reverse.
            Repetition::Superior => return Some(Score::MAX_EVAL),
            Repetition::Inferior => return Some(-Score::MAX_EVAL),
        }
        if self.shared.settings.rules.is_too_long(&self.position) {
            // Mate on the last move counts, and a check may be answered.
            return Some(match self.position.in_check() && !crate::movegen::has_legal_move(&self.position) {
                true => Score::mated_in(ply),
                false => self.draw_score(),
            });
        }
        if ply >= MAX_PLY {
            let in_check = self.position.in_check();
            return Some(if in_check { self.draw_score() } else { self.evaluator.evaluate(&self.position) });
        }
        None
    }

    /// Alpha, or what a draw is worth where that is more and the next move can repeat a position of the tree
    /// (upcoming repetition, from Stockfish). Only the usual case is looked at, both sides going to and fro with
    /// one piece, so that one comparison of keys does for a table of moves.
    #[inline]
    pub(crate) fn alpha_with_repetition(&self, alpha: Score, ply: usize) -> Score {
        let draw = self.draw_score();
        if alpha >= draw || ply <= PLIES_BACK {
            return alpha;
        }
        let last = self.stack[ply - 2].mv;
        if last.is_some_and(|last| self.position.repeating_move(last).is_some()) { draw } else { alpha }
    }

    /// A win the side to move can have at once. Mate in one is looked for only in positions that the
    /// table does not know: the others have been looked at.
    #[inline]
    pub(crate) fn immediate_win<N: NodeType>(
        &mut self,
        ply: usize,
        depth: Depth,
        entry: Option<&TtEntry>,
    ) -> Immediate {
        if self.shared.settings.rules.can_declare(&self.position) {
            return Immediate::Win(Score::win_in(ply + 1));
        }
        if entry.is_some() || self.position.in_check() {
            return Immediate::NoWin { flights: None };
        }
        match one_ply(&mut self.position) {
            OnePly::Mate(mv) => Immediate::Win(self.found_mate::<N>(ply, depth, mv, 1)),
            OnePly::NoMate { flights } => Immediate::NoWin { flights: Some(flights) },
            OnePly::NoCheck => Immediate::NoWin { flights: None },
        }
    }

    /// A mate in three plies, where the enemy king may step to few squares only: elsewhere it is rare, and the look for
    /// it costs more than it brings.
    ///
    /// Not in nodes of the principal variation: they are few, and must tell all the moves to the mate.
    #[inline]
    pub(crate) fn near_mate<N: NodeType>(&mut self, ply: usize, depth: Depth, flights: Option<u32>) -> Option<Score> {
        if N::PV || i64::from(flights?) > i64::from(mate_in_three_flights()) {
            return None;
        }
        let limit = self.shared.settings.rules.max_moves;
        if limit.is_some_and(|limit| self.position.game_ply() + 2 > limit) {
            return None;
        }
        let mv = mate_in_three(&mut self.position)?;
        Some(self.found_mate::<N>(ply, depth, mv, 3))
    }

    /// Stores a mate in so many plies; its score.
    fn found_mate<N: NodeType>(&mut self, ply: usize, depth: Depth, mv: Move, plies: usize) -> Score {
        if N::PV {
            self.stack[ply + 1].pv.clear();
            self.set_pv(ply, mv);
        }
        let score = Score::mate_in(ply + plies);
        let depth = depth + MATE_DEPTH;
        let known =
            TtEntry { mv: Some(mv), score: score.to_table(ply), eval: None, depth, bound: Bound::Exact, pv: N::PV };
        self.shared.table.store(self.position.key(), known);
        score
    }
}
