//! Large tables that are read here and there, and how much memory there is for them.

mod available;

pub(crate) use available::Available;

/// A vector with room for `count` elements, on huge pages where the system has them: with pages of 4 KiB nearly
/// every access to a table of many megabytes also looks its address up.
///
/// The system is asked before the memory is first touched, so fill the vector only after this.
///
/// # Panics
/// When the system refuses the memory. Unlike the end of the process that a refusal means elsewhere, this can be
/// caught, to go on with smaller tables.
pub(crate) fn with_large_capacity<T>(count: usize) -> Vec<T> {
    let mut vector = Vec::<T>::new();
    if let Err(error) = vector.try_reserve_exact(count) {
        panic!("no memory for {} MiB: {error}", count.saturating_mul(size_of::<T>()) >> 20);
    }
    #[cfg(target_os = "linux")]
    advise_huge_pages(vector.as_ptr().cast(), count * size_of::<T>());
    vector
}

#[cfg(target_os = "linux")]
fn advise_huge_pages(start: *const u8, bytes: usize) {
    const PAGE: usize = 4096;
    const HUGE_PAGE: usize = 2 << 20;
    let offset = start.align_offset(PAGE);
    if bytes < offset + HUGE_PAGE {
        return;
    }
    // SAFETY: the range begins on a page and lies within one allocation; the advice changes neither its
    // content nor its protection. Where it is refused nothing is lost.
    unsafe {
        libc::madvise(start.add(offset).cast_mut().cast(), bytes - offset, libc::MADV_HUGEPAGE);
    }
}

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
