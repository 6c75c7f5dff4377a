//! What the mate search knows of positions, and where it keeps that.

mod entry;
pub(super) mod hands;
pub(super) mod shared;
pub(super) mod table;

use crate::types::Hand;

/// A length in plies that is longer than any.
pub(super) const ANY_LENGTH: u16 = u16::MAX;
/// A proof or disproof number that stands for infinity.
pub(super) const INFINITE: u32 = 1 << 28;
/// No result depends on the path by which its position was reached.
pub(super) const NO_REPETITION: u16 = u16::MAX;

/// What is known of a position: its proof and disproof numbers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Known {
    /// Proof number: 0 when it is mate, infinite when it is none.
    pub(super) pn: u32,
    /// Disproof number: infinite when it is mate, 0 when it is none.
    pub(super) dn: u32,
    /// Of a proof: there is a mate in at most so many plies. Of a disproof: there is none in so many.
    pub(super) length: u16,
    /// Of a proof or disproof: the hand of the attacker that it holds for.
    pub(super) hand: Hand,
    /// Of a disproof that rests on repeating a position of the path: the smallest ply of such a position.
    pub(super) repeats: u16,
}

impl Known {
    pub(super) fn proven(length: u16, hand: Hand) -> Known {
        Known { pn: 0, dn: INFINITE, length, hand, repeats: NO_REPETITION }
    }

    pub(super) fn disproven(length: u16, hand: Hand, repeats: u16) -> Known {
        Known { pn: INFINITE, dn: 0, length, hand, repeats }
    }

    pub(super) fn unknown(pn: u32, dn: u32) -> Known {
        Known { pn, dn, length: 0, hand: Hand::EMPTY, repeats: NO_REPETITION }
    }

    pub(super) fn is_proven(&self) -> bool {
        self.pn == 0
    }

    pub(super) fn is_disproven(&self) -> bool {
        self.dn == 0
    }
}

/// Where searches keep what they find: one thread in a table of its own, several in a shared one.
pub(super) trait ProofStore {
    /// Asks the processor to fetch what is known of a board.
    fn prefetch(&self, board: u64);
    /// What is known of a board with this hand of the attacker's, when a mate must not take more than `length` plies.
    fn probe(&self, board: u64, hand: Hand, length: u16) -> Option<Known>;
    /// Notes what was found of a board with this hand of the attacker's by visiting `work` positions.
    fn store(&mut self, board: u64, hand: Hand, known: &Known, work: u32);
    /// Share of the places in use of all that there may be, in permille.
    fn permille_used(&self) -> u32;
}
