//! Late-move reductions by depth and move number.

use once_cell::sync::Lazy;

use super::params::{REDUCTION_BASE, REDUCTION_DIVISOR};
use crate::types::Depth;

/// A ply of depth in the unit of reductions.
pub(super) const PLY: i32 = 1024;
const DEPTHS: usize = 64;
const MOVES: usize = 128;

/// A table of reductions, in units of which [`PLY`] are a ply.
pub(super) struct Reductions([[i16; MOVES]; DEPTHS]);

static TABLE: Lazy<Reductions> = Lazy::new(|| {
    let mut table = [[0; MOVES]; DEPTHS];
    for (depth, row) in table.iter_mut().enumerate().skip(1) {
        for (moves, reduction) in row.iter_mut().enumerate().skip(1) {
            let product = (depth as f64).ln() * (moves as f64).ln();
            *reduction = ((REDUCTION_BASE + product / REDUCTION_DIVISOR) * f64::from(PLY)) as i16;
        }
    }
    Reductions(table)
});

impl Reductions {
    pub(super) fn get() -> &'static Reductions {
        &TABLE
    }

    /// By how much less deep the `moves`-th move of a node is searched, in parts of a ply.
    #[inline(always)]
    pub(super) fn of(&self, depth: Depth, moves: usize) -> i32 {
        let depth = (depth.max(0) as usize).min(DEPTHS - 1);
        i32::from(self.0[depth][moves.min(MOVES - 1)])
    }
}
