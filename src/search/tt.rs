//! The transposition table: what earlier searches of a position found.
//!
//! All threads share it without locks and without unsafe code. An entry is two relaxed atomic words,
//! the data and the key combined with the data by exclusive or (Hyatt and Mann, 2002): when two
//! threads write at once, the halves do not fit together and the entry reads as empty.

use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicU8, AtomicU64};

use rayon::prelude::*;

use crate::memory::{LargeSlice, OutOfMemory, PREFETCHES, prefetch, spread};
use crate::types::{Depth, Move, Score};

/// Whether a score is exact or only a bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// The score itself.
    Exact,
    /// The score is at least this (fail-high).
    Lower,
    /// The score is at most this (fail-low).
    Upper,
}

/// What the table knows of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TtEntry {
    /// The best or refuting move. Another position may share the key: test the move before use.
    pub(super) mv: Option<Move>,
    /// Counted from the node ([`Score::from_table`] makes it count from the root); `None` where nothing but the
    /// evaluation is known.
    pub(super) score: Option<Score>,
    /// The static evaluation; `None` where there was none: in check, or with a mate in one found before it.
    pub(super) eval: Option<Score>,
    pub(super) depth: Depth,
    pub(super) bound: Bound,
    /// Whether the position was, or led to, a node of the principal variation.
    pub(super) pv: bool,
}

const ENTRIES_PER_CLUSTER: usize = 4;
/// Five bits count searches; older entries are replaced first.
const GENERATIONS: u8 = 32;
/// Stands for "no score" and for "no evaluation" in an entry.
const NO_SCORE: i16 = i16::MIN;
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
pub(super) struct TranspositionTable {
    clusters: LargeSlice<Cluster>,
    generation: AtomicU8,
}

/// The depth of entries that hold nothing but an evaluation.
const UNSEARCHED: Depth = -6;

impl TtEntry {
    /// An entry that knows a position's evaluation alone.
    pub(super) fn evaluation(eval: Option<Score>, pv: bool) -> TtEntry {
        TtEntry { mv: None, score: None, eval, depth: UNSEARCHED, bound: Bound::Lower, pv }
    }

    /// Whether the entry comes from a search; an unsearched one may have the stand-pat score of quiescence search.
    #[inline(always)]
    pub(super) fn is_searched(&self) -> bool {
        self.depth > UNSEARCHED
    }

