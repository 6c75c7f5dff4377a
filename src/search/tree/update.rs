//! Updates of the histories with a node's result.

use crate::search::correction::CorrectionKeys;
use crate::search::history::{Continuation, PlayedMove};
use crate::search::movepick::is_quiet;
use crate::search::params::*;
use crate::search::stack::{BestSoFar, MadeMove, NodeInfo};
use crate::search::thread::SearchThread;
use crate::types::{Depth, Move, PieceType, Score};

/// Weights of a bonus for the history scores as a continuation of the moves one, two … six plies before, in 1/1024.
#[inline(always)]
fn continuation_weights() -> [i32; 6] {
    [
        history_continuation_1(),
        history_continuation_2(),
        history_continuation_3(),
        history_continuation_4(),
        history_continuation_5(),
        history_continuation_6(),
    ]
}

impl SearchThread<'_> {
    /// Notes by how much the evaluation was off, where the result shows it: not after captures, whose
    /// gain no evaluation is to know, nor from bounds on the wrong side.
    #[inline]
    pub(super) fn update_correction_history(
        &mut self,
        keys: CorrectionKeys,
        eval: Score,
        best: &BestSoFar,
        depth: Depth,
    ) {
        let quiet = best.mv.is_none_or(|mv| is_quiet(&self.position, mv));
        if quiet && (best.score > eval) == best.mv.is_some() {
            self.corrections.update(keys, depth, best.score - eval, best.mv.is_none());
        }
    }

    /// Raises the history score of the move that was best and lowers those tried before it.
    pub(super) fn update_histories(&mut self, node: &NodeInfo, mv: Move, quiets: &[Move], captures: &[Move]) {
        let ply = node.ply;
        let mut bonus = bonus(node.depth) + if Some(mv) == node.tt_move { bonus_tt_move() } else { 0 };
        bonus += self.prior_move(ply, 1).map_or(0, |made| made.stat_score / bonus_prior_history());
        let malus = (malus_factor() * node.depth - malus_base()).min(malus_most());
        if is_quiet(&self.position, mv) {
            self.update_quiet_histories(mv, bonus * bonus_quiet() / 1024, ply);
            let mut malus = malus * malus_quiet() / 1024;
            for &other in quiets {
                // Later moves were less likely to be good anyway.
                malus = malus * malus_quiet_decay() / 1024;
                self.update_quiet_histories(other, -malus, ply);
            }
        } else {
            self.update_capture_history(mv, bonus * bonus_capture() / 1024);
        }
        for &other in captures {
            self.update_capture_history(other, -malus * malus_capture() / 1024);
        }
        // The opponent's first move was no good, if it is refuted
        if let Some(prior) = self.prior_quiet_move(ply)
            && prior.move_count == 1 + usize::from(self.stack[ply - 1].tt_hit)
        {
            self.update_continuation_histories(prior.played, -malus * malus_early() / 1024, ply - 1);
        }
    }

    /// The TT refutes the node: its move is good, and the opponent's last one was not.
    pub(super) fn update_on_tt_cutoff(&mut self, tt_move: Option<Move>, depth: Depth, ply: usize) {
        let Some(mv) = tt_move else { return };
        if is_quiet(&self.position, mv) {
            self.update_quiet_histories(mv, (tt_cutoff_factor() * depth - tt_cutoff_base()).min(tt_cutoff_most()), ply);
        }
        if let Some(prior) = self.prior_quiet_move(ply)
            && prior.move_count <= tt_cutoff_early() as usize
        {
            self.update_continuation_histories(prior.played, -tt_cutoff_malus(), ply - 1);
        }
    }

    /// The opponent's last move was good or bad for it, by the static evaluations; `sum` is
    /// that of both sides' evaluations, each from its own view.
    pub(super) fn update_on_eval_change(&mut self, sum: i32, ply: usize) {
        let Some(MadeMove { mv, played, .. }) = self.prior_quiet_move(ply) else { return };
        if self.stack[ply - 1].in_check {
            return;
        }
        let bonus = (-sum).clamp(-change_loss(), change_gain()) * change_factor() + change_base();
        let color = !self.position.side_to_move();
        self.history.update_quiet(color, mv, bonus);
        if !self.stack[ply].tt_hit && counts_for_pawns(mv, played) {
            self.history.update_pawn(self.position.pawn_key(), played, bonus * change_pawn() / 5);
        }
    }

    /// Nothing was found against the opponent's last move: it was a good one.
    pub(super) fn update_prior_move(&mut self, node: &NodeInfo, score: Score) {
        let ply = node.ply;
        let Some(&MadeMove { mv, played, captured, move_count, stat_score, .. }) = self.prior_move(ply, 1) else {
            return;
        };
        if let Some(captured) = captured {
            self.history.update_capture(played, captured, prior_capture());
            return;
        }
        let mut scale = -prior_scale_base() - stat_score / prior_scale_history();
        scale += (prior_scale_factor() * node.depth).min(prior_scale_most());
        if move_count > prior_late() as usize {
            scale += prior_scale_late();
        }
        if !self.stack[node.ply].in_check && node.static_eval.is_some_and(|eval| score <= eval - prior_below()) {
            scale += prior_scale_below();
        }
        let before = &self.stack[ply - 1];
        if !before.in_check && before.static_eval.is_some_and(|eval| score <= -eval - prior_better()) {
            scale += prior_scale_better();
        }
        let scale = scale.max(0) * prior_bonus() / 1024;
        let bonus = (prior_factor() * node.depth - prior_base()).min(prior_most()) * scale;
        self.update_continuation_histories(played, bonus * prior_continuation() / 16384, ply - 1);
        self.history.update_quiet(!self.position.side_to_move(), mv, bonus * prior_quiet() / 32768);
        if counts_for_pawns(mv, played) {
            self.history.update_pawn(self.position.pawn_key(), played, bonus * prior_pawn() / 8192);
        }
    }

    /// The opponent's last move, when it was quiet.
    fn prior_quiet_move(&self, ply: usize) -> Option<MadeMove> {
        self.prior_move(ply, 1).copied().filter(MadeMove::is_quiet)
    }

    fn update_quiet_histories(&mut self, mv: Move, bonus: i32, ply: usize) {
        let color = self.position.side_to_move();
        let played = self.played(mv);
        self.history.update_quiet(color, mv, bonus);
        self.history.update_low_ply(ply, mv, bonus * history_low_ply() / 1024);
        self.update_continuation_histories(played, bonus * history_continuation() / 1024, ply);
        let pawn_weight = if bonus > 0 { history_pawn_bonus() } else { history_pawn_malus() };
        self.history.update_pawn(self.position.pawn_key(), played, bonus * pawn_weight / 1024);
    }

    /// Changes a move's history scores as a continuation of the moves before a ply. In check only the last two
    /// moves matter.
    pub(super) fn update_continuation_histories(&mut self, played: PlayedMove, bonus: i32, ply: usize) {
        let mut more = history_answer();
        let weights = continuation_weights();
        let depth = if self.stack[ply].in_check { 2 } else { weights.len() };
        for (before, weight) in self.continuations(ply).into_iter().zip(weights).take(depth) {
            if before != Continuation::NONE {
                self.history.update_continuation(before, played, bonus * weight / 1024 + more);
            }
            more = 0;
        }
    }

    fn update_capture_history(&mut self, mv: Move, bonus: i32) {
        let played = self.played(mv);
        if let Some(captured) = self.position.piece_on(mv.to()) {
            self.history.update_capture(played, captured.piece_type(), bonus);
        }
    }
}

/// Whether a move left the pawns as they were, so that a history score by pawn structure applies to it.
fn counts_for_pawns(mv: Move, played: PlayedMove) -> bool {
    played.piece.piece_type() != PieceType::Pawn && !mv.is_promotion()
}

/// What being best at this depth adds to a move's history score.
fn bonus(depth: Depth) -> i32 {
    (bonus_factor() * depth - bonus_base()).min(bonus_most())
}
