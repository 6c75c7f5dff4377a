//! Mates looked for step by step, beside another search.

use super::deadline::Deadline;
use super::dfpn::Dfpn;
use super::result::{MateError, MateLimits, MateObserver, MateResult};
use super::{MateSolver, run};
use crate::position::Position;

use std::time::Instant;

/// Mates longer than this are not looked for on the stack of another search.
const MAX_STEP_PLIES: u16 = 199;

/// Positions beyond the limits for the moves of a mate: a few milliseconds, for a clock may be running.
const CLOSING_NODES: u64 = 2_000;

impl MateSolver {
    /// Looks for a mate by the side to move like [`MateSolver::solve`], but on the thread that calls and with what
    /// earlier steps have found for the same side: a step goes on where the last one was cut short, also from another
    /// position of the same game. No mate longer than 199 plies is found.
    ///
    /// # Errors
    /// When the opponent has no king.
    pub fn step(
        &mut self,
        position: &Position,
        limits: &MateLimits,
        observer: &dyn MateObserver,
    ) -> Result<MateResult, MateError> {
        let attacker = position.side_to_move();
        if position.king_square(!attacker).is_none() {
            return Err(MateError::NoKing);
        }
        if self.attacker != Some(attacker) {
            self.table.clear();
            self.path.forget();
            self.attacker = Some(attacker);
        }
        self.path.begin();
        let limits =
            MateLimits { plies: Some(limits.plies.unwrap_or(MAX_STEP_PLIES).min(MAX_STEP_PLIES)), ..limits.clone() };
        let deadline = Deadline::of(&limits, Instant::now());
        let mut search = Dfpn::new(position.clone(), &mut self.table, &mut self.path, observer, deadline);
        search.closing_nodes = CLOSING_NODES;
        Ok(run::<true, _>(search, &limits))
    }

    /// Forgets what steps have found.
    pub fn forget(&mut self) {
        self.attacker = None;
    }
}
