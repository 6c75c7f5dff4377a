//! What a node's result tells the histories.

use crate::search::ordering::picker::is_quiet;
use crate::search::params::*;
use crate::search::state::node::{Best, Node};
use crate::search::state::thread::SearchThread;
use crate::search::tables::correction::CorrectionKeys;
use crate::search::tables::history::Continuation;
use crate::search::tables::played_move::PlayedMove;
use crate::types::{Depth, Move, PieceType, Score};

/// Weights of a bonus for the history scores as a continuation of the moves one, two … six plies before, in
/// 1/1024.
const CONTINUATION_WEIGHTS: [i32; 6] = [1157, 648, 288, 576, 140, 441];
/// The opponent's first moves are those that matter when the table refutes them.
const EARLY_MOVES: usize = 4;
/// What any move that is judged gains as the answer to the last one: it was at least worth a try.
const ANSWER_BONUS: i32 = 88;

impl SearchThread<'_> {
    /// Notes by how much the evaluation was off, where the search can tell: not after captures, whose
    /// gain no evaluation is to know, nor from bounds on the wrong side.
    #[inline]
    pub(crate) fn update_correction_history(&mut self, keys: CorrectionKeys, eval: Score, best: &Best, depth: Depth) {
        let quiet = best.mv.is_none_or(|mv| self.position.piece_on(mv.to()).is_none());
        if quiet && (best.score > eval) == best.mv.is_some() {
            self.history.corrections.update(keys, depth, best.score - eval, best.mv.is_none());
        }
    }

    /// Raises the history score of the move that was best and lowers those tried before it.
    pub(crate) fn update_histories(&mut self, node: &Node, mv: Move, quiets: &[Move], captures: &[Move]) {
        let ply = node.ply;
        let mut bonus = bonus(node.depth) + if Some(mv) == node.tt_move { bonus_tt_move() } else { 0 };
        if let Some(above) = ply.checked_sub(1) {
            bonus += self.stack[above].history_score / 32;
        }
        let malus = (malus_factor() * node.depth - malus_base()).min(malus_most());
        if is_quiet(&self.position, mv) {
            self.update_quiet_histories(mv, bonus * 806 / 1024, ply);
            let mut malus = malus * 1113 / 1024;
            for &other in quiets {
                // Later moves were less likely to be good anyway.
                malus = malus * 977 / 1024;
                self.update_quiet_histories(other, -malus, ply);
            }
        } else {
            self.update_capture_history(mv, bonus * 1286 / 1024);
        }
        for &other in captures {
            self.update_capture_history(other, -malus * 1559 / 1024);
        }
        // The opponent's first move was no good, if it is refuted
        if let Some(above) = ply.checked_sub(1) {
            let first = self.stack[above].number == 1 + usize::from(self.stack[above].tt_hit);
            if first && let Some((_, played)) = self.quiet_move_before(ply) {
                self.update_continuation_histories(played, -malus * malus_early() / 1024, above);
            }
        }
    }

    /// The table refutes the node: its move is good, and the opponent's last one was not.
    pub(crate) fn update_on_tt_cutoff(&mut self, tt_move: Option<Move>, depth: Depth, ply: usize) {
        let Some(mv) = tt_move else { return };
        if is_quiet(&self.position, mv) {
            self.update_quiet_histories(mv, (130 * depth - 71).min(1043), ply);
        }
        if let Some((_, played)) = self.quiet_move_before(ply)
            && self.stack[ply - 1].number <= EARLY_MOVES
        {
            self.update_continuation_histories(played, -2142, ply - 1);
        }
    }

    /// The opponent's last move was good or bad for it, as far as the static evaluations tell; `sum` is
    /// that of both sides' evaluations, each from its own view.
    pub(crate) fn update_on_eval_change(&mut self, sum: i32, ply: usize) {
        let Some((mv, played)) = self.quiet_move_before(ply) else { return };
        if self.stack[ply - 1].in_check {
            return;
        }
        let bonus = (-sum).clamp(-214, 171) * change_factor() + change_base();
        let color = !self.position.side_to_move();
        self.history.update_quiet(color, mv, bonus);
        if !self.stack[ply].tt_hit && counts_for_pawns(mv, played) {
            self.history.update_pawn(self.position.structure().pawns(), played, bonus * 6 / 5);
        }
    }

    /// Nothing was found against the opponent's last move: it was a good one.
    pub(crate) fn update_prior_move(&mut self, node: &Node, score: Score) {
        let ply = node.ply;
        let Some(above) = ply.checked_sub(1) else { return };
        let Some((mv, played)) = self.quiet_move_before(ply) else {
            self.update_prior_capture(above);
            return;
        };
        let before = &self.stack[above];
        let mut scale = -232 - before.history_score / 108 + (59 * node.depth).min(454);
        if before.number > 8 {
            scale += 169;
        }
        if !self.stack[node.ply].in_check && node.static_eval.is_some_and(|eval| score <= eval - 110) {
            scale += 145;
        }
        if !before.in_check && before.static_eval.is_some_and(|eval| score <= -eval - 73) {
            scale += 154;
        }
        let scale = scale.max(0) * prior_bonus() / 1024;
        let bonus = (135 * node.depth - 80).min(1400) * scale;
        self.update_continuation_histories(played, bonus * 221 / 16384, above);
        self.history.update_quiet(!self.position.side_to_move(), mv, bonus * 235 / 32768);
        if counts_for_pawns(mv, played) {
            self.history.update_pawn(self.position.structure().pawns(), played, bonus * 290 / 8192);
        }
    }

    fn update_prior_capture(&mut self, above: usize) {
        if let (Some(played), Some(captured)) = (self.stack[above].played, self.stack[above].captured) {
            self.history.update_capture(played, captured, 1018);
        }
    }

    /// The opponent's last move, when it was quiet.
    fn quiet_move_before(&self, ply: usize) -> Option<(Move, PlayedMove)> {
        let before = &self.stack[ply.checked_sub(1)?];
        before.mv.filter(|_| before.quiet).zip(before.played)
    }

    fn update_quiet_histories(&mut self, mv: Move, bonus: i32, ply: usize) {
        let color = self.position.side_to_move();
        let played = self.played(mv);
        self.history.update_quiet(color, mv, bonus);
        self.history.update_low_ply(ply, mv, bonus * 761 / 1024);
        self.update_continuation_histories(played, bonus * 955 / 1024, ply);
        let pawn_bonus = bonus * if bonus > 0 { 850 } else { 550 } / 1024;
        self.history.update_pawn(self.position.structure().pawns(), played, pawn_bonus);
    }

    /// Changes a move's history scores as a continuation of the moves before a ply. In check only the last two
    /// moves matter.
    pub(crate) fn update_continuation_histories(&mut self, played: PlayedMove, bonus: i32, ply: usize) {
        let mut more = ANSWER_BONUS;
        let depth = if self.stack[ply].in_check { 2 } else { CONTINUATION_WEIGHTS.len() };
        for (before, weight) in self.continuations(ply).into_iter().zip(CONTINUATION_WEIGHTS).take(depth) {
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

    /// The history score of a capture; of a promotion that captures nothing there is none.
    #[inline]
    pub(crate) fn capture_history(&self, mv: Move) -> i32 {
        let captured = self.position.piece_on(mv.to());
        captured.map_or(0, |piece| self.history.capture(self.played(mv), piece.piece_type()))
    }

    /// A move's history score as a continuation of the last two moves.
    #[inline]
    pub(crate) fn continuation_history(&self, played: PlayedMove, ply: usize) -> i32 {
        let before = self.continuations(ply);
        before.iter().take(2).map(|&before| self.history.continuation(before, played)).sum()
    }
}

/// Whether a move left the pawns as they were, so that its history score with them tells something.
fn counts_for_pawns(mv: Move, played: PlayedMove) -> bool {
    played.piece.piece_type() != PieceType::Pawn && !mv.is_promotion()
}

/// What being best at this depth adds to a move's history score.
fn bonus(depth: Depth) -> i32 {
    (bonus_factor() * depth - bonus_base()).min(bonus_most())
}
