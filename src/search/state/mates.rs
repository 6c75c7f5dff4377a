//! What the mate solver has found at the root.

use crate::mate::MateSolver;
use crate::search::state::root_moves::RootLine;
use crate::types::{Color, Depth, Move};

/// Each solver's table in MiB, which grows to that.
const TABLE_MIB: usize = 8;

/// What the solver knows of both sides' mates, kept over a game; by color index of the attacker.
pub(crate) struct MateSolvers([MateSolver; 2]);

impl MateSolvers {
    pub(crate) fn new() -> MateSolvers {
        MateSolvers([MateSolver::new(TABLE_MIB), MateSolver::new(TABLE_MIB)])
    }

    /// Forgets everything, for a new game.
    pub(crate) fn clear(&mut self) {
        self.0.iter_mut().for_each(MateSolver::forget);
    }

    /// The solver for the mates of this side.
    pub(crate) fn of(&mut self, attacker: Color) -> &mut MateSolver {
        &mut self.0[attacker.index()]
    }
}

/// What has been found from the present root.
#[derive(Default)]
pub(crate) struct RootMates {
    /// Positions visited so far.
    pub(crate) visits: u64,
    /// Whether the question of an own mate is answered: there is none, or it is the shortest.
    pub(crate) own_is_settled: bool,
    /// Whether the solver has been asked to prove a mate that the search sees.
    pub(crate) asked_for_seen: bool,
    /// The line that is proved to be best: an own mate or, where every move loses, the longest defence.
    pub(crate) proven: Option<RootLine>,
    /// Moves after which the opponent has no mate by checks.
    pub(crate) safe: Vec<Move>,
    /// The moves that were taken out of the search because the opponent mates after them.
    pub(crate) refuted: Vec<RootLine>,
}

impl RootMates {
    /// Puts the line that is proved to be best before those of the search, unless one of these mates sooner. What is
    /// proved holds at any depth, and so at that of the search.
    pub(crate) fn with_proven_first(&self, mut lines: Vec<RootLine>, count: usize, depth: Depth) -> Vec<RootLine> {
        let Some(proven) = &self.proven else { return lines };
        if lines.first().is_some_and(|best| proven.score.is_win() && best.score > proven.score) {
            return lines;
        }
        lines.retain(|line| line.best_move() != proven.best_move());
        lines.insert(0, RootLine { depth: proven.depth.max(depth), ..proven.clone() });
        lines.truncate(count);
        lines
    }
}
