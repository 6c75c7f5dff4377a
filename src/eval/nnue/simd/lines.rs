//! Cache lines of numbers: what the kernels read and write.

use crate::memory::{LargeSlice, OutOfMemory};

/// 64 bytes on a 64-byte boundary, a whole number of vectors on every machine.
#[repr(C, align(64))]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::eval::nnue) struct Line<T, const N: usize>(pub(in crate::eval::nnue) [T; N]);

/// Accumulators and weights of the first layer.
pub(in crate::eval::nnue) type I16Line = Line<i16, 32>;
/// Activations, at most 127 each.
pub(in crate::eval::nnue) type U8Line = Line<u8, 64>;
/// Weights of the other layers.
pub(in crate::eval::nnue) type I8Line = Line<i8, 64>;
/// Outputs of the other layers.
pub(in crate::eval::nnue) type I32Line = Line<i32, 16>;

impl<T: Copy + Default, const N: usize> Line<T, N> {
    /// All zeros.
    pub(in crate::eval::nnue) fn zero() -> Line<T, N> {
        const { assert!(size_of::<Line<T, N>>() == 64 && size_of::<T>() * N == 64) };
        Line([T::default(); N])
    }

    /// So many lines of zeros.
    pub(in crate::eval::nnue) fn zeros(count: usize) -> Vec<Line<T, N>> {
        vec![Line::zero(); count]
    }

    /// The same, for tables of many megabytes.
    pub(in crate::eval::nnue) fn many_zeros(count: usize) -> Result<LargeSlice<Line<T, N>>, OutOfMemory> {
        LargeSlice::try_filled(count, Line::zero())
    }
}

/// Element `index` of consecutive lines.
#[inline(always)]
pub(in crate::eval::nnue) fn element<T, const N: usize>(lines: &mut [Line<T, N>], index: usize) -> &mut T {
    &mut lines[index / N].0[index % N]
}

/// Four consecutive activations as they lie in memory, in one number.
#[inline(always)]
pub(super) fn quad(lines: &[U8Line], index: usize) -> i32 {
    let quads = lines[index / 16].0.as_chunks().0;
    i32::from_ne_bytes(quads[index % 16])
}
