//! Sets of squares, and the squares that pieces attack.

mod attacks;
mod bits;
mod sliders;

pub use attacks::{
    attacks, attacks_unobstructed, gold_attacks, king_attacks, knight_attacks, neighbourhood, pawn_attacks,
    pawn_set_attacks, silver_attacks, step_attacks,
};
pub use bits::Squares;
pub use sliders::{
    Direction, between, bishop_attacks, bishop_rays, direction, lance_attacks, lance_rays, line_through, ray,
    rook_attacks, rook_rays,
};

use std::ops::ControlFlow;

use crate::types::{Color, File, Square};
use bits::Bits;

/// A set of squares.
///
/// Files 1–7 lie in the low 64 bits (bit 63 stays free), files 8 and 9 in the high ones, so that no file is cut in two.
/// Bit positions never matter outside this module's tables. Bits that stand for no square are never set: all operations
/// are closed on sets of squares.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
#[repr(transparent)]
pub struct Bitboard(Bits);

/// Squares of the low word: seven files.
const LOW_SQUARES: u32 = 63;
const LOW_MASK: u64 = (1 << 63) - 1;
const HIGH_MASK: u64 = (1 << 18) - 1;

const fn bit_position(square_index: usize) -> u32 {
    square_index as u32 + (square_index as u32 >= LOW_SQUARES) as u32
}

static SQUARES: [Bitboard; Square::COUNT] = {
    let mut table = [Bitboard::EMPTY; Square::COUNT];
    let mut i = 0;
    while i < Square::COUNT {
        table[i] = Bitboard::from_bits(1 << bit_position(i));
        i += 1;
    }
    table
};

/// Bit `rank` of every file of a word.
const fn rank_in_word(rank: u32, mask: u64) -> u64 {
    let mut word = 0u64;
    let mut file = 0;
    while file < 7 {
        word |= 1 << (file * 9 + rank);
        file += 1;
    }
    word & mask
}

const RANKS: [Bitboard; 9] = {
    let mut table = [Bitboard::EMPTY; 9];
    let mut rank = 0;
    while rank < 9 {
        table[rank] = Bitboard::from_words(rank_in_word(rank as u32, LOW_MASK), rank_in_word(rank as u32, HIGH_MASK));
        rank += 1;
    }
    table
};

/// For each colour, the union of its `n` farthest ranks, `n` from 0 to 3.
const FAR_RANKS: [[Bitboard; 4]; 2] = {
    let mut table = [[Bitboard::EMPTY; 4]; 2];
    let mut n = 1;
    while n < 4 {
        table[0][n] = Bitboard::from_bits(table[0][n - 1].bits() | RANKS[n - 1].bits());
        table[1][n] = Bitboard::from_bits(table[1][n - 1].bits() | RANKS[9 - n].bits());
        n += 1;
    }
    table
};

impl Bitboard {
    /// No square.
    pub const EMPTY: Bitboard = Bitboard::from_bits(0);
    /// All 81 squares.
    pub const ALL: Bitboard = Bitboard::from_words(LOW_MASK, HIGH_MASK);

    #[inline(always)]
    const fn from_bits(bits: u128) -> Bitboard {
        Bitboard(Bits::new(bits))
    }

    #[inline(always)]
    const fn bits(self) -> u128 {
        self.0.get()
    }

    #[inline(always)]
    const fn from_words(low: u64, high: u64) -> Bitboard {
        Bitboard::from_bits(low as u128 | (high as u128) << 64)
    }

    #[inline(always)]
    const fn low(self) -> u64 {
        self.bits() as u64
    }

    #[inline(always)]
    const fn high(self) -> u64 {
        (self.bits() >> 64) as u64
    }

    /// The set of one square.
    #[inline(always)]
    pub fn from_square(square: Square) -> Bitboard {
        SQUARES[square.index()]
    }

    /// The squares of a file.
    pub const fn file(file: File) -> Bitboard {
        Bitboard::from_bits(0x1ff << bit_position(file.index() * 9))
    }

    /// The `count` ranks (at most 3) at the far end as `color` sees it; 3 is its promotion zone.
    #[inline(always)]
    pub const fn far_ranks(color: Color, count: usize) -> Bitboard {
        FAR_RANKS[color.index()][count]
    }

    /// `color`'s promotion zone.
    #[inline(always)]
    pub const fn promotion_zone(color: Color) -> Bitboard {
        Bitboard::far_ranks(color, 3)
    }

    /// Whether the set has no square.
    #[inline(always)]
    pub fn is_empty(self) -> bool {
        !self.any()
    }

