//! SSE4.1: 128-bit registers.

use std::arch::x86_64::*;
use std::arch::x86_64::{
    _mm_add_epi16 as add16, _mm_add_epi32 as add32, _mm_madd_epi16 as madd16, _mm_max_epi16 as max16,
    _mm_min_epi16 as min16, _mm_min_epu8 as min8, _mm_mulhi_epi16 as mul_high16, _mm_packus_epi16 as pack,
    _mm_set1_epi8 as splat8, _mm_set1_epi16 as splat16, _mm_set1_epi32 as splat_quad, _mm_setzero_si128 as zero,
    _mm_slli_epi16 as shift_left16, _mm_srai_epi32 as shift_right32, _mm_sub_epi16 as sub16,
};

use super::lines::Line;

type Vector = __m128i;
const PARTS: usize = 4;

#[target_feature(enable = "sse4.1")]
#[inline]
fn load<T, const N: usize>(line: &Line<T, N>, part: usize) -> Vector {
    // SAFETY: a line is 64 aligned bytes, any bytes are a vector, and the part is within the line.
    unsafe { _mm_load_si128((&raw const *line).cast::<Vector>().add(part % PARTS)) }
}

#[target_feature(enable = "sse4.1")]
#[inline]
fn store<T, const N: usize>(line: &mut Line<T, N>, part: usize, vector: Vector) {
    // SAFETY: a line is 64 aligned bytes of integers, which may be any bytes; the part is within it.
    unsafe { _mm_store_si128((&raw mut *line).cast::<Vector>().add(part % PARTS), vector) }
}

/// The four groups of four bytes of a block, each repeated over a vector.
#[target_feature(enable = "sse4.1")]
#[inline]
fn splat_quads(block: &[u8; 16]) -> [Vector; 4] {
    let quads = block.as_chunks().0;
    std::array::from_fn(|i| splat_quad(i32::from_ne_bytes(quads[i])))
}

/// 32-bit numbers as bytes, clamped to what fits.
#[target_feature(enable = "sse4.1")]
#[inline]
fn narrow([a, b, c, d]: [Vector; 4]) -> Vector {
    _mm_packus_epi16(_mm_packs_epi32(a, b), _mm_packs_epi32(c, d))
}

/// Adds the products of four bytes to each 32-bit accumulator. With inputs below 128 no 16-bit number saturates.
#[target_feature(enable = "sse4.1")]
#[inline]
fn dot4(acc: Vector, input: Vector, weights: Vector) -> Vector {
    let pairs = _mm_maddubs_epi16(input, weights);
    _mm_add_epi32(acc, _mm_madd_epi16(pairs, _mm_set1_epi16(1)))
}

/// Adds the products of four times four bytes to each 32-bit accumulator, first in 16 bits, which must hold them.
#[target_feature(enable = "sse4.1")]
#[inline]
fn dot16(acc: Vector, inputs: [Vector; 4], weights: [Vector; 4]) -> Vector {
    let [a, b, c, d]: [Vector; 4] = std::array::from_fn(|i| _mm_maddubs_epi16(inputs[i], weights[i]));
    let pairs = _mm_add_epi16(_mm_add_epi16(a, b), _mm_add_epi16(c, d));
    _mm_add_epi32(acc, _mm_madd_epi16(pairs, _mm_set1_epi16(1)))
}

/// A bit for each group of four bytes that is not all 0.
#[target_feature(enable = "sse4.1")]
#[inline]
fn nonzero_quads(line: &U8Line) -> u32 {
    let zeros = |part| {
        let zeros = _mm_cmpeq_epi32(load(line, part), zero());
        _mm_movemask_ps(_mm_castsi128_ps(zeros)) as u32
    };
    !(zeros(0) | zeros(1) << 4 | zeros(2) << 8 | zeros(3) << 12) & 0xffff
}

super::vector::vector_kernels!(Sse41, "sse4.1", dot16);
