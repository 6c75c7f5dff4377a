//! What the threads of a search share: the table, what bounds the search, and what is known of its answer.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::search::control::{SearchControl, SearchLimits, SearchObserver, SearchSettings, TimeManager};
use crate::search::state::answer::AnswerSlot;
use crate::search::tables::tt::TranspositionTable;
use crate::types::Move;

/// What all threads of one search share.
pub(crate) struct Shared<'a> {
    pub(crate) table: &'a TranspositionTable,
    pub(crate) control: &'a SearchControl,
    pub(crate) observer: &'a dyn SearchObserver,
    pub(crate) limits: &'a SearchLimits,
    pub(crate) settings: &'a SearchSettings,
    pub(crate) time: TimeManager<'a>,
    /// Set once by the main thread, for all.
    pub(crate) stop: AtomicBool,
    /// Nodes of each thread, published now and then.
    pub(crate) nodes: Vec<NodeCounter>,
    /// What the main thread would answer now.
    pub(crate) answer: &'a AnswerSlot,
    /// Root moves that the main thread has found to be answered with mate.
    pub(crate) refuted: Mutex<Vec<Move>>,
    /// Whether a PV that search cut short is continued up to its depth when it is told.
    pub(crate) extends_pv: bool,
}

/// A counter on a cache line of its own.
#[derive(Default)]
#[repr(align(64))]
pub(crate) struct NodeCounter(pub(crate) AtomicU64);

impl Shared<'_> {
    /// The root moves not to be searched any more.
    pub(crate) fn refuted_moves(&self) -> MutexGuard<'_, Vec<Move>> {
        self.refuted.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Nodes of all threads, as far as they were published.
    pub(crate) fn total_nodes(&self) -> u64 {
        self.nodes.iter().map(|counter| counter.0.load(Relaxed)).sum()
    }
}
