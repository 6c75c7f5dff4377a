//! The transposition table: what earlier searches of a position found.
//!
//! All threads share it without locks and without unsafe code. An entry is two relaxed atomic words,
//! the data and the key combined with the data by exclusive or (Hyatt and Mann, 2002): when two
//! threads write at once, the halves do not fit together and the entry reads as empty.

use std::sync::atomic::{AtomicU8, AtomicU64, Ordering::Relaxed};

use rayon::prelude::*;

use crate::memory::{LargeSlice, prefetch};
use crate::search::control::Bound;
use crate::types::{Depth, Move, Score};

/// What the table knows of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TtEntry {
    /// The best or refuting move. Another position may share the key: test the move before use.
    pub(crate) mv: Option<Move>,
    /// Counted from the node ([`Score::from_table`] makes it count from the root).
    pub(crate) score: Score,
    /// The static evaluation; `None` where there was none: in check, or with a mate in one found before it.
    pub(crate) eval: Option<Score>,
    pub(crate) depth: Depth,
    pub(crate) bound: Bound,
    /// Whether the position was, or led to, a node of the principal variation.
    pub(crate) pv: bool,
}

const ENTRIES_PER_CLUSTER: usize = 4;
/// Five bits count searches; older entries are replaced first.
const GENERATIONS: u8 = 32;
/// Stands for "no evaluation" in an entry.
const NO_EVAL: i16 = i16::MIN;
/// Depth is stored in a byte; quiescence uses depths down to this.
const DEPTH_OFFSET: Depth = 8;

#[derive(Default)]
struct Slot {
    check: AtomicU64,
    data: AtomicU64,
}

/// The entries a key may go to: one cache line.
#[derive(Default)]
#[repr(align(64))]
struct Cluster([Slot; ENTRIES_PER_CLUSTER]);

const _: () = assert!(size_of::<Cluster>() == 64);

/// A table shared by all threads of a search.
pub(crate) struct TranspositionTable {
    clusters: LargeSlice<Cluster>,
    generation: AtomicU8,
}

/// The depth of entries that hold nothing but an evaluation.
const UNSEARCHED: Depth = -6;

impl TtEntry {
    /// An entry that knows a position's evaluation alone.
    pub(crate) fn evaluation(eval: Option<Score>, pv: bool) -> TtEntry {
        TtEntry { mv: None, score: -Score::INFINITE, eval, depth: UNSEARCHED, bound: Bound::Lower, pv }
    }

    /// Whether the entry tells a score that comes from a search.
    #[inline(always)]
    pub(crate) fn is_searched(&self) -> bool {
        self.depth > UNSEARCHED
    }

    /// Whether the entry tells a score, be it only the stand-pat score of quiescence search.
    #[inline(always)]
    pub(crate) fn has_score(&self) -> bool {
        self.score > -Score::INFINITE
    }

    fn pack(self, generation: u8) -> u64 {
        let bound = match self.bound {
            Bound::Upper => 1,
            Bound::Lower => 2,
            Bound::Exact => 3u64,
        };
        let eval = self.eval.map_or(NO_EVAL, |eval| eval.value() as i16);
        u64::from(self.mv.map_or(0, Move::to_bits))
            | u64::from(self.score.value() as i16 as u16) << 16
            | u64::from(eval as u16) << 32
            | u64::from((self.depth + DEPTH_OFFSET).clamp(0, 255) as u8) << 48
            | (bound | u64::from(self.pv) << 2 | u64::from(generation) << 3) << 56
    }

    fn unpack(data: u64) -> Option<TtEntry> {
        let bound = match data >> 56 & 3 {
            1 => Bound::Upper,
            2 => Bound::Lower,
            3 => Bound::Exact,
            _ => return None,
        };
        let eval = (data >> 32) as i16;
        Some(TtEntry {
            mv: Move::from_bits(data as u16),
            score: Score::from_value(i32::from((data >> 16) as i16)),
            eval: (eval != NO_EVAL).then(|| Score::from_value(i32::from(eval))),
            depth: packed_depth(data),
            bound,
            pv: data >> 58 & 1 == 1,
        })
    }
}

fn packed_depth(data: u64) -> Depth {
    Depth::from((data >> 48) as u8) - DEPTH_OFFSET
}

fn packed_generation(data: u64) -> u8 {
    (data >> 59) as u8
}

