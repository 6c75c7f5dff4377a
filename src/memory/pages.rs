//! Memory for large tables, on large pages where the system has them.

use std::alloc::{Layout, alloc, dealloc};
use std::ptr::NonNull;

#[cfg(windows)]
use super::windows;

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
    /// # Panics
    /// When the system refuses the memory. Unlike the end of the process that a refusal means elsewhere, this can be
    /// caught, to go on with smaller tables.
    pub(super) fn of<T>(count: usize) -> Pages {
        const { assert!(align_of::<T>() <= LARGE_PAGE, "large pages may not be aligned for such elements") };
        let refused = || -> ! { panic!("no memory for {} MiB", count.saturating_mul(size_of::<T>()) >> 20) };
        let Ok(layout) = Layout::array::<T>(count) else { refused() };
        #[cfg(windows)]
        if layout.size() >= LARGE_PAGE
            && let Some(start) = windows::allocate_large_pages(layout.size())
        {
            return Pages { start, source: Source::LargePages };
        }
        let layout = heap_layout(layout);
        // SAFETY: the layout has at least one byte.
        let Some(start) = NonNull::new(unsafe { alloc(layout) }) else { refused() };
        #[cfg(target_os = "linux")]
        advise_large_pages(start, layout);
        Pages { start, source: Source::Heap(layout) }
    }

    /// Where they begin.
    #[inline(always)]
    pub(super) fn start(&self) -> NonNull<u8> {
        self.start
    }

    /// Whether the system said that these are large pages. (Linux takes advice and tells nothing.)
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
#[cfg(target_os = "linux")]
fn advise_large_pages(start: NonNull<u8>, layout: Layout) {
    use rustix::mm::{Advice, madvise};

    if layout.align() < LARGE_PAGE || cfg!(miri) {
        return;
    }
    // SAFETY: the range begins on a page and lies within one allocation; the advice changes neither its content nor
    // its protection. Where it is refused nothing is lost.
    let _ = unsafe { madvise(start.as_ptr().cast(), layout.size(), Advice::LinuxHugepage) };
}
