//! What a node's result teaches the histories.

use super::Bound;
use super::correction::CorrectionKeys;
use super::movepick::is_quiet;
use super::node::{Best, Node};
use super::params::*;
use super::thread::SearchThread;
use crate::eval::Evaluator;
use crate::types::{Depth, Move, Score};

impl<E: Evaluator> SearchThread<'_, E> {
    /// Notes by how much the evaluation was off, where the search can tell: not after captures, whose
    /// gain no evaluation is to know, nor from bounds on the wrong side.
    #[inline]
    pub(super) fn learn_correction(
        &mut self,
        keys: CorrectionKeys,
        eval: Score,
        best: &Best,
        bound: Bound,
        depth: Depth,
    ) {
        let quiet = best.mv.is_none_or(|mv| is_quiet(&self.position, mv));
        let tells = match bound {
            Bound::Exact => true,
            Bound::Lower => best.score > eval,
            Bound::Upper => best.score < eval,
        };
        if quiet && tells && !best.score.is_decided() {
            self.history.corrections.learn(keys, depth, best.score - eval);
        }
    }

    /// Raises the record of the move that refuted a node and lowers those tried before it.
    pub(super) fn reward_refutation(&mut self, node: &Node, mv: Move, quiet: bool, quiets: &[Move], captures: &[Move]) {
        let bonus = bonus(node.depth);
        if quiet {
            let killers = &mut self.frames[node.ply].killers;
            if killers[0] != Some(mv) {
                *killers = [Some(mv), killers[0]];
            }
            self.reward_quiet(mv, bonus, node.ply);
            for &other in quiets {
                self.reward_quiet(other, -bonus, node.ply);
            }
        } else {
            self.reward_capture(mv, bonus);
        }
        for &other in captures {
            self.reward_capture(other, -bonus);
        }
    }

    pub(super) fn reward_quiet(&mut self, mv: Move, bonus: i32, ply: usize) {
        let color = self.position.side_to_move();
        let played = self.played(mv);
        self.history.update_quiet(color, mv, bonus);
        for before in self.continuations(ply).into_iter().flatten() {
            self.history.update_continuation(before, played, bonus);
        }
    }

    fn reward_capture(&mut self, mv: Move, bonus: i32) {
        let played = self.played(mv);
        if let Some(captured) = self.position.piece_on(mv.to()) {
            self.history.update_capture(played, captured.piece_type(), bonus);
        }
    }
}

/// What a refutation at this depth adds to a move's record.
pub(super) fn bonus(depth: Depth) -> i32 {
    (bonus_factor() * depth - bonus_base()).min(bonus_most())
}
