//! Mates on request, with the memory that the options give.

use super::Engine;
use crate::mate::{Attacker, MateError, MateLimits, MateObserver, MateResult, MateSolver};

impl Engine {
    /// Looks for a mate by the side to move, with a table of at most the size of the option `USI_Hash`.
    ///
    /// # Errors
    /// When the opponent has no king, or the system refuses a thread.
    pub fn solve_mate(&self, limits: &MateLimits, observer: &dyn MateObserver) -> Result<MateResult, MateError> {
        MateSolver::new(self.options.hash_mb).solve(&self.position, Attacker::SideToMove, limits, observer)
    }
}