impl TranspositionTable {
    /// A table of about this many MiB, at least one cluster, its memory touched by all threads of the
    /// current rayon pool.
    pub(crate) fn new(megabytes: usize) -> TranspositionTable {
        let count = (megabytes << 20) / size_of::<Cluster>();
        let clusters = LargeSlice::from_fn_parallel(count.max(1), Cluster::default);
        TranspositionTable { clusters, generation: AtomicU8::new(0) }
    }

    /// Empties the table, with all threads of the current rayon pool.
    pub(crate) fn clear(&mut self) {
        self.clusters.par_iter_mut().for_each(|cluster| *cluster = Cluster::default());
        *self.generation.get_mut() = 0;
    }

    /// A table made and touched by the calling thread alone.
    pub(crate) fn new_local(megabytes: usize) -> TranspositionTable {
        let count = (megabytes << 20) / size_of::<Cluster>();
        let clusters = LargeSlice::from_fn(count.max(1), Cluster::default);
        TranspositionTable { clusters, generation: AtomicU8::new(0) }
    }

    /// Empties the table on the calling thread.
    pub(crate) fn clear_local(&mut self) {
        self.clusters.iter_mut().for_each(|cluster| *cluster = Cluster::default());
        *self.generation.get_mut() = 0;
    }

    /// Whether the system said that it lies on large pages.
    pub(crate) fn is_on_large_pages(&self) -> bool {
        self.clusters.is_on_large_pages()
    }

    /// Starts a new search: what is in the table becomes older.
    pub(crate) fn next_generation(&self) {
        self.generation.store((self.generation.load(Relaxed) + 1) % GENERATIONS, Relaxed);
    }

    #[inline(always)]
    fn cluster(&self, key: u64) -> &Cluster {
        // The high half of the product spreads keys evenly over any number of clusters.
        let index = ((u128::from(key) * self.clusters.len() as u128) >> 64) as usize;
        &self.clusters[index]
    }

    /// Prefetches a key's cluster.
    #[inline(always)]
    pub(crate) fn prefetch(&self, key: u64) {
        prefetch(self.cluster(key));
    }

    /// What is known of the position with this key.
    #[inline]
    pub(crate) fn probe(&self, key: u64) -> Option<TtEntry> {
        self.cluster(key).0.iter().find_map(|slot| {
            let data = slot.data.load(Relaxed);
            if slot.check.load(Relaxed) ^ data == key { TtEntry::unpack(data) } else { None }
        })
    }

    /// Notes what was found of a position, in the place of what is worth least.
    pub(crate) fn store(&self, key: u64, mut entry: TtEntry) {
        let generation = self.generation.load(Relaxed);
        let worth = |data: u64| {
            let age = (GENERATIONS + generation - packed_generation(data)) % GENERATIONS;
            packed_depth(data) - 8 * Depth::from(age)
        };
        let mut victim = None;
        let mut least = Depth::MAX;
        for slot in &self.cluster(key).0 {
            let data = slot.data.load(Relaxed);
            if slot.check.load(Relaxed) ^ data == key {
                let same_search = packed_generation(data) == generation;
                if entry.mv.is_none() {
                    entry.mv = Move::from_bits(data as u16);
                }
                let depth = entry.depth + if entry.pv { 2 } else { 0 };
                if entry.bound != Bound::Exact && same_search && depth + 4 <= packed_depth(data) {
                    // The old entry is worth more, but the move is news.
                    if let Some(known) = TtEntry::unpack(data) {
                        entry = TtEntry { mv: entry.mv, ..known };
                    }
                }
                victim = Some(slot);
                break;
            }
            let slot_worth = if data == 0 { Depth::MIN } else { worth(data) };
            if slot_worth < least {
                least = slot_worth;
                victim = Some(slot);
            }
        }
        if let Some(slot) = victim {
            let data = entry.pack(generation);
            slot.check.store(key ^ data, Relaxed);
            slot.data.store(data, Relaxed);
        }
    }

    /// Share of entries written by the present search, in permille, from a sample.
    pub(crate) fn permille_used(&self) -> u32 {
        let generation = self.generation.load(Relaxed);
        let sample = &self.clusters[..self.clusters.len().min(250)];
        let used = sample
            .iter()
            .flat_map(|cluster| &cluster.0)
            .map(|slot| slot.data.load(Relaxed))
            .filter(|&data| data != 0 && packed_generation(data) == generation)
            .count();
        (used * 1000 / (sample.len() * ENTRIES_PER_CLUSTER)) as u32
    }
}

#[cfg(test)]
mod tests;
