//! Threads, and what takes their place on machines without them: WebAssembly in a browser.
//!
//! There, what computes for long gives way to the page from time to time. The page may then hand over a command,
//! such as `stop`. All functions on the stack at such a moment are put aside and continued later (Binaryen's Asyncify),
//! which works where they call each other directly, not through pointers.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Whether the machine can start threads.
pub(crate) const AVAILABLE: bool = !cfg!(target_family = "wasm");

/// What a lock guards, also after a panic of whoever held it: no change leaves it half made, or it is only advice.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Does something at the end of a scope, also where that is left by a panic.
pub(crate) struct OnDrop<F: Fn()>(pub(crate) F);

impl<F: Fn()> Drop for OnDrop<F> {
    fn drop(&mut self) {
        (self.0)();
    }
}

/// Gives way to the page, if there is one and it is due. To be called a hundred times a second or more.
#[inline(always)]
pub(crate) fn give_way() {
    #[cfg(all(target_family = "wasm", feature = "web"))]
    page::give_way(false);
}

/// Gives way to the page until something is handed over, or for a moment.
#[cfg(target_family = "wasm")]
pub(crate) fn wait_a_moment() {
    #[cfg(feature = "web")]
    page::give_way(true);
}

#[cfg(all(target_family = "wasm", feature = "web"))]
mod page {
    #[link(wasm_import_module = "kurosabi")]
    unsafe extern "C" {
        /// `idle`: there is nothing to do before something is handed over.
        pub(super) safe fn give_way(idle: bool);
    }
}
