//! The handle by which a running search is stopped or told that its ponder move was played.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use crate::search::control::Clock;

/// Shared between whoever runs a search and whoever commands it. One search at a time.
#[derive(Debug, Default)]
pub struct SearchControl {
    stop: AtomicBool,
    pondering: AtomicBool,
    ponder_hit: Mutex<Option<PonderHit>>,
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
    }

    /// The expected move was played: from now on the search is on its own time. Without effect when
    /// the search does not ponder.
    pub fn ponder_hit(&self, clock: Option<Clock>) {
        let mut hit = self.lock_ponder_hit();
        if self.pondering.load(Ordering::SeqCst) {
            *hit = Some(PonderHit { at: Instant::now(), clock });
            self.pondering.store(false, Ordering::SeqCst);
        }
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

    /// A panic while the lock was held cannot leave it half written, so poisoning is ignored.
    fn lock_ponder_hit(&self) -> std::sync::MutexGuard<'_, Option<PonderHit>> {
        self.ponder_hit.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}
