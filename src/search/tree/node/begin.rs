//! The start of a node: a clean stack entry, and bounds that need no search.

use crate::search::state::node::NodeType;
use crate::search::state::thread::SearchThread;
use crate::types::{Depth, Score};

impl SearchThread<'_> {
    /// Step 1. Clears what the last node at this ply left behind, and takes the reduction that led to this one.
    #[inline]
    pub(crate) fn begin_node<N: NodeType>(&mut self, ply: usize) -> Depth {
        if N::PV {
            self.selective_depth = self.selective_depth.max(ply);
        }
        let in_check = self.position.in_check();
        let here = &mut self.stack[ply];
        here.pv.clear();
        here.played = None;
        here.in_check = in_check;
        let Some(above) = ply.checked_sub(1) else {
            here.follows_pv = true;
            return 0;
        };
        let above = &mut self.stack[above];
        let follows_pv = above.follows_pv && above.mv.is_some() && self.last_pv.get(ply - 1).copied() == above.mv;
        let reduction = std::mem::take(&mut above.reduction);
        self.stack[ply].follows_pv = follows_pv;
        reduction
    }

    /// Steps 2–3. Narrows the window to what the node can still be worth. A score ends the node.
    #[inline]
    pub(crate) fn narrow_window(&mut self, alpha: &mut Score, beta: &mut Score, ply: usize) -> Option<Score> {
        // Step 2. Ends of the game by rule, and the edge of the tree
        if self.is_stopped() {
            return Some(Score::ZERO);
        }
        let ended = self.ended_score(ply);
        if ended.is_some() {
            return ended;
        }
        *alpha = self.alpha_with_repetition(*alpha, ply);
        if *alpha >= *beta {
            return Some(*alpha);
        }
        // Step 3. Mate-distance pruning: a quicker win or a slower loss than already found is impossible
        *alpha = (*alpha).max(Score::mated_in(ply));
        *beta = (*beta).min(Score::mate_in(ply + 1));
        (*alpha >= *beta).then_some(*alpha)
    }
}
