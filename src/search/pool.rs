//! The threads that search together, each one's share of the search, and the vote on its result.

use std::sync::Mutex;
use std::sync::atomic::Ordering::{Relaxed, SeqCst};
use std::sync::atomic::{AtomicBool, AtomicUsize};
use std::time::Duration;

use rayon::{ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder};
use thiserror::Error;

use crate::eval::Evaluation;
use crate::memory::OutOfMemory;
use crate::movegen::{Selection, legal_moves};
use crate::position::Position;
use crate::search::correction::Corrections;
use crate::search::limits::{SearchLimits, SearchSettings};
use crate::search::movepick::{NonPromotions, list_with};
use crate::search::report::{SearchInfo, SearchObserver, SearchResult, SilentObserver};
use crate::search::root_moves::AnswerSlot;
use crate::search::signals::Signals;
use crate::search::thread::{Memory, NodeCounter, SearchThread, Shared};
use crate::search::time::TimeManager;
use crate::search::tt::TranspositionTable;
use crate::search::watchdog::answer_when_overdue;
use crate::threads::{self, OnDrop, lock};
use crate::types::{Depth, Move, Score};

/// The search threads, their transposition table, and the histories that they keep from one search to the next.
///
/// Lazy SMP: all threads search the same root and help each other through the shared table and corrections alone.
pub struct Searcher {
    /// None where there are no threads: then the calling thread searches.
    pool: Option<ThreadPool>,
    table: TranspositionTable,
    corrections: Corrections,
    evaluation: Evaluation,
    /// One a thread. Only that thread locks it while a search runs.
    memories: Vec<Mutex<Memory>>,
    answer: AnswerSlot,
    /// Whether a PV that search cut short is continued up to its depth when it is reported.
    extends_pv: bool,
}

