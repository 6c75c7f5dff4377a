//! What the threads of a search share: the table, what bounds the search, and what is known of its answer.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard};

use crate::search::control::{SearchControl, SearchLimits, SearchObserver, SearchSettings};
use crate::search::state::root_moves::RootLine;
use crate::search::tables::tt::TranspositionTable;

/// What all threads of one search share.
pub(crate) struct Shared<'a> {
    pub(crate) table: &'a TranspositionTable,
    pub(crate) control: &'a SearchControl,
    pub(crate) observer: &'a dyn SearchObserver,
    pub(crate) limits: &'a SearchLimits,
    pub(crate) settings: &'a SearchSettings,
    /// Set once by the main thread, for all.
    pub(crate) stop: AtomicBool,
    /// Nodes of each thread, published now and then.
    pub(crate) nodes: Vec<NodeCounter>,
    /// What the main thread would answer now.
    pub(crate) answer: AnswerSlot,
}

/// The lines that the main thread would answer now, best first, for whoever must answer in its stead.
#[derive(Default)]
pub(crate) struct AnswerSlot(Mutex<Vec<RootLine>>);

impl AnswerSlot {
    /// The lock is held only to swap what lies in the slot, so that a thread that waits for a processor hardly
    /// ever holds it.
    pub(crate) fn put(&self, lines: Vec<RootLine>) {
        let old = std::mem::replace(&mut *self.lock(), lines);
        drop(old);
    }

    pub(crate) fn get(&self) -> Vec<RootLine> {
        self.lock().clone()
    }

    fn lock(&self) -> MutexGuard<'_, Vec<RootLine>> {
        self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

/// A counter on a cache line of its own.
#[derive(Default)]
#[repr(align(64))]
pub(crate) struct NodeCounter(pub(crate) AtomicU64);

impl Shared<'_> {
    /// Nodes of all threads, as far as they were published.
    pub(crate) fn total_nodes(&self) -> u64 {
        self.nodes.iter().map(|counter| counter.0.load(Relaxed)).sum()
    }
}
