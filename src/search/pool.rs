//! The threads that search together, each one's share of the search, and the vote on its result.

use std::sync::Mutex;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::{Relaxed, SeqCst};
use std::time::Duration;

use rayon::{ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder};
use thiserror::Error;

use crate::eval::Evaluation;
use crate::memory::OutOfMemory;
use crate::movegen::{Selection, legal_moves};
use crate::position::Position;
use crate::search::limits::SearchLimits;
use crate::search::movepick::{NonPromotions, list_with};
use crate::search::report::{SearchInfo, SearchObserver, SearchResult, SilentObserver};
use crate::search::root_moves::AnswerSlot;
use crate::search::settings::SearchSettings;
use crate::search::signals::Signals;
use crate::search::thread::{Memory, Request, SearchThread, Shared};
use crate::search::tt::TranspositionTable;
use crate::search::watchdog::{OnDrop, answer_when_overdue};
use crate::threads;
use crate::types::{Depth, Move, Score};

/// The search threads, their transposition table, and the histories that they keep from one search to the next.
///
/// Lazy SMP: all threads search the same root and help each other through the shared table alone.
pub struct Searcher {
    /// None where there are no threads: then the calling thread searches.
    pool: Option<ThreadPool>,
    table: TranspositionTable,
    evaluation: Evaluation,
    /// One a thread. Only that thread locks it while a search runs.
    memories: Vec<Mutex<Memory>>,
    answer: AnswerSlot,
}

/// Why no searcher can be made.
#[derive(Debug, Error)]
pub enum SearcherError {
    /// The system refuses the memory for a table.
    #[error("not enough memory for {mib} MiB")]
    Memory {
        /// The size of the table in MiB.
        mib: usize,
    },
    /// The system starts no more threads.
    #[error("cannot start {threads} search threads: {source}")]
    Threads {
        /// How many were asked for.
        threads: usize,
        /// What the system says.
        source: ThreadPoolBuildError,
    },
}

impl From<OutOfMemory> for SearcherError {
    fn from(OutOfMemory { mib }: OutOfMemory) -> SearcherError {
        SearcherError::Memory { mib }
    }
}

/// Bytes of stack that a search needs at most: every ply of the deepest line has its moves there.
pub const STACK_SIZE: usize = 32 << 20;

impl Searcher {
    /// A searcher with this many threads (at least one) and a transposition table of this many MiB, which uses the
    /// built-in network.
    ///
    /// # Panics
    /// When the system refuses the memory or the threads; see [`Searcher::try_new`].
    pub fn new(threads: usize, hash_mb: usize) -> Searcher {
        Searcher::try_new(threads, hash_mb, Evaluation::default()).unwrap_or_else(|error| panic!("{error}"))
    }

