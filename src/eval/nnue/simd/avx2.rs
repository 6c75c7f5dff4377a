//! AVX2: 256-bit registers, with and without the instruction for products of bytes (AVX-VNNI).

use std::arch::x86_64::*;
use std::arch::x86_64::{
    _mm256_add_epi16 as add16, _mm256_add_epi32 as add32, _mm256_madd_epi16 as madd16, _mm256_max_epi16 as max16,
    _mm256_min_epi16 as min16, _mm256_min_epu8 as min8, _mm256_mulhi_epi16 as mul_high16, _mm256_set1_epi8 as splat8,
    _mm256_set1_epi16 as splat16, _mm256_set1_epi32 as splat_quad, _mm256_setzero_si256 as zero,
    _mm256_slli_epi16 as shift_left16, _mm256_srai_epi32 as shift_right32, _mm256_sub_epi16 as sub16,
};

use super::lines::Line;
use super::{U8Line, vector};

type Vector = __m256i;
const PARTS: usize = 2;

#[target_feature(enable = "avx2")]
#[inline]
fn load<T, const N: usize>(line: &Line<T, N>, part: usize) -> Vector {
    // SAFETY: a line is 64 aligned bytes, any bytes are a vector, and the part is within the line.
    unsafe { _mm256_load_si256((&raw const *line).cast::<Vector>().add(part % PARTS)) }
}

#[target_feature(enable = "avx2")]
#[inline]
fn store<T, const N: usize>(line: &mut Line<T, N>, part: usize, vector: Vector) {
    // SAFETY: a line is 64 aligned bytes of integers, which may be any bytes; the part is within it.
    unsafe { _mm256_store_si256((&raw mut *line).cast::<Vector>().add(part % PARTS), vector) }
}

/// The four groups of four bytes of a block, each repeated over a vector.
#[target_feature(enable = "avx2")]
#[inline]
fn splat_quads(block: &[u8; 16]) -> [Vector; 4] {
    let quads = block.as_chunks().0;
    std::array::from_fn(|i| splat_quad(i32::from_ne_bytes(quads[i])))
}

/// Both vectors' numbers as bytes, clamped to what fits.
#[target_feature(enable = "avx2")]
#[inline]
fn pack(low: Vector, high: Vector) -> Vector {
    _mm256_permute4x64_epi64::<0b11_01_10_00>(_mm256_packus_epi16(low, high))
}

/// 32-bit numbers as bytes, clamped to what fits.
#[target_feature(enable = "avx2")]
#[inline]
fn narrow([a, b, c, d]: [Vector; 4]) -> Vector {
    let (low, high) = (_mm256_packs_epi32(a, b), _mm256_packs_epi32(c, d));
    let order = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7);
    _mm256_permutevar8x32_epi32(_mm256_packus_epi16(low, high), order)
}

/// A bit for each group of four bytes that is not all 0.
#[target_feature(enable = "avx2")]
#[inline]
fn nonzero_quads(line: &U8Line) -> u32 {
    let zeros = |part| {
        let zeros = _mm256_cmpeq_epi32(load(line, part), zero());
        _mm256_movemask_ps(_mm256_castsi256_ps(zeros)) as u32
    };
    !(zeros(0) | zeros(1) << 8) & 0xffff
}

/// Without AVX-VNNI.
pub(super) mod plain {
    use super::*;

    /// Adds the products of four bytes to each 32-bit accumulator. With inputs below 128 no 16-bit number saturates.
    #[target_feature(enable = "avx2")]
    #[inline]
    fn dot4(acc: Vector, input: Vector, weights: Vector) -> Vector {
        let pairs = _mm256_maddubs_epi16(input, weights);
        _mm256_add_epi32(acc, _mm256_madd_epi16(pairs, _mm256_set1_epi16(1)))
    }

    /// Adds the products of four times four bytes to each 32-bit accumulator, first in 16 bits, which must hold them.
    #[target_feature(enable = "avx2")]
    #[inline]
    fn dot16(acc: Vector, inputs: [Vector; 4], weights: [Vector; 4]) -> Vector {
        let [a, b, c, d]: [Vector; 4] = std::array::from_fn(|i| _mm256_maddubs_epi16(inputs[i], weights[i]));
        let pairs = _mm256_add_epi16(_mm256_add_epi16(a, b), _mm256_add_epi16(c, d));
        _mm256_add_epi32(acc, _mm256_madd_epi16(pairs, _mm256_set1_epi16(1)))
    }

    vector::vector_kernels!(Avx2, "avx2", dot16);
}

/// With AVX-VNNI, which processors without AVX-512 have too.
pub(super) mod vnni {
    use super::*;

    /// Adds the products of four bytes to each 32-bit accumulator.
    #[target_feature(enable = "avx2,avxvnni")]
    #[inline]
    fn dot4(acc: Vector, input: Vector, weights: Vector) -> Vector {
        _mm256_dpbusd_avx_epi32(acc, input, weights)
    }

    vector::vector_kernels!(AvxVnni, "avx2,avxvnni");
}