    fn pack(self, generation: u8) -> u64 {
        let bound = match self.bound {
            Bound::Upper => 1,
            Bound::Lower => 2,
            Bound::Exact => 3u64,
        };
        let [score, eval] = [self.score, self.eval].map(|score| score.map_or(NO_SCORE, |score| score.value() as i16));
        u64::from(self.mv.map_or(0, Move::to_bits))
            | u64::from(score as u16) << 16
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
        let score = |bits: u64| match bits as i16 {
            NO_SCORE => None,
            value => Some(Score::from_value(i32::from(value))),
        };
        Some(TtEntry {
            mv: Move::from_bits(data as u16),
            score: score(data >> 16),
            eval: score(data >> 32),
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
    /// A table of about this many MiB, at least one cluster, its memory touched by all threads of the current rayon
    /// pool or, where not `in_parallel`, by the calling thread.
    pub(super) fn try_new(megabytes: usize, in_parallel: bool) -> Result<TranspositionTable, OutOfMemory> {
        let count = (megabytes.saturating_mul(1 << 20) / size_of::<Cluster>()).max(1);
        let clusters = if in_parallel {
            LargeSlice::try_from_fn_parallel(count, Cluster::default)?
        } else {
            LargeSlice::try_from_fn(count, Cluster::default)?
        };
        Ok(TranspositionTable { clusters, generation: AtomicU8::new(0) })
    }

    /// Empties the table, with the same threads.
    pub(super) fn clear(&mut self, in_parallel: bool) {
        if in_parallel {
            self.clusters.par_iter_mut().for_each(|cluster| *cluster = Cluster::default());
        } else {
            self.clusters.fill_with(Cluster::default);
        }
        *self.generation.get_mut() = 0;
    }

    /// Whether the system said that it lies on large pages.
    pub(super) fn is_on_large_pages(&self) -> bool {
        self.clusters.is_on_large_pages()
    }

    /// Starts a new search: what is in the table becomes older.
    pub(super) fn next_generation(&self) {
        self.generation.store((self.generation.load(Relaxed) + 1) % GENERATIONS, Relaxed);
    }

    #[inline(always)]
    fn cluster(&self, key: u64) -> &Cluster {
        &self.clusters[spread(key, self.clusters.len())]
    }

    /// Prefetches a key's cluster.
    #[inline(always)]
    pub(super) fn prefetch(&self, key: u64) {
        if PREFETCHES {
            prefetch(self.cluster(key));
        }
    }

    /// What is known of the position with this key.
    #[inline]
    pub(super) fn probe(&self, key: u64) -> Option<TtEntry> {
        self.cluster(key).0.iter().find_map(|slot| {
            let data = slot.data.load(Relaxed);
            if slot.check.load(Relaxed) ^ data == key { TtEntry::unpack(data) } else { None }
        })
    }

    /// Notes what was found of a position, in the place of what is worth least.
    pub(super) fn store(&self, key: u64, mut entry: TtEntry) {
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
                    // The old entry is worth more, but gets the new move.
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
    pub(super) fn permille_used(&self) -> u32 {
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
mod tests {
    //! What the table keeps, ages and gives up.

    use super::*;

    fn entry(depth: Depth) -> TtEntry {
        TtEntry {
            mv: "7g7f".parse().ok(),
            score: Some(Score::mated_in(7)),
            eval: Some(Score::from_eval(-1234)),
            depth,
            bound: Bound::Lower,
            pv: true,
        }
    }

    #[test]
    fn an_entry_comes_back_as_it_was() {
        let table = TranspositionTable::try_new(1, false).unwrap();
        let bare = TtEntry { mv: None, eval: None, bound: Bound::Exact, pv: false, ..entry(-3) };
        let upper = TtEntry { bound: Bound::Upper, ..bare };
        for (key, stored) in [(1, entry(12)), (u64::MAX, bare), (0, entry(200)), (2, upper)] {
            assert_eq!(table.probe(key), None);
            table.store(key, stored);
            assert_eq!(table.probe(key), Some(stored));
        }
    }

    #[test]
    fn a_torn_entry_reads_as_empty() {
        let table = TranspositionTable::try_new(1, false).unwrap();
        table.store(42, entry(5));
        let slot = &table.cluster(42).0[0];
        slot.data.store(slot.data.load(Relaxed) ^ 1 << 20, Relaxed);
        assert_eq!(table.probe(42), None);
    }

    #[test]
    fn shallow_and_old_entries_give_way() {
        let table = TranspositionTable::try_new(0, false).unwrap();
        for key in 1..=4 {
            table.store(key, entry(10 + key as Depth));
        }
        table.store(5, entry(2));
        assert_eq!(table.probe(1), None, "the shallowest goes first");
        assert!((2..=5).all(|key| table.probe(key).is_some()));
        table.next_generation();
        table.next_generation();
        table.store(2, entry(12));
        table.store(6, entry(1));
        assert!(table.probe(5).is_none() && table.probe(2).is_some());
        table.store(7, entry(1));
        assert!(table.probe(3).is_none(), "deep entries of old searches go before shallow ones of this search");
        assert!(table.probe(6).is_some());
    }

    #[test]
    fn an_entry_of_an_evaluation_has_no_score() {
        let evaluated = TtEntry::evaluation(Some(Score::from_eval(5)), false);
        assert!(!evaluated.is_searched() && evaluated.score.is_none());
        // The shallowest entries of quiescence have one.
        let searched = TtEntry { score: Some(-Score::INFINITE + 1), depth: UNSEARCHED + 1, ..evaluated };
        assert!(searched.is_searched());
        let table = TranspositionTable::try_new(0, false).unwrap();
        table.store(9, evaluated);
        assert_eq!(table.probe(9), Some(evaluated));
        table.store(9, searched);
        assert_eq!(table.probe(9), Some(searched));
    }

    #[test]
    fn entries_age_a_search_at_a_time_and_look_new_again_after_all_generations() {
        let table = TranspositionTable::try_new(0, false).unwrap();
        table.store(1, entry(10));
        for age in 1..GENERATIONS {
            table.next_generation();
            assert_eq!(table.permille_used(), 0, "{age}");
        }
        table.next_generation();
        assert_eq!(table.permille_used(), 250);
    }

    /// Four entries, the first of them of this depth and older by some searches than the others, of depth 3.
    fn with_an_old_entry(depth: Depth, age: u8, generation: u8) -> TranspositionTable {
        let table = TranspositionTable::try_new(0, false).unwrap();
        (0..generation).for_each(|_| table.next_generation());
        table.store(1, entry(depth));
        (0..age).for_each(|_| table.next_generation());
        (2..=4).for_each(|key| table.store(key, entry(3)));
        table
    }

    #[test]
    fn a_search_of_age_is_worth_eight_plies() {
        for (age, generation) in (1..4).flat_map(|age| (0..GENERATIONS).map(move |generation| (age, generation))) {
            let worth_the_same = 3 + 8 * Depth::from(age);
            let table = with_an_old_entry(worth_the_same, age, generation);
            table.store(5, entry(1));
            assert!(table.probe(1).is_none(), "of those worth the same the first goes");
            let table = with_an_old_entry(worth_the_same + 1, age, generation);
            table.store(5, entry(1));
            assert!(table.probe(1).is_some() && table.probe(2).is_none());
        }
    }

    #[test]
    fn the_smallest_table_is_one_cluster_of_a_first_generation() {
        for mut table in [true, false].map(|in_parallel| TranspositionTable::try_new(0, in_parallel).unwrap()) {
            assert_eq!((table.clusters.len(), *table.generation.get_mut()), (1, 0));
        }
    }

    #[test]
    fn depths_beyond_a_byte_are_the_last_that_fit() {
        let table = TranspositionTable::try_new(0, false).unwrap();
        for (depth, stored) in [(-8, -8), (-9, -8), (247, 247), (248, 247), (300, 247)] {
            table.store(1, TtEntry { bound: Bound::Exact, ..entry(depth) });
            assert_eq!(table.probe(1).unwrap().depth, stored, "{depth}");
        }
    }

    #[test]
    fn empty_places_are_taken_before_the_oldest_entries() {
        let table = TranspositionTable::try_new(0, false).unwrap();
        table.next_generation();
        table.store(1, entry(3));
        (1..GENERATIONS).for_each(|_| table.next_generation());
        table.store(2, entry(3));
        assert!(table.probe(1).is_some() && table.probe(2).is_some());
    }

    #[test]
    fn empty_places_are_taken_first() {
        let table = TranspositionTable::try_new(0, false).unwrap();
        (1..=4).for_each(|key| table.store(key, TtEntry { depth: UNSEARCHED, ..entry(0) }));
        assert!((1..=4).all(|key| table.probe(key).is_some()));
        assert_eq!(table.permille_used(), 1000);
    }

    #[test]
    fn a_much_deeper_entry_of_this_search_keeps_its_score_but_takes_the_move() {
        let other = TtEntry { mv: "2g2f".parse().ok(), score: Some(Score::ZERO), pv: false, ..entry(0) };
        let after = |old: TtEntry, new: TtEntry, searches: usize| {
            let table = TranspositionTable::try_new(0, false).unwrap();
            table.store(1, old);
            (0..searches).for_each(|_| table.next_generation());
            table.store(1, new);
            table.probe(1).unwrap()
        };
        let (deep, shallow) = (entry(12), TtEntry { depth: 8, ..other });
        assert_eq!(after(deep, shallow, 0), TtEntry { mv: other.mv, ..deep });
        assert_eq!(after(deep, TtEntry { depth: 9, ..other }, 0), TtEntry { depth: 9, ..other });
        // A node of the principal variation counts for two plies.
        assert_eq!(after(deep, TtEntry { pv: true, depth: 6, ..other }, 0), TtEntry { mv: other.mv, ..deep });
        let pv = TtEntry { pv: true, depth: 7, ..other };
        assert_eq!(after(deep, pv, 0), pv);
        assert_eq!(after(deep, shallow, 1), shallow, "the entry of an earlier search gives way");
        let exact = TtEntry { bound: Bound::Exact, ..shallow };
        assert_eq!(after(deep, exact, 0), exact);
        assert_eq!(after(entry(5), TtEntry { mv: None, depth: 9, ..other }, 0).mv, entry(5).mv, "no move is no news");
    }

    #[test]
    #[cfg_attr(miri, ignore = "takes an hour when interpreted")]
    fn keys_go_to_all_clusters_alike() {
        for table in [true, false].map(|in_parallel| TranspositionTable::try_new(1, in_parallel).unwrap()) {
            let count = table.clusters.len() as u64;
            assert_eq!(count, (1 << 20) / 64);
            (0..count).for_each(|index| table.store(index * (u64::MAX / count + 1), entry(3)));
            assert_eq!(table.permille_used(), 250, "one entry in each");
            assert!(table.clusters.iter().all(|cluster| cluster.0[0].data.load(Relaxed) != 0));
        }
    }

    #[test]
    fn a_cleared_table_begins_at_its_first_generation() {
        for in_parallel in [true, false] {
            let mut table = TranspositionTable::try_new(0, false).unwrap();
            table.store(1, entry(10));
            table.next_generation();
            table.clear(in_parallel);
            assert_eq!((table.probe(1), *table.generation.get_mut()), (None, 0));
        }
    }
}
