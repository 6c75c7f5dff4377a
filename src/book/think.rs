//! What the engine thinks of positions, for a book.

use std::collections::{BinaryHeap, HashSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder};

use super::moves::BookMove;
use super::table::BookTable;
use super::{flip::flipped_sfen, key};
use crate::eval::Evaluation;
use crate::position::Position;
use crate::rules::{GameEnd, Rules};
use crate::search::{LocalSearcher, STACK_SIZE, SearchInfo, SearchLimits, SearchSettings};
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

/// Searches positions on several threads, each from nothing: what is found does not depend on the threads or the order.
pub struct Thinker {
    pool: ThreadPool,
    searchers: Vec<Mutex<LocalSearcher>>,
    limits: SearchLimits,
    settings: SearchSettings,
}

impl Thinker {
    /// Makes the threads.
    ///
    /// # Errors
    /// When the system refuses threads.
    pub fn new(settings: &ThinkSettings, evaluation: &Evaluation) -> Result<Thinker, ThreadPoolBuildError> {
        let pool = ThreadPoolBuilder::new().num_threads(settings.threads).stack_size(STACK_SIZE).build()?;
        let searcher = |_| Mutex::new(LocalSearcher::new(settings.hash_mb, evaluation));
        Ok(Thinker {
            searchers: (0..pool.current_num_threads()).map(searcher).collect(),
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
    let depth = line.depth.max(1) as u32;
    Some(BookMove { mv, ponder: line.pv.get(1).copied(), score: book_score(line.score), depth, count: 0 })
}

/// A score as books write it; mates and wins by rule lie beyond all evaluations, the sooner the farther.
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
    /// A move that is so much worse than the best of its position counts as one ply more: the smaller, the narrower.
    pub loss_per_ply: u32,
    /// No positions beyond this move number.
    pub max_ply: u32,
}

impl BookTable {
    /// Up to `most` positions of which nothing was searched.
    pub fn unsearched(&self, most: usize) -> Vec<Position> {
        let waiting = self.entries().filter(|(_, entry)| !entry.is_searched());
        let position =
            |(sfen, entry): (&str, &super::TableEntry)| Position::from_sfen(&format!("{sfen} {}", entry.ply));
        waiting.filter_map(|entry| position(entry).ok()).take(most).collect()
    }

    /// Up to `most` positions that moves of the book lead to and the book lacks, those first that are reached from a
    /// start by few moves that lose little. Positions in which the game is over are none.
    pub fn leaves(&self, starts: &[Position], growth: &Growth, most: usize) -> Vec<Position> {
        let mut open: BinaryHeap<Open> = starts.iter().map(|start| Open { cost: 0, position: start.clone() }).collect();
        let (mut seen, mut leaves) = (HashSet::new(), Vec::new());
        while let Some(Open { cost, position }) = open.pop() {
            if leaves.len() == most {
                break;
            }
            let sfen = position.to_sfen();
            if position.game_ply() > growth.max_ply
                || seen.contains(key(&flipped_sfen(&sfen)))
                || !seen.insert(key(&sfen).to_owned())
            {
                continue;
            }
            let Some((entry, turned)) = self.get_either_way(&position) else {
                // Where the game is over no search finds a move, and the book would never have an entry.
                if GameEnd::of(&position, &Rules::default()).is_none() {
                    leaves.push(position);
                }
                continue;
            };
            let scored = || entry.moves.iter().filter(|known| known.is_scored());
            let Some(best) = scored().map(|known| known.score).max() else { continue };
            for known in scored() {
                let mv = if turned { known.flipped().mv } else { known.mv };
                let mut after = position.clone();
                after.do_move(mv);
                let loss = best.abs_diff(known.score) as u64 * 1000 / u64::from(growth.loss_per_ply.max(1));
                open.push(Open { cost: cost + 1000 + loss, position: after });
            }
        }
        leaves
    }
}

/// A position on the way, the cheapest first; of equals, in the order of their SFENs.
struct Open {
    cost: u64,
    position: Position,
}

impl Ord for Open {
    fn cmp(&self, other: &Open) -> std::cmp::Ordering {
        other.cost.cmp(&self.cost).then_with(|| other.position.to_sfen().cmp(&self.position.to_sfen()))
    }
}

impl PartialOrd for Open {
    fn partial_cmp(&self, other: &Open) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Open {
    fn eq(&self, other: &Open) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Open {}