/// Why no searcher can be made.
#[derive(Debug, Error)]
pub enum SearcherError {
    /// The system refuses the memory for a table.
    #[error(transparent)]
    Memory(#[from] OutOfMemory),
    /// The system starts no more threads.
    #[error("cannot start {threads} search threads: {source}")]
    Threads {
        /// How many were asked for.
        threads: usize,
        /// What the system says.
        source: ThreadPoolBuildError,
    },
}

/// Bytes of stack that a search needs at most: every ply of the deepest line has its moves there.
pub const STACK_SIZE: usize = 32 << 20;

/// Threads with stacks that a search fits on; 0 for one on each core.
pub(crate) fn search_pool(threads: usize) -> Result<ThreadPool, SearcherError> {
    let pool = ThreadPoolBuilder::new().num_threads(threads).thread_name(|index| format!("search-{index}"));
    pool.stack_size(STACK_SIZE).build().map_err(|source| SearcherError::Threads { threads, source })
}

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
            return Searcher::try_new_local(hash_mb, evaluation);
        }
        let threads = threads.max(1);
        let pool = search_pool(threads)?;
        let table = pool.install(|| TranspositionTable::try_new(hash_mb, true))?;
        // Each thread makes its own memory, so that it lies near it.
        let memories = pool.broadcast(|_| Memory::try_new(evaluation.evaluator()).map(Mutex::new));
        let memories = memories.into_iter().collect::<Result<_, _>>()?;
        let answer = AnswerSlot::default();
        let corrections = Corrections::try_new()?;
        Ok(Searcher { pool: Some(pool), table, corrections, evaluation, memories, answer, extends_pv: true })
    }

    /// A searcher without threads of its own, for callers that spread many small searches over threads themselves: the
    /// thread that calls searches, which must have a stack of [`STACK_SIZE`]. Its results depend only on its arguments
    /// and on what it has searched since it was made or cleared.
    ///
    /// # Errors
    /// When the system refuses the memory.
    pub fn try_new_local(hash_mb: usize, evaluation: Evaluation) -> Result<Searcher, SearcherError> {
        let table = TranspositionTable::try_new(hash_mb, false)?;
        let memories = vec![Mutex::new(Memory::try_new(evaluation.evaluator())?)];
        let (corrections, answer) = (Corrections::try_new()?, AnswerSlot::default());
        Ok(Searcher { pool: None, table, corrections, evaluation, memories, answer, extends_pv: true })
    }

    /// The same, but PVs are left as long as the search has made them, at least one move: for callers that need only
    /// the best move and its score. Extending the PV is a tenth of the work of a search of 200 nodes.
    #[must_use]
    pub fn without_pv_extension(self) -> Searcher {
        Searcher { extends_pv: false, ..self }
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

    /// Uses another evaluation from now on. The table and the histories are cleared.
    pub fn set_evaluation(&mut self, evaluation: Evaluation) {
        self.evaluation = evaluation;
        self.for_each_memory(|memory| memory.evaluator = self.evaluation.evaluator());
        self.clear();
    }

    /// Forgets everything, for a new game.
    pub fn clear(&mut self) {
        let table = &mut self.table;
        match &self.pool {
            Some(pool) => pool.install(|| table.clear(true)),
            None => table.clear(false),
        }
        self.corrections.clear();
        self.for_each_memory(Memory::clear);
    }

    /// Has each thread do something with its memory.
    fn for_each_memory(&self, change: impl Fn(&mut Memory) + Sync) {
        match &self.pool {
            Some(pool) => drop(pool.broadcast(|context| change(&mut lock(&self.memories[context.index()])))),
            None => change(&mut lock(&self.memories[0])),
        }
    }

    /// Searches a position for this long, or until more time cannot change the answer.
    pub fn search_for(&mut self, position: &Position, time: Duration) -> SearchResult {
        let limits = SearchLimits { move_time: Some(time), ..SearchLimits::default() };
        self.search_to_limit(position, &limits, &SearchSettings::default())
    }

    /// Searches until a limit ends it; there must be one.
    pub fn search_to_limit(
        &mut self,
        position: &Position,
        limits: &SearchLimits,
        settings: &SearchSettings,
    ) -> SearchResult {
        debug_assert!(limits.is_bounded(position.side_to_move()), "this search would never end");
        self.search(position, limits, settings, &Signals::new(), &SilentObserver)
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
        // What is in the table becomes older.
        self.table.next_generation();
        self.answer.begin(position);
        let shared = Shared {
            table: &self.table,
            corrections: &self.corrections,
            signals,
            observer,
            limits,
            settings,
            time: TimeManager::new(signals, limits, settings, position.side_to_move(), position.game_ply()),
            stop: AtomicBool::new(false),
            nodes: self.memories.iter().map(|_| NodeCounter::default()).collect(),
            answer: &self.answer,
            refuted: Mutex::default(),
            extends_pv: self.extends_pv,
        };
        if root_moves.is_empty() {
            signals.wait_until_answerable(limits.infinite);
            return SearchResult { time: shared.time.elapsed(), ..SearchResult::default() };
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
            return vec![search_one(0, shared, &mut lock(&self.memories[0]), position, root_moves)];
        };
        let found: Vec<Mutex<Option<ThreadResult>>> = self.memories.iter().map(|_| Mutex::default()).collect();
        let searching = AtomicUsize::new(found.len());
        pool.in_place_scope(|scope| {
            scope.spawn_broadcast(|_, context| {
                // A thread that panics has ended as well.
                let _end = OnDrop(|| {
                    searching.fetch_sub(1, SeqCst);
                    shared.signals.wake();
                });
                let index = context.index();
                let result = search_one(index, shared, &mut lock(&self.memories[index]), position, root_moves);
                *lock(&found[index]) = Some(result);
            });
            answer_when_overdue(shared, position, &self.evaluation, || searching.load(SeqCst) == 0);
        });
        found.iter().filter_map(|found| lock(found).take()).collect()
    }

    /// The best lines, best first, that the last search of this position had found when it ended by a panic. Empty if
    /// it had not found any yet.
    pub fn lines_so_far(&self, position: &Position) -> Vec<SearchInfo> {
        self.answer.get(position).into_iter().zip(1..).map(|(line, rank)| line.into_info(rank)).collect()
    }
}

/// Searches on the calling thread, as one of the threads of the search.
fn search_one(
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
        node_share: thread.node_share(count).unwrap_or_default(),
        lines: thread.infos(count),
        is_proven: thread.mates.proven.is_some(),
    }
}