    /// Whether the set has at least one square.
    #[inline(always)]
    pub fn any(self) -> bool {
        self.0.intersects(self.0)
    }

    /// Whether the square is in the set.
    #[inline(always)]
    pub fn contains(self, square: Square) -> bool {
        self.intersects(Bitboard::from_square(square))
    }

    /// Whether the two sets share a square.
    #[inline(always)]
    pub fn intersects(self, other: Bitboard) -> bool {
        self.0.intersects(other.0)
    }

    /// Number of squares.
    #[inline(always)]
    pub const fn count(self) -> u32 {
        self.bits().count_ones()
    }

    /// Whether the set has two squares or more.
    #[inline(always)]
    pub const fn has_several(self) -> bool {
        self.bits() & self.bits().wrapping_sub(1) != 0
    }

    /// The square with the lowest index; `None` for an empty set.
    #[inline(always)]
    pub const fn first(self) -> Option<Square> {
        let bits = self.bits();
        if bits == 0 {
            return None;
        }
        let position = bits.trailing_zeros();
        // SAFETY: the set is not empty, and its lowest bit stands for a square: see `Bitboard`.
        Some(unsafe { Square::new_unchecked((position - (position >> 6)) as u8) })
    }

    /// Removes and returns the square with the lowest index.
    #[inline(always)]
    pub fn pop(&mut self) -> Option<Square> {
        let square = self.first()?;
        *self = Bitboard::from_bits(self.bits() & (self.bits() - 1));
        Some(square)
    }

    /// Calls `f` with each square, in index order. Faster than the iterator, which has 128 bits to shift.
    #[inline(always)]
    pub fn for_each(self, mut f: impl FnMut(Square)) {
        let _ = self.try_for_each(|square| {
            f(square);
            ControlFlow::Continue(())
        });
    }

    /// Calls `f` with each square, in index order, until it breaks off; the result is whether it did.
    #[inline(always)]
    pub fn try_for_each(self, mut f: impl FnMut(Square) -> ControlFlow<()>) -> ControlFlow<()> {
        self.try_for_each_in([], |square, []| f(square))
    }

    /// Calls `f` with each square, in index order, and for each of `others` whether it has the square as well.
    #[inline(always)]
    pub(crate) fn for_each_in<const N: usize>(self, others: [Bitboard; N], mut f: impl FnMut(Square, [bool; N])) {
        let _ = self.try_for_each_in(others, |square, in_others| {
            f(square, in_others);
            ControlFlow::Continue(())
        });
    }

    #[inline(always)]
    fn try_for_each_in<const N: usize>(
        self,
        others: [Bitboard; N],
        mut f: impl FnMut(Square, [bool; N]) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        // One loop, not one for each word: `f` is inlined, and the search's hot code is larger than the instruction
        // cache.
        let (mut word, mut rest, mut first) = (self.low(), self.high(), 0);
        let mut other_words = others.map(Bitboard::low);
        while (word | rest) != 0 {
            if word == 0 {
                (word, rest, first) = (rest, 0, LOW_SQUARES);
                other_words = others.map(Bitboard::high);
            }
            let bit = word.trailing_zeros();
            // SAFETY: a bit of a word is that of a square, whose index it is, counted from `first`: see `Bitboard`.
            let square = unsafe { Square::new_unchecked((bit + first) as u8) };
            f(square, other_words.map(|other| other >> bit & 1 != 0))?;
            word &= word - 1;
        }
        ControlFlow::Continue(())
    }

    /// Every square moved one rank forward for `color`; those of its last rank leave the board.
    #[inline(always)]
    pub const fn forward(self, color: Color) -> Bitboard {
        let set = self.bits() & !FAR_RANKS[color.index()][1].bits();
        let (low, high) = (set as u64, (set >> 64) as u64);
        match color {
            Color::Black => Bitboard::from_words(low >> 1, high >> 1),
            Color::White => Bitboard::from_words(low << 1, high << 1),
        }
    }

    /// All squares of the files that hold no square of this set: where a pawn may be dropped without nifu, given a
    /// player's pawns. For a set with several squares on a file the result is some set of whole files.
    #[inline(always)]
    pub const fn files_without(self) -> Bitboard {
        // Subtracting a file's bit from its rank-9 bit borrows that bit away wherever a bit is lower.
        const fn free(pawns: u64, ninth: u64) -> u64 {
            let free = ninth.wrapping_sub(pawns) & ninth;
            (free << 1).wrapping_sub(free >> 8)
        }
        const NINTH: Bitboard = RANKS[8];
        Bitboard::from_words(free(self.low(), NINTH.low()), free(self.high(), NINTH.high()))
    }
}
