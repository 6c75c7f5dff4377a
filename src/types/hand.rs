//! Pieces in hand.

use std::fmt;

use super::PieceType;

/// How many pieces of each type a player holds, packed so that hands compare in a few instructions.
///
/// Each piece type has its own bit field with a spare bit above it; a subtraction that borrows into a spare bit shows
/// that one hand has fewer pieces of some type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Hand(u32);

/// Lowest bit of each piece type's field, by its index; types that are never held map to 0 width.
const SHIFT: [u32; 8] = [0, 0, 8, 12, 16, 20, 24, 28];
const WIDTH_MASK: [u32; 8] = [0, 0x1f, 0x7, 0x7, 0x7, 0x3, 0x3, 0x7];
/// The spare bit above each field.
const BORROW: u32 = 1 << 5 | 1 << 11 | 1 << 15 | 1 << 19 | 1 << 22 | 1 << 26 | 1 << 31;

impl Hand {
    /// No pieces in hand.
    pub const EMPTY: Hand = Hand(0);
    /// The piece types in the order of SFEN.
    pub(crate) const ORDER: [PieceType; 7] = {
        use PieceType::*;
        [Rook, Bishop, Gold, Silver, Knight, Lance, Pawn]
    };

    /// A hand with this many pieces of each type, no more than are in a set.
    pub(crate) fn from_counts(count: impl Fn(PieceType) -> u32) -> Hand {
        Hand(PieceType::HAND.map(|piece_type| count(piece_type) << SHIFT[piece_type as usize & 7]).iter().sum())
    }

    /// Number of pieces of a type; 0 for types that are never held.
    #[inline(always)]
    pub const fn count(self, piece_type: PieceType) -> u32 {
        let i = piece_type as usize & 15;
        if i < 8 { self.0 >> SHIFT[i] & WIDTH_MASK[i] } else { 0 }
    }

    /// The counts packed in one word, different for different hands.
    #[inline(always)]
    pub(crate) const fn bits(self) -> u32 {
        self.0
    }

    /// Whether at least one piece of this type is held.
    #[inline(always)]
    pub const fn has(self, piece_type: PieceType) -> bool {
        self.count(piece_type) > 0
    }

    /// Whether nothing is held.
    #[inline(always)]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Adds one piece. The caller keeps counts within the set.
    #[inline(always)]
    pub fn add(&mut self, piece_type: PieceType) {
        debug_assert!(self.count(piece_type) < u32::from(piece_type.count_in_set()));
        self.0 += 1 << SHIFT[piece_type as usize & 7];
    }

    /// Removes one piece, which must be held.
    #[inline(always)]
    pub fn remove(&mut self, piece_type: PieceType) {
        debug_assert!(self.has(piece_type));
        self.0 -= 1 << SHIFT[piece_type as usize & 7];
    }

    /// Whether this hand holds at least as many of every piece type as `other` (it may be equal).
    #[inline(always)]
    pub const fn includes(self, other: Hand) -> bool {
        self.0.wrapping_sub(other.0) & BORROW == 0
    }

    /// Piece types held with their counts, in the order of SFEN.
    pub fn iter(self) -> impl Iterator<Item = (PieceType, u32)> {
        let counts = Hand::ORDER.into_iter().map(move |piece_type| (piece_type, self.count(piece_type)));
        counts.filter(|&(_, count)| count > 0)
    }

    /// Number of pieces held, all types together.
    pub fn total(self) -> u32 {
        self.iter().map(|(_, count)| count).sum()
    }
}

/// Black's SFEN form, such as `RB2G17P`; nothing for an empty hand.
impl fmt::Display for Hand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (piece_type, count) in self.iter() {
            if count > 1 {
                write!(f, "{count}")?;
            }
            write!(f, "{}", piece_type.letter())?;
        }
        Ok(())
    }
}

impl fmt::Debug for Hand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Hand({self})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hand_includes_another_only_when_no_piece_type_is_fewer() {
        let full = || {
            let mut hand = Hand::EMPTY;
            for piece_type in PieceType::HAND {
                for _ in 0..piece_type.count_in_set() {
                    hand.add(piece_type);
                }
            }
            hand
        };
        for piece_type in PieceType::HAND {
            let mut fewer = full();
            fewer.remove(piece_type);
            assert!(full().includes(fewer) && !fewer.includes(full()), "{piece_type:?}");
            let mut one = Hand::EMPTY;
            one.add(piece_type);
            assert!(one.includes(Hand::EMPTY) && !Hand::EMPTY.includes(one), "{piece_type:?}");
            assert!(full().includes(one) && !one.includes(full()), "{piece_type:?}");
        }
        assert!(full().includes(full()));
    }
}
