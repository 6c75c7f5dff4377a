//! The 128 bits of a set of squares, in a vector register where there is one.
//!
//! In general registers every operation takes two instructions, and the sets of a position take more registers than
//! there are: with vectors a node of the search takes a tenth fewer instructions. SSE2 is part of every x86-64; what
//! needs more is compiled only where the target has it. The compiler does not find these instructions by itself:
//! counting moves then takes a quarter more time.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::mem::transmute;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not, Sub, SubAssign};

use super::Bitboard;
use crate::types::{File, Rank, Square};
#[cfg(target_feature = "simd128")]
use std::arch::wasm32::*;
#[cfg(target_arch = "x86_64")]
use std::arch::x86_64::*;

#[cfg(target_arch = "x86_64")]
type Register = __m128i;
#[cfg(target_feature = "simd128")]
type Register = v128;
#[cfg(not(any(target_arch = "x86_64", target_feature = "simd128")))]
type Register = u128;

/// 128 bits.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(super) struct Bits(Register);

#[allow(clippy::useless_transmute, reason = "not for vectors")]
impl Bits {
    /// The bits of a number.
    #[inline(always)]
    pub(super) const fn new(bits: u128) -> Bits {
        // SAFETY: both types are 16 bytes, each of which may have any value.
        Bits(unsafe { transmute::<u128, Register>(bits) })
    }

    /// The number with these bits.
    #[inline(always)]
    pub(super) const fn get(self) -> u128 {
        // SAFETY: as in `new`.
        unsafe { transmute::<Register, u128>(self.0) }
    }

    /// The bits that both have.
    #[inline(always)]
    pub(super) fn and(self, other: Bits) -> Bits {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: every x86-64 has SSE2.
        return Bits(unsafe { _mm_and_si128(self.0, other.0) });
        #[cfg(target_feature = "simd128")]
        return Bits(v128_and(self.0, other.0));
        #[cfg(not(any(target_arch = "x86_64", target_feature = "simd128")))]
        Bits::new(self.get() & other.get())
    }

    /// The bits that either has.
    #[inline(always)]
    pub(super) fn or(self, other: Bits) -> Bits {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: every x86-64 has SSE2.
        return Bits(unsafe { _mm_or_si128(self.0, other.0) });
        #[cfg(target_feature = "simd128")]
        return Bits(v128_or(self.0, other.0));
        #[cfg(not(any(target_arch = "x86_64", target_feature = "simd128")))]
        Bits::new(self.get() | other.get())
    }

    /// The bits that exactly one of the two has.
    #[inline(always)]
    pub(super) fn xor(self, other: Bits) -> Bits {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: every x86-64 has SSE2.
        return Bits(unsafe { _mm_xor_si128(self.0, other.0) });
        #[cfg(target_feature = "simd128")]
        return Bits(v128_xor(self.0, other.0));
        #[cfg(not(any(target_arch = "x86_64", target_feature = "simd128")))]
        Bits::new(self.get() ^ other.get())
    }

    /// The bits of `self` that `other` has not.
    #[inline(always)]
    pub(super) fn without(self, other: Bits) -> Bits {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: every x86-64 has SSE2.
        return Bits(unsafe { _mm_andnot_si128(other.0, self.0) });
        #[cfg(target_feature = "simd128")]
        return Bits(v128_andnot(self.0, other.0));
        #[cfg(not(any(target_arch = "x86_64", target_feature = "simd128")))]
        Bits::new(self.get() & !other.get())
    }

    /// Whether the two have a bit in common.
    #[inline(always)]
    pub(super) fn intersects(self, other: Bits) -> bool {
        #[cfg(target_feature = "sse4.1")]
        // SAFETY: compiled only where the processor must have SSE4.1.
        return unsafe { _mm_testz_si128(self.0, other.0) } == 0;
        #[cfg(target_feature = "simd128")]
        return v128_any_true(v128_and(self.0, other.0));
        #[cfg(not(any(target_feature = "sse4.1", target_feature = "simd128")))]
        (self.and(other).get() != 0)
    }