/// The moves to search: those that the limits name, else all that are worth a search.
fn root_moves(position: &Position, limits: &SearchLimits, settings: &SearchSettings) -> Vec<Move> {
    if !limits.search_moves.is_empty() {
        // `searchmoves` may name moves that are not generated otherwise.
        let all = legal_moves(position);
        return all.into_iter().filter(|mv| limits.search_moves.contains(mv)).collect();
    }
    list_with(position, Selection::All, NonPromotions::at_root(settings)).into_iter().collect()
}

/// What one thread has found.
struct ThreadResult {
    completed_depth: Depth,
    /// The part of its nodes that went into the first line, of 1; with several lines nobody asks for it.
    node_share: f64,
    lines: Vec<SearchInfo>,
    /// Whether the mate solver has proved the first line.
    is_proven: bool,
}

/// The lines of the thread to believe. With several lines asked for, the main thread's order is kept, if it has
/// searched any move.
///
/// Threads vote for their moves, the more strongly the deeper they came, the better their score ("vote for the best
/// thread", from Stockfish) and the fewer of their nodes went into other moves. A proven win is believed regardless of
/// the votes.
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
        Some(score) => f64::from(score - lowest + LEAST_VOTE) * f64::from(found.completed_depth) * found.node_share,
        None => 0.0,
    };
    let votes_for_move = |mv| found.iter().filter(|other| other.best_move() == mv).map(votes).sum::<f64>();
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
        ThreadResult { completed_depth, node_share: 0.5, lines: vec![line], is_proven: false }
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
    fn a_thread_that_looked_at_little_else_weighs_more() {
        let score = Score::from_eval(30);
        let sure = ThreadResult { node_share: 0.9, ..found("2g2f", score, 10) };
        assert_eq!(believed(vec![found("7g7f", score, 10), sure]), "2g2f");
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

    fn to_nodes(nodes: u64) -> SearchLimits {
        SearchLimits { nodes: Some(nodes), ..SearchLimits::default() }
    }

    #[test]
    fn a_search_without_pv_extension_finds_the_same() {
        let (evaluation, settings) = (Evaluation::default(), SearchSettings::default());
        let mut extending = Searcher::try_new_local(1, evaluation.clone()).unwrap();
        let mut other = Searcher::try_new_local(1, evaluation.clone()).unwrap().without_pv_extension();
        let mut position = Position::startpos();
        let mut shorter = 0;
        for _ in 0..20 {
            let [whole, short] = [&mut extending, &mut other]
                .map(|searcher| searcher.search_to_limit(&position, &to_nodes(200), &settings));
            assert_eq!(
                (whole.nodes, whole.best_move(), whole.score()),
                (short.nodes, short.best_move(), short.score())
            );
            assert!(whole.lines[0].pv.starts_with(&short.lines[0].pv));
            shorter += usize::from(short.lines[0].pv.len() < whole.lines[0].pv.len());
            position.do_move(short.best_move().unwrap());
        }
        assert!(shorter > 0, "no PV was extended");
    }

    #[test]
    fn a_soft_limit_of_nodes_ends_a_search_with_a_whole_iteration() {
        let settings = SearchSettings::default();
        let mut position = Position::startpos();
        for soft in [1, 100, 1000, 5000] {
            let search = |limits| {
                Searcher::try_new_local(1, Evaluation::default())
                    .unwrap()
                    .search_to_limit(&position, &limits, &settings)
            };
            let soft_limit = SearchLimits { soft_nodes: Some(soft), ..SearchLimits::default() };
            let found = search(soft_limit.clone());
            let to_depth = |depth| SearchLimits { depth: Some(depth), ..SearchLimits::default() };
            let same = search(to_depth(found.lines[0].depth));
            assert_eq!(
                (found.nodes, &found.lines[0].pv, found.score()),
                (same.nodes, &same.lines[0].pv, same.score()),
                "{soft}"
            );
            assert!(found.nodes >= soft, "{} of {soft}", found.nodes);
            if found.lines[0].depth > 1 {
                assert!(search(to_depth(found.lines[0].depth - 1)).nodes < soft, "{soft}: one iteration too many");
            }
            let cut_short = search(SearchLimits { nodes: Some(soft), ..soft_limit });
            assert!(cut_short.nodes <= soft, "{} of {soft}", cut_short.nodes);
            position.do_move(found.best_move().unwrap());
        }
    }
}
