//! The root moves and their lines: what each was last known to be worth, and what the search would answer now.

use std::mem;
use std::sync::Mutex;

use crate::position::Position;
use crate::search::report::SearchInfo;
use crate::search::tt::Bound;
use crate::threads::lock;
use crate::types::{Depth, Move, Score};

/// A root move with its score and the line that leads to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct RootLine {
    pub(super) score: Score,
    /// The iteration in which it was found.
    pub(super) depth: Depth,
    pub(super) selective_depth: usize,
    /// The move first.
    pub(super) pv: Vec<Move>,
}

impl RootLine {
    pub(super) fn best_move(&self) -> Option<Move> {
        self.pv.first().copied()
    }

    /// The line as it is reported, with this rank among several, for a search of which nothing else is known. A line
    /// that was continued by what the TT knows reaches at least as deep as it is long.
    pub(super) fn into_info(self, rank: usize) -> SearchInfo {
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
pub(super) struct RootMove {
    pub(super) mv: Move,
    /// Orders the moves: of this iteration or, before it was searched there, of the one before; `None`
    /// when it was only shown to be worse than another.
    pub(super) score: Option<Score>,
    /// The score of the iteration before; orders moves that have not been searched again.
    pub(super) previous_score: Option<Score>,
    /// Running mean of its scores, the last ones weighing most.
    pub(super) average: Option<i32>,
    /// The same of their squares, with the scores' signs.
    pub(super) average_square: i32,
    /// What `score` is.
    pub(super) bound: Bound,
    pub(super) selective_depth: usize,
    /// Nodes searched below it, in all iterations.
    pub(super) nodes: u64,
    /// The PV that goes with `score`.
    pub(super) pv: Vec<Move>,
    /// The last exact score with its PV, of whichever iteration.
    pub(super) exact: Option<RootLine>,
}

impl RootMove {
    pub(super) fn new(mv: Move) -> RootMove {
        RootMove {
            mv,
            score: None,
            previous_score: None,
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
    pub(super) fn take(&mut self, score: Score, bound: Bound, depth: Depth, selective_depth: usize, below: &[Move]) {
        (self.score, self.bound, self.selective_depth) = (Some(score), bound, selective_depth);
        self.pv.truncate(1);
        self.pv.extend_from_slice(below);
        if bound == Bound::Exact {
            let mut pv = self.pv.clone();
            // A cutoff by the TT may have shortened a line that was known in full.
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
    pub(super) fn note_average(&mut self, score: i32) {
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
    /// score; for it this is the lower bound that was shown. None where the
    /// move has no score at all.
    pub(super) fn settled(&self, root_depth: Depth) -> Option<RootLine> {
        match &self.exact {
            Some(exact) if self.bound != Bound::Lower || exact.depth + 1 >= root_depth => Some(exact.clone()),
            _ => Some(RootLine {
                score: self.score?,
                depth: root_depth.max(1),
                selective_depth: self.selective_depth,
                pv: self.pv.clone(),
            }),
        }
    }
}

/// The lines that the main thread of a search would answer now, best first, for the watchdog to answer in its place.
#[derive(Default)]
pub(super) struct AnswerSlot {
    /// The key of the position that is searched, and the lines.
    content: Mutex<(u64, Vec<RootLine>)>,
}

impl AnswerSlot {
    /// Empties the slot for a search of this position.
    pub(super) fn begin(&self, root: &Position) {
        *lock(&self.content) = (root.key(), Vec::new());
    }

    /// Puts in lines. The lock is held only to swap what lies in the slot, so that a thread that waits for a
    /// processor hardly ever holds it.
    pub(super) fn put(&self, lines: Vec<RootLine>) {
        let old = mem::replace(&mut lock(&self.content).1, lines);
        drop(old);
    }

    /// The lines from this position; none where the last search was of another, or has found nothing yet.
    pub(super) fn get(&self, root: &Position) -> Vec<RootLine> {
        let content = lock(&self.content);
        if content.0 == root.key() { content.1.clone() } else { Vec::new() }
    }
}

/// What has been found from the present root.
#[derive(Default)]
pub(super) struct RootMates {
    /// Positions that the solver has searched so far.
    pub(super) nodes: u64,
    /// Whether the question of an own mate is answered: there is none, or it is the shortest.
    pub(super) own_is_settled: bool,
    /// Whether the solver has been asked to prove a mate that the search sees.
    pub(super) asked_for_seen: bool,
    /// The line that is proved to be best: an own mate or, where every move loses, the longest defence.
    pub(super) proven: Option<RootLine>,
    /// Moves after which the opponent has no mate by checks.
    pub(super) safe: Vec<Move>,
    /// The moves that were taken out of the search because the opponent mates after them.
    pub(super) refuted: Vec<RootLine>,
}

impl RootMates {
    /// Puts the line that is proved to be best before those of the search, unless one of these mates sooner. What is
    /// proved holds at any depth, and so at that of the search.
    pub(super) fn with_proven_first(&self, mut lines: Vec<RootLine>, count: usize, depth: Depth) -> Vec<RootLine> {
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
