//! Large tables that are accessed at random, and how much memory there is for them.

mod available;
mod large_slice;
#[cfg(windows)]
mod windows;

pub(crate) use available::Available;
pub(crate) use large_slice::LargeSlice;

use thiserror::Error;

/// The system refuses the memory for a large table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("not enough memory for {mib} MiB")]
pub struct OutOfMemory {
    /// Its size.
    pub mib: usize,
}

/// `len` copies of a value.
///
/// # Errors
///
/// The system refuses the memory; `vec!` would end the program.
pub(crate) fn try_vec<T: Clone>(value: T, len: usize) -> Result<Vec<T>, OutOfMemory> {
    let mut values = Vec::new();
    let mib = (len * size_of::<T>()).div_ceil(1 << 20);
    values.try_reserve_exact(len).map_err(|_| OutOfMemory { mib })?;
    values.resize(len, value);
    Ok(values)
}

/// An array of copies of a value: its length being known, many places are without a check.
///
/// # Errors
///
/// As for [`try_vec`].
pub(crate) fn try_array<T: Clone, const N: usize>(value: T) -> Result<Box<[T; N]>, OutOfMemory> {
    let values = try_vec(value, N)?.into_boxed_slice();
    Ok(values.try_into().unwrap_or_else(|_| unreachable!("the length is the array's")))
}

/// The place of a key in a table of any length, over which keys are spread evenly: the high half of their product.
#[inline(always)]
pub(crate) fn spread(key: u64, length: usize) -> usize {
    if cfg!(target_pointer_width = "64") {
        ((u128::from(key) * length as u128) >> 64) as usize
    } else {
        // Where a length has 32 bits, without a product of 128.
        let [high, low] = [key >> 32, key & 0xffff_ffff].map(|half| half * length as u64);
        ((high + (low >> 32)) >> 32) as usize
    }
}

/// Whether [`prefetch`] does anything: where it does not, what is to be prefetched need not be found.
pub(crate) const PREFETCHES: bool = cfg!(target_arch = "x86_64");

/// Asks the processor to fetch the cache line that a value begins in, where it can be asked.
#[inline(always)]
pub(crate) fn prefetch<T>(value: &T) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: prefetching has no effect on memory, and SSE is part of every x86-64.
        unsafe { _mm_prefetch(std::ptr::from_ref(value).cast::<i8>(), _MM_HINT_T0) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = value;
}
