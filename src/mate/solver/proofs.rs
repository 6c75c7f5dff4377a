//! What the mate search knows of positions, and where it keeps that.

use std::alloc::{Layout, handle_alloc_error};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard};

use crate::memory::{Available, LargeSlice, PREFETCHES, prefetch, spread};
use crate::threads::lock;
use crate::types::Hand;

/// A length in plies that is longer than any.
pub(super) const ANY_LENGTH: u16 = u16::MAX;
/// A proof or disproof number that stands for infinity.
pub(super) const INFINITE: u32 = 1 << 28;
/// No result depends on the path by which its position was reached.
pub(super) const NO_REPETITION: u16 = u16::MAX;

/// What is known of a position: its proof and disproof numbers.
#[derive(Clone, Copy, Debug)]
pub(super) struct ProofNumbers {
    /// Proof number: 0 when it is mate, infinite when it is none.
    pub(super) pn: u32,
    /// Disproof number: infinite when it is mate, 0 when it is none.
    pub(super) dn: u32,
    /// Of a proof: the plies in which there is a mate. Of a disproof: the plies in which there is none.
    pub(super) length: u16,
    /// Of a proof or disproof: the hand of the attacker that it holds for.
    pub(super) hand: Hand,
    /// Of a disproof that rests on repeating a position of the path: the smallest ply of such a position.
    pub(super) min_repeat_ply: u16,
}

impl ProofNumbers {
    pub(super) fn proven(length: u16, hand: Hand) -> ProofNumbers {
        ProofNumbers { pn: 0, dn: INFINITE, length, hand, min_repeat_ply: NO_REPETITION }
    }

    pub(super) fn disproven(length: u16, hand: Hand, min_repeat_ply: u16) -> ProofNumbers {
        ProofNumbers { pn: INFINITE, dn: 0, length, hand, min_repeat_ply }
    }

    pub(super) fn undecided(pn: u32, dn: u32) -> ProofNumbers {
        ProofNumbers { pn, dn, length: 0, hand: Hand::EMPTY, min_repeat_ply: NO_REPETITION }
    }

    pub(super) fn is_proven(&self) -> bool {
        self.pn == 0
    }

    pub(super) fn is_disproven(&self) -> bool {
        self.dn == 0
    }

    pub(super) fn is_decided(&self) -> bool {
        self.is_proven() || self.is_disproven()
    }
}

/// What an entry holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
enum EntryKind {
    Unknown,
    Proven,
    Disproven,
}

/// What is known of a board with one hand.
#[derive(Clone, Copy)]
struct ProofEntry {
    board: u64,
    hand: Hand,
    pn: u32,
    dn: u32,
    /// Positions visited to find this.
    work: u32,
    length: u16,
    /// Entries of other problems than the table's present one are free; 0 is none.
    problem: u16,
    kind: EntryKind,
}

const _: () = assert!(size_of::<ProofEntry>() == 32);

const FREE: ProofEntry =
    ProofEntry { board: 0, hand: Hand::EMPTY, pn: 0, dn: 0, work: 0, length: 0, problem: 0, kind: EntryKind::Unknown };

impl ProofEntry {
    /// Whether another entry of the same board says all that this one says.
    fn is_replaced_by(&self, fresh: &ProofEntry) -> bool {
        match (self.kind, fresh.kind) {
            (EntryKind::Unknown, _) => self.hand == fresh.hand,
            (EntryKind::Proven, EntryKind::Proven) => self.hand.includes(fresh.hand) && self.length >= fresh.length,
            (EntryKind::Disproven, EntryKind::Disproven) => {
                fresh.hand.includes(self.hand) && self.length <= fresh.length
            }
            _ => false,
        }
    }
}

// The table of the mate search.
//
// Entries are found by the board alone, so that what is known for one hand serves for others (see
// [`node`](super::node)). They lie one after another from the place the board's key names, up to the first free
// place. When the table is nearly full, the entries with least work behind them are removed.

/// Beyond this share runs of entries get long.
const MAX_PERCENT_USED: usize = 60;

/// Bytes up to which tables, all together, do not ask whether there is memory.
const ALWAYS_THERE: u64 = 64 << 20;

