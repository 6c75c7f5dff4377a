//! Quiescence search: follows captures (in check, all moves) until the evaluation can be trusted.

use crate::position::exchange_value;
use crate::search::correction::corrected;
use crate::search::movepick::{MovePicker, NonPromotions, Picked, Purpose, is_quiet};
use crate::search::params::{MATE_DEPTH, quiescence_margin, quiescence_moves, quiescence_see};
use crate::search::stack::{BestSoFar, NodeType, bound_allows_cutoff, lerp_to_beta, tt_adjusted_eval};
use crate::search::thread::SearchThread;
use crate::search::tree::move_pruning::MovePruning;
use crate::search::tt::{Bound, TtEntry};
use crate::types::{Move, Score, Square};

impl SearchThread<'_> {
    /// The score of the present position within a window, once it is quiet.
    pub(super) fn qsearch<N: NodeType>(&mut self, mut alpha: Score, beta: Score, ply: usize) -> Score {
        if N::PV {
            self.pvs.clear(ply);
            self.selective_depth = self.selective_depth.max(ply);
        }
        if self.stopped {
            return Score::ZERO;
        }
        let correction_keys = self.correction_keys(ply);
        self.corrections.prefetch(correction_keys);
        if let Some(score) = self.ended_score(ply) {
            return score;
        }
        alpha = self.alpha_with_repetition(alpha, ply);
        if alpha >= beta {
            return alpha;
        }

        let key = self.position.key();
        let tt_entry = self.probe(key, ply);
        if !N::PV
            && let Some(entry) = tt_entry
            && entry.is_searched()
            && bound_allows_cutoff(&entry, beta)
            && let Some(score) = entry.score
        {
            return score;
        }
        if let Some(score) = self.immediate_win::<N>(ply, -MATE_DEPTH, tt_entry.as_ref()) {
            return score;
        }

        // Stand pat: the side to move need not capture
        let in_check = self.position.in_check();
        self.stack[ply].in_check = in_check;
        let raw_eval = self.raw_eval(tt_entry.as_ref());
        let static_eval = raw_eval.map(|eval| corrected(eval, self.corrections.get(correction_keys)));
        let stand_pat = match static_eval {
            Some(_) => {
                tt_adjusted_eval(static_eval, tt_entry.filter(|entry| !entry.score.is_some_and(Score::is_decided)))
            }
            None => -Score::INFINITE,
        };
        if stand_pat >= beta {
            let score = lerp_to_beta(stand_pat, 1, beta, 1);
            if tt_entry.is_none() {
                let unsearched = TtEntry::evaluation(raw_eval, false);
                let stored = Some(score.to_table(ply));
                self.shared.table.store(key, TtEntry { score: stored, bound: Bound::Lower, ..unsearched });
            }
            return score;
        }

        // The moves
        let tt_move = self.tt_move(tt_entry.as_ref());
        let best =
            BestSoFar { score: stand_pat, mv: None, alpha: alpha.max(stand_pat), no_move: false, multi_cut: None };
        let best = self.qsearch_moves::<N>(best, tt_move, static_eval, beta, ply);
        if self.stopped {
            return Score::ZERO;
        }
        if best.no_move {
            return Score::mated_in(ply);
        }
        let score = lerp_to_beta(best.score, 1, beta, 1);
        // Captures alone prove no exact score
        let bound = if score >= beta { Bound::Lower } else { Bound::Upper };
        let pv = tt_entry.is_some_and(|entry| entry.pv);
        let stored = Some(score.to_table(ply));
        self.shared.table.store(key, TtEntry { mv: best.mv, score: stored, eval: raw_eval, depth: 0, bound, pv });
        score
    }

    /// Tries the captures, in check all moves, to see whether one is better than `best` is so far.
    #[inline]
    fn qsearch_moves<N: NodeType>(
        &mut self,
        mut best: BestSoFar,
        tt_move: Option<Move>,
        static_eval: Option<Score>,
        beta: Score,
        ply: usize,
    ) -> BestSoFar {
        // What a capture is added to, to see whether it can raise alpha
        let base = static_eval.map(|eval| eval + quiescence_margin());
        let last_to = self.prior_move(ply, 1).map(|made| made.mv.to());
        let non_promotions = NonPromotions::below_root(self.shared.settings);
        let (purpose, continuations) = (Purpose::Quiescence, self.continuations(ply));
        let mut picker = MovePicker::new(&self.position, purpose, tt_move, continuations, ply, non_promotions);
        let mut move_count = 0;
        while let Some(Picked::Move(mv)) = picker.next(&self.position, self.history) {
            move_count += 1;
            if !best.score.is_loss() {
                match self.prune_qsearch_move(mv, move_count, base, last_to, best.alpha) {
                    MovePruning::Keep => {}
                    MovePruning::Skip => continue,
                    MovePruning::SkipWith(score) => {
                        best.score = best.score.max(score);
                        continue;
                    }
                }
            }
            self.prefetch_after(mv);
            if let Some(next) = picker.peek() {
                self.prefetch_after(next);
            }
            self.do_move(mv, ply, move_count, 0);
            let score = -self.qsearch::<N>(-beta, -best.alpha, ply + 1);
            self.undo_move(mv);
            if self.stopped {
                return best;
            }
            if score > best.score {
                best.score = score;
                if score > best.alpha {
                    best.mv = Some(mv);
                    if N::PV {
                        self.pvs.set(ply, mv);
                    }
                    if score >= beta {
                        break;
                    }
                    best.alpha = score;
                }
            }
        }
        best.no_move = move_count == 0 && self.stack[ply].in_check;
        best
    }

    /// Whether a move can be left out. `base`, when the side to move is not in check, is what the value of the captured
    /// piece is added to.
    #[inline]
    fn prune_qsearch_move(
        &self,
        mv: Move,
        move_count: usize,
        base: Option<Score>,
        last_to: Option<Square>,
        alpha: Score,
    ) -> MovePruning {
        let victim = self.position.piece_on(mv.to());
        // Recaptures and checks change more than they take
        let usual = last_to != Some(mv.to()) && !self.position.gives_check(mv);
        let base = base.filter(|_| usual);
        if usual && move_count > quiescence_moves() as usize {
            return MovePruning::Skip;
        }
        if let Some(base) = base {
            let futility_value = base + victim.map_or(0, |piece| exchange_value(piece.piece_type()));
            if futility_value <= alpha {
                return MovePruning::SkipWith(futility_value);
            }
        }
        if let Some(base) = base
            && !self.position.see_ge(mv, alpha - base)
        {
            return MovePruning::SkipWith(alpha.min(base));
        }
        // Quiet evasions are tried only while every line known loses
        if is_quiet(&self.position, mv) || !self.position.see_ge(mv, -quiescence_see()) {
            MovePruning::Skip
        } else {
            MovePruning::Keep
        }
    }
}
