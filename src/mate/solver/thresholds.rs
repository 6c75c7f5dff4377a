//! How far a node is searched: until its proof or disproof number reaches a threshold.

use super::proofs::INFINITE;
use crate::types::Hand;

/// A node being searched.
pub(super) struct Node {
    pub(super) board: u64,
    /// The attacker's.
    pub(super) hand: Hand,
    pub(super) length: u16,
    /// Where its children begin.
    pub(super) start: usize,
}

/// When the search of a node ends: one of its numbers has reached its threshold.
#[derive(Clone, Copy)]
pub(super) struct Thresholds {
    pub(super) pn: u32,
    pub(super) dn: u32,
}

impl Thresholds {
    pub(super) const NONE: Thresholds = Thresholds { pn: INFINITE, dn: INFINITE };

    pub(super) fn phi<const ATTACK: bool>(self) -> u32 {
        if ATTACK { self.pn } else { self.dn }
    }

    pub(super) fn delta<const ATTACK: bool>(self) -> u32 {
        if ATTACK { self.dn } else { self.pn }
    }

    pub(super) fn of<const ATTACK: bool>(phi: u32, delta: u32) -> Thresholds {
        if ATTACK { Thresholds { pn: phi, dn: delta } } else { Thresholds { pn: delta, dn: phi } }
    }
}
