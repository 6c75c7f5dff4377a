//! Mates: a quick test for mate in one, and a solver for mates of any length (詰将棋, tsume).
//!
//! [`solve`] answers one question; a [`MateSolver`] many. The attacker gives check with every move, the defender may
//! make any legal move. All legal checks are looked at, those without promotion too; a pawn drop does not mate;
//! a repeated position is no mate, nor is one that the game has had three times (千日手). Lengths count every legal move:
//! an interposition that only delays the mate (無駄合) counts two plies, as in the answers of other engines to `go mate`
//! and unlike in problem collections.

mod one_ply;
mod solver;
mod soundness;

pub use one_ply::mate_in_one;
pub use solver::{
    Attacker, MAX_MATE_PLIES, Mate, MateError, MateLimits, MateObserver, MateOutcome, MateProgress, MateResult,
    MateSolver, SilentMateObserver, solve,
};
pub use soundness::{Cook, FirstMove, Soundness};
