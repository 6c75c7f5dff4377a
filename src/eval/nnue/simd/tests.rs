//! Every instruction set's kernels against the scalar ones, on random numbers.

use rand::{RngExt, SeedableRng, rngs::StdRng};

use super::{
    Affine, I8Line, I16Line, I32Line, InstructionSet, Kernels, LaterOutputs, Line, Rows, Stack, U8Line, are_narrow,
    scalar,
};

/// The kernels of each instruction set that the processor has.
fn available() -> impl Iterator<Item = &'static Kernels> {
    InstructionSet::available().map(Kernels::for_set)
}

fn lines<T: Copy + Default, const N: usize>(count: usize, mut number: impl FnMut() -> T) -> Vec<Line<T, N>> {
    let mut lines = Line::zeros(count);
    lines.iter_mut().flat_map(|line: &mut Line<T, N>| &mut line.0).for_each(|place| *place = number());
    lines
}

/// Activations, most of them 0 where `sparse`.
fn activations(rng: &mut StdRng, count: usize, sparse: bool) -> Vec<U8Line> {
    lines(count, || if sparse && rng.random_bool(0.9) { 0 } else { rng.random_range(0..=127) })
}

/// How many seeds each test is run with, and the most lines of weights: Miri takes a thousand times as long.
const SEEDS: u64 = if cfg!(miri) { 1 } else { 20 };
const MAX_LINES: usize = if cfg!(miri) { 64 } else { 1 << 20 };

