//! The threads that search together.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use rayon::{ThreadPool, ThreadPoolBuilder};

use super::thread::{Memory, SearchThread, Shared};
use super::tt::TranspositionTable;
use super::{SearchControl, SearchInfo, SearchLimits, SearchObserver, SearchResult, SearchSettings};
use crate::eval::{AnyEvaluator, Evaluation, Evaluator};
use crate::movegen::{MoveList, Selection, generate, legal_moves};
use crate::position::Position;
use crate::types::{Depth, Move, Score};

/// Threads, their tables and what they learnt from earlier searches of the game.
///
/// Lazy SMP: all threads search the same root and help each other through the shared table alone.
pub struct Searcher {
    pool: ThreadPool,
    table: TranspositionTable,
    evaluation: Evaluation,
    /// One a thread. Only that thread locks it while a search runs.
    memories: Vec<Mutex<Memory<AnyEvaluator>>>,
}

/// Bytes of stack that a search needs at most: every ply of the deepest line has its moves there.
pub const STACK_SIZE: usize = 32 << 20;
/// How often a search that has finished early looks whether it may answer.
const WAIT_INTERVAL: Duration = Duration::from_millis(1);

impl Searcher {
    /// A searcher with this many threads (at least one) and a transposition table of this many MiB, that
    /// evaluates by the network in the program.
    ///
    /// # Panics
    /// When the system refuses the threads.
    pub fn new(threads: usize, hash_mb: usize) -> Searcher {
        let pool = build_pool(threads);
        let table = pool.install(|| TranspositionTable::new(hash_mb));
        let evaluation = Evaluation::default();
        let memories = new_memories(&pool, &evaluation);
        Searcher { pool, table, evaluation, memories }
    }

    /// Number of threads.
    pub fn threads(&self) -> usize {
        self.memories.len()
    }

    /// Changes the number of threads; what they learnt is forgotten.
    ///
    /// # Panics
    /// When the system refuses the threads.
    pub fn set_threads(&mut self, threads: usize) {
        if threads.max(1) != self.threads() {
            self.pool = build_pool(threads);
            self.memories = new_memories(&self.pool, &self.evaluation);
        }
    }

    /// Changes the size of the transposition table, which is then empty.
    pub fn set_hash(&mut self, hash_mb: usize) {
        // The old table is freed first: there may not be room for both.
        self.table = TranspositionTable::new(0);
        self.table = self.pool.install(|| TranspositionTable::new(hash_mb));
    }

    /// Evaluates by other means from now on. What was learnt with the old ones is forgotten.
    pub fn set_evaluation(&mut self, evaluation: Evaluation) {
        self.memories = new_memories(&self.pool, &evaluation);
        self.evaluation = evaluation;
        self.clear();
    }

    /// Forgets everything, for a new game.
    pub fn clear(&mut self) {
        let (table, memories) = (&mut self.table, &mut self.memories);
        self.pool.install(|| {
            use rayon::prelude::*;
            table.clear();
            memories.par_iter_mut().for_each(|memory| unpoisoned(memory.get_mut()).clear());
        });
    }

    /// Searches until a limit or `control` ends it. Blocks; when `limits` ask to ponder or to search
    /// without end, nothing returns before `control` says so.
    pub fn search(
        &mut self,
        position: &Position,
        limits: &SearchLimits,
        settings: &SearchSettings,
        control: &SearchControl,
        observer: &dyn SearchObserver,
    ) -> SearchResult {
        let start = Instant::now();
        let root_moves = root_moves(position, limits, settings);
        self.table.next_generation();
        let shared = Shared {
            table: &self.table,
            control,
            observer,
            limits,
            settings,
            stop: AtomicBool::new(false),
            nodes: self.memories.iter().map(|_| Default::default()).collect(),
        };
        if root_moves.is_empty() {
            wait_for_leave_to_answer(&shared);
            return SearchResult { lines: Vec::new(), nodes: 0, time: start.elapsed() };
        }

        let memories = &self.memories;
        let lines = settings.multi_pv.clamp(1, root_moves.len());
        let found = self.pool.broadcast(|context| {
            let index = context.index();
            let mut memory = unpoisoned(memories[index].lock());
            search_one(index, &shared, &mut memory, position, &root_moves)
        });

        let nodes = shared.total_nodes();
        let mut lines = best_of(found, lines);
        for line in &mut lines {
            line.nodes = nodes;
            line.time = start.elapsed();
        }
        SearchResult { lines, nodes, time: start.elapsed() }
    }
}

