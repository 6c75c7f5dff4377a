//! A slice for large tables that are accessed at random.

use std::alloc::{Layout, alloc, dealloc};
use std::fmt;
use std::marker::PhantomData;
use std::mem::MaybeUninit;
use std::ops::{Deref, DerefMut};
use std::ptr::NonNull;

use rayon::prelude::*;

use super::OutOfMemory;
#[cfg(windows)]
use super::windows;

/// Elements on large pages where the system has them: with pages of 4 KiB nearly every access to a table of many
/// megabytes is also a TLB miss. (A transposition table of 256 MiB on pages of 2 MiB searches 1.18 times as many nodes
/// a second, on a virtual machine with a Zen 3.)
pub(crate) struct LargeSlice<T> {
    pages: Pages,
    /// How many elements there are. All of them have been written.
    count: usize,
    elements: PhantomData<T>,
}

impl<T> LargeSlice<T> {
    /// `count` elements, made one after another by the calling thread.
    ///
    /// # Errors
    /// When the system refuses the memory.
    pub(crate) fn try_from_fn(count: usize, mut element: impl FnMut() -> T) -> Result<LargeSlice<T>, OutOfMemory> {
        let write = |places: &mut [MaybeUninit<T>]| {
            for place in places {
                place.write(element());
            }
        };
        // SAFETY: each place is written to.
        unsafe { LargeSlice::try_fill(count, write) }
    }

    /// `count` elements, made by all threads of the current rayon pool.
    ///
    /// # Errors
    /// When the system refuses the memory.
    pub(crate) fn try_from_fn_parallel(
        count: usize,
        element: impl Fn() -> T + Sync,
    ) -> Result<LargeSlice<T>, OutOfMemory>
    where
        T: Send,
    {
        let write = |places: &mut [MaybeUninit<T>]| {
            places.par_iter_mut().for_each(|place| {
                place.write(element());
            });
        };
        // SAFETY: each place is written to.
        unsafe { LargeSlice::try_fill(count, write) }
    }

    /// Whether the system said that they lie on large pages.
    pub(crate) fn is_on_large_pages(&self) -> bool {
        self.pages.are_large()
    }

    /// `count` elements, which `write` makes.
    ///
    /// # Safety
    /// `write` writes to all places.
    unsafe fn try_fill(count: usize, write: impl FnOnce(&mut [MaybeUninit<T>])) -> Result<LargeSlice<T>, OutOfMemory> {
        const { assert!(!std::mem::needs_drop::<T>(), "nothing is done for elements when they go") };
        let pages = Pages::try_new::<T>(count)?;
        // SAFETY: there is room for `count` elements, aligned, and what may be unwritten needs not have been written.
        write(unsafe { std::slice::from_raw_parts_mut(pages.start().cast().as_ptr(), count) });
        Ok(LargeSlice { pages, count, elements: PhantomData })
    }
}

impl<T: Copy> LargeSlice<T> {
    /// `count` equal elements.
    ///
    /// # Errors
    /// When the system refuses the memory.
    pub(crate) fn try_filled(count: usize, element: T) -> Result<LargeSlice<T>, OutOfMemory> {
        LargeSlice::try_from_fn(count, || element)
    }
}

impl<T> Deref for LargeSlice<T> {
    type Target = [T];

    #[inline(always)]
    fn deref(&self) -> &[T] {
        // SAFETY: `count` elements have been written there, and only this value gives access to them.
        unsafe { std::slice::from_raw_parts(self.pages.start().cast().as_ptr(), self.count) }
    }
}

impl<T> DerefMut for LargeSlice<T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [T] {
        // SAFETY: as above.
        unsafe { std::slice::from_raw_parts_mut(self.pages.start().cast().as_ptr(), self.count) }
    }
}

impl<T: fmt::Debug> fmt::Debug for LargeSlice<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

// Memory for large tables, on large pages where the system has them.

/// The size of a large page of x86-64 and of most ARM systems.
const LARGE_PAGE: usize = 2 << 20;

/// Where the memory came from, and so how it is freed.
enum Source {
    /// The allocator, asked for this.
    Heap(Layout),
    /// Windows, as large pages.
    #[cfg(windows)]
    LargePages,
}

/// Memory that is not initialised.
pub(super) struct Pages {
    start: NonNull<u8>,
    source: Source,
}

// SAFETY: the memory belongs to this value alone, whichever thread has it.
unsafe impl Send for Pages {}
// SAFETY: a shared reference gives no more than an address.
unsafe impl Sync for Pages {}

