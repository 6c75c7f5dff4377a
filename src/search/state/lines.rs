//! The best lines of the root moves, as they are known at a moment.

use std::cmp::Reverse;

use crate::search::control::Bound;
use crate::search::state::root_moves::{RootLine, RootMove};
use crate::search::state::thread::SearchThread;

impl SearchThread<'_> {
    /// The best lines, best first, as of now; none where no move has been searched.
    ///
    /// Several lines are those of the last finished iteration, of which one that was cut short knows only some. In a
    /// game a new best move is played all the same, where its score is above what is known of the others: then it comes
    /// first, a line searched again has its new depth and score, and one that was not keeps its own. Where a line of
    /// the iteration before has a higher score, its new one is not known, only that it is worse: such lines cannot be
    /// shown together, and those of the finished iteration stand.
    pub(crate) fn lines(&self, count: usize) -> Vec<RootLine> {
        self.mates.with_proven_first(self.searched_lines(count), count, self.completed_depth)
    }

    fn searched_lines(&self, count: usize) -> Vec<RootLine> {
        let by_worth = |root: &&RootMove| (Reverse(root.score), Reverse(root.previous_score));
        let Some(best) = self.root_moves.iter().min_by_key(by_worth) else { return Vec::new() };
        if count == 1 {
            return Some(best.settled(self.root_depth)).filter(RootLine::is_searched).into_iter().collect();
        }
        let mut lines = self.finished_lines();
        if lines.is_empty() {
            lines = self.lines_of_first_iteration();
        } else if self.shared.limits.clock.is_some() && lines[0].best_move() != Some(best.mv) {
            lines = self.lines_with_new_best(best).unwrap_or(lines);
        }
        lines.truncate(count);
        lines
    }

    /// The lines of the last finished iteration. A move that was refuted since has the line that shows it.
    fn finished_lines(&self) -> Vec<RootLine> {
        let refuted = |line: &RootLine| self.mates.refuted.iter().find(|shown| shown.best_move() == line.best_move());
        let newest = |line: &RootLine| refuted(line).unwrap_or(line).clone();
        let mut lines: Vec<RootLine> = self.finished.iter().map(newest).collect();
        lines.sort_by_key(|line| Reverse(line.score));
        lines
    }

    /// The line of a move that has become the best in an unfinished iteration, before the others with their last exact
    /// scores; none where one of these is higher.
    fn lines_with_new_best(&self, best: &RootMove) -> Option<Vec<RootLine>> {
        let is_new = |line: &&RootLine| best.bound == Bound::Exact && line.depth == self.root_depth;
        let first = best.exact.as_ref().filter(is_new)?.clone();
        let newest = |line: RootLine| {
            let root = self.root_moves.iter().find(|root| line.best_move() == Some(root.mv));
            root.and_then(|root| root.exact.clone()).unwrap_or(line)
        };
        let others = self.finished_lines().into_iter().filter(|line| line.best_move() != Some(best.mv));
        let mut lines: Vec<RootLine> = [first].into_iter().chain(others.map(newest)).collect();
        lines.sort_by_key(|line| Reverse(line.score));
        (lines[0].best_move() == Some(best.mv)).then_some(lines)
    }

    /// The lines while nothing is known but of the moves that the first iteration has come to. The others have no score
    /// yet and are left out.
    fn lines_of_first_iteration(&self) -> Vec<RootLine> {
        let settled = self.root_moves.iter().map(|root| root.settled(self.root_depth));
        let mut lines: Vec<RootLine> = settled.filter(RootLine::is_searched).collect();
        lines.sort_by_key(|line| Reverse(line.score));
        lines
    }
}
