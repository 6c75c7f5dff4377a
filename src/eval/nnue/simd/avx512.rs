//! AVX-512: 512-bit registers, with and without the instruction for products of bytes (VNNI).

use std::arch::asm;
use std::arch::x86_64::*;
use std::arch::x86_64::{
    _mm512_add_epi16 as add16, _mm512_add_epi32 as add32, _mm512_madd_epi16 as madd16, _mm512_max_epi16 as max16,
    _mm512_min_epi16 as min16, _mm512_min_epu8 as min8, _mm512_mulhi_epi16 as mul_high16, _mm512_set1_epi8 as splat8,
    _mm512_set1_epi16 as splat16, _mm512_set1_epi32 as splat_quad, _mm512_setzero_si512 as zero,
    _mm512_slli_epi16 as shift_left16, _mm512_srai_epi32 as shift_right32, _mm512_sub_epi16 as sub16,
};

use super::lines::Line;
use super::{U8Line, vector};

type Vector = __m512i;
const PARTS: usize = 1;

#[target_feature(enable = "avx512f,avx512bw")]
#[inline]
fn load<T, const N: usize>(line: &Line<T, N>, _part: usize) -> Vector {
    // SAFETY: a line is 64 aligned bytes, and any bytes are a vector.
    unsafe { _mm512_load_si512((&raw const *line).cast()) }
}

#[target_feature(enable = "avx512f,avx512bw")]
#[inline]
fn store<T, const N: usize>(line: &mut Line<T, N>, _part: usize, vector: Vector) {
    // SAFETY: a line is 64 aligned bytes of integers, which may be any bytes.
    unsafe { _mm512_store_si512((&raw mut *line).cast(), vector) }
}

/// The four groups of four bytes of a block, each repeated over a vector.
#[target_feature(enable = "avx512f,avx512bw")]
#[inline]
fn splat_quads(block: &[u8; 16]) -> [Vector; 4] {
    // Each weight is loaded once; broadcasts from memory on top of that are more loads than fit into the time
    // of the products (Zen 4: one of 64 bytes a cycle), so one register is shuffled instead. LLVM would turn
    // the shuffles back into broadcasts if it knew what the register holds: the empty template hides it.
    // SAFETY: the block's 16 bytes are read; an empty template does nothing.
    let block = unsafe {
        let mut block = _mm512_broadcast_i32x4(_mm_loadu_si128((&raw const *block).cast()));
        if cfg!(not(miri)) {
            asm!("/* {0} */", inout(zmm_reg) block, options(pure, nomem, nostack, preserves_flags));
        }
        block
    };
    [
        _mm512_shuffle_epi32::<0b00_00_00_00>(block),
        _mm512_shuffle_epi32::<0b01_01_01_01>(block),
        _mm512_shuffle_epi32::<0b10_10_10_10>(block),
        _mm512_shuffle_epi32::<0b11_11_11_11>(block),
    ]
}

/// Both vectors' numbers as bytes, clamped to what fits.
#[target_feature(enable = "avx512f,avx512bw")]
#[inline]
fn pack(low: Vector, high: Vector) -> Vector {
    let order = _mm512_setr_epi64(0, 2, 4, 6, 1, 3, 5, 7);
    _mm512_permutexvar_epi64(order, _mm512_packus_epi16(low, high))
}

/// 32-bit numbers as bytes, clamped to what fits.
#[target_feature(enable = "avx512f,avx512bw")]
#[inline]
fn narrow([a, b, c, d]: [Vector; 4]) -> Vector {
    let bytes = _mm512_packus_epi16(_mm512_packs_epi32(a, b), _mm512_packs_epi32(c, d));
    let order = _mm512_setr_epi32(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
    _mm512_permutexvar_epi32(order, bytes)
}

/// A bit for each group of four bytes that is not all 0.
#[target_feature(enable = "avx512f,avx512bw")]
#[inline]
fn nonzero_quads(line: &U8Line) -> u32 {
    let quads = load(line, 0);
    u32::from(_mm512_test_epi32_mask(quads, quads))
}

/// Without VNNI.
pub(super) mod plain {
    use super::*;

    /// Adds the products of four bytes to each 32-bit accumulator. With inputs below 128 no 16-bit number saturates.
    #[target_feature(enable = "avx512f,avx512bw")]
    #[inline]
    fn dot4(acc: Vector, input: Vector, weights: Vector) -> Vector {
        let pairs = _mm512_maddubs_epi16(input, weights);
        _mm512_add_epi32(acc, _mm512_madd_epi16(pairs, _mm512_set1_epi16(1)))
    }

    vector::vector_kernels!(Avx512, "avx512f,avx512bw");
}

/// With VNNI.
pub(super) mod vnni {
    use super::*;

    /// Adds the products of four bytes to each 32-bit accumulator.
    #[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
    #[inline]
    fn dot4(acc: Vector, input: Vector, weights: Vector) -> Vector {
        _mm512_dpbusd_epi32(acc, input, weights)
    }

    vector::vector_kernels!(Avx512Vnni, "avx512f,avx512bw,avx512vnni");
}
