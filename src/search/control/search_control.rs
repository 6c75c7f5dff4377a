//! The handle by which a running search is stopped or told that its ponder move was played.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use crate::search::control::Clock;

/// Shared between whoever runs a search and whoever commands it. One search at a time.
#[derive(Debug, Default)]
pub struct SearchControl {
    stop: AtomicBool,
    pondering: AtomicBool,
    ponder_hit: Mutex<Option<PonderHit>>,
    /// Held while waiting threads look at what they wait for, and by whoever wakes them, so that no change is missed.
    gate: Mutex<()>,
    changed: Condvar,
}

/// When the opponent played the expected move, and the clocks at that moment if they were sent.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PonderHit {
    pub(crate) at: Instant,
    pub(crate) clock: Option<Clock>,
}

impl SearchControl {
    /// A handle with nothing asked.
    pub fn new() -> SearchControl {
        SearchControl::default()
    }

    /// Forgets what was asked of the previous search. Call it before a search can be commanded, that is
    /// before the thread that runs it starts, so that no early `stop` is lost.
    pub fn reset(&self, ponder: bool) {
        self.stop.store(false, Ordering::SeqCst);
        self.pondering.store(ponder, Ordering::SeqCst);
        *self.lock_ponder_hit() = None;
    }

    /// Ends the search as soon as possible.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::SeqCst);
        self.wake();
    }

    /// The expected move was played: from now on the search is on its own time. Without effect when
    /// the search does not ponder.
    pub fn ponder_hit(&self, clock: Option<Clock>) {
        {
            let mut hit = self.lock_ponder_hit();
            if !self.pondering.load(Ordering::SeqCst) {
                return;
            }
            *hit = Some(PonderHit { at: Instant::now(), clock });
            self.pondering.store(false, Ordering::SeqCst);
        }
        self.wake();
    }

    /// Whether the search should end.
    #[inline(always)]
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Whether the search still runs on the opponent's time.
    #[inline(always)]
    pub fn is_pondering(&self) -> bool {
        self.pondering.load(Ordering::Acquire)
    }

    pub(crate) fn ponder_hit_seen(&self) -> Option<PonderHit> {
        *self.lock_ponder_hit()
    }

    /// Waits until a search may be answered: with `infinite` and while it ponders, that is only when it is asked for.
    pub fn wait_until_answerable(&self, infinite: bool) {
        let is_answerable = || self.is_stopped() || !(infinite || self.is_pondering());
        self.wait_until(is_answerable, || None);
    }

    /// Waits until something is done, and tells whether it was done before a deadline. Both are looked at again
    /// after each command and each call of [`SearchControl::wake`].
    pub(crate) fn wait_until(&self, is_done: impl Fn() -> bool, deadline: impl Fn() -> Option<Instant>) -> bool {
        let mut gate = self.lock_gate();
        while !is_done() {
            gate = match deadline().map(|deadline| deadline.saturating_duration_since(Instant::now())) {
                None => self.changed.wait(gate).unwrap_or_else(PoisonError::into_inner),
                Some(left) if left.is_zero() => return false,
                Some(left) => self.changed.wait_timeout(gate, left).unwrap_or_else(PoisonError::into_inner).0,
            };
        }
        true
    }

    /// Lets waiting threads look again.
    pub(crate) fn wake(&self) {
        drop(self.lock_gate());
        self.changed.notify_all();
    }

    // A panic while a lock was held cannot leave anything half written, so poisoning is ignored.

    fn lock_gate(&self) -> MutexGuard<'_, ()> {
        self.gate.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn lock_ponder_hit(&self) -> MutexGuard<'_, Option<PonderHit>> {
        self.ponder_hit.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
