//! The weights of the layers after the first, as the file will have them.

use crate::eval::nnue::pairwise::{DOUBLED, FIRST, HIDDEN_Q, OUTPUT_Q, SECOND, SECOND_Q};
use crate::train::common::rows::rounded;

pub(super) type First = [f32; FIRST];
pub(super) type Second = [f32; SECOND];

/// The weights as the file will have them.
pub(super) struct Rounded {
    /// Inputs of the first of these layers.
    inputs: usize,
    pub(super) first: Vec<First>,
    /// The same by output: a row for each output of each stack.
    pub(super) first_by_output: Vec<f32>,
    pub(super) second: Vec<Second>,
    pub(super) second_by_output: Vec<[f32; DOUBLED]>,
    pub(super) output: Vec<Second>,
}

impl Rounded {
    pub(super) fn zeros(inputs: usize, stacks: usize) -> Rounded {
        Rounded {
            inputs,
            first: vec![[0.0; FIRST]; inputs * stacks],
            first_by_output: vec![0.0; FIRST * inputs * stacks],
            second: vec![[0.0; SECOND]; DOUBLED * stacks],
            second_by_output: vec![[0.0; DOUBLED]; SECOND * stacks],
            output: vec![[0.0; SECOND]; stacks],
        }
    }

    /// Rounds the exact weights.
    pub(super) fn update(&mut self, first: &[First], second: &[Second], output: &[Second]) {
        for (row, (exact, place)) in first.iter().zip(&mut self.first).enumerate() {
            *place = exact.map(|weight| rounded(weight, HIDDEN_Q as f32));
            let (stack, input) = (row / self.inputs, row % self.inputs);
            for (number, weight) in place.iter().enumerate() {
                self.first_by_output[(stack * FIRST + number) * self.inputs + input] = *weight;
            }
        }
        for (row, (exact, place)) in second.iter().zip(&mut self.second).enumerate() {
            *place = exact.map(|weight| rounded(weight, SECOND_Q as f32));
            for (number, weight) in place.iter().enumerate() {
                self.second_by_output[row / DOUBLED * SECOND + number][row % DOUBLED] = *weight;
            }
        }
        for (exact, place) in output.iter().zip(&mut self.output) {
            *place = exact.map(|weight| rounded(weight, OUTPUT_Q as f32));
        }
    }
}
