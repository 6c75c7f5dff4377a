//! The threads that search together.

mod local;
mod vote;

pub use local::LocalSearcher;

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::eval::Evaluation;
use crate::movegen::{Selection, legal_moves};
use crate::position::Position;
use crate::search::control::{SearchControl, SearchLimits, SearchObserver, SearchResult, SearchSettings, TimeManager};
use crate::search::ordering::nonpromotions::{NonPromotions, list_with};
use crate::search::state::shared::Shared;
use crate::search::state::thread::{Memory, SearchThread};
use crate::search::tables::tt::TranspositionTable;
use crate::types::Move;
use vote::{Found, best_of};

/// Threads, their tables and what they remembered from earlier searches of the game.
///
/// Lazy SMP: all threads search the same root and help each other through the shared table alone.
pub struct Searcher {
    pool: ThreadPool,
    table: TranspositionTable,
    evaluation: Evaluation,
    /// One a thread. Only that thread locks it while a search runs.
    memories: Vec<Mutex<Memory>>,
}

/// Bytes of stack that a search needs at most: every ply of the deepest line has its moves there.
pub const STACK_SIZE: usize = 32 << 20;
/// How long after the last moment a search that does not end is answered for.
const GRACE: Duration = Duration::from_millis(2);
/// How often the thread that waits for a pondering search looks whether its clock has started.
const PONDER_INTERVAL: Duration = Duration::from_millis(5);
/// How often a search that has finished early looks whether it may answer.
const WAIT_INTERVAL: Duration = Duration::from_millis(1);

impl Searcher {
    /// A searcher with this many threads (at least one) and a transposition table of this many MiB, that
    /// evaluates by the network in the program.
    ///
    /// # Panics
    /// When the system refuses the threads.
    pub fn new(threads: usize, hash_mb: usize) -> Searcher {
        Searcher::with_evaluation(threads, hash_mb, Evaluation::default())
    }

    /// The same, evaluating by other means.
    ///
    /// # Panics
    /// When the system refuses the threads.
    pub fn with_evaluation(threads: usize, hash_mb: usize, evaluation: Evaluation) -> Searcher {
        let pool = build_pool(threads);
        let table = pool.install(|| TranspositionTable::new(hash_mb));
        let memories = new_memories(&pool, &evaluation);
        Searcher { pool, table, evaluation, memories }
    }

    /// What evaluates.
    pub fn evaluation(&self) -> &Evaluation {
        &self.evaluation
    }

    /// Number of threads.
    pub fn threads(&self) -> usize {
        self.memories.len()
    }

    /// Changes the number of threads; what they remembered is forgotten.
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
        self.table = TranspositionTable::new_local(0);
        self.table = self.pool.install(|| TranspositionTable::new(hash_mb));
    }

    /// Evaluates by other means from now on. What was remembered with the old ones is forgotten.
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
            answer: Default::default(),
        };
        if root_moves.is_empty() {
            wait_for_leave_to_answer(&shared);
            return SearchResult { lines: Vec::new(), nodes: 0, time: start.elapsed() };
        }

        let lines = settings.multi_pv.clamp(1, root_moves.len());
        let found = self.search_on_all_threads(&shared, position, &root_moves, start);

        let nodes = shared.total_nodes();
        let mut lines = best_of(found, lines);
        for line in &mut lines {
            line.nodes = nodes;
            line.time = start.elapsed();
        }
        SearchResult { lines, nodes, time: start.elapsed() }
    }
}

impl Searcher {
    /// What each thread has found. The calling thread waits, and keeps an eye on the clock: it sleeps, so that
    /// on a busy machine it is given a processor sooner than the threads that search all the time.
    fn search_on_all_threads(
        &self,
        shared: &Shared<'_>,
        position: &Position,
        root_moves: &[Move],
        start: Instant,
    ) -> Vec<Found> {
        let memories = &self.memories;
        let (sender, receiver) = mpsc::channel();
        let mut found: Vec<Option<Found>> = memories.iter().map(|_| None).collect();
        self.pool.in_place_scope(|scope| {
            scope.spawn_broadcast(move |_, context| {
                let index = context.index();
                let mut memory = unpoisoned(memories[index].lock());
                // The receiver waits for every thread.
                let _ = sender.send((index, search_one(index, shared, &mut memory, position, root_moves)));
            });
            let mut moment = None;
            let mut answered = false;
            // A thread that panics sends nothing; the channel closes when all have ended.
            while found.iter().any(Option::is_none) {
                moment = moment.or_else(|| last_moment(shared, position));
                let received = match moment {
                    _ if answered => receiver.recv().map_err(RecvTimeoutError::from),
                    Some(moment) => receiver.recv_timeout(moment.saturating_duration_since(Instant::now())),
                    None if shared.limits.ponder => receiver.recv_timeout(PONDER_INTERVAL),
                    None => receiver.recv().map_err(RecvTimeoutError::from),
                };
                match received {
                    Ok((index, result)) => found[index] = Some(result),
                    Err(RecvTimeoutError::Timeout) if moment.is_some() => {
                        answered = true;
                        shared.stop.store(true, Relaxed);
                        let main_thread = found[0].as_ref().map(|found| found.lines.clone());
                        let lines = main_thread.unwrap_or_else(|| shared.infos(shared.answer.get(), position, start));
                        if !lines.is_empty() {
                            shared.observer.on_overdue(&lines);
                        }
                    }
                    Err(RecvTimeoutError::Timeout) => {}
                    Err(RecvTimeoutError::Disconnected) => break,
                }
            }
        });
        found.into_iter().flatten().collect()
    }
}

