//! Mates on request, with the memory that the options give.

use super::{Engine, SearcherSize};
use crate::mate::{Attacker, MateError, MateLimits, MateObserver, MateResult, MateSolver};

impl Engine {
    /// Looks for a mate by the side to move, with the threads of the option `Threads` and a table of at most the size
    /// of the option `USI_Hash`, as far as there is memory for it beside the searcher.
    ///
    /// # Errors
    /// When the opponent has no king, or the system refuses a thread.
    pub fn solve_mate(&self, limits: &MateLimits, observer: &dyn MateObserver) -> Result<MateResult, MateError> {
        let SearcherSize { threads, hash_mb } = SearcherSize::asked_for(&self.options).that_fits(1);
        MateSolver::with_threads(hash_mb, threads).solve(&self.position, Attacker::SideToMove, limits, observer)
    }
}
