//! WebAssembly: 128-bit registers. With relaxed SIMD, the one instruction for products of bytes.

use std::arch::wasm32::*;
use std::arch::wasm32::{
    i8x16_splat as splat8, i16x8_add as add16, i16x8_max as max16, i16x8_min as min16, i16x8_splat as splat16,
    i16x8_sub as sub16, i32x4_add as add32, i32x4_dot_i16x8 as madd16, i32x4_splat as splat_quad, u8x16_min as min8,
    u8x16_narrow_i16x8 as pack,
};

use super::lines::Line;

type Vector = v128;
const PARTS: usize = 4;

#[target_feature(enable = "simd128")]
#[inline]
fn load<T, const N: usize>(line: &Line<T, N>, part: usize) -> Vector {
    // SAFETY: a line is 64 aligned bytes, any bytes are a vector, and the part is within the line.
    unsafe { v128_load((&raw const *line).cast::<Vector>().add(part % PARTS)) }
}

#[target_feature(enable = "simd128")]
#[inline]
fn store<T, const N: usize>(line: &mut Line<T, N>, part: usize, vector: Vector) {
    // SAFETY: a line is 64 aligned bytes of integers, which may be any bytes; the part is within it.
    unsafe { v128_store((&raw mut *line).cast::<Vector>().add(part % PARTS), vector) }
}

#[target_feature(enable = "simd128")]
#[inline]
fn zero() -> Vector {
    i32x4_splat(0)
}

/// The four groups of four bytes of a block, each repeated over a vector.
#[target_feature(enable = "simd128")]
#[inline]
fn splat_quads(block: &[u8; 16]) -> [Vector; 4] {
    let quads = block.as_chunks().0;
    std::array::from_fn(|i| splat_quad(i32::from_ne_bytes(quads[i])))
}

#[target_feature(enable = "simd128")]
#[inline]
fn shift_left16<const N: u32>(a: Vector) -> Vector {
    i16x8_shl(a, N)
}

#[target_feature(enable = "simd128")]
#[inline]
fn shift_right32<const N: u32>(a: Vector) -> Vector {
    i32x4_shr(a, N)
}

/// The upper halves of the products.
#[target_feature(enable = "simd128")]
#[inline]
fn mul_high16(a: Vector, b: Vector) -> Vector {
    let (low, high) = (i32x4_extmul_low_i16x8(a, b), i32x4_extmul_high_i16x8(a, b));
    i16x8_shuffle::<1, 3, 5, 7, 9, 11, 13, 15>(low, high)
}

/// 32-bit numbers as bytes, clamped to what fits.
#[target_feature(enable = "simd128")]
#[inline]
fn narrow([a, b, c, d]: [Vector; 4]) -> Vector {
    u8x16_narrow_i16x8(i16x8_narrow_i32x4(a, b), i16x8_narrow_i32x4(c, d))
}

/// Adds the products of four bytes to each 32-bit accumulator. Inputs are below 128, so what relaxed SIMD leaves to the
/// processor, the meaning of their uppermost bit, does not arise.
#[cfg(target_feature = "relaxed-simd")]
#[target_feature(enable = "simd128,relaxed-simd")]
#[inline]
fn dot4(acc: Vector, input: Vector, weights: Vector) -> Vector {
    i32x4_relaxed_dot_i8x16_i7x16_add(weights, input, acc)
}

/// Adds the products of four bytes to each 32-bit accumulator, those of even and of odd bytes apart.
#[cfg(not(target_feature = "relaxed-simd"))]
#[target_feature(enable = "simd128")]
#[inline]
fn dot4(acc: Vector, input: Vector, weights: Vector) -> Vector {
    let even = i32x4_dot_i16x8(v128_and(input, i16x8_splat(0xff)), i16x8_shr(i16x8_shl(weights, 8), 8));
    let odd = i32x4_dot_i16x8(u16x8_shr(input, 8), i16x8_shr(weights, 8));
    i32x4_add(acc, i32x4_add(even, odd))
}

/// A bit for each group of four bytes that is not all 0.
#[target_feature(enable = "simd128")]
#[inline]
fn nonzero_quads(line: &U8Line) -> u32 {
    let zeros = |part| u32::from(i32x4_bitmask(i32x4_eq(load(line, part), zero())));
    !(zeros(0) | zeros(1) << 4 | zeros(2) << 8 | zeros(3) << 12) & 0xffff
}

super::vector::vector_kernels!(Simd128, "simd128");
