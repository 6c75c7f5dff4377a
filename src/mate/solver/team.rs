//! One question answered by several threads, which help each other through the table they share.
//!
//! All search the same tree. Each takes the moves on which others are at work for less promising than they are, so
//! that threads part where several moves are about as good (virtual proof numbers; Kaneko, "Parallel depth first proof
//! number search", 2010).

use std::sync::atomic::{AtomicBool, AtomicU16, AtomicU64, Ordering::Relaxed};

/// Places that boards on the threads' paths are counted in.
const COUNTERS: usize = 1 << 14;

/// What threads that search together share besides the table.
pub(super) struct Team {
    /// Threads beside the first.
    pub(super) helper_count: usize,
    /// On how many paths a board lies.
    threads_on_board: Vec<AtomicU16>,
    /// Set when the question is answered or given up.
    pub(super) answered: AtomicBool,
    /// Positions visited by the helpers.
    pub(super) helpers_nodes: AtomicU64,
}

impl Team {
    pub(super) fn new(threads: usize) -> Team {
        Team {
            helper_count: threads.saturating_sub(1),
            threads_on_board: (0..COUNTERS).map(|_| AtomicU16::new(0)).collect(),
            answered: AtomicBool::new(false),
            helpers_nodes: AtomicU64::new(0),
        }
    }

    /// How many threads search a board now.
    pub(super) fn threads_at(&self, board: u64) -> &AtomicU16 {
        &self.threads_on_board[board as usize % COUNTERS]
    }

    /// Ends the search of all threads: the helpers have no limits of their own.
    pub(super) fn stop(&self) {
        self.answered.store(true, Relaxed);
    }
}
