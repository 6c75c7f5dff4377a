//! The main search: principal variation search with alpha-beta pruning.
//!
//! Each step bears its title. Where no source is named, the idea is common to all strong engines and
//! described on the Chess Programming Wiki.

use super::Bound;
use super::correction::CorrectionKeys;
use super::learning::bonus;
use super::movepick::is_quiet;
use super::node::{Node, NodeType, cutoff, refined_eval};
use super::params::internal_reduction_depth;
use super::thread::SearchThread;
use super::tt::TtEntry;
use crate::eval::Evaluator;
use crate::types::{Depth, Score};

impl<E: Evaluator> SearchThread<'_, E> {
    /// Searches the present position to a depth within a window. A score outside the window is a bound
    /// (fail-soft). After a stop the result means nothing.
    pub(super) fn search<N: NodeType>(
        &mut self,
        mut alpha: Score,
        mut beta: Score,
        mut depth: Depth,
        ply: usize,
        cut_node: bool,
    ) -> Score {
        debug_assert!(alpha < beta && (N::PV || beta - alpha == 1));
        if depth <= 0 {
            return self.quiescence::<N>(alpha, beta, 0, ply);
        }

        // Step 1. Begin the node
        self.count_node();
        self.frames[ply].pv.clear();
        self.frames[ply].played = None;
        if N::PV {
            self.selective_depth = self.selective_depth.max(ply);
        }
        if !N::ROOT {
            // Step 2. Ends of the game by rule, and the edge of the tree
            if self.is_stopped() {
                return Score::ZERO;
            }
            if let Some(score) = self.ended_score(ply) {
                return score;
            }
            // Step 3. Mate-distance pruning: a quicker win or a slower loss than already found is impossible
            alpha = alpha.max(Score::mated_in(ply));
            beta = beta.min(Score::mate_in(ply + 1));
            if alpha >= beta {
                return alpha;
            }
        }

        // Step 4. Transposition table
        let key = self.position.key();
        let entry = self.shared.table.probe(key);
        let excluded = self.frames[ply].excluded;
        let in_check = self.position.in_check();
        let table_move = if N::ROOT {
            self.root_moves.get(self.line).map(|root| root.mv)
        } else {
            entry.and_then(|entry| entry.mv).filter(|&mv| self.position.is_legal(mv))
        };
        if !N::PV
            && excluded.is_none()
            && let Some(entry) = entry
            && entry.depth >= depth
            && let Some(score) = cutoff(entry, ply, beta)
        {
            if score >= beta
                && let Some(mv) = table_move
                && is_quiet(&self.position, mv)
            {
                self.reward_quiet(mv, bonus(depth), ply);
            }
            return score;
        }
        let table_pv = N::PV || entry.is_some_and(|entry| entry.pv);

        // Step 5. Wins that need no search: declaration, mate in one
        if !N::ROOT && excluded.is_none() {
            let won = self.immediate_win::<N>(ply, entry.is_none());
            if let Some(score) = won {
                return score;
            }
        }

        // Step 6. Static evaluation
        let raw_eval = if in_check {
            None
        } else {
            let known = entry.and_then(|entry| entry.eval);
            Some(known.unwrap_or_else(|| self.evaluator.evaluate(&self.position)))
        };
        let correction_keys = self.correction_keys(ply);
        let static_eval = raw_eval.map(|eval| self.history.corrections.correct(eval, correction_keys));
        self.frames[ply].static_eval = static_eval;
        let node = Node {
            ply,
            depth,
            in_check,
            eval: refined_eval(static_eval, entry, ply),
            improving: self.is_improving(ply),
            table_move,
            table_move_captures: table_move.is_some_and(|mv| !is_quiet(&self.position, mv)),
            entry,
            table_pv,
            cut_node,
        };
        if let Some(next) = self.frames.get_mut(ply + 1) {
            next.killers = [None; 2];
        }
        if let Some(after) = self.frames.get_mut(ply + 2) {
            after.cutoffs = 0;
        }

        // Steps 7–9. Prune the whole node
        if !N::PV
            && !in_check
            && excluded.is_none()
            && let Some(score) = self.prune_node(&node, alpha, beta)
        {
            return score;
        }
        if !N::ROOT && self.is_stopped() {
            return Score::ZERO;
        }

        // Step 10. Internal iterative reduction (Ed Schröder): without a table move, order is poor; come
        // back to this node when there is one
        if depth >= internal_reduction_depth() && table_move.is_none() && (N::PV || cut_node) {
            depth -= 1;
        }

        // Steps 11–18. The moves
        let best = self.search_moves::<N>(&Node { depth, ..node }, alpha, beta);
        if self.is_stopped() {
            return Score::ZERO;
        }

        // Step 19. Remember the result
        if !(N::ROOT && self.line > 0) && excluded.is_none() {
            let bound = if best.score >= beta {
                Bound::Lower
            } else if N::PV && best.score > alpha {
                Bound::Exact
            } else {
                Bound::Upper
            };
            let score = best.score.to_table(ply);
            self.shared.table.store(key, TtEntry { mv: best.mv, score, eval: raw_eval, depth, bound, pv: table_pv });
            if let Some(eval) = static_eval {
                self.learn_correction(correction_keys, eval, &best, bound, depth);
            }
        }
        best.score
    }

    /// Where corrections of this position's evaluation are kept.
    #[inline]
    pub(super) fn correction_keys(&self, ply: usize) -> CorrectionKeys {
        let played = |back: usize| ply.checked_sub(back).and_then(|at| self.frames[at].played);
        CorrectionKeys::of(&self.position, [played(1), played(2)])
    }

    /// Whether the static evaluation has risen since the side to move was last to move.
    fn is_improving(&self, ply: usize) -> bool {
        let eval_at = |back: usize| ply.checked_sub(back).and_then(|at| self.frames[at].static_eval);
        match (eval_at(0), eval_at(2).or_else(|| eval_at(4))) {
            (Some(now), Some(before)) => now > before,
            (Some(_), None) => true,
            (None, _) => false,
        }
    }
}
