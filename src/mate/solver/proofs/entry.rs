//! An entry of the table.

use crate::types::Hand;

/// What an entry holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Kind {
    Free,
    Unknown,
    Proven,
    Disproven,
}

/// What is known of a board with one hand.
#[derive(Clone, Copy)]
pub(super) struct Entry {
    pub(super) board: u64,
    pub(super) hand: Hand,
    pub(super) pn: u32,
    pub(super) dn: u32,
    /// Positions visited to find this.
    pub(super) work: u32,
    pub(super) length: u16,
    /// Entries of other problems count as free.
    pub(super) problem: u16,
    pub(super) kind: Kind,
}

const _: () = assert!(size_of::<Entry>() == 32);

pub(super) const FREE: Entry =
    Entry { board: 0, hand: Hand::EMPTY, pn: 0, dn: 0, work: 0, length: 0, problem: 0, kind: Kind::Free };

impl Entry {
    /// Whether another entry of the same board says all that this one says.
    pub(super) fn is_replaced_by(&self, fresh: &Entry) -> bool {
        match (self.kind, fresh.kind) {
            (Kind::Unknown, _) => self.hand == fresh.hand,
            (Kind::Proven, Kind::Proven) => self.hand.includes(fresh.hand) && self.length >= fresh.length,
            (Kind::Disproven, Kind::Disproven) => fresh.hand.includes(self.hand) && self.length <= fresh.length,
            _ => false,
        }
    }
}
