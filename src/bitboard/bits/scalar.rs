//! The bits as a number.

/// 128 bits.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(in crate::bitboard) struct Bits(u128);

impl Bits {
    /// The bits of a number.
    #[inline(always)]
    pub(in crate::bitboard) const fn new(bits: u128) -> Bits {
        Bits(bits)
    }

    /// The number with these bits.
    #[inline(always)]
    pub(in crate::bitboard) const fn get(self) -> u128 {
        self.0
    }

    /// The bits that both have.
    #[inline(always)]
    pub(in crate::bitboard) fn and(self, other: Bits) -> Bits {
        Bits(self.0 & other.0)
    }

    /// The bits that either has.
    #[inline(always)]
    pub(in crate::bitboard) fn or(self, other: Bits) -> Bits {
        Bits(self.0 | other.0)
    }

    /// The bits that exactly one of the two has.
    #[inline(always)]
    pub(in crate::bitboard) fn xor(self, other: Bits) -> Bits {
        Bits(self.0 ^ other.0)
    }

    /// The bits of `self` that `other` has not.
    #[inline(always)]
    pub(in crate::bitboard) fn without(self, other: Bits) -> Bits {
        Bits(self.0 & !other.0)
    }

    /// Whether the two have a bit in common.
    #[inline(always)]
    pub(in crate::bitboard) fn intersects(self, other: Bits) -> bool {
        self.0 & other.0 != 0
    }

    /// The bytes in reverse order.
    #[inline(always)]
    pub(in crate::bitboard) fn swap_bytes(self) -> Bits {
        Bits(self.0.swap_bytes())
    }

    /// All bits up to and including the lowest one that is set; all bits if none is set.
    #[inline(always)]
    pub(in crate::bitboard) fn up_to_lowest(self) -> Bits {
        Bits(self.0 ^ self.0.wrapping_sub(1))
    }
}
