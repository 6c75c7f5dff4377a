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

    /// The best lines, best first. Several lines are those of the last finished iteration, unless the one that was
    /// cut short has found a better move: then that comes first, and lines not searched again keep their depth.
    pub(crate) fn lines(&self, count: usize) -> Vec<RootLine> {
        let by_worth = |root: &&RootMove| (std::cmp::Reverse(root.score), std::cmp::Reverse(root.previous_score));
        let Some(best) = self.root_moves.iter().min_by_key(by_worth) else { return Vec::new() };
        if count == 1 {
            return vec![best.settled(self.root_depth)];
        }
        if self.finished.first().and_then(RootLine::best_move) == Some(best.mv) {
            return self.finished.clone();
        }
        let is_known = |mv| self.finished.iter().any(|line| line.best_move() == Some(mv));
        let others = self.root_moves.iter().enumerate();
        let others = others.filter(|(at, root)| root.mv != best.mv && (*at < self.pv_index || is_known(root.mv)));
        let mut lines: Vec<RootLine> = others.map(|(_, root)| root.settled(self.root_depth)).collect();
        lines.sort_by_key(|line| std::cmp::Reverse(line.score));
        lines.insert(0, best.settled(self.root_depth));
        // Before the first iteration has come to an end
        for root in &self.root_moves {
            if lines.len() < count && lines.iter().all(|line| line.best_move() != Some(root.mv)) {
                lines.push(RootLine { score: Score::ZERO, depth: 1, selective_depth: 0, pv: vec![root.mv] });
            }
        }
        lines.truncate(count);
        // A move is worth no more than a newer iteration has shown the better ones to be.
        for rank in 1..lines.len() {
            lines[rank].score = lines[rank].score.min(lines[rank - 1].score);
        }
        lines
    }
}
