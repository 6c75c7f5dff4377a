//! A list of moves on the stack.

use std::fmt;
use std::mem::MaybeUninit;
use std::ops::Deref;

use crate::bitboard::Bitboard;
use crate::types::{Color, Move, PieceType, Square};

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

// Sets of moves that have their origin in common.

/// Legal moves with one origin: what the generator hands to its listener, one set at a time.
///
/// A set may be empty. Only the generator makes sets, so that what a listener gets is always legal.
#[derive(Clone, Copy, Debug)]
pub enum MoveSet {
    /// Moves of one piece on the board.
    #[non_exhaustive]
    Piece {
        /// Where it stands.
        from: Square,
        /// Where it can go.
        to: Bitboard,
        /// Whether all of the moves promote; otherwise none does.
        promote: bool,
    },
    /// Moves of several pawns, each from the square behind its destination.
    #[non_exhaustive]
    Pawns {
        /// Whose pawns.
        color: Color,
        /// Where they can go.
        to: Bitboard,
        /// Whether all of the moves promote; otherwise none does.
        promote: bool,
    },
    /// Drops: each of the piece types on each of the squares.
    #[non_exhaustive]
    Drops {
        /// What is dropped.
        piece_types: DropTypes,
        /// The empty squares.
        to: Bitboard,
    },
}

impl MoveSet {
    /// Number of moves in the set.
    #[inline(always)]
    pub fn len(&self) -> usize {
        match self {
            MoveSet::Piece { to, .. } | MoveSet::Pawns { to, .. } => to.count() as usize,
            MoveSet::Drops { piece_types, to } => piece_types.len() * to.count() as usize,
        }
    }

    /// Whether the set has no move.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        match self {
            MoveSet::Piece { to, .. } | MoveSet::Pawns { to, .. } => to.is_empty(),
            MoveSet::Drops { piece_types, to } => piece_types.is_empty() || to.is_empty(),
        }
    }

    /// Calls `f` with each move.
    #[inline(always)]
    pub fn for_each(&self, mut f: impl FnMut(Move)) {
        match *self {
            MoveSet::Piece { from, to, promote } => to.for_each(|to| f(Move::board(from, to, promote))),
            MoveSet::Pawns { color, to, promote } => to.for_each(|to| {
                if let Some(from) = pawn_origin(color, to) {
                    f(Move::board(from, to, promote));
                }
            }),
            MoveSet::Drops { piece_types, to } => to.for_each(|to| {
                for piece_type in piece_types.iter() {
                    f(Move::drop(piece_type, to));
                }
            }),
        }
    }
}

/// The square a pawn of `color` comes from when it steps to `to`, which lies before its own last rank.
#[inline(always)]
fn pawn_origin(color: Color, to: Square) -> Option<Square> {
    let index = to.index() as u8;
    Square::new(match color {
        Color::Black => index + 1,
        Color::White => index.wrapping_sub(1),
    })
}

/// Piece types to drop, no type twice.
#[derive(Clone, Copy, Debug)]
pub struct DropTypes {
    /// Only the first `len` count; the others may be any.
    piece_types: [PieceType; DropTypes::LANES],
    /// At most [`DropTypes::LANES`].
    len: usize,
}

impl DropTypes {
    /// Room for the seven types, rounded up to a vector register.
    pub(super) const LANES: usize = 8;

    /// No type.
    #[inline(always)]
    pub(super) const fn new() -> DropTypes {
        DropTypes { piece_types: [PieceType::Pawn; DropTypes::LANES], len: 0 }
    }

    /// Adds a type.
    #[inline(always)]
    pub(super) fn push(&mut self, piece_type: PieceType) {
        self.piece_types[self.len % DropTypes::LANES] = piece_type;
        self.len += 1;
    }

    /// The first `count` of the types.
    #[inline(always)]
    pub(super) fn first(self, count: usize) -> DropTypes {
        DropTypes { len: count, ..self }
    }

    /// Number of types, at most seven.
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there is no type.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The types, in the order of their drops on a square.
    #[inline(always)]
    pub fn iter(&self) -> impl Iterator<Item = PieceType> {
        self.piece_types.into_iter().take(self.len)
    }

    /// The drops of all types on one square, and others in the lanes beyond [`DropTypes::len`].
    #[inline(always)]
    pub(super) fn on(&self, to: Square) -> [Move; DropTypes::LANES] {
        self.piece_types.map(|piece_type| Move::drop(piece_type, to))
    }
}
