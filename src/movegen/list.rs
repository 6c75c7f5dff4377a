//! A list of moves on the stack.

use std::fmt;
use std::mem::MaybeUninit;
use std::ops::Deref;

use super::sink::{DropKinds, MoveSink};
use crate::bitboard::Bitboard;
use crate::types::{Color, Move, Square};

/// No position has more legal moves.
///
/// With both kings on the board 593 is the known maximum (Nozaki's composition). A tsume board with one
/// king can have more: with all seven kinds in hand there are at most 7 × 81 drops, a man on the board
/// costs seven of them, and only the king (8 moves), rook (32), bishop (24), three silvers (10) and
/// three lances (10) bring more than they cost.
pub const MAX_MOVES: usize = 7 * 81 + 61;

/// Drops are stored a vector at a time, so a store may run past the last move.
const CAPACITY: usize = MAX_MOVES + DropKinds::LANES;

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

impl MoveSink for MoveList {
    #[inline(always)]
    fn moves(&mut self, from: Square, targets: Bitboard) {
        targets.for_each(|to| self.push(Move::board(from, to, false)));
    }

    #[inline(always)]
    fn promotions(&mut self, from: Square, targets: Bitboard) {
        targets.for_each(|to| self.push(Move::board(from, to, true)));
    }

    #[inline(always)]
    fn pawn_moves(&mut self, color: Color, targets: Bitboard) {
        targets.for_each(|to| self.push(Move::board(behind(color, to), to, false)));
    }

    #[inline(always)]
    fn pawn_promotions(&mut self, color: Color, targets: Bitboard) {
        targets.for_each(|to| self.push(Move::board(behind(color, to), to, true)));
    }

    #[inline(always)]
    fn drops(&mut self, kinds: &DropKinds, count: usize, targets: Bitboard) {
        targets.for_each(|to| {
            let Some(slots) = self.moves.get_mut(self.len..self.len + DropKinds::LANES) else { return };
            for (slot, bits) in slots.iter_mut().zip(kinds.on(to)) {
                // Unused lanes hold no prefix; `| 1 << 15` keeps every lane a valid bit pattern.
                slot.write(Move::from_nonzero(bits | Move::DROP_BIT));
            }
            self.len += count;
        });
    }
}

/// The square a pawn of `color` comes from when it steps to `to`.
#[inline(always)]
pub(crate) fn behind(color: Color, to: Square) -> Square {
    let index = to.index() as u8;
    Square::from_valid_index(match color {
        Color::Black => index + 1,
        Color::White => index - 1,
    })
}
