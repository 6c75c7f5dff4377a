//! The signals that command a running search: stop, and the move it pondered on was played.

#[cfg(not(target_family = "wasm"))]
use std::sync::PoisonError;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex};
use std::time::Instant;

use crate::search::limits::Clock;
use crate::threads;

/// Shared between the thread that runs a search and those that command it. One search at a time.
#[derive(Debug, Default)]
pub struct Signals {
    stop: AtomicBool,
    pondering: AtomicBool,
    ponder_hit: Mutex<Option<PonderHit>>,
    /// Held while a waiting thread looks at its condition, and by the one that wakes it, so that no change is missed.
    gate: Mutex<()>,
    changed: Condvar,
}

/// When the opponent played the expected move, and the clocks at that moment if they were sent.
#[derive(Clone, Copy, Debug)]
pub(super) struct PonderHit {
    pub(super) at: Instant,
    pub(super) clock: Option<Clock>,
}

impl Signals {
    /// A handle that asks for nothing yet.
    pub fn new() -> Signals {
        Signals::default()
    }

    /// Forgets what was asked of the previous search. Call it before a search can be commanded, that is
    /// before the thread that runs it starts, so that no early `stop` is lost.
    pub fn reset(&self, ponder: bool) {
        self.stop.store(false, Ordering::SeqCst);
        self.pondering.store(ponder, Ordering::SeqCst);
        *threads::lock(&self.ponder_hit) = None;
    }

    /// Ends the search as soon as possible.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::SeqCst);
        self.wake();
    }

    /// The expected move was played: from now on the search is on its own time. Without effect when
    /// the search does not ponder.
    pub fn ponder_hit(&self, clock: Option<Clock>) {
        self.ponder_hit_at(clock, Instant::now());
    }

    /// [`ponder_hit`](Self::ponder_hit) at a given time.
    pub(super) fn ponder_hit_at(&self, clock: Option<Clock>, at: Instant) {
        let mut hit = threads::lock(&self.ponder_hit);
        if self.is_pondering() {
            *hit = Some(PonderHit { at, clock });
            self.pondering.store(false, Ordering::SeqCst);
            drop(hit);
            self.wake();
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

    pub(super) fn ponder_hit_seen(&self) -> Option<PonderHit> {
        *threads::lock(&self.ponder_hit)
    }

    /// Waits until a search may be answered: with `infinite` and while it ponders, that is only when it is asked for.
    pub fn wait_until_answerable(&self, infinite: bool) {
        let is_answerable = || self.is_stopped() || !(infinite || self.is_pondering());
        self.wait_until(is_answerable, || None);
    }

    /// Waits until this moment, or until the search should end.
    pub fn wait_for_moment(&self, moment: Instant) {
        self.wait_until(|| self.is_stopped(), || Some(moment));
    }

    /// Waits until something is done; returns whether it was done before a deadline. Both are looked at again
    /// after each command and each call of [`Signals::wake`].
    #[cfg(not(target_family = "wasm"))]
    pub(super) fn wait_until(&self, is_done: impl Fn() -> bool, deadline: impl Fn() -> Option<Instant>) -> bool {
        let mut gate = threads::lock(&self.gate);
        while !is_done() {
            gate = match deadline().map(|deadline| deadline.saturating_duration_since(Instant::now())) {
                None => self.changed.wait(gate).unwrap_or_else(PoisonError::into_inner),
                Some(left) if left.is_zero() => return false,
                Some(left) => self.changed.wait_timeout(gate, left).unwrap_or_else(PoisonError::into_inner).0,
            };
        }
        true
    }

    /// The same where there are no threads: whoever hands commands over gets its turns meanwhile.
    #[cfg(target_family = "wasm")]
    pub(super) fn wait_until(&self, is_done: impl Fn() -> bool, deadline: impl Fn() -> Option<Instant>) -> bool {
        while !is_done() {
            if deadline().is_some_and(|deadline| deadline <= Instant::now()) {
                return false;
            }
            threads::wait_a_moment();
        }
        true
    }

    /// Lets waiting threads look again.
    pub(super) fn wake(&self) {
        drop(threads::lock(&self.gate));
        self.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
    use std::thread;
    use std::time::Duration;

    use super::*;

    /// Waits on a thread of its own; the receiver hears when it was let go.
    fn waiting(signals: &Arc<Signals>, infinite: bool) -> Receiver<()> {
        let (sender, receiver) = channel();
        let signals = Arc::clone(signals);
        thread::spawn(move || {
            signals.wait_until_answerable(infinite);
            let _ = sender.send(());
        });
        receiver
    }

    fn is_let_go(waiting: &Receiver<()>) -> bool {
        waiting.recv_timeout(Duration::from_secs(20)).is_ok()
    }

    fn still_waits(waiting: &Receiver<()>) -> bool {
        waiting.recv_timeout(Duration::from_millis(50)) == Err(RecvTimeoutError::Timeout)
    }

    fn signals(ponder: bool) -> Arc<Signals> {
        let signals = Signals::new();
        signals.reset(ponder);
        Arc::new(signals)
    }

    #[test]
    fn an_ordinary_search_is_answered_at_once() {
        assert!(is_let_go(&waiting(&signals(false), false)));
    }

    #[test]
    fn an_infinite_search_is_answered_after_stop() {
        let signals = signals(false);
        let answer = waiting(&signals, true);
        assert!(still_waits(&answer));
        signals.ponder_hit(None);
        assert!(still_waits(&answer), "it did not ponder");
        signals.stop();
        assert!(is_let_go(&answer) && signals.is_stopped());
    }

    #[test]
    fn a_pondering_search_is_answered_after_its_ponder_hit_or_stop() {
        let hit = signals(true);
        let answer = waiting(&hit, false);
        assert!(hit.is_pondering() && still_waits(&answer));
        hit.ponder_hit(None);
        assert!(is_let_go(&answer) && !hit.is_pondering() && !hit.is_stopped());
        let stopped = signals(true);
        let answer = waiting(&stopped, false);
        stopped.stop();
        assert!(is_let_go(&answer));
    }

    #[test]
    fn a_ponder_hit_is_noted_once_and_forgotten_by_the_next_search() {
        let signals = signals(false);
        signals.ponder_hit(Some(Clock::default()));
        assert!(signals.ponder_hit_seen().is_none(), "it did not ponder");
        signals.reset(true);
        let clock = Clock { byoyomi: Some(7), ..Clock::default() };
        signals.ponder_hit(Some(clock));
        signals.ponder_hit(None);
        assert_eq!(signals.ponder_hit_seen().and_then(|hit| hit.clock), Some(clock));
        signals.stop();
        signals.reset(false);
        assert!(signals.ponder_hit_seen().is_none() && !signals.is_stopped() && !signals.is_pondering());
    }

    #[test]
    fn waiting_ends_when_it_is_done_or_at_the_deadline() {
        let signals = signals(false);
        let begin = Instant::now();
        let later = begin + Duration::from_millis(30);
        assert!(signals.wait_until(|| true, || Some(begin)));
        assert!(!signals.wait_until(|| false, || Some(begin)));
        assert!(!signals.wait_until(|| false, || Some(later)));
        assert!(Instant::now() >= later);
        assert!(signals.wait_until(|| Instant::now() >= begin, || None));
    }
}
