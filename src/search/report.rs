//! What a search tells while it runs and when it ends.

use std::time::Duration;

use crate::types::{Depth, Move, Score};

/// Whether a score is exact or only a bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// The score itself.
    Exact,
    /// The score is at least this (fail-high).
    Lower,
    /// The score is at most this (fail-low).
    Upper,
}

/// One line of progress.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchInfo {
    /// Iteration.
    pub depth: Depth,
    /// Deepest ply reached.
    pub selective_depth: usize,
    /// Rank of this line among those asked for, from 1.
    pub multi_pv: usize,
    /// From the side to move's view.
    pub score: Score,
    /// Exact, or a bound of an aspiration window.
    pub bound: Bound,
    /// Nodes of all threads.
    pub nodes: u64,
    /// Since the search began.
    pub time: Duration,
    /// Share of the table in use by this search, in permille.
    pub hash_full: u32,
    /// The line, the move to be played first.
    pub pv: Vec<Move>,
}

impl SearchInfo {
    /// The only line of a position that was not searched, with its score.
    pub fn unsearched(score: Score, pv: Vec<Move>) -> SearchInfo {
        SearchInfo {
            depth: Depth::from(!pv.is_empty()),
            selective_depth: usize::from(!pv.is_empty()),
            multi_pv: 1,
            score,
            bound: Bound::Exact,
            nodes: 0,
            time: Duration::ZERO,
            hash_full: 0,
            pv,
        }
    }

    /// Nodes a second.
    pub fn nps(&self) -> u64 {
        (self.nodes as f64 / self.time.as_secs_f64().max(1e-6)) as u64
    }
}

/// Receives a search's progress, on a search thread.
pub trait SearchObserver: Sync {
    /// A line of progress.
    fn on_info(&self, info: &SearchInfo);

    /// The time is over, but the threads of the search wait for a processor, or its observer holds them up,
    /// and cannot end it: the best line so far, perhaps only its first two moves. Called at most once, by the
    /// thread that asked for the search, before the search returns.
    fn on_overdue(&self, _best: &SearchInfo) {}

    /// Something worth telling the user in words.
    fn on_message(&self, _text: &str) {}
}

/// Listens to nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct SilentObserver;

impl SearchObserver for SilentObserver {
    fn on_info(&self, _info: &SearchInfo) {}
}

/// What a search found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchResult {
    /// The best lines, best first, as many as MultiPV asked for and the position has; empty only when
    /// there is no legal move (of those allowed).
    pub lines: Vec<SearchInfo>,
    /// Nodes of all threads.
    pub nodes: u64,
    /// From start to end.
    pub time: Duration,
}

impl SearchResult {
    /// The move to play.
    pub fn best_move(&self) -> Option<Move> {
        self.lines.first().and_then(|line| line.pv.first().copied())
    }

    /// The expected answer.
    pub fn ponder_move(&self) -> Option<Move> {
        self.lines.first().and_then(|line| line.pv.get(1).copied())
    }

    /// The score of the best line.
    pub fn score(&self) -> Option<Score> {
        self.lines.first().map(|line| line.score)
    }
}
