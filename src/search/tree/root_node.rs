//! The root's part of the move loop: what the search of a root move shows about it.

use crate::search::control::Bound;
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
}