impl Pages {
    /// Memory for `count` elements, aligned for them.
    ///
    /// # Errors
    /// When the system refuses the memory: the caller may go on with a smaller table.
    pub(super) fn try_new<T>(count: usize) -> Result<Pages, OutOfMemory> {
        const { assert!(align_of::<T>() <= LARGE_PAGE, "large pages may not be aligned for such elements") };
        let refused = OutOfMemory { mib: count.saturating_mul(size_of::<T>()) >> 20 };
        let layout = Layout::array::<T>(count).map_err(|_| refused)?;
        #[cfg(windows)]
        if layout.size() >= LARGE_PAGE
            && let Some(start) = windows::allocate_large_pages(layout.size())
        {
            return Ok(Pages { start, source: Source::LargePages });
        }
        let layout = heap_layout(layout);
        // SAFETY: the layout has at least one byte.
        let start = NonNull::new(unsafe { alloc(layout) }).ok_or(refused)?;
        #[cfg(all(target_os = "linux", feature = "memory"))]
        advise_large_pages(start, layout);
        Ok(Pages { start, source: Source::Heap(layout) })
    }

    /// Where they begin.
    #[inline(always)]
    pub(super) fn start(&self) -> NonNull<u8> {
        self.start
    }

    /// Whether the system said that these are large pages. (Linux takes advice and gives no answer.)
    pub(super) fn are_large(&self) -> bool {
        !matches!(self.source, Source::Heap(_))
    }
}

impl Drop for Pages {
    fn drop(&mut self) {
        match self.source {
            // SAFETY: the allocator gave this memory for this layout.
            Source::Heap(layout) => unsafe { dealloc(self.start.as_ptr(), layout) },
            // SAFETY: these are pages from there, freed once.
            #[cfg(windows)]
            Source::LargePages => unsafe { windows::free_large_pages(self.start) },
        }
    }
}

/// At least one byte; on Linux what is large begins on a large page, so that all of it can lie on such pages.
fn heap_layout(layout: Layout) -> Layout {
    let is_large = cfg!(target_os = "linux") && layout.size() >= LARGE_PAGE;
    let align = if is_large { LARGE_PAGE } else { layout.align() };
    Layout::from_size_align(layout.size().max(1), align).unwrap_or(layout)
}

/// Asks Linux for large pages. It has to be asked before the memory is first touched.
#[cfg(all(target_os = "linux", feature = "memory"))]
fn advise_large_pages(start: NonNull<u8>, layout: Layout) {
    use rustix::mm::{Advice, madvise};

    if layout.align() < LARGE_PAGE || cfg!(miri) {
        return;
    }
    // SAFETY: the range begins on a page and lies within one allocation; the advice changes neither its content nor
    // its protection. Where it is refused nothing is lost.
    let _ = unsafe { madvise(start.as_ptr().cast(), layout.size(), Advice::LinuxHugepage) };
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicUsize;
    use std::sync::atomic::Ordering::Relaxed;

    use super::*;

    /// More than a large page; Miri takes a thousand times as long.
    const MANY: usize = if cfg!(miri) { 1 << 9 } else { (3 << 20) / 8 + 1 };

    #[test]
    fn all_elements_are_made() {
        for count in [0, 1, 3, 1 << 10, MANY] {
            let mut next = 0u64;
            let mut numbers = LargeSlice::try_from_fn(count, || {
                next += 1;
                next
            })
            .unwrap();
            assert!(numbers.iter().copied().eq(1..=count as u64));
            numbers.iter_mut().for_each(|number| *number += 1);
            assert!(numbers.iter().copied().eq(2..=count as u64 + 1));
            let made = AtomicUsize::new(0);
            let together = LargeSlice::try_from_fn_parallel(count, || made.fetch_add(1, Relaxed) as u64).unwrap();
            let mut sorted = together.to_vec();
            sorted.sort_unstable();
            assert!(sorted.into_iter().eq(0..count as u64));
        }
    }

    #[test]
    fn elements_are_aligned() {
        #[derive(Clone, Copy)]
        #[repr(align(64))]
        struct Line([u8; 64]);
        for count in [1, 5, MANY] {
            let lines = LargeSlice::try_filled(count, Line([7; 64])).unwrap();
            assert!(lines.as_ptr().is_aligned() && lines.iter().all(|line| line.0 == [7; 64]));
        }
    }

    #[test]
    fn memory_that_is_refused_is_an_error() {
        let bytes = usize::MAX / 64 * 31;
        let refused = LargeSlice::try_filled(bytes, 0u8).unwrap_err();
        assert_eq!(refused.to_string(), format!("not enough memory for {} MiB", bytes >> 20));
        assert!(LargeSlice::try_filled(usize::MAX / 4, 0u64).is_err());
    }
}
