//! The main search: principal variation search with alpha-beta pruning (steps 1–5 and 21, and the order of all).
//!
//! Each step bears its title. Where no source is named, the idea is common to all strong engines and
//! described on the Chess Programming Wiki; the shape of most conditions follows Stockfish and its
//! descendant YaneuraOu.

use crate::mate::mate_in_one;
use crate::position::{Repetition, SearchRepetition};
use crate::rules::GameEnd;
use crate::search::correction::CorrectionKeys;
use crate::search::movepick::is_quiet;
use crate::search::params::{MATE_DEPTH, tt_cutoff_depth};
use crate::search::stack::{BestSoFar, NodeInfo, NodeType, PLIES_BACK, bound_allows_cutoff, lerp_to_beta};
use crate::search::thread::SearchThread;
use crate::search::tt::{Bound, TtEntry};
use crate::types::{Depth, MAX_PLY, Move, Score};

impl SearchThread<'_> {
    /// Searches the present position to a depth within a window. A score outside the window is a bound
    /// (fail-soft). After a stop the result means nothing.
    pub(in crate::search) fn search<N: NodeType>(
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
        self.corrections.prefetch(correction_keys);

        // Steps 2–3. Ends of the game by rule, the edge of the tree, mate-distance pruning
        if !N::ROOT
            && let Some(score) = self.narrow_window(&mut alpha, &mut beta, ply)
        {
            return score;
        }

        // Step 4. Transposition table
        let key = self.position.key();
        let tt_entry = self.probe(key, ply);
        let tt_move = if N::ROOT {
            self.root_moves.get(self.pv_index).map(|root| root.mv)
        } else {
            self.tt_move(tt_entry.as_ref())
        };
        let mut node = NodeInfo {
            ply,
            key,
            depth: depth.min(MAX_PLY as Depth),
            excluded: self.stack[ply].excluded,
            tt_move,
            tt_move_captures: tt_move.is_some_and(|mv| !is_quiet(&self.position, mv)),
            tt_entry,
            prior_reduction,
            cut_node,
            all_node: !N::PV && !cut_node,
            ..NodeInfo::default()
        };
        if !N::PV
            && let Some(score) = self.tt_cutoff(&node, beta)
        {
            return score;
        }
        if node.excluded.is_none() {
            self.stack[ply].tt_pv = N::PV || tt_entry.is_some_and(|entry| entry.pv);
        }
        if let Some(mv) = tt_move {
            self.prefetch_after(mv);
        }

        // Step 5. Wins that need no search: declaration, mate in one
        if !N::ROOT
            && node.excluded.is_none()
            && let Some(score) = self.immediate_win::<N>(ply, node.depth, tt_entry.as_ref())
        {
            return score;
        }

        // Steps 6–7. Static evaluation, and the depth in the light of it
        self.evaluate_node::<N>(&mut node, correction_keys);
        self.stack[ply + 2].cutoff_count = 0;

        // Steps 8–12. Prune the whole node, or search it less deep
        if let Some(score) = self.prune_node::<N>(&mut node, alpha, beta) {
            return score;
        }
        if !N::ROOT && self.stopped {
            return Score::ZERO;
        }

        // Steps 13–20. The moves
        let mut best = self.search_moves::<N>(&mut node, alpha, beta);
        if self.stopped {
            return Score::ZERO;
        }
        if let Some(score) = best.multi_cut {
            return score;
        }
        best.score = lerp_to_beta(best.score, node.depth, beta, 1);

        // Step 21. Update the histories and store the result
        self.finish_node::<N>(&node, &best, correction_keys, alpha, beta);
        best.score
    }

    /// Step 21. Updates the histories, the TT and the stack with the result of a node.
    #[inline]
    fn finish_node<N: NodeType>(
        &mut self,
        node: &NodeInfo,
        best: &BestSoFar,
        keys: CorrectionKeys,
        alpha: Score,
        beta: Score,
    ) {
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

impl SearchThread<'_> {
    /// Step 1. Clears what the last node at this ply left behind, and takes the reduction that led to this one.
    #[inline]
    fn begin_node<N: NodeType>(&mut self, ply: usize) -> Depth {
        if N::PV {
            self.pvs.clear(ply);
            self.selective_depth = self.selective_depth.max(ply);
        }
        let in_check = self.position.in_check();
        let here = &mut self.stack[ply];
        here.in_check = in_check;
        let Some(above) = ply.checked_sub(1) else {
            here.follows_pv = true;
            return 0;
        };
        let above = &mut self.stack[above];
        let follows_pv = above.follows_pv && above.made.is_some_and(|made| self.last_pv.get(ply - 1) == Some(&made.mv));
        let reduction = std::mem::take(&mut above.reduction);
        self.stack[ply].follows_pv = follows_pv;
        reduction
    }

    /// Steps 2–3. Narrows the window to what the node can still be worth. A score ends the node.
    #[inline]
    fn narrow_window(&mut self, alpha: &mut Score, beta: &mut Score, ply: usize) -> Option<Score> {
        // Step 2. Ends of the game by rule, and the edge of the tree
        if self.stopped {
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

impl SearchThread<'_> {
    /// The score of a position in which the rules or the tree end the line.
    #[inline]
    pub(super) fn ended_score(&mut self, ply: usize) -> Option<Score> {
        match self.position.search_repetition(ply) {
            SearchRepetition::Rules(Repetition::None) => {}
            SearchRepetition::Rules(Repetition::Draw) => return Some(self.draw_score()),
            SearchRepetition::Rules(Repetition::Win) => return Some(Score::win_in(ply)),
            SearchRepetition::Rules(Repetition::Lose) => return Some(Score::loss_in(ply)),
            // The opponent could have had more, so this line refutes its play; and the reverse.
            SearchRepetition::Superior => return Some(Score::MAX_EVAL),
            SearchRepetition::Inferior => return Some(-Score::MAX_EVAL),
        }
        if self.shared.settings.rules.is_too_long(&self.position) {
            // As `GameEnd::from_position` has it: a last move that leaves none wins, and it is too late to declare.
            return Some(match GameEnd::without_move(&self.position) {
                Some(_) => Score::mated_in(ply),
                None => self.draw_score(),
            });
        }
        if ply >= MAX_PLY {
            let in_check = self.position.in_check();
            return Some(if in_check { self.draw_score() } else { self.evaluator.evaluate(&self.position) });
        }
        None
    }

    /// Alpha, or what a draw is worth where that is more and the next move can repeat a position of the tree
    /// (upcoming repetition, from Stockfish). Only the usual case is looked at, both sides shuffling with
    /// one piece, so that one comparison of keys does for a table of moves.
    #[inline]
    pub(super) fn alpha_with_repetition(&self, alpha: Score, ply: usize) -> Score {
        let draw = self.draw_score();
        if alpha >= draw || ply <= PLIES_BACK {
            return alpha;
        }
        let repeats = self.prior_move(ply, 2).is_some_and(|made| self.position.repeating_move(made.mv).is_some());
        if repeats { draw } else { alpha }
    }

    /// A win the side to move can have at once. Mate in one is looked for only in positions that the
    /// table does not know: the others have been looked at.
    #[inline(always)]
    pub(super) fn immediate_win<N: NodeType>(
        &mut self,
        ply: usize,
        depth: Depth,
        entry: Option<&TtEntry>,
    ) -> Option<Score> {
        if self.shared.settings.rules.can_declare(&self.position) {
            return Some(Score::win_in(ply + 1));
        }
        if entry.is_some() || self.position.in_check() {
            return None;
        }
        let mv = mate_in_one(&mut self.position)?;
        if N::PV {
            self.pvs.clear(ply + 1);
            self.pvs.set(ply, mv);
        }
        let score = Score::mate_in(ply + 1);
        let depth = depth + MATE_DEPTH;
        let known = TtEntry {
            mv: Some(mv),
            score: Some(score.to_table(ply)),
            eval: None,
            depth,
            bound: Bound::Exact,
            pv: N::PV,
        };
        self.shared.table.store(self.position.key(), known);
        Some(score)
    }
}

impl SearchThread<'_> {
    /// The TT entry of the position, its score counted from the root.
    #[inline]
    pub(super) fn probe(&self, key: u64, ply: usize) -> Option<TtEntry> {
        let entry = self.shared.table.probe(key)?;
        Some(TtEntry { score: entry.score.map(|score| score.from_table(ply)), ..entry })
    }

    /// The TT move, where it is legal here.
    #[inline]
    pub(super) fn tt_move(&self, entry: Option<&TtEntry>) -> Option<Move> {
        entry.and_then(|entry| entry.mv).filter(|&mv| self.position.is_legal(mv))
    }

    /// Step 4. The score of a null-window node of which the TT entry is deep enough.
    #[inline]
    fn tt_cutoff(&mut self, node: &NodeInfo, beta: Score) -> Option<Score> {
        let entry = node.tt_entry.as_ref().filter(|_| node.excluded.is_none())?;
        let (score, depth) = (entry.score?, node.depth);
        let settled = entry.depth > depth - Depth::from(score <= beta)
            && bound_allows_cutoff(entry, beta)
            && (node.cut_node == (score >= beta) || depth >= tt_cutoff_depth());
        if settled && score >= beta {
            self.update_on_tt_cutoff(node.tt_move, depth, node.ply);
        }
        settled.then_some(score)
    }

    /// Step 21. Stores what the search of a node has shown. Of the root only the first line is worth keeping.
    #[inline]
    fn store_result<N: NodeType>(&mut self, node: &NodeInfo, best: &BestSoFar, alpha: Score, beta: Score) {
        if N::ROOT && self.pv_index > 0 || node.excluded.is_some() {
            return;
        }
        let bound = if best.score >= beta {
            Bound::Lower
        } else if N::PV && best.score > alpha {
            Bound::Exact
        } else {
            Bound::Upper
        };
        // Mate is mate at any depth
        let depth = node.depth + if best.no_move { MATE_DEPTH } else { 0 };
        let score = Some(best.score.to_table(node.ply));
        let pv = self.stack[node.ply].tt_pv;
        self.shared.table.store(node.key, TtEntry { mv: best.mv, score, eval: node.raw_eval, depth, bound, pv });
    }
}
