//! What a search reports while it runs and when it ends.

use std::time::Duration;

use crate::position::{Repetition, SearchRepetition};
use crate::search::tt::Bound;
use crate::types::numbers::nodes_per_second;
use crate::types::{Depth, Move, Score};

/// How a PV ends where the rules end it, from the view of the side then to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PvEnd {
    /// Sennichite: the position was repeated.
    RepetitionDraw,
    /// The position was repeated by the opponent's perpetual check: a win.
    RepetitionWin,
    /// The position was repeated by perpetual check of the side to move: a loss.
    RepetitionLoss,
    /// The board was repeated with a better hand.
    Superior,
    /// The board was repeated with a worse hand.
    Inferior,
    /// The side to move declares a win by entering king.
    DeclareWin,
    /// The last move won by the try rule: its king has reached the other's first square.
    Try,
}

impl PvEnd {
    /// The end that a repetition is; none where there is none.
    pub fn of_repetition(repetition: SearchRepetition) -> Option<PvEnd> {
        match repetition {
            SearchRepetition::Rules(Repetition::None) => None,
            SearchRepetition::Rules(Repetition::Draw) => Some(PvEnd::RepetitionDraw),
            SearchRepetition::Rules(Repetition::Win) => Some(PvEnd::RepetitionWin),
            SearchRepetition::Rules(Repetition::Lose) => Some(PvEnd::RepetitionLoss),
            SearchRepetition::Superior => Some(PvEnd::Superior),
            SearchRepetition::Inferior => Some(PvEnd::Inferior),
        }
    }
}

/// One line of progress.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchInfo {
    /// The iteration that found the line.
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
    /// Time since the search was asked for.
    pub time: Duration,
    /// Share of the table in use by this search, in permille.
    pub hash_full: u32,
    /// The principal variation, the move to be played first. All its moves are legal, and it ends where the
    /// rules end the game.
    pub pv: Vec<Move>,
    /// How the rules end the game after `pv`, if they do. Mate at the end of a line needs no word.
    pub pv_end: Option<PvEnd>,
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
            pv_end: None,
        }
    }

    /// Nodes a second.
    pub fn nps(&self) -> u64 {
        nodes_per_second(self.nodes, self.time)
    }
}

/// Receives a search's progress, on a search thread.
pub trait SearchObserver: Sync {
    /// A line of progress.
    fn on_info(&self, info: &SearchInfo);

    /// The time is over but the search cannot end, because its threads wait for a processor or its observer holds them
    /// up. Gets the best lines so far, best first, at least one. Called at most once, by the thread that asked for the
    /// search, before the search returns.
    fn on_overdue(&self, _lines: &[SearchInfo]) {}
}

/// An observer that ignores all reports.
#[derive(Clone, Copy, Debug, Default)]
pub struct SilentObserver;

impl SearchObserver for SilentObserver {
    fn on_info(&self, _info: &SearchInfo) {}
}

/// What a search found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SearchResult {
    /// The best lines, best first, as many as MultiPV asked for and the position has, or fewer where the first
    /// iteration was cut short; empty when not even one move had a score by then, or there is none (of those allowed).
    /// Several lines are of the last finished iteration; on a clock a new best move of the iteration that was cut short
    /// may come first, and a line not searched again keeps its depth and score.
    pub lines: Vec<SearchInfo>,
    /// A move to play where there is no line.
    pub unsearched_move: Option<Move>,
    /// Nodes of all threads.
    pub nodes: u64,
    /// How long the search took.
    pub time: Duration,
}

impl SearchResult {
    /// The move to play.
    pub fn best_move(&self) -> Option<Move> {
        self.lines.first().map_or(self.unsearched_move, |line| line.pv.first().copied())
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unsearched_line_is_one_ply_deep_or_none() {
        let line = SearchInfo::unsearched(Score::ZERO, "7g7f".parse().into_iter().collect());
        assert_eq!((line.depth, line.selective_depth, line.multi_pv), (1, 1, 1));
        assert_eq!((line.nodes, line.hash_full), (0, 0));
        let none = SearchInfo::unsearched(Score::ZERO, vec![]);
        assert_eq!((none.depth, none.selective_depth), (0, 0));
    }

    #[test]
    fn nodes_a_second_follow_from_the_reported_time() {
        let after = |time| SearchInfo { nodes: 3000, time, ..SearchInfo::unsearched(Score::ZERO, vec![]) }.nps();
        assert_eq!(after(Duration::from_millis(1500)), 2000);
        assert_eq!(after(Duration::ZERO), 3_000_000_000, "a time of zero is a microsecond");
    }

    #[test]
    fn a_result_is_that_of_its_first_line() {
        let moves = |text: &str| text.split(' ').map(|word| word.parse().unwrap()).collect::<Vec<Move>>();
        let line = |score, pv| SearchInfo::unsearched(Score::from_eval(score), pv);
        let of = |lines| SearchResult { lines, unsearched_move: None, nodes: 0, time: Duration::ZERO };
        let (first, second) = (moves("7g7f 3c3d 2g2f"), moves("2g2f 8c8d"));
        let result = of(vec![line(30, first.clone()), line(10, second)]);
        assert_eq!((result.best_move(), result.ponder_move()), (Some(first[0]), Some(first[1])));
        assert_eq!(result.score(), Some(Score::from_eval(30)));
        let alone = of(vec![line(30, first[..1].to_vec())]);
        assert_eq!((alone.best_move(), alone.ponder_move()), (Some(first[0]), None));
        let unsearched = SearchResult { unsearched_move: first.first().copied(), ..of(vec![]) };
        assert_eq!((unsearched.best_move(), unsearched.score()), (Some(first[0]), None));
        let none = of(vec![]);
        assert_eq!((none.best_move(), none.ponder_move(), none.score()), (None, None, None));
    }

    #[test]
    fn repetitions_end_a_line() {
        let ends = [Repetition::None, Repetition::Draw, Repetition::Win, Repetition::Lose];
        let ends = ends.map(SearchRepetition::Rules).map(PvEnd::of_repetition);
        let expected = [None, Some(PvEnd::RepetitionDraw), Some(PvEnd::RepetitionWin), Some(PvEnd::RepetitionLoss)];
        assert_eq!(ends, expected);
        assert_eq!(PvEnd::of_repetition(SearchRepetition::Superior), Some(PvEnd::Superior));
        assert_eq!(PvEnd::of_repetition(SearchRepetition::Inferior), Some(PvEnd::Inferior));
    }
}
