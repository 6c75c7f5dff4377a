//! Sets of moves that have their origin in common.

use crate::bitboard::Bitboard;
use crate::types::{Color, Move, PieceType, Square};

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
