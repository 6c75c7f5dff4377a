//! NEON: 128-bit registers.

use std::arch::aarch64::*;
use std::arch::aarch64::{
    vaddq_s16 as add16, vdupq_n_s16 as splat16, vmaxq_s16 as max16, vminq_s16 as min16, vshlq_n_s16 as shift_left16,
    vsubq_s16 as sub16,
};

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

/// The four groups of four bytes of a block, each repeated over a vector.
#[target_feature(enable = "neon")]
#[inline]
fn splat_quads(block: &[u8; 16]) -> [Vector; 4] {
    let quads = block.as_chunks().0;
    std::array::from_fn(|i| splat_quad(i32::from_ne_bytes(quads[i])))
}

#[target_feature(enable = "neon")]
#[inline]
fn splat_quad(quad: i32) -> Vector {
    vreinterpretq_s16_s32(vdupq_n_s32(quad))
}

#[target_feature(enable = "neon")]
#[inline]
fn splat8(byte: i8) -> Vector {
    vreinterpretq_s16_s8(vdupq_n_s8(byte))
}

/// The smaller ones of unsigned bytes.
#[target_feature(enable = "neon")]
#[inline]
fn min8(a: Vector, b: Vector) -> Vector {
    vreinterpretq_s16_u8(vminq_u8(vreinterpretq_u8_s16(a), vreinterpretq_u8_s16(b)))
}

/// The upper halves of the products: of twice the products, halved.
#[target_feature(enable = "neon")]
#[inline]
fn mul_high16(a: Vector, b: Vector) -> Vector {
    vshrq_n_s16::<1>(vqdmulhq_s16(a, b))
}

#[target_feature(enable = "neon")]
#[inline]
fn shift_right32<const N: i32>(a: Vector) -> Vector {
    vreinterpretq_s16_s32(vshrq_n_s32::<N>(vreinterpretq_s32_s16(a)))
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

/// 32-bit numbers as bytes, clamped to what fits.
#[target_feature(enable = "neon")]
#[inline]
fn narrow([a, b, c, d]: [Vector; 4]) -> Vector {
    let half = |a, b| vcombine_s16(vqmovn_s32(vreinterpretq_s32_s16(a)), vqmovn_s32(vreinterpretq_s32_s16(b)));
    vreinterpretq_s16_u8(vcombine_u8(vqmovun_s16(half(a, b)), vqmovun_s16(half(c, d))))
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
