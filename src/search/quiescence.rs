//! Quiescence search: follows captures, promotions and checks until the evaluation can be trusted.

use super::Bound;
use super::movepick::MovePicker;
use super::node::{NodeType, cutoff, refined_eval};
use super::params::quiescence_margin;
use super::thread::SearchThread;
use super::tt::TtEntry;
use crate::eval::Evaluator;
use crate::position::exchange_value;
use crate::types::{Depth, Move, Score};

/// Depths above this include quiet checks.
const CHECKS_DEPTH: Depth = -1;

impl<E: Evaluator> SearchThread<'_, E> {
    /// The score of the present position within a window, once it is quiet. `depth` is 0 at first and
    /// falls by one a ply.
    pub(super) fn quiescence<N: NodeType>(&mut self, mut alpha: Score, beta: Score, depth: Depth, ply: usize) -> Score {
        self.count_node();
        self.frames[ply].pv.clear();
        self.frames[ply].played = None;
        if N::PV {
            self.selective_depth = self.selective_depth.max(ply);
        }
        if self.is_stopped() {
            return Score::ZERO;
        }
        if let Some(score) = self.ended_score(ply) {
            return score;
        }

        let key = self.position.key();
        let entry = self.shared.table.probe(key);
        if !N::PV
            && let Some(entry) = entry
            && let Some(score) = cutoff(entry, ply, beta)
        {
            return score;
        }
        if let Some(score) = self.immediate_win::<N>(ply, entry.is_none()) {
            return score;
        }

        // Stand pat: the side to move need not capture
        let in_check = self.position.in_check();
        let raw_eval = if in_check {
            None
        } else {
            let known = entry.and_then(|entry| entry.eval);
            Some(known.unwrap_or_else(|| self.evaluator.evaluate(&self.position)))
        };
        let static_eval = raw_eval.map(|eval| {
            let keys = self.correction_keys(ply);
            self.history.corrections.correct(eval, keys)
        });
        let mut best = if in_check { -Score::INFINITE } else { refined_eval(static_eval, entry, ply) };
        let mut best_move = None;
        let stood_pat = best;
        if best >= beta {
            if entry.is_none() {
                self.store_quiescence(key, None, best, raw_eval, Bound::Lower, ply, false);
            }
            return best;
        }
        let old_alpha = alpha;
        alpha = alpha.max(best);

        let table_move = entry
            .and_then(|entry| entry.mv)
            .filter(|&mv| self.position.is_legal(mv) && (in_check || self.position.piece_on(mv.to()).is_some()));
        let mut picker = MovePicker::quiescence(
            &self.position,
            table_move,
            depth > CHECKS_DEPTH,
            self.continuations(ply),
            self.shared.settings.generate_all_legal_moves,
        );
        let mut moves = 0;
        while let Some(mv) = picker.next(&self.position, self.history, false) {
            moves += 1;
            if !best.is_loss() {
                if !in_check && self.is_futile(mv, stood_pat, alpha) {
                    continue;
                }
                // Exchanges that lose, evasions by drops that lose included
                if !self.position.see_ge(mv, 0) {
                    continue;
                }
            }
            self.do_move(mv, ply);
            let score = -self.quiescence::<N>(-beta, -alpha, depth - 1, ply + 1);
            self.undo_move(mv);
            if self.is_stopped() {
                return Score::ZERO;
            }
            if score > best {
                best = score;
                if score > alpha {
                    best_move = Some(mv);
                    if N::PV {
                        self.set_pv(ply, mv);
                    }
                    if score >= beta {
                        break;
                    }
                    alpha = score;
                }
            }
        }
        if in_check && moves == 0 {
            return Score::mated_in(ply);
        }
        let bound = if best >= beta {
            Bound::Lower
        } else if N::PV && best > old_alpha {
            Bound::Exact
        } else {
            Bound::Upper
        };
        let pv = N::PV || entry.is_some_and(|entry| entry.pv);
        self.store_quiescence(key, best_move, best, raw_eval, bound, ply, pv);
        best
    }

    /// Whether even winning the man on the destination leaves the score below alpha.
    #[inline]
    fn is_futile(&self, mv: Move, stood_pat: Score, alpha: Score) -> bool {
        let Some(victim) = self.position.piece_on(mv.to()) else { return false };
        if mv.is_promotion() || self.position.gives_check(mv) {
            return false;
        }
        // A captured man changes sides: it is gone there and in hand here.
        stood_pat + 2 * exchange_value(victim.piece_type()) + quiescence_margin() <= alpha
    }

    #[allow(clippy::too_many_arguments)]
    fn store_quiescence(
        &self,
        key: u64,
        mv: Option<Move>,
        score: Score,
        eval: Option<Score>,
        bound: Bound,
        ply: usize,
        pv: bool,
    ) {
        self.shared.table.store(key, TtEntry { mv, score: score.to_table(ply), eval, depth: 0, bound, pv });
    }
}