/// What one thread has found.
pub(super) struct Found {
    completed_depth: Depth,
    pub(super) lines: Vec<SearchInfo>,
}

/// One thread's share of a search, done on the thread that calls.
pub(super) fn search_one<E: Evaluator>(
    index: usize,
    shared: &Shared<'_>,
    memory: &mut Memory<E>,
    position: &Position,
    root_moves: &[Move],
) -> Found {
    let mut thread = SearchThread::new(index, shared, memory, position, root_moves);
    thread.deepen();
    thread.poll_now();
    if index == 0 {
        wait_for_leave_to_answer(shared);
        shared.stop.store(true, Relaxed);
    }
    let lines = shared.settings.multi_pv.clamp(1, root_moves.len());
    Found { completed_depth: thread.completed_depth, lines: thread.infos(lines) }
}

/// The lines of the thread to believe. With several lines asked for, the main thread's order is kept.
fn best_of(found: Vec<Found>, lines: usize) -> Vec<SearchInfo> {
    let mut candidates = found.into_iter();
    let Some(mut best) = candidates.next() else { return Vec::new() };
    if lines == 1 {
        let worth = |found: &Found| {
            let score = found.lines.first().map_or(-Score::INFINITE, |line| line.score);
            // A win that was seen is believed first, then the deeper search, then the higher score.
            (score.is_win(), found.completed_depth, score)
        };
        for candidate in candidates {
            if worth(&candidate) > worth(&best) {
                best = candidate;
            }
        }
    }
    best.lines
}

pub(super) fn root_moves(position: &Position, limits: &SearchLimits, settings: &SearchSettings) -> Vec<Move> {
    if !limits.search_moves.is_empty() {
        // Whoever names moves may name those that are not generated otherwise.
        let all = legal_moves(position);
        return all.into_iter().filter(|mv| limits.search_moves.contains(mv)).collect();
    }
    let mut list = MoveList::new();
    if settings.generate_all_legal_moves {
        generate::<true, _>(position, Selection::All, &mut list);
    } else {
        generate::<false, _>(position, Selection::All, &mut list);
    }
    list.into_iter().collect()
}

/// In `infinite` and `ponder` no answer may be given before it is asked for.
fn wait_for_leave_to_answer(shared: &Shared<'_>) {
    while (shared.limits.infinite || shared.control.is_pondering()) && !shared.control.is_stopped() {
        std::thread::sleep(WAIT_INTERVAL);
    }
}

fn build_pool(threads: usize) -> ThreadPool {
    ThreadPoolBuilder::new()
        .num_threads(threads.max(1))
        .thread_name(|index| format!("search-{index}"))
        .stack_size(STACK_SIZE)
        .build()
        .expect("the system can start the search threads")
}

/// Each thread makes its own memory, so that it lies near it.
fn new_memories(pool: &ThreadPool, evaluation: &Evaluation) -> Vec<Mutex<Memory<AnyEvaluator>>> {
    pool.broadcast(|_| Mutex::new(Memory::new(evaluation.evaluator())))
}

/// A thread that panicked leaves its memory in some order; it is only advice, so use it.
fn unpoisoned<T>(result: Result<T, std::sync::PoisonError<T>>) -> T {
    result.unwrap_or_else(|poisoned| poisoned.into_inner())
}