fn bytes(entries: usize) -> u64 {
    (entries * size_of::<ProofEntry>()) as u64
}

/// Bytes that may be had now.
fn room() -> u64 {
    let available = Available::now();
    available.resident.min(available.address_space)
}

/// A part of the table: what earlier visits found, for one problem at a time.
pub(super) struct TablePart {
    entries: LargeSlice<ProofEntry>,
    used: usize,
    problem: u16,
    /// How many entries there may be. The table grows to that as it fills, so that short mates cost little memory.
    max_entries: usize,
    /// Bytes of all tables that grow together, this one's among them.
    bytes_in_all: Arc<AtomicU64>,
}

impl TablePart {
    /// The smallest that works.
    const MIN_ENTRIES: usize = 1 << 12;

    /// One of several parts that grow together, this one to at most `max_bytes`.
    fn new(max_bytes: usize, bytes_in_all: &Arc<AtomicU64>) -> TablePart {
        let max_entries = (max_bytes / size_of::<ProofEntry>()).max(Self::MIN_ENTRIES);
        bytes_in_all.fetch_add(bytes(Self::MIN_ENTRIES), Relaxed);
        let bytes_in_all = Arc::clone(bytes_in_all);
        // As with other small allocations, without it the process ends.
        let entries = LargeSlice::try_filled(Self::MIN_ENTRIES, FREE);
        let entries = entries.unwrap_or_else(|_| handle_alloc_error(Layout::new::<[ProofEntry; Self::MIN_ENTRIES]>()));
        TablePart { entries, used: 0, problem: 1, max_entries, bytes_in_all }
    }

    fn clear(&mut self) {
        self.used = 0;
        self.problem = self.problem.wrapping_add(1).max(1);
        if self.problem == 1 {
            self.entries.fill(FREE);
        }
    }

    fn home(&self, board: u64) -> usize {
        spread(board, self.entries.len())
    }

    fn next(&self, index: usize) -> usize {
        if index + 1 == self.entries.len() { 0 } else { index + 1 }
    }

    /// Makes room for up to twice as many entries, where the machine has memory for the larger table beside the present
    /// one; if not, the table stays as it is for good. Returns whether there is more room.
    fn grow(&mut self, room: impl FnOnce() -> u64) -> bool {
        let count = self.max_entries.min(self.entries.len() * 2);
        let growth = bytes(count) - bytes(self.entries.len());
        let in_all = self.bytes_in_all.fetch_add(growth, Relaxed) + growth;
        let fits = growth > 0 && (in_all <= ALWAYS_THERE || room() >= bytes(count) / 4 * 5);
        let Some(larger) = fits.then(|| LargeSlice::try_filled(count, FREE).ok()).flatten() else {
            self.bytes_in_all.fetch_sub(growth, Relaxed);
            self.max_entries = self.entries.len();
            return false;
        };
        let entries = std::mem::replace(&mut self.entries, larger);
        self.used = 0;
        let problem = self.problem;
        entries.iter().filter(|entry| entry.problem == problem).for_each(|&entry| self.insert(entry));
        true
    }

    /// Puts an entry into the first free place from its home on.
    fn insert(&mut self, entry: ProofEntry) {
        let mut place = self.home(entry.board);
        while self.entries[place].problem == self.problem {
            place = self.next(place);
        }
        self.entries[place] = entry;
        self.used += 1;
    }

    /// Removes about half of the entries, those with least work behind them.
    fn collect(&mut self) {
        let class = |entry: &ProofEntry| (u32::BITS - entry.work.leading_zeros()) as usize;
        let mut counts = [0usize; 33];
        self.entries.iter().filter(|entry| entry.problem == self.problem).for_each(|entry| counts[class(entry)] += 1);
        let mut kept = self.used;
        let mut threshold = 0;
        while kept > self.entries.len() / 2 && threshold < counts.len() {
            kept -= counts[threshold];
            threshold += 1;
        }
        for entry in self.entries.iter_mut() {
            if class(entry) < threshold {
                *entry = FREE;
            }
        }
        self.close_gaps();
    }

