//! AVX-512: 512-bit registers, with and without the instruction for products of bytes (VNNI).

macro_rules! operations {
    ($features:literal) => {
        use std::arch::x86_64::*;

        use super::super::lines::Line;
        use super::super::vector;

        type Vector = __m512i;
        const PARTS: usize = 1;

        #[target_feature(enable = $features)]
        #[inline]
        fn load<T, const N: usize>(line: &Line<T, N>, _part: usize) -> Vector {
            // SAFETY: a line is 64 aligned bytes, and any bytes are a vector.
            unsafe { _mm512_load_si512((&raw const *line).cast()) }
        }

        #[target_feature(enable = $features)]
        #[inline]
        fn store<T, const N: usize>(line: &mut Line<T, N>, _part: usize, vector: Vector) {
            // SAFETY: a line is 64 aligned bytes of integers, which may be any bytes.
            unsafe { _mm512_store_si512((&raw mut *line).cast(), vector) }
        }

        #[target_feature(enable = $features)]
        #[inline]
        fn zero() -> Vector {
            _mm512_setzero_si512()
        }

        #[target_feature(enable = $features)]
        #[inline]
        fn splat16(value: i16) -> Vector {
            _mm512_set1_epi16(value)
        }

        #[target_feature(enable = $features)]
        #[inline]
        fn splat_quad(quad: [u8; 4]) -> Vector {
            _mm512_set1_epi32(i32::from_ne_bytes(quad))
        }

        #[target_feature(enable = $features)]
        #[inline]
        fn add16(a: Vector, b: Vector) -> Vector {
            _mm512_add_epi16(a, b)
        }

        #[target_feature(enable = $features)]
        #[inline]
        fn sub16(a: Vector, b: Vector) -> Vector {
            _mm512_sub_epi16(a, b)
        }

        #[target_feature(enable = $features)]
        #[inline]
        fn min16(a: Vector, b: Vector) -> Vector {
            _mm512_min_epi16(a, b)
        }

        #[target_feature(enable = $features)]
        #[inline]
        fn max16(a: Vector, b: Vector) -> Vector {
            _mm512_max_epi16(a, b)
        }

        #[target_feature(enable = $features)]
        #[inline]
        fn shift_left7(a: Vector) -> Vector {
            _mm512_slli_epi16::<7>(a)
        }

        #[target_feature(enable = $features)]
        #[inline]
        fn mul_high16(a: Vector, b: Vector) -> Vector {
            _mm512_mulhi_epi16(a, b)
        }

        /// Products divided by 2¹⁵ and rounded to the nearest.
        #[target_feature(enable = $features)]
        #[inline]
        fn mul_round16(a: Vector, b: Vector) -> Vector {
            _mm512_mulhrs_epi16(a, b)
        }

        /// The squares of numbers of 0 to 2047, divided by 256.
        #[target_feature(enable = $features)]
        #[inline]
        fn square_high(a: Vector) -> Vector {
            let shifted = _mm512_slli_epi16::<4>(a);
            _mm512_mulhi_epi16(shifted, shifted)
        }

        /// Sums of two neighbouring products, in 32 bits.
        #[target_feature(enable = $features)]
        #[inline]
        fn madd16(a: Vector, b: Vector) -> Vector {
            _mm512_madd_epi16(a, b)
        }

        #[target_feature(enable = $features)]
        #[inline]
        fn add32(a: Vector, b: Vector) -> Vector {
            _mm512_add_epi32(a, b)
        }

        /// Both vectors' numbers as bytes, clamped to what fits.
        #[target_feature(enable = $features)]
        #[inline]
        fn pack(low: Vector, high: Vector) -> Vector {
            let order = _mm512_setr_epi64(0, 2, 4, 6, 1, 3, 5, 7);
            _mm512_permutexvar_epi64(order, _mm512_packus_epi16(low, high))
        }

        /// A bit for each group of four bytes that is not all 0.
        #[target_feature(enable = $features)]
        #[inline]
        fn nonzero_quads(line: &U8Line) -> u32 {
            let quads = load(line, 0);
            u32::from(_mm512_test_epi32_mask(quads, quads))
        }
    };
}

/// Without VNNI.
pub(super) mod plain {
    operations!("avx512f,avx512bw");

    /// Adds to each 32-bit sum the products of four bytes. With inputs below 128 no 16-bit sum is cut.
    #[target_feature(enable = "avx512f,avx512bw")]
    #[inline]
    fn dot4(sums: Vector, input: Vector, weights: Vector) -> Vector {
        let pairs = _mm512_maddubs_epi16(input, weights);
        _mm512_add_epi32(sums, _mm512_madd_epi16(pairs, _mm512_set1_epi16(1)))
    }

    vector::vector_kernels!(Avx512, "avx512f,avx512bw");
}

/// With VNNI.
pub(super) mod vnni {
    operations!("avx512f,avx512bw,avx512vnni");

    /// Adds to each 32-bit sum the products of four bytes.
    #[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
    #[inline]
    fn dot4(sums: Vector, input: Vector, weights: Vector) -> Vector {
        _mm512_dpbusd_epi32(sums, input, weights)
    }

    vector::vector_kernels!(Avx512Vnni, "avx512f,avx512bw,avx512vnni");
}