    /// The same with another evaluation.
    ///
    /// # Errors
    /// When the system refuses the memory or the threads.
    pub fn try_new(threads: usize, hash_mb: usize, evaluation: Evaluation) -> Result<Searcher, SearcherError> {
        if !threads::AVAILABLE {
            let table = TranspositionTable::try_new_local(hash_mb)?;
            let memories = vec![Mutex::new(Memory::try_new(evaluation.evaluator())?)];
            return Ok(Searcher { pool: None, table, evaluation, memories, answer: AnswerSlot::default() });
        }
        let threads = threads.max(1);
        let pool = ThreadPoolBuilder::new()
            .num_threads(threads)
            .thread_name(|index| format!("search-{index}"))
            .stack_size(STACK_SIZE)
            .build()
            .map_err(|source| SearcherError::Threads { threads, source })?;
        let table = pool.install(|| TranspositionTable::try_new(hash_mb))?;
        // Each thread makes its own memory, so that it lies near it.
        let memories = pool.broadcast(|_| Memory::try_new(evaluation.evaluator()).map(Mutex::new));
        let memories = memories.into_iter().collect::<Result<_, _>>()?;
        Ok(Searcher { pool: Some(pool), table, evaluation, memories, answer: AnswerSlot::default() })
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

    /// Uses another evaluation from now on. The table and the histories are cleared.
    pub fn set_evaluation(&mut self, evaluation: Evaluation) {
        self.evaluation = evaluation;
        let (memories, evaluation) = (&self.memories, &self.evaluation);
        let set = |index: usize| unpoisoned(memories[index].lock()).set_evaluator(evaluation.evaluator());
        match &self.pool {
            Some(pool) => drop(pool.broadcast(|context| set(context.index()))),
            None => set(0),
        }
        self.clear();
    }

    /// Forgets everything, for a new game.
    pub fn clear(&mut self) {
        let (table, memories) = (&mut self.table, &mut self.memories);
        let Some(pool) = &self.pool else {
            table.clear_local();
            memories.iter_mut().for_each(|memory| unpoisoned(memory.get_mut()).clear());
            return;
        };
        pool.install(|| {
            use rayon::prelude::*;
            table.clear();
            memories.par_iter_mut().for_each(|memory| unpoisoned(memory.get_mut()).clear());
        });
    }

    /// Searches a position for this long, or until more time cannot change the answer.
    pub fn search_for(&mut self, position: &Position, time: Duration) -> SearchResult {
        let limits = SearchLimits { move_time: Some(time), ..SearchLimits::default() };
        self.search(position, &limits, &SearchSettings::default(), &Signals::new(), &SilentObserver)
    }

    /// Searches until a limit or `signals` ends it. Blocks; when `limits` ask to ponder or to search
    /// without end, nothing returns before `signals` says so.
    pub fn search(
        &mut self,
        position: &Position,
        limits: &SearchLimits,
        settings: &SearchSettings,
        signals: &Signals,
        observer: &dyn SearchObserver,
    ) -> SearchResult {
        let root_moves = root_moves(position, limits, settings);
        let request = Request { position, limits, settings, signals, observer };
        let shared = Shared::begin(request, &self.table, &self.answer, self.threads());
        if root_moves.is_empty() {
            signals.wait_until_answerable(limits.infinite);
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
    fn search_on_all_threads(
        &self,
        shared: &Shared<'_>,
        position: &Position,
        root_moves: &[Move],
    ) -> Vec<ThreadResult> {
        let Some(pool) = &self.pool else {
            let mut memory = unpoisoned(self.memories[0].lock());
            return vec![search_one(0, shared, &mut memory, position, root_moves)];
        };
        let found: Vec<Mutex<Option<ThreadResult>>> = self.memories.iter().map(|_| Mutex::default()).collect();
        let searching = AtomicUsize::new(self.threads());
        pool.in_place_scope(|scope| {
            scope.spawn_broadcast(|_, context| {
                // A thread that panics has ended as well.
                let _end = OnDrop(|| {
                    searching.fetch_sub(1, SeqCst);
                    shared.signals.wake();
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

/// A thread that panicked leaves its memory in some order; it is only advice, so use it.
pub(super) fn unpoisoned<T>(result: Result<T, std::sync::PoisonError<T>>) -> T {
    result.unwrap_or_else(|poisoned| poisoned.into_inner())
}

/// Searches on the calling thread, as one of the threads of the search.
pub(super) fn search_one(
    index: usize,
    shared: &Shared<'_>,
    memory: &mut Memory,
    position: &Position,
    root_moves: &[Move],
) -> ThreadResult {
    // The other threads end with the main thread, whose polls of the clock they rely on, also when it panics.
    let _others_end = (index == 0).then(|| OnDrop(|| shared.stop.store(true, Relaxed)));
    let mut thread = SearchThread::new(index, shared, memory, position, root_moves);
    thread.iterative_deepening();
    thread.poll();
    thread.drop_refuted_moves();
    let count = shared.settings.multi_pv.clamp(1, root_moves.len());
    if thread.is_main() {
        shared.answer.put(thread.lines(count));
        shared.signals.wait_until_answerable(shared.limits.infinite);
    }
    ThreadResult {
        completed_depth: thread.completed_depth,
        lines: thread.infos(count),
        is_proven: thread.mates.proven.is_some(),
    }
}

/// The moves to search: those that the limits name, else all that are worth a search.
pub(super) fn root_moves(position: &Position, limits: &SearchLimits, settings: &SearchSettings) -> Vec<Move> {
    if !limits.search_moves.is_empty() {
        // `searchmoves` may name moves that are not generated otherwise.
        let all = legal_moves(position);
        return all.into_iter().filter(|mv| limits.search_moves.contains(mv)).collect();
    }
    list_with(position, Selection::All, NonPromotions::at_root(settings)).into_iter().collect()
}

/// What one thread has found.
pub(super) struct ThreadResult {
    pub(super) completed_depth: Depth,
    pub(super) lines: Vec<SearchInfo>,
    /// Whether the mate solver has proved the first line.
    pub(super) is_proven: bool,
}

/// The lines of the thread to believe. With several lines asked for, the main thread's order is kept, if it has
/// searched any move.
///
/// Threads vote for their moves, the more strongly the deeper they came and the better their score
/// ("vote for the best thread", from Stockfish). A proven win is believed regardless of the votes.
fn best_of(found: Vec<ThreadResult>, lines: usize) -> Vec<SearchInfo> {
    if let Some(proven) = found.iter().position(|found| found.is_proven) {
        return found.into_iter().nth(proven).map_or_else(Vec::new, |found| found.lines);
    }
    // A thread that waited for a processor most of the time has seen too little to be asked
    let deepest = found.iter().map(|found| found.completed_depth).max().unwrap_or(0);
    let is_heard = |found: &ThreadResult| found.completed_depth > 0 && found.completed_depth * 2 >= deepest;
    let heard = found.iter().filter(|found| is_heard(found));
    let lowest = heard.filter_map(ThreadResult::score).min().unwrap_or(Score::ZERO);
    let votes = |found: &ThreadResult| match found.score().filter(|_| is_heard(found)) {
        Some(score) => i64::from(score - lowest + LEAST_VOTE) * i64::from(found.completed_depth),
        None => 0,
    };
    let votes_for_move = |mv| found.iter().filter(|other| other.best_move() == mv).map(votes).sum::<i64>();
    let worth = |found: &ThreadResult| {
        let proven = found.score().filter(|score| score.is_win());
        (proven, votes_for_move(found.best_move()), votes(found))
    };
    let mut best = found.iter().position(|found| !found.lines.is_empty()).unwrap_or(0);
    if lines == 1 {
        for index in 1..found.len() {
            if worth(&found[index]) > worth(&found[best]) {
                best = index;
            }
        }
    }
    found.into_iter().nth(best).map_or_else(Vec::new, |found| found.lines)
}

/// What the thread with the lowest score adds for each ply of depth.
const LEAST_VOTE: i32 = 10;

impl ThreadResult {
    fn score(&self) -> Option<Score> {
        self.lines.first().map(|line| line.score)
    }

    fn best_move(&self) -> Option<Move> {
        self.lines.first().and_then(|line| line.pv.first().copied())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(mv: &str, score: Score, completed_depth: Depth) -> ThreadResult {
        let line = SearchInfo::unsearched(score, vec![mv.parse().unwrap()]);
        ThreadResult { completed_depth, lines: vec![line], is_proven: false }
    }

    fn believed(found: Vec<ThreadResult>) -> String {
        best_of(found, 1)[0].pv[0].to_string()
    }

    #[test]
    fn two_threads_outvote_one() {
        let score = Score::from_eval;
        let threads = || vec![found("7g7f", score(30), 10), found("2g2f", score(28), 10), found("2g2f", score(25), 10)];
        assert_eq!(believed(threads()), "2g2f");
        assert_eq!(best_of(threads(), 2)[0].pv[0].to_string(), "7g7f", "several lines: the main thread's");
    }

    #[test]
    fn depth_and_score_weigh() {
        let score = Score::from_eval;
        assert_eq!(believed(vec![found("7g7f", score(30), 10), found("2g2f", score(30), 12)]), "2g2f");
        assert_eq!(believed(vec![found("7g7f", score(-60), 10), found("2g2f", score(80), 10)]), "2g2f");
    }

    #[test]
    fn a_thread_that_hardly_began_is_not_asked() {
        let score = Score::from_eval;
        assert_eq!(believed(vec![found("7g7f", score(-600), 12), found("2g2f", score(-300), 2)]), "7g7f");
        assert_eq!(believed(vec![found("7g7f", score(-600), 1), found("2g2f", Score::ZERO, 0)]), "7g7f");
        assert_eq!(believed(vec![found("7g7f", score(-600), 12), found("2g2f", score(-300), 8)]), "2g2f");
    }

    #[test]
    fn what_the_mate_solver_has_proved_needs_no_vote() {
        let eval = Score::from_eval(900);
        let loss = ThreadResult { is_proven: true, ..found("7g7f", Score::mated_in(12), 5) };
        assert_eq!(believed(vec![loss, found("2g2f", eval, 20), found("2g2f", eval, 20)]), "7g7f");
    }

    #[test]
    fn a_proven_win_is_believed_and_the_shortest_first() {
        let eval = Score::from_eval(900);
        let threads = vec![
            found("7g7f", eval, 20),
            found("7g7f", eval, 20),
            found("2g2f", Score::mate_in(7), 12),
            found("5g5f", Score::mate_in(5), 11),
        ];
        assert_eq!(believed(threads), "5g5f");
    }
}