    /// Moves every entry to the first free place from its home on.
    fn close_gaps(&mut self) {
        let count = self.entries.len();
        let Some(start) = self.entries.iter().position(|entry| entry.problem != self.problem) else { return };
        self.used = 0;
        // No run of entries reaches across the place `start`, so each lies behind its home from there.
        for offset in 1..count {
            let index = (start + offset) % count;
            let mut entry = std::mem::replace(&mut self.entries[index], FREE);
            if entry.problem != self.problem {
                continue;
            }
            // What remains unused is worth less at the next collection.
            entry.work /= 2;
            self.insert(entry);
        }
    }
}

impl TablePart {
    /// Asks the processor to fetch what is known of a board.
    pub(super) fn prefetch(&self, board: u64) {
        if PREFETCHES {
            prefetch(&self.entries[self.home(board)]);
        }
    }

    /// What is known of a board with this hand of the attacker's, when a mate must not take more than `length` plies.
    pub(super) fn probe(&self, board: u64, hand: Hand, length: u16) -> Option<ProofNumbers> {
        let mut index = self.home(board);
        let mut exact = None;
        // From other hands: with fewer pieces it is no easier to prove, with more no easier to disprove.
        let (mut least_pn, mut least_dn) = (1, 1);
        loop {
            let entry = &self.entries[index];
            if entry.problem != self.problem {
                break;
            }
            match entry.kind {
                _ if entry.board != board => {}
                EntryKind::Proven if entry.length <= length && hand.includes(entry.hand) => {
                    return Some(ProofNumbers::proven(entry.length, entry.hand));
                }
                EntryKind::Disproven if entry.length >= length && entry.hand.includes(hand) => {
                    return Some(ProofNumbers::disproven(entry.length, entry.hand, NO_REPETITION));
                }
                EntryKind::Proven | EntryKind::Disproven => {}
                EntryKind::Unknown if entry.hand == hand => exact = Some((entry.pn, entry.dn)),
                EntryKind::Unknown if hand.includes(entry.hand) => least_dn = least_dn.max(entry.dn),
                EntryKind::Unknown if entry.hand.includes(hand) => least_pn = least_pn.max(entry.pn),
                EntryKind::Unknown => {}
            }
            index = self.next(index);
        }
        if let Some((pn, dn)) = exact {
            return Some(ProofNumbers::undecided(pn.max(least_pn), dn.max(least_dn)));
        }
        (least_pn > 1 || least_dn > 1).then(|| ProofNumbers::undecided(least_pn, least_dn))
    }

    /// Notes what was found of a board with this hand of the attacker's by visiting `work` positions.
    pub(super) fn store(&mut self, board: u64, hand: Hand, numbers: &ProofNumbers, work: u32) {
        let (kind, hand) = if numbers.is_proven() {
            (EntryKind::Proven, numbers.hand)
        } else if numbers.is_disproven() {
            (EntryKind::Disproven, numbers.hand)
        } else {
            (EntryKind::Unknown, hand)
        };
        let ProofNumbers { pn, dn, length, .. } = *numbers;
        let mut fresh = ProofEntry { board, hand, pn, dn, work, length, problem: self.problem, kind };
        let mut index = self.home(board);
        loop {
            let entry = &mut self.entries[index];
            if entry.problem != self.problem {
                *entry = fresh;
                self.used += 1;
                break;
            }
            if entry.board == board && entry.is_replaced_by(&fresh) {
                fresh.work = fresh.work.saturating_add(entry.work);
                *entry = fresh;
                return;
            }
            index = self.next(index);
        }
        if self.used * 100 > self.entries.len() * MAX_PERCENT_USED && !self.grow(room) {
            self.collect();
        }
    }

    /// Share of the places in use of all that there may be, in permille.
    pub(super) fn permille_used(&self) -> u32 {
        (self.used as u64 * 1000 / self.max_entries as u64) as u32
    }
}

/// Parts of a table for several threads: enough that two threads hardly ever want the same one.
const PARTS: usize = 64;

/// The table of a solver: one part, or for several threads many, each behind a lock.
pub(super) struct ProofTable(Vec<Mutex<TablePart>>);

