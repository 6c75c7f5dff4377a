//! The bits in a vector register. SSE2 is part of every x86-64; what needs more is compiled only where the target has
//! it.

use std::arch::x86_64::{__m128i, _mm_and_si128, _mm_andnot_si128, _mm_or_si128, _mm_xor_si128};

/// 128 bits.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(in crate::bitboard) struct Bits(__m128i);

impl Bits {
    /// The bits of a number.
    #[inline(always)]
    pub(in crate::bitboard) const fn new(bits: u128) -> Bits {
        // SAFETY: both types are 16 bytes, each of which may have any value.
        Bits(unsafe { std::mem::transmute::<u128, __m128i>(bits) })
    }

    /// The number with these bits.
    #[inline(always)]
    pub(in crate::bitboard) const fn get(self) -> u128 {
        // SAFETY: as in `new`.
        unsafe { std::mem::transmute::<__m128i, u128>(self.0) }
    }

    /// The bits that both have.
    #[inline(always)]
    pub(in crate::bitboard) fn and(self, other: Bits) -> Bits {
        // SAFETY: SSE2 is part of every x86-64, here and below.
        Bits(unsafe { _mm_and_si128(self.0, other.0) })
    }

    /// The bits that either has.
    #[inline(always)]
    pub(in crate::bitboard) fn or(self, other: Bits) -> Bits {
        // SAFETY: see `and`.
        Bits(unsafe { _mm_or_si128(self.0, other.0) })
    }

    /// The bits that exactly one of the two has.
    #[inline(always)]
    pub(in crate::bitboard) fn xor(self, other: Bits) -> Bits {
        // SAFETY: see `and`.
        Bits(unsafe { _mm_xor_si128(self.0, other.0) })
    }

    /// The bits of `self` that `other` has not.
    #[inline(always)]
    pub(in crate::bitboard) fn without(self, other: Bits) -> Bits {
        // SAFETY: see `and`.
        Bits(unsafe { _mm_andnot_si128(other.0, self.0) })
    }

    /// Whether the two have a bit in common.
    #[inline(always)]
    pub(in crate::bitboard) fn intersects(self, other: Bits) -> bool {
        #[cfg(target_feature = "sse4.1")]
        {
            // SAFETY: compiled only where the processor must have SSE4.1.
            unsafe { std::arch::x86_64::_mm_testz_si128(self.0, other.0) == 0 }
        }
        #[cfg(not(target_feature = "sse4.1"))]
        {
            self.and(other).get() != 0
        }
    }

    /// The bytes in reverse order.
    #[inline(always)]
    pub(in crate::bitboard) fn swap_bytes(self) -> Bits {
        #[cfg(target_feature = "ssse3")]
        {
            use std::arch::x86_64::{_mm_set_epi8, _mm_shuffle_epi8};
            // SAFETY: compiled only where the processor must have SSSE3.
            Bits(unsafe {
                _mm_shuffle_epi8(self.0, _mm_set_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15))
            })
        }
        #[cfg(not(target_feature = "ssse3"))]
        {
            Bits::new(self.get().swap_bytes())
        }
    }

    /// All bits up to and including the lowest one that is set; all bits if none is set.
    #[inline(always)]
    pub(in crate::bitboard) fn up_to_lowest(self) -> Bits {
        #[cfg(target_feature = "sse4.1")]
        {
            use std::arch::x86_64::{
                _mm_add_epi64, _mm_cmpeq_epi64, _mm_set_epi64x, _mm_setzero_si128, _mm_slli_si128,
            };
            // SAFETY: compiled only where the processor must have SSE4.1.
            let less_one = unsafe {
                // Where the low half is 0, one is borrowed from the high half.
                let borrow = _mm_slli_si128::<8>(_mm_cmpeq_epi64(self.0, _mm_setzero_si128()));
                _mm_add_epi64(_mm_add_epi64(self.0, _mm_set_epi64x(0, -1)), borrow)
            };
            self.xor(Bits(less_one))
        }
        #[cfg(not(target_feature = "sse4.1"))]
        {
            let bits = self.get();
            Bits::new(bits ^ bits.wrapping_sub(1))
        }
    }
}
