//! Entries of history tables, and tables of them that are cleared only where they were written to.
//!
//! The largest tables hold 30 MiB, of which a short search writes only little: clearing all of it took a tenth of the
//! time of self-play games.

use crate::memory::LargeSlice;

/// A history score between `-LIMIT` and `LIMIT`.
#[derive(Clone, Copy, Default)]
pub(crate) struct HistoryEntry<const LIMIT: i32>(i16);

impl<const LIMIT: i32> HistoryEntry<LIMIT> {
    pub(crate) const fn new(score: i16) -> Self {
        HistoryEntry(score)
    }

    /// Moves the score towards a bonus ("history gravity").
    #[inline(always)]
    pub(crate) fn update(&mut self, bonus: i32) {
        let bonus = bonus.clamp(-LIMIT, LIMIT);
        let value = i32::from(self.0);
        self.0 = (value + bonus - value * bonus.abs() / LIMIT) as i16;
    }

    #[inline(always)]
    pub(crate) fn get(self) -> i32 {
        i32::from(self.0)
    }
}

/// Entries that are cleared together: a cache line of them. Few enough that little is cleared in vain, many enough
/// that their bits stay in the second-level cache.
const BLOCK: usize = 32;

/// Rows of history scores, all equal at first.
pub(crate) struct HistoryTable<const LIMIT: i32, const ROW: usize> {
    rows: LargeSlice<[HistoryEntry<LIMIT>; ROW]>,
    initial: HistoryEntry<LIMIT>,
    /// A bit for each block of entries: whether it was written to since the table was last cleared.
    touched: Vec<u64>,
}

impl<const LIMIT: i32, const ROW: usize> HistoryTable<LIMIT, ROW> {
    pub(crate) fn new(rows: usize, initial: HistoryEntry<LIMIT>) -> Self {
        let blocks = (rows * ROW).div_ceil(BLOCK);
        let rows = LargeSlice::filled(rows, [initial; ROW]);
        HistoryTable { rows, initial, touched: vec![0; blocks.div_ceil(64)] }
    }

    /// Makes all entries equal again.
    pub(crate) fn clear(&mut self) {
        let entries = self.rows.as_flattened_mut();
        for (index, word) in self.touched.iter_mut().enumerate() {
            let mut bits = std::mem::take(word);
            while bits != 0 {
                let start = (index * 64 + bits.trailing_zeros() as usize) * BLOCK;
                let end = (start + BLOCK).min(entries.len());
                entries[start..end].fill(self.initial);
                bits &= bits - 1;
            }
        }
    }

    #[inline(always)]
    pub(crate) fn row(&self, row: usize) -> &[HistoryEntry<LIMIT>; ROW] {
        &self.rows[row]
    }

    #[inline(always)]
    pub(crate) fn get_row(&self, row: usize) -> Option<&[HistoryEntry<LIMIT>; ROW]> {
        self.rows.get(row)
    }

    #[inline(always)]
    pub(crate) fn update(&mut self, row: usize, index: usize, bonus: i32) {
        let block = (row * ROW + index) / BLOCK;
        self.touched[block / 64] |= 1 << (block % 64);
        self.rows[row][index].update(bonus);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROW: usize = 37;
    const ROWS: usize = 150;

    /// The last block is shorter than the others.
    const _: () = assert!(!(ROW * ROWS).is_multiple_of(BLOCK));

    #[test]
    fn clearing_reaches_every_entry() {
        let initial = HistoryEntry::<1000>::new(-7);
        let mut table = HistoryTable::<1000, ROW>::new(ROWS, initial);
        for round in 0..2 {
            for row in 0..ROWS {
                for index in (row + round..ROW).step_by(1 + row % 5) {
                    table.update(row, index, 300);
                    assert_ne!(table.row(row)[index].get(), -7);
                }
            }
            table.clear();
            assert!(table.rows.as_flattened().iter().all(|score| score.get() == -7));
            assert!(table.touched.iter().all(|&word| word == 0));
        }
    }
}
