//! Memory for large tables, on large pages where the system has them.

use std::alloc::{Layout, alloc, dealloc};
use std::ptr::NonNull;

use super::OutOfMemory;
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
