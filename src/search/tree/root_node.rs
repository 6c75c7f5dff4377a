//! The root's part of the move loop: what the search of a root move tells of it.

use crate::search::control::Bound;
use crate::search::state::root_moves::{RootLine, RootMove};
use crate::search::state::thread::SearchThread;
use crate::types::{Move, Score};

impl SearchThread<'_> {
    /// Notes the result of a root move. All but the first and those above alpha have only shown that
    /// they are worse; their scores stay out of the order.
    pub(crate) fn note_root_move(
        &mut self,
        mv: Move,
        score: Score,
        nodes: u64,
        first: bool,
        alpha: Score,
        beta: Score,
    ) {
        let Some(root) = self.root_moves.iter_mut().find(|root| root.mv == mv) else { return };
        root.nodes += nodes;
        root.note_average(score.value());
        if !first && score <= alpha {
            root.score = -Score::INFINITE;
            return;
        }
        let bound = if score >= beta {
            Bound::Lower
        } else if score <= alpha {
            Bound::Upper
        } else {
            Bound::Exact
        };
        root.take(score, bound, self.root_depth, self.selective_depth, &self.stack[1].pv);
        if self.pv_index == 0 && self.index == 0 {
            self.shared.answer.put(self.lines(self.shared.settings.multi_pv));
        }
    }

    /// The best lines, best first, as of now.
    ///
    /// Several lines are those of the last finished iteration, of which one that was cut short knows only some. But in
    /// a game its new best move is played: then that comes first, and the others keep their depth and are worth no
    /// more than it, as the new iteration has shown.
    pub(crate) fn lines(&self, count: usize) -> Vec<RootLine> {
        self.mates.before(self.searched_lines(count), count)
    }

    fn searched_lines(&self, count: usize) -> Vec<RootLine> {
        let by_worth = |root: &&RootMove| (std::cmp::Reverse(root.score), std::cmp::Reverse(root.previous_score));
        let Some(best) = self.root_moves.iter().min_by_key(by_worth) else { return Vec::new() };
        if count == 1 {
            return vec![best.settled(self.root_depth)];
        }
        let mut lines = self.finished.clone();
        if lines.is_empty() {
            // Nothing is known but of the moves that the first iteration has come to.
            let (known, unknown): (Vec<_>, Vec<_>) =
                self.root_moves.iter().partition(|root| root.score > -Score::INFINITE);
            lines = known.into_iter().map(|root| root.settled(self.root_depth)).collect();
            lines.sort_by_key(|line| std::cmp::Reverse(line.score));
            let score = lines.last().map_or(Score::ZERO, |line| line.score.min(Score::ZERO));
            let unsearched = |root: &RootMove| RootLine { score, depth: 1, selective_depth: 0, pv: vec![root.mv] };
            lines.extend(unknown.into_iter().map(unsearched));
        } else if self.shared.limits.clock.is_some() && lines[0].best_move() != Some(best.mv) {
            lines.retain(|line| line.best_move() != Some(best.mv));
            lines.insert(0, best.settled(self.root_depth));
            let most = lines[0].score;
            lines[1..].iter_mut().for_each(|line| line.score = line.score.min(most));
        }
        lines.truncate(count);
        lines
    }
}
