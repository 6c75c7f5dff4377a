//! Searching the positions of a book.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

use super::key;
use super::moves::BookMove;
use super::table::BookTable;
use crate::eval::Evaluation;
use crate::position::{Position, Setup};
use crate::rules::{GameEnd, Rules};
use crate::search::{LocalSearcher, STACK_SIZE, SearchInfo, SearchLimits, SearchSettings, SearcherError};
use crate::types::{Outcome, Score};

/// How positions are searched.
#[derive(Clone, Debug)]
pub struct ThinkSettings {
    /// Nodes for each position.
    pub nodes: u64,
    /// How many best moves to find.
    pub lines: usize,
    /// Table of each thread in MiB.
    pub hash_mb: usize,
    /// Threads, each with a position of its own; 0 for one on each core.
    pub threads: usize,
}

/// Searches positions on several threads, each with empty tables: the results do not depend on the threads or the
/// order.
pub struct Thinker {
    pool: ThreadPool,
    searchers: Vec<Mutex<LocalSearcher>>,
    limits: SearchLimits,
    settings: SearchSettings,
}

impl Thinker {
    /// Starts the threads.
    ///
    /// # Errors
    /// When the system refuses the memory or the threads.
    pub fn new(settings: &ThinkSettings, evaluation: &Evaluation) -> Result<Thinker, SearcherError> {
        let threads = settings.threads;
        let pool = ThreadPoolBuilder::new().num_threads(threads).stack_size(STACK_SIZE).build();
        let pool = pool.map_err(|source| SearcherError::Threads { threads, source })?;
        let searcher = |_| LocalSearcher::try_new(settings.hash_mb, evaluation).map(Mutex::new);
        Ok(Thinker {
            searchers: (0..pool.current_num_threads()).map(searcher).collect::<Result<_, _>>()?,
            pool,
            limits: SearchLimits { nodes: Some(settings.nodes), ..SearchLimits::default() },
            settings: SearchSettings { multi_pv: settings.lines.max(1), ..SearchSettings::default() },
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
        let mut searcher = self.searchers[index].lock().unwrap_or_else(PoisonError::into_inner);
        searcher.clear();
        let result = searcher.search(position, &self.limits, &self.settings);
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
    match score.outcome() {
        Outcome::Centipawns(cp) => cp,
        Outcome::MateIn(plies) | Outcome::WinIn(plies) => DECIDED - plies as i32,
        Outcome::MatedIn(plies) | Outcome::LossIn(plies) => plies as i32 - DECIDED,
    }
}

/// Where a book grows.
#[derive(Clone, Copy, Debug)]
pub struct Growth {
    /// A move that is this much worse than the best of its position counts as one ply more: the smaller, the narrower
    /// the book.
    pub loss_per_ply: u32,
    /// No positions beyond this move number.
    pub max_ply: u32,
}

impl BookTable {
    /// The positions without a searched move.
    pub fn unsearched(&self) -> impl Iterator<Item = Position> {
        let waiting = self.entries().filter(|(_, entry)| !entry.is_searched());
        waiting.filter_map(|(sfen, entry)| {
            let mut setup = Setup::from_sfen(sfen).ok()?;
            setup.set_move_number(entry.ply);
            Position::from_setup(&setup).ok()
        })
    }

    /// Up to `most` positions that moves of the book lead to and the book lacks, those first that are reached from a
    /// start by few moves that lose little. Positions in which the game is over are none.
    pub fn leaves(&self, starts: &[Position], growth: &Growth, most: usize) -> Vec<Position> {
        let mut open = Open::default();
        starts.iter().filter(|start| start.game_ply() <= growth.max_ply).for_each(|start| open.push(0, start));
        let mut leaves = Vec::new();
        while leaves.len() < most {
            let Some((cost, position)) = open.pop() else { break };
            let Some((entry, is_rotated)) = self.get_either_way(&position) else {
                // Where the game is over no search finds a move, and the book would never have an entry.
                if GameEnd::from_position(&position, &Rules::default()).is_none() {
                    leaves.push(position);
                }
                continue;
            };
            if position.game_ply() >= growth.max_ply {
                continue;
            }
            let scored = || entry.moves.iter().filter(|known| known.is_scored());
            let Some(best) = scored().map(|known| known.score).max() else { continue };
            for known in scored() {
                let mv = if is_rotated { known.rotated().mv } else { known.mv };
                let mut after = position.clone();
                after.do_move(mv);
                let loss = best.abs_diff(known.score) as u64 * 1000 / u64::from(growth.loss_per_ply.max(1));
                open.push(cost + 1000 + loss, &after);
            }
        }
        leaves
    }
}

/// The open list of the search for leaves: the positions on the way, the cheapest first; of equals, in the order of
/// their SFENs. There may be millions of them, so that they are kept as text, which is their order as well.
#[derive(Default)]
struct Open {
    heap: BinaryHeap<Reverse<(u64, String)>>,
    /// The closed list: the keys of all that were taken out.
    seen: HashSet<String>,
}

impl Open {
    fn is_seen(&self, setup: &Setup) -> bool {
        self.seen.contains(&key(setup)) || self.seen.contains(&key(&setup.rotated()))
    }

    fn push(&mut self, cost: u64, position: &Position) {
        let setup = position.setup();
        if !self.is_seen(&setup) {
            self.heap.push(Reverse((cost, setup.to_sfen())));
        }
    }

    /// The next position that was not seen yet, this way round or the other.
    fn pop(&mut self) -> Option<(u64, Position)> {
        while let Some(Reverse((cost, sfen))) = self.heap.pop() {
            let Ok(position) = Position::from_sfen(&sfen) else { continue };
            let setup = position.setup();
            if !self.is_seen(&setup) {
                self.seen.insert(key(&setup));
                return Some((cost, position));
            }
        }
        None
    }
}
