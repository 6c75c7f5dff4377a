//! Where generated moves go.

use crate::bitboard::Bitboard;
use crate::types::{Color, Move, PieceType, Square};

/// Receives sets of legal moves. Every set may be empty.
pub trait MoveSink {
    /// The man on `from` can go to each target without promoting.
    fn moves(&mut self, from: Square, targets: Bitboard);

    /// The man on `from` can go to each target and promote.
    fn promotions(&mut self, from: Square, targets: Bitboard);

    /// Each target can be reached by `color`'s pawn from the square behind it.
    fn pawn_moves(&mut self, color: Color, targets: Bitboard);

    /// The same for promotions.
    fn pawn_promotions(&mut self, color: Color, targets: Bitboard);

    /// The first `count` of the kinds can each be dropped on each target.
    fn drops(&mut self, kinds: &DropKinds, count: usize, targets: Bitboard);
}

/// Kinds of men to drop, as moves that lack their destination.
#[derive(Clone, Copy, Default)]
pub struct DropKinds {
    prefixes: [u16; DropKinds::LANES],
    len: usize,
}

impl DropKinds {
    /// Room for every kind, rounded up to a vector register.
    pub(crate) const LANES: usize = 8;

    /// Adds a kind; at most seven differ.
    #[inline(always)]
    pub(super) fn push(&mut self, piece_type: PieceType) {
        self.prefixes[self.len & (Self::LANES - 1)] = Move::drop_prefix(piece_type);
        self.len += 1;
    }

    /// Number of kinds.
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there is no kind.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The kinds, in the order in which they were added.
    #[inline(always)]
    pub(crate) fn iter(&self) -> impl Iterator<Item = PieceType> {
        self.prefixes[..self.len & (Self::LANES - 1)].iter().filter_map(|&prefix| Move::from_nonzero(prefix).dropped())
    }

    /// The drops of all kinds on one square as bits; unused lanes hold no move.
    #[inline(always)]
    pub(super) fn on(&self, to: Square) -> [u16; Self::LANES] {
        self.prefixes.map(|prefix| prefix | to.index() as u16)
    }
}

/// Counts moves without writing them.
#[derive(Clone, Copy, Debug, Default)]
pub struct MoveCounter(usize);

impl MoveCounter {
    /// Moves received so far.
    #[inline(always)]
    pub fn count(self) -> usize {
        self.0
    }
}

impl MoveSink for MoveCounter {
    #[inline(always)]
    fn moves(&mut self, _from: Square, targets: Bitboard) {
        self.0 += targets.count() as usize;
    }

    #[inline(always)]
    fn promotions(&mut self, _from: Square, targets: Bitboard) {
        self.0 += targets.count() as usize;
    }

    #[inline(always)]
    fn pawn_moves(&mut self, _color: Color, targets: Bitboard) {
        self.0 += targets.count() as usize;
    }

    #[inline(always)]
    fn pawn_promotions(&mut self, _color: Color, targets: Bitboard) {
        self.0 += targets.count() as usize;
    }

    #[inline(always)]
    fn drops(&mut self, _kinds: &DropKinds, count: usize, targets: Bitboard) {
        self.0 += count * targets.count() as usize;
    }
}
