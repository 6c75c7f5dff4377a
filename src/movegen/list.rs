//! A list of moves on the stack.

use std::fmt;
use std::mem::MaybeUninit;
use std::ops::Deref;

use super::move_set::{DropTypes, MoveSet};
use crate::types::Move;

/// No position has more legal moves.
///
/// With both kings on the board 593 is the known maximum (Nozaki's composition). A tsume board with one
/// king can have more: with all seven types in hand there are at most 7 × 81 drops, a piece on the board
/// costs seven of them, and only the king (8 moves), rook (32), bishop (24), three silvers (10) and
/// three lances (10) bring more than they cost.
pub const MAX_MOVES: usize = 7 * 81 + 61;

/// Drops are stored a vector at a time, so a store may run past the last move.
const CAPACITY: usize = MAX_MOVES + DropTypes::LANES;

/// The moves of one position, in a fixed array that is not initialised beforehand.
pub struct MoveList {
    moves: [MaybeUninit<Move>; CAPACITY],
    len: usize,
}

impl MoveList {
    /// An empty list.
    #[inline(always)]
    pub const fn new() -> MoveList {
        MoveList { moves: [const { MaybeUninit::uninit() }; CAPACITY], len: 0 }
    }

    /// Adds a move; ignored when the list is full, which no position can bring about.
    #[inline(always)]
    pub fn push(&mut self, mv: Move) {
        if let Some(slot) = self.moves.get_mut(self.len) {
            slot.write(mv);
            self.len += 1;
        }
    }

    /// Adds the moves of a set.
    #[inline(always)]
    pub fn extend(&mut self, set: MoveSet) {
        let MoveSet::Drops { piece_types, to } = set else {
            set.for_each(|mv| self.push(mv));
            return;
        };
        to.for_each(|to| {
            let Some(slots) = self.moves.get_mut(self.len..self.len + DropTypes::LANES) else { return };
            for (slot, mv) in slots.iter_mut().zip(piece_types.on(to)) {
                slot.write(mv);
            }
            // All lanes have been written.
            self.len += piece_types.len().min(DropTypes::LANES);
        });
    }

    /// Removes all moves.
    pub fn clear(&mut self) {
        self.len = 0;
    }
}

impl Default for MoveList {
    fn default() -> MoveList {
        MoveList::new()
    }
}

impl Deref for MoveList {
    type Target = [Move];

    #[inline(always)]
    fn deref(&self) -> &[Move] {
        let used = &self.moves[..self.len];
        // SAFETY: `len` only grows when the slots below it have been written, and `MaybeUninit<Move>`
        // has the layout of `Move`.
        unsafe { &*(std::ptr::from_ref(used) as *const [Move]) }
    }
}

impl<'a> IntoIterator for &'a MoveList {
    type Item = Move;
    type IntoIter = std::iter::Copied<std::slice::Iter<'a, Move>>;

    #[inline(always)]
    fn into_iter(self) -> Self::IntoIter {
        self.iter().copied()
    }
}

impl fmt::Debug for MoveList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self).finish()
    }
}
