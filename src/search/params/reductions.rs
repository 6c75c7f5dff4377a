//! Late-move reductions by depth and move number.

use once_cell::sync::Lazy;

use crate::search::params::reduction_factor;
use crate::types::Depth;

/// A ply of depth in the unit of reductions.
pub(crate) const PLY: i32 = 1024;
const LARGEST: usize = 128;

/// Natural logarithms of small numbers, in units of 1/1024.
pub(crate) struct Reductions([i16; LARGEST]);

static TABLE: Lazy<Reductions> =
    Lazy::new(|| Reductions(std::array::from_fn(|n| ((n.max(1) as f64).ln() * 1024.0).round() as i16)));

impl Reductions {
    pub(crate) fn get() -> &'static Reductions {
        &TABLE
    }

    #[inline(always)]
    fn ln(&self, n: usize) -> i32 {
        i32::from(self.0[n.min(LARGEST - 1)])
    }

    /// The part of a reduction that depth and move number make, in units of which [`PLY`] are a ply.
    #[inline(always)]
    pub(crate) fn of(&self, depth: Depth, moves: usize) -> i32 {
        let product = (self.ln(depth.max(0) as usize) * self.ln(moves)) >> 10;
        (reduction_factor() * product) >> 10
    }
}
