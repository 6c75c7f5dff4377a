//! Searching on the calling thread, for callers that spread many small searches over threads themselves.

use crate::eval::Evaluation;
use crate::position::Position;
use crate::search::limits::SearchLimits;
use crate::search::pool::{SearcherError, root_moves, search_one};
use crate::search::report::{SearchResult, SilentObserver};
use crate::search::root_moves::AnswerSlot;
use crate::search::settings::SearchSettings;
use crate::search::signals::Signals;
use crate::search::thread::{Memory, Request, Shared};
use crate::search::tt::TranspositionTable;

/// A searcher without threads of its own. Its results depend only on its arguments and on what it has searched since it
/// was made or cleared.
pub struct LocalSearcher {
    table: TranspositionTable,
    memory: Memory,
    signals: Signals,
    answer: AnswerSlot,
    extends_pv: bool,
}

impl LocalSearcher {
    /// A searcher with a transposition table of this many MiB. The thread that searches must have a stack of
    /// [`STACK_SIZE`](super::STACK_SIZE).
    ///
    /// # Errors
    /// When the system refuses the memory.
    pub fn try_new(hash_mb: usize, evaluation: &Evaluation) -> Result<LocalSearcher, SearcherError> {
        Ok(LocalSearcher {
            table: TranspositionTable::try_new_local(hash_mb)?,
            memory: Memory::try_new(evaluation.evaluator())?,
            signals: Signals::new(),
            answer: AnswerSlot::default(),
            extends_pv: true,
        })
    }

    /// The same, but PVs are left as long as the search has made them, at least one move: for callers that need only
    /// the best move and its score. Extending the PV is a tenth of the work of a search of 200 nodes.
    #[must_use]
    pub fn without_pv_extension(self) -> LocalSearcher {
        LocalSearcher { extends_pv: false, ..self }
    }

    /// Forgets everything, for a new game.
    pub fn clear(&mut self) {
        self.table.clear_local();
        self.memory.clear();
    }

    /// Searches until a limit ends it; `limits` must have one.
    pub fn search(&mut self, position: &Position, limits: &SearchLimits, settings: &SearchSettings) -> SearchResult {
        debug_assert!(limits.is_bounded(position.side_to_move()), "this search would never end");
        let request = Request { position, limits, settings, signals: &self.signals, observer: &SilentObserver };
        let shared = Shared { extends_pv: self.extends_pv, ..Shared::begin(request, &self.table, &self.answer, 1) };
        let root_moves = root_moves(position, limits, settings);
        if root_moves.is_empty() {
            return SearchResult { lines: Vec::new(), unsearched_move: None, nodes: 0, time: shared.time.elapsed() };
        }
        let found = search_one(0, &shared, &mut self.memory, position, &root_moves);
        SearchResult {
            lines: found.lines,
            unsearched_move: root_moves.first().copied(),
            nodes: shared.total_nodes(),
            time: shared.time.elapsed(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn to_nodes(nodes: u64) -> SearchLimits {
        SearchLimits { nodes: Some(nodes), ..SearchLimits::default() }
    }

    #[test]
    fn a_search_without_pv_extension_finds_the_same() {
        let (evaluation, settings) = (Evaluation::default(), SearchSettings::default());
        let mut extending = LocalSearcher::try_new(1, &evaluation).unwrap();
        let mut other = LocalSearcher::try_new(1, &evaluation).unwrap().without_pv_extension();
        let mut position = Position::startpos();
        let mut shorter = 0;
        for _ in 0..20 {
            let [whole, short] =
                [&mut extending, &mut other].map(|searcher| searcher.search(&position, &to_nodes(200), &settings));
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
                LocalSearcher::try_new(1, &Evaluation::default()).unwrap().search(&position, &limits, &settings)
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
