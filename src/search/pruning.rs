//! Margins and counts of the pruning steps, as functions of depth.

use super::params::*;
use crate::types::Depth;

/// How far below alpha an evaluation must be for razoring.
pub(super) fn razoring_margin(depth: Depth) -> i32 {
    RAZORING_BASE + RAZORING_FACTOR * depth * depth
}

/// How far above beta an evaluation must be for reverse futility pruning.
pub(super) fn reverse_futility_margin(depth: Depth, improving: bool) -> i32 {
    let factor = REVERSE_FUTILITY_MARGIN - if improving { REVERSE_FUTILITY_IMPROVING / 2 } else { 0 };
    factor * depth
}

/// By how much the search after a null move is less deep; `surplus` is the evaluation above beta.
pub(super) fn null_move_reduction(depth: Depth, surplus: i32) -> Depth {
    NULL_MOVE_BASE + depth / NULL_MOVE_DIVISOR + (surplus / NULL_MOVE_EVAL).min(NULL_MOVE_EVAL_MOST)
}

/// How many moves are tried before quiet ones are left out.
pub(super) fn late_move_count(depth: Depth, improving: bool) -> usize {
    let count = LATE_MOVE_BASE + 2 * depth * depth;
    (if improving { count } else { count / 2 }) as usize
}

/// How far below alpha an evaluation must be for quiet moves to be futile.
pub(super) fn futility_margin(depth: Depth) -> i32 {
    FUTILITY_BASE + FUTILITY_MARGIN * depth
}

/// What a refutation at this depth adds to a move's record.
pub(super) fn bonus(depth: Depth) -> i32 {
    (BONUS_FACTOR * depth + BONUS_BASE).min(BONUS_MOST)
}
