//! Searching the positions of a book.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashSet};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use rayon::ThreadPool;
use rayon::prelude::*;

use super::key;
use super::table::{BookMove, BookTable};
use crate::eval::Evaluation;
use crate::position::{Position, Setup};
use crate::rules::{GameEnd, Rules};
use crate::search::{SearchInfo, SearchLimits, SearchSettings, Searcher, SearcherError, search_pool};
use crate::threads::lock;
use crate::types::Score;

/// Searches positions on several threads, each with empty tables: the results do not depend on the threads or the
/// order.
pub struct Thinker {
    pool: ThreadPool,
    searchers: Vec<Mutex<Searcher>>,
    limits: SearchLimits,
    settings: SearchSettings,
}

impl Thinker {
    /// Starts threads (0: one on each core), each with a table of `hash_mb` MiB, that search `nodes` nodes of each
    /// position for its `lines` best moves.
    ///
    /// # Errors
    /// When the system refuses the memory or the threads.
    pub fn new(
        threads: usize,
        hash_mb: usize,
        evaluation: &Evaluation,
        nodes: u64,
        lines: usize,
    ) -> Result<Thinker, SearcherError> {
        let pool = search_pool(threads)?;
        let searcher = |_| Searcher::try_new_local(hash_mb, evaluation.clone()).map(Mutex::new);
        Ok(Thinker {
            searchers: (0..pool.current_num_threads()).map(searcher).collect::<Result<_, _>>()?,
            pool,
            limits: SearchLimits { nodes: Some(nodes), ..SearchLimits::default() },
            settings: SearchSettings { multi_pv: lines, ..SearchSettings::default() },
        })
    }

    /// How many positions are searched at once.
    pub fn threads(&self) -> usize {
        self.searchers.len()
    }

    /// Searches positions; those that were not begun when `stop` was set have no moves.
    pub fn search(&self, positions: &[Position], stop: &AtomicBool) -> Vec<Vec<BookMove>> {
        self.pool.install(|| positions.par_iter().map(|position| self.search_one(position, stop)).collect())
    }

    fn search_one(&self, position: &Position, stop: &AtomicBool) -> Vec<BookMove> {
        if stop.load(Ordering::Relaxed) {
            return Vec::new();
        }
        let index = rayon::current_thread_index().unwrap_or(0);
        let mut searcher = lock(&self.searchers[index]);
        searcher.clear();
        let result = searcher.search_to_limit(position, &self.limits, &self.settings);
        result.lines.iter().filter_map(book_move).collect()
    }
}

/// A line of a search as a book's move.
fn book_move(line: &SearchInfo) -> Option<BookMove> {
    let mv = *line.pv.first()?;
    let score = book_score(line.score);
    let depth = BookMove::searched_depth(score, line.depth.max(1) as u32);
    Some(BookMove { mv, ponder: line.pv.get(1).copied(), score, depth, count: 0 })
}

/// A score as books write it; mates and wins by rule lie beyond all evaluations, quicker ones farther.
fn book_score(score: Score) -> i32 {
    const DECIDED: i32 = 32_000;
    score.outcome().number(|plies| DECIDED - plies as i32)
}

impl BookTable {
    /// The positions without a searched move.
    pub fn unsearched(&self) -> impl Iterator<Item = Position> {
        let waiting = self.entries().filter(|(_, entry)| !entry.is_searched());
        waiting.filter_map(|(sfen, entry)| {
            let mut setup = Setup::from_sfen(sfen).ok()?;
            setup.move_number = entry.ply;
            Position::from_setup(&setup).ok()
        })
    }

    /// Up to `most` positions that moves of the book lead to and the book lacks, none of them beyond move `max_ply`:
    /// those first that are reached from a start by few moves that lose little. A move that is `loss_per_ply` worse
    /// than the best of its position counts as one ply more: the smaller that is, the narrower the book. Positions in
    /// which the game is over are none.
    pub fn leaves(&self, starts: &[Position], max_ply: u32, loss_per_ply: u32, most: usize) -> Vec<Position> {
        // The open list: the positions on the way, the cheapest first; of equals, in the order of their SFENs. There
        // may be millions of them, so that they are kept as text.
        let mut open = BinaryHeap::new();
        open.extend(starts.iter().filter(|start| start.game_ply() <= max_ply).map(|it| Reverse((0, it.to_sfen()))));
        let (mut seen, mut leaves) = (HashSet::new(), Vec::new());
        while leaves.len() < most {
            let Some(Reverse((cost, sfen))) = open.pop() else { break };
            let Ok(position) = Position::from_sfen(&sfen) else { continue };
            let setup = position.setup();
            // This way round or the other.
            if !seen.insert(key(&setup).min(key(&setup.rotated()))) {
                continue;
            }
            let Some((entry, is_rotated)) = self.get_either_way(&position) else {
                // Where the game is over no search finds a move, and the book would never have an entry.
                if GameEnd::from_position(&position, &Rules::default()).is_none() {
                    leaves.push(position);
                }
                continue;
            };
            if position.game_ply() >= max_ply {
                continue;
            }
            let scored = || entry.moves.iter().filter(|known| known.is_scored());
            let Some(best) = scored().map(|known| known.score).max() else { continue };
            for known in scored() {
                let mv = if is_rotated { known.rotated().mv } else { known.mv };
                let mut after = setup.clone();
                after.do_move(mv);
                let loss = best.abs_diff(known.score) as u64 * 1000 / u64::from(loss_per_ply.max(1));
                open.push(Reverse((cost + 1000 + loss, after.to_sfen())));
            }
        }
        leaves
    }
}
