//! The kernels in terms of vector registers, written once for all instruction sets.
//!
//! [`vector_kernels!`] makes them from what the module it is used in defines for its registers: the
//! type `Vector`, how many of them make a line (`PARTS`), and the operations on them. Those that load and
//! store count the parts of a line modulo `PARTS`. Where products of bytes take two instructions, a third argument
//! names the operation that adds the products of four groups of bytes at once.
//!
//! Length: one macro, whose kernels are written once for all instruction sets.

/// Lines that stay in registers while rows are added.
pub(super) const TILE: usize = 4;

/// For each byte, the places of its set bits, and how many there are.
pub(super) static SET_BITS: [[u16; 8]; 256] = {
    let mut table = [[0; 8]; 256];
    let mut byte = 0;
    while byte < 256 {
        let (mut bit, mut count) = (0, 0);
        while bit < 8 {
            if byte >> bit & 1 == 1 {
                table[byte][count] = bit;
                count += 1;
            }
            bit += 1;
        }
        byte += 1;
    }
    table
};

macro_rules! vector_kernels {
    ($set:ident, $features:literal $(, $dot16:ident)?) => {
        use std::array::from_fn;

        use $crate::eval::nnue::simd::lines::quad;
        use $crate::eval::nnue::simd::vector::{SET_BITS, TILE};
        use $crate::eval::nnue::simd::{
            Affine, I8Line, I16Line, I32Line, InstructionSet, Kernels, LaterOutputs, Rows, Stack,
            U8Line, scalar,
        };

        pub(in crate::eval::nnue::simd) static KERNELS: Kernels = Kernels {
            instruction_set: InstructionSet::$set,
            update,
            clip,
            pair,
            affine_sparse,
            later_layers,
            screlu_dot,
        };

        #[target_feature(enable = $features)]
        pub(super) fn update(target: &mut [I16Line], source: &[I16Line], rows: &Rows<'_>) {
            // As long as each row, which spares comparing lengths line by line.
            let (target, source) = (&mut target[..rows.width], &source[..rows.width]);
            match (rows.added, rows.removed) {
                ([], []) => target.copy_from_slice(source),
                (&[added], &[removed]) => {
                    let rows = rows.row(added).iter().zip(rows.row(removed));
                    for ((target, source), (added, removed)) in target.iter_mut().zip(source).zip(rows) {
                        for part in 0..PARTS {
                            let sum = sub16(load(source, part), load(removed, part));
                            store(target, part, add16(sum, load(added, part)));
                        }
                    }
                }
                (&[added, captured], &[removed, victim]) => {
                    let first = rows.row(added).iter().zip(rows.row(removed));
                    let second = rows.row(captured).iter().zip(rows.row(victim));
                    for (((target, source), first), second) in target.iter_mut().zip(source).zip(first).zip(second) {
                        for part in 0..PARTS {
                            let moved = sub16(load(first.0, part), load(first.1, part));
                            let captured = sub16(load(second.0, part), load(second.1, part));
                            store(target, part, add16(load(source, part), add16(moved, captured)));
                        }
                    }
                }
                _ => {
                    let tiled = target.len() / TILE * TILE;
                    for at in (0..tiled).step_by(TILE) {
                        update_tile::<TILE>(target, source, rows, at);
                    }
                    for at in tiled..target.len() {
                        update_tile::<1>(target, source, rows, at);
                    }
                }
            }
        }

        /// Lines `at` to `at + N`, for any number of rows.
        #[target_feature(enable = $features)]
        #[inline]
        fn update_tile<const N: usize>(target: &mut [I16Line], source: &[I16Line], rows: &Rows<'_>, at: usize) {
            let mut registers: [[_; PARTS]; N] = from_fn(|n| from_fn(|part| load(&source[at + n], part)));
            for &row in rows.added {
                for (registers, weights) in registers.iter_mut().zip(&rows.row(row)[at..at + N]) {
                    for (part, register) in registers.iter_mut().enumerate() {
                        *register = add16(*register, load(weights, part));
                    }
                }
            }
            for &row in rows.removed {
                for (registers, weights) in registers.iter_mut().zip(&rows.row(row)[at..at + N]) {
                    for (part, register) in registers.iter_mut().enumerate() {
                        *register = sub16(*register, load(weights, part));
                    }
                }
            }
            for (registers, target) in registers.into_iter().zip(&mut target[at..at + N]) {
                registers.into_iter().enumerate().for_each(|(part, register)| store(target, part, register));
            }
        }

        #[target_feature(enable = $features)]
        pub(super) fn clip(accumulator: &[I16Line], out: &mut [U8Line]) {
            for (out, accumulator) in out.iter_mut().zip(accumulator.as_chunks::<2>().0) {
                for part in 0..PARTS {
                    let numbers = |i: usize| load(&accumulator[i / PARTS], i);
                    store(out, part, min8(pack(numbers(2 * part), numbers(2 * part + 1)), splat8(127)));
                }
            }
        }

        #[target_feature(enable = $features)]
        pub(super) fn pair(accumulator: &[I16Line], out: &mut [U8Line]) {
            let (left, right) = accumulator.split_at(accumulator.len() / 2);
            let (low, high) = (zero(), splat16(254));
            let accumulator = left.as_chunks::<2>().0.iter().zip(right.as_chunks::<2>().0);
            for (out, (left, right)) in out.iter_mut().zip(accumulator) {
                for part in 0..PARTS {
                    // Where the right factor is negative so is the product, which packing makes 0.
                    let product = |i: usize| {
                        let left = min16(max16(load(&left[i / PARTS], i), low), high);
                        let right = min16(load(&right[i / PARTS], i), high);
                        mul_high16(shift_left16::<7>(left), right)
                    };
                    store(out, part, pack(product(2 * part), product(2 * part + 1)));
                }
            }
        }

        #[target_feature(enable = $features)]
        pub(super) fn affine_sparse(
            input: &[U8Line],
            layer: &Affine,
            out: &mut [I32Line],
            active: &mut [u16],
        ) {
            let Affine { weights, biases, .. } = layer;
            let quads = 16 * input.len();
            assert!(weights.len() == quads * out.len() && biases.len() == out.len() && active.len() >= quads + 8);
            // To list the quads pays where most of them are 0, which depends on the network: a fourth of them shows it.
            let excess: i32 = input.iter().step_by(4).map(|line| nonzero_quads(line).count_ones() as i32 - 8).sum();
            if excess > 0 {
                return affine(input, layer, out);
            }
            let mut count = 0;
            for (index, line) in input.iter().enumerate() {
                let mask = nonzero_quads(line);
                for (half, byte) in [mask & 0xff, mask >> 8].into_iter().enumerate() {
                    let base = (16 * index + 8 * half) as u16;
                    let places = SET_BITS[byte as usize & 0xff].map(|bit| base + bit);
                    active[count..count + 8].copy_from_slice(&places);
                    count += byte.count_ones() as usize;
                }
            }
            // Every listed place is that of one of the quads.
            let active = &active[..count];
            let layer = (&weights[..], &biases[..]);
            // SAFETY: the places are below 16 for each line of input, the assertion has counted `stride` lines of
            // weights for each, `stride` being `out.len()`, and `at + N` is at most that in each arm.
            unsafe {
                match out.len() {
                    1 => affine_block::<1, { 8 / PARTS }>(active, input, layer, out, (0, 1)),
                    2 => affine_block::<2, { 4 / PARTS }>(active, input, layer, out, (0, 2)),
                    stride => {
                        for at in 0..stride {
                            affine_block::<1, { 8 / PARTS }>(active, input, layer, out, (at, stride));
                        }
                    }
                }
            }
        }

        /// Lines `at` to `at + N` of the `stride` lines of output, from the listed quads of the input. `U` quads have
        /// accumulators of their own, so that their additions need not wait for each other.
        ///
        /// # Safety
        /// The listed quads lie within the input, each quad of the input has `stride` lines of weights, and
        /// `at + N <= stride`: so far weights are read unchecked.
        ///
        /// # Panics
        /// When there are fewer than `at + N` lines of output, or of biases.
        #[target_feature(enable = $features)]
        #[inline]
        unsafe fn affine_block<const N: usize, const U: usize>(
            active: &[u16],
            input: &[U8Line],
            (weights, biases): (&[I8Line], &[I32Line]),
            out: &mut [I32Line],
            (at, stride): (usize, usize),
        ) {
            let mut accs = [[[zero(); PARTS]; N]; U];
            let (groups, rest) = active.as_chunks::<U>();
            let singles = rest.iter().map(std::slice::from_ref);
            for group in groups.iter().map(|group| &group[..]).chain(singles) {
                for (accs, &k) in accs.iter_mut().zip(group) {
                    let k = usize::from(k);
                    debug_assert!(k < 16 * input.len() && k * stride + at + N <= weights.len());
                    // SAFETY: by the contract `k` is a quad of the input, and its `stride` lines of weights are
                    // there, of which lines `at` to `at + N` are read.
                    let (quad, weights) = unsafe {
                        let quad = input.as_ptr().cast::<i32>().add(k).read();
                        (quad, std::slice::from_raw_parts(weights.as_ptr().add(k * stride + at), N))
                    };
                    add_products(accs, splat_quad(quad), weights);
                }
            }
            for n in 0..N {
                for part in 0..PARTS {
                    let mut acc = load(&biases[at + n], part);
                    for accs in &accs {
                        acc = add32(acc, accs[n][part]);
                    }
                    store(&mut out[at + n], part, acc);
                }
            }
        }

        #[target_feature(enable = $features)]
        #[inline]
        fn affine(input: &[U8Line], layer: &Affine, out: &mut [I32Line]) {
            let lines = out.len();
            $(
                let _ = $dot16; // Named, so that the following stands only where there is one.
                if layer.narrow {
                    return match lines {
                        2 => affine_narrow::<2>(input, layer, out, 0),
                        _ => (0..lines).for_each(|at| affine_narrow::<1>(input, layer, out, at)),
                    };
                }
            )?
            match lines {
                2 => affine_dense::<2, { 4 / PARTS }>(input, layer, out, 0),
                _ => (0..lines).for_each(|at| affine_dense::<1, { 4 / PARTS.div_ceil(2) }>(input, layer, out, at)),
            }
        }

        $(
            /// As [`affine_dense`] where products may be added in 16 bits, which saves three of eight multiplications.
            #[target_feature(enable = $features)]
            #[inline]
            fn affine_narrow<const N: usize>(
                input: &[U8Line],
                layer: &Affine,
                out: &mut [I32Line],
                at: usize,
            ) {
                let stride = out.len();
                let mut accs = [[zero(); PARTS]; N];
                for (input, weights) in input.iter().zip(layer.weights.chunks(16 * stride)) {
                    for (block, weights) in input.0.as_chunks().0.iter().zip(weights.chunks_exact(4 * stride)) {
                        let quads = splat_quads(block);
                        for (n, accs) in accs.iter_mut().enumerate() {
                            for (part, acc) in accs.iter_mut().enumerate() {
                                let weights = from_fn(|k| load(&weights[k * stride + at + n], part));
                                *acc = $dot16(*acc, quads, weights);
                            }
                        }
                    }
                }
                for ((out, biases), accs) in out[at..].iter_mut().zip(&layer.biases[at..]).zip(accs) {
                    for (part, acc) in accs.into_iter().enumerate() {
                        store(out, part, add32(load(biases, part), acc));
                    }
                }
            }
        )?

        /// Lines `at` to `at + N` of the output, from all quads of the input that have weights. `U` quads, at most 4,
        /// have accumulators of their own, as above.
        #[target_feature(enable = $features)]
        #[inline]
        fn affine_dense<const N: usize, const U: usize>(
            input: &[U8Line],
            layer: &Affine,
            out: &mut [I32Line],
            at: usize,
        ) {
            let Affine { weights, biases, .. } = layer;
            let stride = out.len();
            let mut accs = [[[zero(); PARTS]; N]; U];
            let groups = weights.chunks_exact(4 * stride);
            let rest = groups.remainder();
            let first_of_rest = groups.len() * 4;
            for (group, weights) in groups.enumerate() {
                let block = &input[group / 4].0.as_chunks().0[group % 4];
                for (k, quad) in splat_quads(block).into_iter().enumerate() {
                    add_products(&mut accs[k % U], quad, &weights[k * stride + at..]);
                }
            }
            for (k, weights) in rest.chunks_exact(stride).enumerate() {
                add_products(&mut accs[0], splat_quad(quad(input, first_of_rest + k)), &weights[at..]);
            }
            for (n, (out, biases)) in out[at..][..N].iter_mut().zip(&biases[at..]).enumerate() {
                for part in 0..PARTS {
                    let acc = accs.iter().fold(load(biases, part), |acc, accs| add32(acc, accs[n][part]));
                    store(out, part, acc);
                }
            }
        }

        /// Adds the products of a quad, repeated, and its weights to the accumulators of `N` lines.
        #[target_feature(enable = $features)]
        #[inline]
        fn add_products<const N: usize>(accs: &mut [[Vector; PARTS]; N], quad: Vector, weights: &[I8Line]) {
            for (accs, weights) in accs.iter_mut().zip(weights) {
                for (part, acc) in accs.iter_mut().enumerate() {
                    *acc = dot4(*acc, quad, load(weights, part));
                }
            }
        }

        #[target_feature(enable = $features)]
        pub(super) fn later_layers(outputs: &[I32Line], layers: &Stack, scratch: &mut LaterOutputs) -> i32 {
            let LaterOutputs { first, second, second_clipped } = scratch;
            let shortcut = match layers.squared {
                None => {
                    clip_outputs(outputs, first);
                    0
                }
                Some(size) => scalar::square_and_clip(outputs, size, first),
            };
            let second = &mut second[..layers.second.biases.len()];
            affine(first, &layers.second, second);
            clip_outputs(second, second_clipped);
            dot(second_clipped, &layers.output).wrapping_add(shortcut)
        }

        /// Outputs of a layer divided by 64 and clamped to 0..=127. Whole lines are written: reading them back from
        /// several stores would have to wait for the cache.
        #[target_feature(enable = $features)]
        #[inline]
        fn clip_outputs(outputs: &[I32Line], out: &mut [U8Line]) {
            for (out, outputs) in out.iter_mut().zip(outputs.chunks(4)) {
                for part in 0..PARTS {
                    let quarters = from_fn(|i| {
                        let at = 4 * part + i;
                        outputs.get(at / PARTS).map_or(zero(), |line| shift_right32::<6>(load(line, at)))
                    });
                    store(out, part, min8(narrow(quarters), splat8(127)));
                }
            }
        }

        #[target_feature(enable = $features)]
        pub(super) fn screlu_dot(accumulator: &[I16Line], weights: &[I16Line]) -> i64 {
            let (low, high) = (zero(), splat16(2047));
            let mut totals = [zero(); PARTS];
            for (line, weights) in accumulator.iter().zip(weights) {
                for (part, total) in totals.iter_mut().enumerate() {
                    // Squares of numbers of 0 to 2047, divided by 256.
                    let shifted = shift_left16::<4>(min16(max16(load(line, part), low), high));
                    *total = add32(*total, madd16(mul_high16(shifted, shifted), load(weights, part)));
                }
            }
            let mut line = I32Line::zero();
            let mut sum = 0;
            for total in totals {
                store(&mut line, 0, total);
                sum += line.0.iter().take(16 / PARTS).map(|&part| i64::from(part)).sum::<i64>();
            }
            sum
        }

        /// The sum of input times weight.
        #[target_feature(enable = $features)]
        #[inline]
        fn dot(input: &[U8Line], weights: &[I8Line]) -> i32 {
            let mut accs = [zero(); PARTS];
            for (input, weights) in input.iter().zip(weights) {
                for (part, acc) in accs.iter_mut().enumerate() {
                    *acc = dot4(*acc, load(input, part), load(weights, part));
                }
            }
            let mut line = I32Line::zero();
            for (part, &acc) in accs.iter().enumerate() {
                store(&mut line, part, acc);
            }
            line.0.iter().fold(0, |total, &acc| total.wrapping_add(acc))
        }
    };
}

pub(super) use vector_kernels;
