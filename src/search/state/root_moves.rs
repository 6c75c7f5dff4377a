//! The root moves, and what each was last known to be worth.

use crate::search::control::{Bound, SearchInfo};
use crate::types::{Depth, Move, Score};

/// A root move with its score and the line that leads to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RootLine {
    pub(crate) score: Score,
    /// The iteration in which it was found.
    pub(crate) depth: Depth,
    pub(crate) selective_depth: usize,
    /// The move first.
    pub(crate) pv: Vec<Move>,
}

impl RootLine {
    pub(crate) fn best_move(&self) -> Option<Move> {
        self.pv.first().copied()
    }

    /// Whether the move has a score.
    pub(crate) fn is_searched(&self) -> bool {
        self.score > -Score::INFINITE
    }

    /// The line as it is reported, with this rank among several, for a search of which nothing else is known. A line
    /// that was continued by what the table knows reaches at least as deep as it is long.
    pub(crate) fn into_info(self, rank: usize) -> SearchInfo {
        SearchInfo {
            depth: self.depth,
            selective_depth: self.selective_depth.max(self.pv.len()),
            multi_pv: rank,
            ..SearchInfo::unsearched(self.score, self.pv)
        }
    }
}

/// A root move and what is known of it.
#[derive(Clone, Debug)]
pub(crate) struct RootMove {
    pub(crate) mv: Move,
    /// Orders the moves: of this iteration or, before it was searched there, of the one before. Minus infinity
    /// when it was only shown to be worse than another.
    pub(crate) score: Score,
    /// The score of the iteration before; orders moves that have not been searched again.
    pub(crate) previous_score: Score,
    /// Running mean of its scores, the last ones weighing most.
    pub(crate) average: Option<i32>,
    /// The same of their squares, with the scores' signs.
    pub(crate) average_square: i32,
    /// What `score` is.
    pub(crate) bound: Bound,
    pub(crate) selective_depth: usize,
    /// Nodes searched below it, in all iterations.
    pub(crate) nodes: u64,
    /// The PV that goes with `score`.
    pub(crate) pv: Vec<Move>,
    /// The last exact score with its PV, of whichever iteration.
    pub(crate) exact: Option<RootLine>,
}

impl RootMove {
    pub(crate) fn new(mv: Move) -> RootMove {
        RootMove {
            mv,
            score: -Score::INFINITE,
            previous_score: -Score::INFINITE,
            average: None,
            average_square: 0,
            bound: Bound::Exact,
            selective_depth: 0,
            nodes: 0,
            pv: vec![mv],
            exact: None,
        }
    }

    /// Takes the result of a search of the move that counts: the first of the iteration, or one above alpha.
    pub(crate) fn take(&mut self, score: Score, bound: Bound, depth: Depth, selective_depth: usize, below: &[Move]) {
        (self.score, self.bound, self.selective_depth) = (score, bound, selective_depth);
        self.pv.truncate(1);
        self.pv.extend_from_slice(below);
        if bound == Bound::Exact {
            let mut pv = self.pv.clone();
            // A cutoff by the table may have shortened a line that was known in full.
            if let Some(before) = self.exact.take()
                && before.pv.starts_with(&pv)
                && before.score == score
            {
                pv = before.pv;
            }
            self.exact = Some(RootLine { score, depth, selective_depth, pv });
        }
    }

    /// Lets a new score count half in the averages.
    pub(crate) fn note_average(&mut self, score: i32) {
        let square = score * score.abs();
        match self.average {
            Some(average) => {
                self.average = Some((score + average) / 2);
                self.average_square = (square + self.average_square) / 2;
            }
            None => (self.average, self.average_square) = (Some(score), square),
        }
    }

    /// The line to report for the best move of an iteration that may have been cut short: its last exact score, with
    /// the line that goes with it. A move that has only just become the best, by failing high, has no useful exact
    /// score; for it this is the lower bound that was shown.
    pub(crate) fn settled(&self, root_depth: Depth) -> RootLine {
        match &self.exact {
            Some(exact) if self.bound != Bound::Lower || exact.depth + 1 >= root_depth => exact.clone(),
            _ => RootLine {
                score: self.score,
                depth: root_depth.max(1),
                selective_depth: self.selective_depth,
                pv: self.pv.clone(),
            },
        }
    }
}
