//! The main search: principal variation search with alpha-beta pruning.
//!
//! Each step bears its title. Where no source is named, the idea is common to all strong engines and
//! described on the Chess Programming Wiki; the shape of most conditions follows Stockfish and its
//! descendant YaneuraOu.

use crate::search::ordering::picker::is_quiet;
use crate::search::state::node::{Best, Node, NodeType, towards_beta};
use crate::search::state::thread::SearchThread;
use crate::search::tables::correction::CorrectionKeys;
use crate::types::{Depth, MAX_PLY, Score};

impl SearchThread<'_> {
    /// Searches the present position to a depth within a window. A score outside the window is a bound
    /// (fail-soft). After a stop the result means nothing.
    pub(crate) fn search<N: NodeType>(
        &mut self,
        mut alpha: Score,
        mut beta: Score,
        depth: Depth,
        ply: usize,
        cut_node: bool,
    ) -> Score {
        debug_assert!(alpha < beta && (N::PV || beta - alpha == 1));
        if depth <= 0 {
            return self.qsearch::<N>(alpha, beta, ply);
        }

        // Step 1. Begin the node
        let prior_reduction = self.begin_node::<N>(ply);
        let correction_keys = self.correction_keys(ply);
        self.history.corrections.prefetch(correction_keys);

        // Steps 2–3. Ends of the game by rule, the edge of the tree, mate-distance pruning
        if !N::ROOT
            && let Some(score) = self.narrow_window(&mut alpha, &mut beta, ply)
        {
            return score;
        }

        // Step 4. Transposition table
        let key = self.position.key();
        let entry = self.probe(key, ply);
        let tt_move =
            if N::ROOT { self.root_moves.get(self.pv_index).map(|root| root.mv) } else { self.tt_move(entry.as_ref()) };
        let mut node = Node {
            ply,
            key,
            depth: depth.min(MAX_PLY as Depth),
            excluded: self.stack[ply].excluded,
            tt_move,
            tt_move_captures: tt_move.is_some_and(|mv| !is_quiet(&self.position, mv)),
            entry,
            prior_reduction,
            cut_node,
            all_node: !N::PV && !cut_node,
            ..Node::default()
        };
        if !N::PV
            && let Some(score) = self.tt_cutoff(&node, beta)
        {
            return score;
        }
        if node.excluded.is_none() {
            self.stack[ply].tt_pv = N::PV || entry.is_some_and(|entry| entry.pv);
        }
        if let Some(mv) = tt_move {
            self.prefetch_after(mv);
        }

        // Step 5. Wins that need no search: declaration, mate in one
        if !N::ROOT
            && node.excluded.is_none()
            && let Some(score) = self.immediate_win::<N>(ply, node.depth, entry.as_ref())
        {
            return score;
        }

        // Steps 6–7. Static evaluation, and the depth in the light of it
        self.evaluate_node::<N>(&mut node, correction_keys);
        if let Some(after) = self.stack.get_mut(ply + 2) {
            after.cutoffs = 0;
        }

        // Steps 8–12. Prune the whole node, or search it less deep
        if let Some(score) = self.prune_node::<N>(&mut node, alpha, beta) {
            return score;
        }
        if !N::ROOT && self.is_stopped() {
            return Score::ZERO;
        }

        // Steps 13–20. The moves
        let mut best = self.search_moves::<N>(&mut node, alpha, beta);
        if self.is_stopped() {
            return Score::ZERO;
        }
        if let Some(score) = best.multi_cut {
            return score;
        }
        best.score = towards_beta(best.score, node.depth, beta, 1);

        // Step 21. Update the histories and store the result
        self.finish_node::<N>(&node, &best, correction_keys, alpha, beta);
        best.score
    }

    /// Step 21. What the result of a node tells the histories, the table and the nodes around it.
    #[inline]
    fn finish_node<N: NodeType>(&mut self, node: &Node, best: &Best, keys: CorrectionKeys, alpha: Score, beta: Score) {
        if best.mv.is_none() && !best.no_move && !N::ROOT {
            self.update_prior_move(node, best.score);
        }
        if best.score <= alpha
            && let Some(above) = node.ply.checked_sub(1)
        {
            self.stack[node.ply].tt_pv |= self.stack[above].tt_pv;
        }
        self.store_result::<N>(node, best, alpha, beta);
        if !self.stack[node.ply].in_check
            && let Some(eval) = node.static_eval
        {
            self.update_correction_history(keys, eval, best, node.depth);
        }
    }
}
