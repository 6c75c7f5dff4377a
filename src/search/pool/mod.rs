//! The threads that search together.

mod local;
mod vote;
mod watchdog;
mod worker;

pub use local::LocalSearcher;

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};

use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::eval::Evaluation;
use crate::position::Position;
use crate::search::control::{
    SearchControl, SearchInfo, SearchLimits, SearchObserver, SearchResult, SearchSettings, TimeManager,
};
use crate::search::pool::vote::{Found, best_of};
use crate::search::pool::watchdog::{OnDrop, answer_when_overdue};
use crate::search::pool::worker::{root_moves, search_one};
use crate::search::state::answer::AnswerSlot;
use crate::search::state::shared::Shared;
use crate::search::state::thread::Memory;
use crate::search::tables::tt::TranspositionTable;
use crate::types::Move;

/// The search threads, their transposition table, and the histories that they keep from one search to the next.
///
/// Lazy SMP: all threads search the same root and help each other through the shared table alone.
pub struct Searcher {
    pool: ThreadPool,
    table: TranspositionTable,
    evaluation: Evaluation,
    /// One a thread. Only that thread locks it while a search runs.
    memories: Vec<Mutex<Memory>>,
    answer: AnswerSlot,
}

/// Bytes of stack that a search needs at most: every ply of the deepest line has its moves there.
pub const STACK_SIZE: usize = 32 << 20;

impl Searcher {
    /// A searcher with this many threads (at least one) and a transposition table of this many MiB, which uses the
    /// built-in network.
    ///
    /// # Panics
    /// When the system refuses the threads.
    pub fn new(threads: usize, hash_mb: usize) -> Searcher {
        Searcher::with_evaluation(threads, hash_mb, Evaluation::default())
    }

    /// The same with another evaluation.
    ///
    /// # Panics
    /// When the system refuses the threads.
    pub fn with_evaluation(threads: usize, hash_mb: usize, evaluation: Evaluation) -> Searcher {
        let pool = build_pool(threads);
        let table = pool.install(|| TranspositionTable::new(hash_mb));
        let memories = new_memories(&pool, &evaluation);
        Searcher { pool, table, evaluation, memories, answer: AnswerSlot::default() }
    }

    /// The evaluation.
    pub fn evaluation(&self) -> &Evaluation {
        &self.evaluation
    }

    /// Whether the system said that the transposition table lies on large pages: Windows does, where the user has the
    /// right to lock pages in memory. Linux gives them unasked, and does not say so.
    pub fn is_on_large_pages(&self) -> bool {
        self.table.is_on_large_pages()
    }

    /// Number of threads.
    pub fn threads(&self) -> usize {
        self.memories.len()
    }

    /// Changes the number of threads; their histories are cleared.
    ///
    /// # Panics
    /// When the system refuses the threads.
    pub fn set_threads(&mut self, threads: usize) {
        if threads.max(1) != self.threads() {
            self.pool = build_pool(threads);
            self.renew_memories();
        }
    }

    /// Uses another evaluation from now on. The table and the histories are cleared.
    pub fn set_evaluation(&mut self, evaluation: Evaluation) {
        self.evaluation = evaluation;
        self.renew_memories();
        self.clear();
    }

    /// Replaces each thread's memory. The old ones are freed first: there may not be room for both.
    fn renew_memories(&mut self) {
        self.memories = Vec::new();
        self.memories = new_memories(&self.pool, &self.evaluation);
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
        let root_moves = root_moves(position, limits, settings);
        self.table.next_generation();
        self.answer.begin(position);
        let (color, game_ply) = (position.side_to_move(), position.game_ply());
        let shared = Shared {
            table: &self.table,
            control,
            observer,
            limits,
            settings,
            time: TimeManager::new(control, limits, settings, color, game_ply),
            stop: AtomicBool::new(false),
            nodes: self.memories.iter().map(|_| Default::default()).collect(),
            answer: &self.answer,
            refuted: Default::default(),
            extends_pv: true,
        };
        if root_moves.is_empty() {
            control.wait_until_answerable(limits.infinite);
            return SearchResult { lines: Vec::new(), unsearched_move: None, nodes: 0, time: shared.time.elapsed() };
        }

        let found = self.search_on_all_threads(&shared, position, &root_moves);
        let mut lines = best_of(found, settings.multi_pv.clamp(1, root_moves.len()));
        let (nodes, time) = (shared.total_nodes(), shared.time.elapsed());
        for line in &mut lines {
            (line.nodes, line.time) = (nodes, time);
        }
        SearchResult { lines, unsearched_move: root_moves.first().copied(), nodes, time }
    }

    /// What each thread has found. The calling thread waits meanwhile, and answers if they are late.
    fn search_on_all_threads(&self, shared: &Shared<'_>, position: &Position, root_moves: &[Move]) -> Vec<Found> {
        let found: Vec<Mutex<Option<Found>>> = self.memories.iter().map(|_| Mutex::default()).collect();
        let searching = AtomicUsize::new(self.threads());
        self.pool.in_place_scope(|scope| {
            scope.spawn_broadcast(|_, context| {
                // A thread that panics has ended as well.
                let _end = OnDrop(|| {
                    searching.fetch_sub(1, SeqCst);
                    shared.control.wake();
                });
                let index = context.index();
                let mut memory = unpoisoned(self.memories[index].lock());
                let result = search_one(index, shared, &mut memory, position, root_moves);
                *unpoisoned(found[index].lock()) = Some(result);
            });
            answer_when_overdue(shared, position, &self.evaluation, || searching.load(SeqCst) == 0);
        });
        found.into_iter().filter_map(|found| unpoisoned(found.into_inner())).collect()
    }

    /// The best lines, best first, that the last search of this position had found when it ended by a panic. Empty if
    /// it had not found any yet.
    pub fn lines_so_far(&self, position: &Position) -> Vec<SearchInfo> {
        self.answer.get(position).into_iter().zip(1..).map(|(line, rank)| line.into_info(rank)).collect()
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
fn new_memories(pool: &ThreadPool, evaluation: &Evaluation) -> Vec<Mutex<Memory>> {
    pool.broadcast(|_| Mutex::new(Memory::new(evaluation.evaluator())))
}

/// A thread that panicked leaves its memory in some order; it is only advice, so use it.
fn unpoisoned<T>(result: Result<T, std::sync::PoisonError<T>>) -> T {
    result.unwrap_or_else(|poisoned| poisoned.into_inner())
}