/// When a search whose time is limited should have ended by itself; none as long as it ponders.
fn last_moment(shared: &Shared<'_>, position: &Position) -> Option<Instant> {
    let (limits, settings) = (shared.limits, &shared.settings.time);
    let (color, game_ply) = (position.side_to_move(), position.game_ply());
    let time = if limits.ponder {
        TimeManager::after_ponder_hit(shared.control.ponder_hit_seen()?, limits, settings, color, game_ply)
    } else {
        TimeManager::new(limits, settings, color, game_ply)
    };
    time.deadline()?.checked_add(GRACE)
}

/// One thread's share of a search, done on the thread that calls.
pub(crate) fn search_one(
    index: usize,
    shared: &Shared<'_>,
    memory: &mut Memory,
    position: &Position,
    root_moves: &[Move],
) -> Found {
    let _others_end = (index == 0).then(|| StopOnDrop(&shared.stop));
    let mut thread = SearchThread::new(index, shared, memory, position, root_moves);
    thread.deepen();
    thread.poll_now();
    if index == 0 {
        wait_for_leave_to_answer(shared);
    }
    let lines = shared.settings.multi_pv.clamp(1, root_moves.len());
    Found { completed_depth: thread.completed_depth, lines: thread.infos(lines) }
}

/// Ends the search of the other threads with that of the main thread, whose watch they rely on, be it by a panic.
struct StopOnDrop<'a>(&'a AtomicBool);

impl Drop for StopOnDrop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Relaxed);
    }
}

pub(crate) fn root_moves(position: &Position, limits: &SearchLimits, settings: &SearchSettings) -> Vec<Move> {
    if !limits.search_moves.is_empty() {
        // Whoever names moves may name those that are not generated otherwise.
        let all = legal_moves(position);
        return all.into_iter().filter(|mv| limits.search_moves.contains(mv)).collect();
    }
    list_with(position, Selection::All, NonPromotions::at_root(settings)).into_iter().collect()
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
fn new_memories(pool: &ThreadPool, evaluation: &Evaluation) -> Vec<Mutex<Memory>> {
    pool.broadcast(|_| Mutex::new(Memory::new(evaluation.evaluator())))
}

/// A thread that panicked leaves its memory in some order; it is only advice, so use it.
fn unpoisoned<T>(result: Result<T, std::sync::PoisonError<T>>) -> T {
    result.unwrap_or_else(|poisoned| poisoned.into_inner())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::control::SearchInfo;

    /// Cannot bear news.
    struct PanickingObserver;

    impl SearchObserver for PanickingObserver {
        fn on_info(&self, _: &SearchInfo) {
            panic!("no news, please");
        }
    }

    #[test]
    #[should_panic(expected = "no news, please")]
    fn a_panic_ends_the_search_of_all_threads() {
        let (limits, settings) = (SearchLimits::default(), SearchSettings::default());
        let control = SearchControl::new();
        Searcher::new(2, 1).search(&Position::startpos(), &limits, &settings, &control, &PanickingObserver);
    }

    /// Holds the search up for long, once it has something to say.
    #[derive(Default)]
    struct SlowObserver {
        overdue: Mutex<Vec<(Duration, Move)>>,
        start: Mutex<Option<Instant>>,
    }

    impl SearchObserver for SlowObserver {
        fn on_info(&self, info: &SearchInfo) {
            if info.depth > 1 {
                std::thread::sleep(Duration::from_secs(2));
            }
        }

        fn on_overdue(&self, lines: &[SearchInfo]) {
            let elapsed = unpoisoned(self.start.lock()).unwrap().elapsed();
            unpoisoned(self.overdue.lock()).push((elapsed, lines[0].pv[0]));
        }
    }

    /// When a search that its observer holds up was answered for; its clock starts with it or, if it ponders, with
    /// the hit after some time.
    fn answered_for(threads: usize, ponder: Option<Duration>) -> Duration {
        let mut searcher = Searcher::new(threads, 1);
        let observer = SlowObserver::default();
        let limits = SearchLimits {
            move_time: Some(Duration::from_millis(200)),
            ponder: ponder.is_some(),
            ..SearchLimits::default()
        };
        let position = Position::startpos();
        let settings = SearchSettings { pv_interval: Duration::ZERO, ..SearchSettings::default() };
        let control = SearchControl::new();
        control.reset(limits.ponder);
        *unpoisoned(observer.start.lock()) = Some(Instant::now());
        std::thread::scope(|scope| {
            if let Some(time) = ponder {
                let control = &control;
                scope.spawn(move || {
                    std::thread::sleep(time);
                    control.ponder_hit(None);
                });
            }
            searcher.search(&position, &limits, &settings, &control, &observer);
        });
        let overdue = observer.overdue.into_inner().unwrap();
        let [(elapsed, best)] = overdue[..] else { panic!("{overdue:?}") };
        assert!(position.is_legal(best));
        elapsed
    }

    #[test]
    fn a_search_that_is_held_up_is_answered_for_in_time() {
        for threads in [1, 2] {
            let elapsed = answered_for(threads, None);
            assert!(elapsed >= Duration::from_millis(198) && elapsed < Duration::from_secs(1), "{elapsed:?}");
        }
    }

    #[test]
    fn so_is_one_that_pondered() {
        let elapsed = answered_for(1, Some(Duration::from_millis(300)));
        assert!(elapsed >= Duration::from_millis(498) && elapsed < Duration::from_millis(1300), "{elapsed:?}");
    }
}
