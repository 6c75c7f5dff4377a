//! NEON: 128-bit registers.

use std::arch::aarch64::*;

use super::lines::Line;

type Vector = int16x8_t;
const PARTS: usize = 4;

#[target_feature(enable = "neon")]
#[inline]
fn load<T, const N: usize>(line: &Line<T, N>, part: usize) -> Vector {
    // SAFETY: a line is 64 aligned bytes, any bytes are a vector, and the part is within the line.
    unsafe { vld1q_s16((&raw const *line).cast::<i16>().add(part % PARTS * 8)) }
}

#[target_feature(enable = "neon")]
#[inline]
fn store<T, const N: usize>(line: &mut Line<T, N>, part: usize, vector: Vector) {
    // SAFETY: a line is 64 aligned bytes of integers, which may be any bytes; the part is within it.
    unsafe { vst1q_s16((&raw mut *line).cast::<i16>().add(part % PARTS * 8), vector) }
}

#[target_feature(enable = "neon")]
#[inline]
fn zero() -> Vector {
    vdupq_n_s16(0)
}

#[target_feature(enable = "neon")]
#[inline]
fn splat16(value: i16) -> Vector {
    vdupq_n_s16(value)
}

#[target_feature(enable = "neon")]
#[inline]
fn splat_quad(quad: [u8; 4]) -> Vector {
    vreinterpretq_s16_u32(vdupq_n_u32(u32::from_ne_bytes(quad)))
}

/// Four groups of four bytes, group `block` of a line modulo 4, each repeated over a vector.
#[target_feature(enable = "neon")]
#[inline]
fn splat_quads(line: &U8Line, block: usize) -> [Vector; 4] {
    std::array::from_fn(|i| splat_quad(quad(std::slice::from_ref(line), block % 4 * 4 + i)))
}

#[target_feature(enable = "neon")]
#[inline]
fn add16(a: Vector, b: Vector) -> Vector {
    vaddq_s16(a, b)
}

#[target_feature(enable = "neon")]
#[inline]
fn sub16(a: Vector, b: Vector) -> Vector {
    vsubq_s16(a, b)
}

#[target_feature(enable = "neon")]
#[inline]
fn min16(a: Vector, b: Vector) -> Vector {
    vminq_s16(a, b)
}

#[target_feature(enable = "neon")]
#[inline]
fn max16(a: Vector, b: Vector) -> Vector {
    vmaxq_s16(a, b)
}

/// One less than on other machines: their product is not doubled.
#[target_feature(enable = "neon")]
#[inline]
fn shift_left7(a: Vector) -> Vector {
    vshlq_n_s16::<6>(a)
}

/// The upper half of twice the product.
#[target_feature(enable = "neon")]
#[inline]
fn mul_high16(a: Vector, b: Vector) -> Vector {
    vqdmulhq_s16(a, b)
}

/// The squares of numbers of 0 to 2047, divided by 256.
#[target_feature(enable = "neon")]
#[inline]
fn square_high(a: Vector) -> Vector {
    // This product is doubled.
    vqdmulhq_s16(vshlq_n_s16::<4>(a), vshlq_n_s16::<3>(a))
}

/// Two neighbouring products added, in 32 bits.
#[target_feature(enable = "neon")]
#[inline]
fn madd16(a: Vector, b: Vector) -> Vector {
    let low = vmull_s16(vget_low_s16(a), vget_low_s16(b));
    vreinterpretq_s16_s32(vpaddq_s32(low, vmull_high_s16(a, b)))
}

#[target_feature(enable = "neon")]
#[inline]
fn add32(a: Vector, b: Vector) -> Vector {
    vreinterpretq_s16_s32(vaddq_s32(vreinterpretq_s32_s16(a), vreinterpretq_s32_s16(b)))
}

/// Both vectors' numbers as bytes, clamped to what fits.
#[target_feature(enable = "neon")]
#[inline]
fn pack(low: Vector, high: Vector) -> Vector {
    vreinterpretq_s16_u8(vcombine_u8(vqmovun_s16(low), vqmovun_s16(high)))
}

/// 32-bit numbers divided by 64, rounded down.
#[target_feature(enable = "neon")]
#[inline]
fn shift_right6(a: Vector) -> Vector {
    vreinterpretq_s16_s32(vshrq_n_s32::<6>(vreinterpretq_s32_s16(a)))
}

/// 32-bit numbers as bytes, clamped to 0..=127.
#[target_feature(enable = "neon")]
#[inline]
fn narrow([a, b, c, d]: [Vector; 4]) -> Vector {
    let half = |a, b| vcombine_s16(vqmovn_s32(vreinterpretq_s32_s16(a)), vqmovn_s32(vreinterpretq_s32_s16(b)));
    let bytes = vcombine_u8(vqmovun_s16(half(a, b)), vqmovun_s16(half(c, d)));
    vreinterpretq_s16_u8(vminq_u8(bytes, vdupq_n_u8(127)))
}

/// Adds the products of four bytes to each 32-bit accumulator. Inputs are below 128, so signed products do; two of
/// them stay within 16 bits.
#[target_feature(enable = "neon")]
#[inline]
fn dot4(acc: Vector, input: Vector, weights: Vector) -> Vector {
    let (input, weights) = (vreinterpretq_s8_s16(input), vreinterpretq_s8_s16(weights));
    let low = vmull_s8(vget_low_s8(input), vget_low_s8(weights));
    let high = vmull_high_s8(input, weights);
    vreinterpretq_s16_s32(vpadalq_s16(vreinterpretq_s32_s16(acc), vpaddq_s16(low, high)))
}

/// A bit for each group of four bytes that is not all 0.
#[target_feature(enable = "neon")]
#[inline]
fn nonzero_quads(line: &U8Line) -> u32 {
    // SAFETY: the array holds four 32-bit numbers.
    let bits = unsafe { vld1q_u32([1u32, 2, 4, 8].as_ptr()) };
    let mask = |part| {
        let quads = vreinterpretq_u32_s16(load(line, part));
        vaddvq_u32(vandq_u32(vtstq_u32(quads, quads), bits))
    };
    mask(0) | mask(1) << 4 | mask(2) << 8 | mask(3) << 12
}

super::vector::vector_kernels!(Neon, "neon");
