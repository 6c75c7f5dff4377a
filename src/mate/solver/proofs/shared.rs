//! A table for several threads, in parts that are each behind a lock.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::table::ProofTable;
use super::{Known, ProofStore};
use crate::types::Hand;

/// Parts of a table. So many that two threads hardly ever want the same.
const PARTS: usize = 64;

/// A table for several threads.
pub(in crate::mate::solver) struct SharedTable(Vec<Mutex<ProofTable>>);

impl SharedTable {
    /// A table that grows to at most this many MiB.
    pub(in crate::mate::solver) fn new(megabytes: usize) -> SharedTable {
        let (bytes_of_part, bytes_in_all) = (megabytes.saturating_mul(1 << 20) / PARTS, Arc::default());
        SharedTable((0..PARTS).map(|_| Mutex::new(ProofTable::part(bytes_of_part, &bytes_in_all))).collect())
    }

    /// Forgets everything.
    pub(in crate::mate::solver) fn clear(&mut self) {
        self.0.iter().for_each(|part| unpoisoned(part).clear());
    }

    /// The part of a board. Its place in the part is found by the upper bits of the key.
    fn part(&self, board: u64) -> MutexGuard<'_, ProofTable> {
        unpoisoned(&self.0[board as usize % PARTS])
    }
}

/// A thread that panicked ends the whole search.
fn unpoisoned(part: &Mutex<ProofTable>) -> MutexGuard<'_, ProofTable> {
    part.lock().unwrap_or_else(PoisonError::into_inner)
}

impl ProofStore for &SharedTable {
    fn prefetch(&self, _board: u64) {}

    fn probe(&self, board: u64, hand: Hand, length: u16) -> Option<Known> {
        self.part(board).probe(board, hand, length)
    }

    fn store(&mut self, board: u64, hand: Hand, known: &Known, work: u32) {
        self.part(board).store(board, hand, known, work);
    }

    fn permille_used(&self) -> u32 {
        // Boards are spread evenly.
        self.part(0).permille_used()
    }
}