/// Runs a test with the kernels of each instruction set that the machine has.
fn for_each(test: impl Fn(&'static Kernels, &mut StdRng)) {
    for kernels in available() {
        for seed in 0..SEEDS {
            test(kernels, &mut StdRng::seed_from_u64(seed));
        }
    }
}

#[test]
fn rows_are_added_and_removed() {
    for_each(|kernels, rng| {
        for width in [2, 4, 7, 8, 48].into_iter().filter(|width| width * 8 <= MAX_LINES) {
            let weights: Vec<I16Line> = lines(width * 20, || rng.random());
            let source: Vec<I16Line> = lines(width, || rng.random());
            for (added, removed) in [(0, 0), (1, 1), (2, 2), (1, 0), (0, 1), (2, 1), (40, 0), (17, 13)] {
                let mut some = |count| (0..count).map(|_| rng.random_range(0..20)).collect::<Vec<u32>>();
                let rows = Rows { weights: &weights, width, added: &some(added), removed: &some(removed) };
                let (mut expected, mut got) = (I16Line::zeros(width), I16Line::zeros(width));
                scalar::update(&mut expected, &source, &rows);
                // SAFETY: `Kernels::for_set` hands out what the machine can run.
                unsafe { (kernels.update)(&mut got, &source, &rows) };
                assert_eq!(got, expected, "{:?} {width} {added} {removed}", kernels.instruction_set);
            }
        }
    });
}

#[test]
fn accumulators_are_turned_into_activations() {
    for_each(|kernels, rng| {
        for width in [4, 8, 12, 48] {
            let wide: Vec<I16Line> = lines(width, || rng.random());
            let near: Vec<I16Line> = lines(width, || rng.random_range(-300..300));
            for accumulator in [wide, near] {
                let (mut expected, mut got) = (U8Line::zeros(width / 2), U8Line::zeros(width / 2));
                scalar::clip(&accumulator, &mut expected);
                // SAFETY: `Kernels::for_set` hands out what the machine can run.
                unsafe { (kernels.clip)(&accumulator, &mut got) };
                assert_eq!(got, expected, "{:?} clip", kernels.instruction_set);
                let (mut expected, mut got) = (U8Line::zeros(width / 4), U8Line::zeros(width / 4));
                scalar::pair(&accumulator, &mut expected);
                // SAFETY: `Kernels::for_set` hands out what the machine can run.
                unsafe { (kernels.pair)(&accumulator, &mut got) };
                assert_eq!(got, expected, "{:?} pair", kernels.instruction_set);
            }
        }
    });
}

#[test]
fn layers_are_multiplied() {
    for_each(|kernels, rng| {
        let sizes = [(1, 1), (1, 2), (1, 3), (2, 4), (8, 2), (24, 1), (16, 5)];
        for (input_lines, outputs) in sizes.into_iter().filter(|(lines, outputs)| lines * 16 * outputs <= MAX_LINES) {
            let biases: Vec<I32Line> = lines(outputs, || rng.random());
            for (sparse, narrow) in [(false, false), (true, false), (false, true), (true, true)] {
                // Eight of the small ones are always narrow.
                let largest = if narrow { 32 } else { 127 };
                let weights: Vec<I8Line> =
                    lines(input_lines * 16 * outputs, || rng.random_range(-largest - 1..=largest));
                let layer = Affine { weights, biases: biases.clone(), narrow };
                let input = activations(rng, input_lines, sparse);
                let context = format!("{:?} {input_lines} {outputs} {sparse} {narrow}", kernels.instruction_set);
                let (mut expected, mut got) = (I32Line::zeros(outputs), I32Line::zeros(outputs));
                let mut active = vec![0; input_lines * 16 + 8];
                scalar::affine_sparse(&input, &layer, &mut expected, &mut active);
                // SAFETY: `Kernels::for_set` hands out what the machine can run.
                unsafe { (kernels.affine_sparse)(&input, &layer, &mut got, &mut active) };
                assert_eq!(got, expected, "{context}");
            }
        }
    });
}

/// Layers after the first hidden one, for each number of outputs of that; `weight` makes the weights.
fn later(
    first: usize,
    second: usize,
    squared: bool,
    bias: impl FnMut() -> i32,
    mut weight: impl FnMut() -> i8,
) -> Stack {
    let (inputs, stride) = (if squared { 2 * first } else { first }, second.div_ceil(16));
    let weights = lines(inputs.div_ceil(4) * stride, &mut weight);
    let narrow = are_narrow(&weights, stride);
    Stack {
        first: Affine { weights: Vec::new(), biases: Vec::new(), narrow: false },
        squared: squared.then_some(first),
        second: Affine { weights, biases: lines(stride, bias), narrow },
        output: lines(second.div_ceil(64), weight),
        bias: 0,
    }
}

/// The output by some kernels.
fn output_by(kernels: &Kernels, layers: &Stack, outputs: &[I32Line]) -> i32 {
    // SAFETY: `Kernels::for_set` hands out what the machine can run.
    unsafe { (kernels.later_layers)(outputs, layers, &mut LaterOutputs::new()) }
}

#[test]
fn later_layers_are_worked_out() {
    for_each(|kernels, rng| {
        let classic = [(8, 8), (16, 32), (32, 32), (24, 96), (64, 64), (128, 128)].map(|sizes| (sizes, false));
        let squared = [(7, 32), (15, 32), (15, 64), (16, 16), (127, 128)].map(|sizes| (sizes, true));
        let sizes = classic.into_iter().chain(squared).filter(|((first, second), _)| first * second / 8 <= MAX_LINES);
        for ((first, second), squared) in sizes {
            let mut shape = StdRng::seed_from_u64(rng.random());
            let layers = later(first, second, squared, || shape.random_range(-9_000..9_000), || rng.random());
            for range in [200, 20_000, i32::MAX] {
                let outputs: Vec<I32Line> = lines(first.div_ceil(16), || rng.random_range(-range..range));
                let expected = output_by(&scalar::KERNELS, &layers, &outputs);
                let context = format!("{:?} {first} {second} {squared} {range}", kernels.instruction_set);
                assert_eq!(output_by(kernels, &layers, &outputs), expected, "{context}");
            }
        }
    });
}

#[test]
fn squares_are_weighted_and_summed_up() {
    for_each(|kernels, rng| {
        for width in [1, 2, 7, 16, 64] {
            let wide: Vec<I16Line> = lines(width, || rng.random());
            let near: Vec<I16Line> = lines(width, || rng.random_range(-900..3000));
            let weights: Vec<I16Line> = lines(width, || rng.random_range(-1023..=1023));
            for accumulator in [wide, near] {
                // SAFETY: `Kernels::for_set` hands out what the machine can run.
                let got = unsafe { (kernels.screlu_dot)(&accumulator, &weights) };
                assert_eq!(got, scalar::screlu_dot(&accumulator, &weights), "{:?} {width}", kernels.instruction_set);
            }
        }
    });
}

#[test]
fn the_largest_squares_are_exact() {
    for kernels in available() {
        let accumulator = vec![Line([2500i16; 32]); 64];
        for weight in [-1023i16, 1023] {
            let weights = vec![Line([weight; 32]); 64];
            // SAFETY: `Kernels::for_set` hands out what the machine can run.
            let got = unsafe { (kernels.screlu_dot)(&accumulator, &weights) };
            assert_eq!(got, 2048 * (2047 * 2047 / 256) * i64::from(weight), "{:?}", kernels.instruction_set);
        }
    }
}

/// The extremes: no number on the way may saturate at 16 bits.
#[test]
fn the_largest_products_are_exact() {
    for kernels in available() {
        for weight in [-128i8, 127] {
            let input = vec![Line([127u8; 64]); 8];
            let weights = vec![Line([weight; 64]); 128];
            let (mut out, mut active) = (I32Line::zeros(1), vec![0; 136]);
            let layer = Affine { weights, biases: I32Line::zeros(1), narrow: false };
            // SAFETY: `Kernels::for_set` hands out what the machine can run.
            unsafe { (kernels.affine_sparse)(&input, &layer, &mut out, &mut active) };
            assert_eq!(out, [Line([512 * 127 * i32::from(weight); 16])], "{:?}", kernels.instruction_set);
            // Of the second layer each activation is 100.
            let bias = 100 * 64 - 128 * 127 * i32::from(weight);
            let layers = later(128, 128, false, || bias, || weight);
            let outputs = vec![Line([127 << 6; 16]); 8];
            let expected = 128 * 100 * i32::from(weight);
            assert_eq!(output_by(kernels, &layers, &outputs), expected, "{:?}", kernels.instruction_set);
        }
    }
}

/// Weights that just allow products to be added in 16 bits, and those that are one too large.
#[test]
fn the_largest_narrow_weights_are_exact() {
    let input = vec![Line([127u8; 64]); 2];
    for (weights, narrow) in [([127, 127, 4, 0], true), ([-128, -128, -2, 0], true), ([127, 127, 5, 0], false)] {
        // Products of two neighbours in each of four lines are added in 16 bits.
        let line = |weight: i8| Line(std::array::from_fn(|i| if i % 2 == 0 { weight } else { 0 }));
        let lines: Vec<I8Line> = weights.iter().cycle().take(32).map(|&weight| line(weight)).collect();
        assert_eq!(are_narrow(&lines, 1), narrow, "{weights:?}");
        let layer = Affine { weights: lines, biases: I32Line::zeros(1), narrow };
        let expected = 8 * 2 * 127 * weights.iter().map(|&weight: &i8| i32::from(weight)).sum::<i32>();
        for kernels in available() {
            let (mut out, mut active) = (I32Line::zeros(1), vec![0; 40]);
            // SAFETY: `Kernels::for_set` hands out what the machine can run.
            unsafe { (kernels.affine_sparse)(&input, &layer, &mut out, &mut active) };
            assert_eq!(out, [Line([expected; 16])], "{:?} {weights:?}", kernels.instruction_set);
        }
    }
    // With two lines of outputs every second line of weights belongs to the same outputs.
    let lines: Vec<I8Line> = (0..8).map(|i| Line([if i % 2 == 0 { 40 } else { 0 }; 64])).collect();
    assert!(!are_narrow(&lines, 2) && are_narrow(&lines, 1));
}
