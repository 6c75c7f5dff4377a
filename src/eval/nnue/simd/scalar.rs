//! The kernels in plain Rust: what every other version must equal, and what runs where there is none.

use super::lines::quad;
use super::{Affine, I8Line, I16Line, I32Line, InstructionSet, Kernels, LaterOutputs, Rows, Stack, U8Line, element};

pub(super) static KERNELS: Kernels =
    Kernels { instruction_set: InstructionSet::Scalar, update, clip, pair, affine_sparse, later_layers, screlu_dot };

pub(super) fn update(target: &mut [I16Line], source: &[I16Line], rows: &Rows<'_>) {
    target.copy_from_slice(source);
    for &row in rows.added {
        for (sum, weight) in target.iter_mut().zip(rows.row(row)) {
            for (sum, weight) in sum.0.iter_mut().zip(weight.0) {
                *sum = sum.wrapping_add(weight);
            }
        }
    }
    for &row in rows.removed {
        for (sum, weight) in target.iter_mut().zip(rows.row(row)) {
            for (sum, weight) in sum.0.iter_mut().zip(weight.0) {
                *sum = sum.wrapping_sub(weight);
            }
        }
    }
}

pub(super) fn clip(accumulator: &[I16Line], out: &mut [U8Line]) {
    let values = accumulator.iter().flat_map(|line| line.0);
    for (out, value) in out.iter_mut().flat_map(|line| &mut line.0).zip(values) {
        *out = value.clamp(0, 127) as u8;
    }
}

pub(super) fn pair(accumulator: &[I16Line], out: &mut [U8Line]) {
    let (left, right) = accumulator.split_at(accumulator.len() / 2);
    let pairs = left.iter().zip(right).flat_map(|(left, right)| left.0.into_iter().zip(right.0));
    for (out, (left, right)) in out.iter_mut().flat_map(|line| &mut line.0).zip(pairs) {
        *out = ((i32::from(left.clamp(0, 254)) * i32::from(right.clamp(0, 254))) >> 9) as u8;
    }
}

pub(super) fn affine_sparse(input: &[U8Line], layer: &Affine, out: &mut [I32Line], _active: &mut [u16]) {
    affine(input, layer, out);
}

fn affine(input: &[U8Line], layer: &Affine, out: &mut [I32Line]) {
    out.copy_from_slice(&layer.biases);
    for (k, weights) in layer.weights.chunks_exact(out.len()).enumerate() {
        let input = quad(input, k).to_ne_bytes();
        for (out, weights) in out.iter_mut().zip(weights) {
            for (sum, weights) in out.0.iter_mut().zip(weights.0.as_chunks::<4>().0) {
                let products = input.iter().zip(weights).map(|(&x, &w)| i32::from(x) * i32::from(w));
                *sum = sum.wrapping_add(products.sum());
            }
        }
    }
}

pub(super) fn later_layers(outputs: &[I32Line], layers: &Stack, scratch: &mut LaterOutputs) -> i32 {
    let LaterOutputs { first, second, second_clipped } = scratch;
    let shortcut = match layers.squared {
        None => {
            clip_outputs(outputs, first);
            0
        }
        Some(size) => square_and_clip(outputs, size, first),
    };
    let second = &mut second[..layers.second.biases.len()];
    affine(first, &layers.second, second);
    clip_outputs(second, second_clipped);
    dot(second_clipped, &layers.output).wrapping_add(shortcut)
}

/// The first `size` outputs of a layer squared, then plain, both clamped to 0..=127; returns the output after them,
/// which is 0 where the layer has no shortcut.
#[inline(always)]
pub(super) fn square_and_clip(outputs: &[I32Line], size: usize, hidden: &mut [U8Line]) -> i32 {
    let value = |i: usize| outputs[i / 16].0[i % 16];
    for i in 0..size {
        let output = value(i);
        *element(hidden, i) = ((i64::from(output) * i64::from(output)) >> 19).min(127) as u8;
        *element(hidden, size + i) = (output >> 6).clamp(0, 127) as u8;
    }
    if size % 8 == 7 { value(size) } else { 0 }
}

fn clip_outputs(outputs: &[I32Line], out: &mut [U8Line]) {
    let places = out.iter_mut().flat_map(|line| line.0.as_chunks_mut::<16>().0);
    for (places, outputs) in places.zip(outputs) {
        for (place, output) in places.iter_mut().zip(outputs.0) {
            *place = (output >> 6).clamp(0, 127) as u8;
        }
    }
}

pub(super) fn screlu_dot(accumulator: &[I16Line], weights: &[I16Line]) -> i64 {
    let pairs = accumulator.iter().zip(weights).flat_map(|(line, weights)| line.0.into_iter().zip(weights.0));
    pairs.map(|(sum, weight)| (i64::from(sum.clamp(0, 2047)).pow(2) >> 8) * i64::from(weight)).sum()
}

fn dot(input: &[U8Line], weights: &[I8Line]) -> i32 {
    let lines = input.iter().zip(weights);
    lines.flat_map(|(x, w)| x.0.into_iter().zip(w.0)).map(|(x, w)| i32::from(x) * i32::from(w)).sum()
}
