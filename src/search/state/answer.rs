//! What a search would answer now.

use std::mem;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::position::Position;
use crate::search::state::root_moves::RootLine;

/// The lines that the main thread of a search would answer now, best first, for whoever must answer in its stead.
#[derive(Default)]
pub(crate) struct AnswerSlot(Mutex<Content>);

#[derive(Default)]
struct Content {
    /// The key of the position that is searched.
    root: u64,
    lines: Vec<RootLine>,
}

impl AnswerSlot {
    /// Empties the slot for a search of this position.
    pub(crate) fn begin(&self, root: &Position) {
        *self.lock() = Content { root: root.key(), lines: Vec::new() };
    }

    /// Puts in lines. The lock is held only to swap what lies in the slot, so that a thread that waits for a
    /// processor hardly ever holds it.
    pub(crate) fn put(&self, lines: Vec<RootLine>) {
        let old = mem::replace(&mut self.lock().lines, lines);
        drop(old);
    }

    /// The lines from this position; none where the last search was of another, or has found nothing yet.
    pub(crate) fn get(&self, root: &Position) -> Vec<RootLine> {
        let content = self.lock();
        if content.root == root.key() { content.lines.clone() } else { Vec::new() }
    }

    fn lock(&self) -> MutexGuard<'_, Content> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