    /// The bytes in reverse order.
    #[inline(always)]
    pub(super) fn swap_bytes(self) -> Bits {
        #[cfg(target_feature = "ssse3")]
        // SAFETY: compiled only where the processor must have SSSE3.
        return Bits(unsafe {
            _mm_shuffle_epi8(self.0, _mm_set_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15))
        });
        #[cfg(target_feature = "simd128")]
        return Bits(i8x16_shuffle::<15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0>(self.0, self.0));
        #[cfg(not(any(target_feature = "ssse3", target_feature = "simd128")))]
        Bits::new(self.get().swap_bytes())
    }

    /// All bits up to and including the lowest one that is set; all bits if none is set.
    #[inline(always)]
    pub(super) fn up_to_lowest(self) -> Bits {
        #[cfg(target_feature = "sse4.1")]
        {
            // SAFETY: compiled only where the processor must have SSE4.1.
            let less_one = unsafe {
                // Where the low half is 0, one is borrowed from the high half.
                let borrow = _mm_slli_si128::<8>(_mm_cmpeq_epi64(self.0, _mm_setzero_si128()));
                _mm_add_epi64(_mm_add_epi64(self.0, _mm_set_epi64x(0, -1)), borrow)
            };
            self.xor(Bits(less_one))
        }
        #[cfg(target_feature = "simd128")]
        {
            // As above.
            let zero = i64x2_splat(0);
            let borrow = i64x2_shuffle::<0, 2>(zero, i64x2_eq(self.0, zero));
            let less_one = i64x2_add(i64x2_add(self.0, i64x2(-1, 0)), borrow);
            self.xor(Bits(less_one))
        }
        #[cfg(not(any(target_feature = "sse4.1", target_feature = "simd128")))]
        Bits::new(self.get() ^ self.get().wrapping_sub(1))
    }
}

impl PartialEq for Bits {
    #[inline(always)]
    fn eq(&self, other: &Bits) -> bool {
        let differing = self.xor(*other);
        !differing.intersects(differing)
    }
}

impl Eq for Bits {}

impl Hash for Bits {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.get().hash(state);
    }
}

impl Default for Bits {
    #[inline(always)]
    fn default() -> Bits {
        Bits::new(0)
    }
}

// Sets of squares as operands and as iterators.

macro_rules! bit_operator {
    ($($operator:ident $function:ident $assign:ident $assign_function:ident $bits:ident;)*) => {$(
        impl $operator for Bitboard {
            type Output = Bitboard;

            #[inline(always)]
            fn $function(self, other: Bitboard) -> Bitboard {
                Bitboard(self.0.$bits(other.0))
            }
        }

        impl $assign for Bitboard {
            #[inline(always)]
            fn $assign_function(&mut self, other: Bitboard) {
                *self = (*self).$function(other);
            }
        }
    )*};
}

bit_operator! {
    BitAnd bitand BitAndAssign bitand_assign and;
    BitOr bitor BitOrAssign bitor_assign or;
    BitXor bitxor BitXorAssign bitxor_assign xor;
    Sub sub SubAssign sub_assign without;
}

impl Not for Bitboard {
    type Output = Bitboard;

    #[inline(always)]
    fn not(self) -> Bitboard {
        Bitboard::ALL - self
    }
}

/// Iterates over the squares in index order.
impl IntoIterator for Bitboard {
    type Item = Square;
    type IntoIter = Squares;

    #[inline(always)]
    fn into_iter(self) -> Squares {
        Squares(self)
    }
}

/// The squares of a [`Bitboard`], in index order.
#[derive(Clone, Debug)]
pub struct Squares(Bitboard);

impl Iterator for Squares {
    type Item = Square;

    #[inline(always)]
    fn next(&mut self) -> Option<Square> {
        self.0.pop()
    }
}

impl FromIterator<Square> for Bitboard {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Bitboard {
        squares.into_iter().fold(Bitboard::EMPTY, |set, square| set | Bitboard::from_square(square))
    }
}

/// A diagram as Black sees it, file 9 at the left.
impl fmt::Debug for Bitboard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in Rank::all() {
            writeln!(f)?;
            for file in File::all().rev() {
                f.write_str(if self.contains(Square::at(file, rank)) { " *" } else { " ." })?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Numbers with many bits, few, and none in a half.
    fn numbers() -> impl Strategy<Value = u128> {
        let word = prop_oneof![any::<u64>(), (0..64_u32).prop_map(|bit| 1 << bit), Just(0)];
        (word.clone(), word).prop_map(|(low, high)| u128::from(low) | u128::from(high) << 64)
    }

    proptest! {
        #[test]
        fn vectors_compute_what_numbers_do(a in numbers(), b in numbers()) {
            let [x, y] = [a, b].map(Bits::new);
            prop_assert_eq!(x.get(), a);
            prop_assert_eq!(x.and(y).get(), a & b);
            prop_assert_eq!(x.or(y).get(), a | b);
            prop_assert_eq!(x.xor(y).get(), a ^ b);
            prop_assert_eq!(x.without(y).get(), a & !b);
            prop_assert_eq!(x.intersects(y), a & b != 0);
            prop_assert_eq!(x.swap_bytes().get(), a.swap_bytes());
            prop_assert_eq!(x.up_to_lowest().get(), a ^ a.wrapping_sub(1));
        }
    }
}
