//! The main search: principal variation search with alpha-beta pruning.
//!
//! Each step bears its title. Where no source is named, the idea is common to all strong engines and
//! described on the Chess Programming Wiki; the shape of most conditions follows Stockfish and its
//! descendant YaneuraOu.

use crate::eval::Evaluator;
use crate::search::control::Bound;
use crate::search::ordering::picker::is_quiet;
use crate::search::params::*;
use crate::search::state::node::{Node, NodeType, refined_eval, settles, towards_beta};
use crate::search::state::thread::SearchThread;
use crate::search::tables::correction::{CorrectionKeys, corrected};
use crate::search::tables::tt::TtEntry;
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
        let mut depth = depth.min(MAX_PLY as Depth);

        // Step 1. Begin the node
        let prior_reduction = self.begin_node(ply);
        let correction_keys = self.correction_keys(ply);
        self.history.corrections.prefetch(correction_keys);
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
            alpha = self.alpha_with_repetition(alpha, ply);
            if alpha >= beta {
                return alpha;
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
        let entry = self.probe(key, ply);
        let excluded = self.stack[ply].excluded;
        let in_check = self.position.in_check();
        let tt_move = if N::ROOT {
            self.root_moves.get(self.pv_index).map(|root| root.mv)
        } else {
            entry.and_then(|entry| entry.mv).filter(|&mv| self.position.is_legal(mv))
        };
        if !N::PV
            && excluded.is_none()
            && let Some(entry) = entry
            && entry.depth > depth - Depth::from(entry.score <= beta)
            && settles(&entry, beta)
            && (cut_node == (entry.score >= beta) || depth >= tt_cutoff_depth())
        {
            if entry.score >= beta {
                self.update_on_tt_cutoff(tt_move, depth, ply);
            }
            return entry.score;
        }
        let tt_pv = match excluded {
            Some(_) => self.stack[ply].tt_pv,
            None => N::PV || entry.is_some_and(|entry| entry.pv),
        };
        self.stack[ply].tt_pv = tt_pv;

        if let Some(mv) = tt_move {
            self.prefetch_after(mv);
        }

        // Step 5. Wins that need no search: declaration, mate in one
        if !N::ROOT
            && excluded.is_none()
            && let Some(score) = self.immediate_win::<N>(ply, depth, entry.as_ref())
        {
            return score;
        }

        // Step 6. Static evaluation
        let correction = self.history.corrections.get(correction_keys);
        let raw_eval = if in_check {
            None
        } else {
            let known = entry.and_then(|entry| entry.eval);
            Some(known.unwrap_or_else(|| self.evaluator.evaluate(&self.position)))
        };
        let static_eval = match raw_eval {
            Some(eval) => Some(corrected(eval, correction)),
            None => self.static_eval_before(ply, 2),
        };
        let here = &mut self.stack[ply];
        here.static_eval = static_eval;
        here.tt_hit = entry.is_some();
        if entry.is_none() && !in_check && excluded.is_none() {
            // Worth keeping even if the node is pruned: the next visit need not evaluate.
            self.shared.table.store(key, TtEntry::evaluation(raw_eval, tt_pv));
        }
        let eval_sum = match (static_eval, self.static_eval_before(ply, 1)) {
            (Some(ours), Some(theirs)) => ours.value() + theirs.value(),
            _ => 0,
        };
        if !in_check {
            self.update_on_eval_change(eval_sum, ply);
        }

        // Step 7. Hindsight: correct the depth by what the evaluation says of the move that led here
        let worsening = eval_sum > 0;
        if !N::ROOT && !in_check && excluded.is_none() {
            if prior_reduction >= hindsight_deeper() && !worsening {
                depth += 1;
            }
            if prior_reduction >= hindsight_shallower() && depth >= 2 && eval_sum > hindsight_margin() {
                depth -= 1;
            }
        }

        self.prepare_stack_below(ply);
        let mut node = Node {
            ply,
            depth,
            raw_eval,
            static_eval,
            eval: refined_eval(static_eval, entry.filter(|_| excluded.is_none())),
            correction: correction.abs(),
            improving: !in_check && self.is_improving(ply),
            worsening,
            tt_move,
            tt_move_captures: tt_move.is_some_and(|mv| !is_quiet(&self.position, mv)),
            entry,
            prior_reduction,
            cut_node,
            all_node: !N::PV && !cut_node,
        };

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
        if best.mv.is_none() && !best.no_move && !N::ROOT {
            self.update_prior_move(&node, best.score);
        }
        if best.score <= alpha && ply > 0 {
            self.stack[ply].tt_pv |= self.stack[ply - 1].tt_pv;
        }
        if !(N::ROOT && self.pv_index > 0) && excluded.is_none() {
            let bound = if best.score >= beta {
                Bound::Lower
            } else if N::PV && best.score > alpha {
                Bound::Exact
            } else {
                Bound::Upper
            };
            let score = best.score.to_table(ply);
            let pv = self.stack[ply].tt_pv;
            // Mate is mate at any depth
            let depth = node.depth + if best.no_move { MATE_DEPTH } else { 0 };
            self.shared.table.store(key, TtEntry { mv: best.mv, score, eval: raw_eval, depth, bound, pv });
        }
        if !in_check && let Some(eval) = static_eval {
            self.update_correction_history(correction_keys, eval, &best, node.depth);
        }
        best.score
    }

    /// What the table knows, its score counted from the root.
    #[inline]
    pub(crate) fn probe(&self, key: u64, ply: usize) -> Option<TtEntry> {
        let entry = self.shared.table.probe(key)?;
        // An entry without a score tells no distance to mate either
        let score = if entry.has_score() { entry.score.from_table(ply) } else { entry.score };
        Some(TtEntry { score, ..entry })
    }

    /// Clears what the last node at this ply left behind, and takes the reduction that led to this one.
    #[inline]
    fn begin_node(&mut self, ply: usize) -> Depth {
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

    #[inline]
    fn prepare_stack_below(&mut self, ply: usize) {
        if let Some(after) = self.stack.get_mut(ply + 2) {
            after.cutoffs = 0;
        }
    }

    /// Where corrections of this position's evaluation are kept.
    #[inline]
    pub(crate) fn correction_keys(&self, ply: usize) -> CorrectionKeys {
        let played = |back: usize| ply.checked_sub(back).and_then(|at| self.stack[at].played);
        CorrectionKeys::of(&self.position, played(1), [played(2), played(4)])
    }

    /// The static evaluation of a node some plies before on the line, from the view of its side to move.
    #[inline]
    pub(crate) fn static_eval_before(&self, ply: usize, back: usize) -> Option<Score> {
        ply.checked_sub(back).and_then(|at| self.stack[at].static_eval)
    }

    /// Whether the static evaluation has risen since the side to move was last to move.
    fn is_improving(&self, ply: usize) -> bool {
        match (self.stack[ply].static_eval, self.static_eval_before(ply, 2)) {
            (Some(now), Some(before)) => now > before,
            _ => false,
        }
    }
}