impl ProofTable {
    /// A table that grows to at most this many MiB.
    pub(super) fn new(megabytes: usize, threads: usize) -> ProofTable {
        let parts = if threads > 1 { PARTS } else { 1 };
        let (bytes_of_part, bytes_in_all) = (megabytes.saturating_mul(1 << 20) / parts, Arc::default());
        ProofTable((0..parts).map(|_| Mutex::new(TablePart::new(bytes_of_part, &bytes_in_all))).collect())
    }

    /// Forgets everything.
    pub(super) fn clear(&self) {
        self.0.iter().for_each(|part| lock(part).clear());
    }

    /// The part of a board. Its place in the part is found by the upper bits of the key.
    pub(super) fn part(&self, board: u64) -> MutexGuard<'_, TablePart> {
        lock(&self.0[board as usize & (self.0.len() - 1)])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::PieceType;
    use crate::types::numbers::GOLDEN;

    fn hand(pieces: &[PieceType]) -> Hand {
        let mut hand = Hand::EMPTY;
        pieces.iter().for_each(|&piece| hand.add(piece));
        hand
    }

    #[test]
    fn results_serve_for_better_and_worse_hands() {
        use PieceType::*;
        let table = ProofTable::new(0, 1);
        let gold = hand(&[Gold]);
        table.part(0).store(7, hand(&[Gold, Pawn]), &ProofNumbers::proven(5, gold), 1);
        assert!(table.part(0).probe(7, gold, 5).is_some_and(|numbers| numbers.is_proven() && numbers.length == 5));
        assert!(table.part(0).probe(7, hand(&[Gold, Rook]), 9).is_some_and(|numbers| numbers.is_proven()));
        assert!(table.part(0).probe(7, gold, 3).is_none(), "the proof is too long");
        assert!(table.part(0).probe(7, hand(&[Rook]), 9).is_none());
        table.part(0).store(7, Hand::EMPTY, &ProofNumbers::disproven(ANY_LENGTH, hand(&[Pawn]), NO_REPETITION), 1);
        assert!(table.part(0).probe(7, Hand::EMPTY, 99).is_some_and(|numbers| numbers.is_disproven()));
        assert!(table.part(0).probe(8, gold, 5).is_none(), "another board");
    }

    #[test]
    fn collection_keeps_what_cost_most() {
        let table = ProofTable::new(0, 1);
        let count = TablePart::MIN_ENTRIES as u64;
        let board = |n: u64| n.wrapping_mul(GOLDEN);
        for n in 0..count * 3 {
            let work = if n % 16 == 0 { 1000 } else { 1 };
            table.part(0).store(board(n), Hand::EMPTY, &ProofNumbers::undecided(n as u32 + 2, 3), work);
            let numbers = table.part(0).probe(board(n), Hand::EMPTY, 1);
            assert!(work == 1 || numbers.is_some_and(|numbers| numbers.pn == n as u32 + 2));
        }
        let kept =
            (0..count * 3).step_by(16).filter(|&n| table.part(0).probe(board(n), Hand::EMPTY, 1).is_some()).count();
        assert_eq!(kept as u64, count * 3 / 16);
        assert!(table.part(0).permille_used() <= 800);
    }

    #[test]
    fn tables_that_grow_together_ask_for_memory_by_what_all_of_them_take() {
        let in_all = Arc::default();
        let mut parts = [(); 2].map(|()| TablePart::new(1 << 30, &in_all));
        let least = bytes(TablePart::MIN_ENTRIES);
        assert_eq!(in_all.load(Relaxed), 2 * least);
        assert!(parts[0].grow(|| panic!("little memory is there")));
        assert_eq!(in_all.load(Relaxed), 3 * least);
        // As if the others took nearly all that is there unasked.
        in_all.store(ALWAYS_THERE, Relaxed);
        assert!(parts[1].grow(|| 3 * least) && in_all.load(Relaxed) == ALWAYS_THERE + least);
        assert!(!parts[1].grow(|| 3 * least) && in_all.load(Relaxed) == ALWAYS_THERE + least);
        assert!(!parts[1].grow(|| panic!("it was refused before")));
        assert_eq!(parts[1].max_entries, 2 * TablePart::MIN_ENTRIES);
    }
}
