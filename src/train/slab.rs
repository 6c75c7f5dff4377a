//! A slab of columns of the first layer: all that its forward and backward pass need.
//!
//! To a row's own weights are added shared ones while they are trained: those of the piece, wherever it stands or is
//! held, and of the piece on a rank and on a file. What many rows agree on is learnt from all their positions, so that
//! rare rows (promoted minors, last pawns in hand) begin where others of their piece are instead of at random. The
//! network has the weights added up; inference knows nothing of their parts.

use std::sync::LazyLock;

use arrayvec::ArrayVec;

use super::COLUMNS;
use super::sample::{PIECES, Sample};
use crate::eval::nnue::{FeatureMap, FeatureSet, LayerStacks};
use crate::types::{Color, Piece, PieceType, Square};

/// Shared rows of a piece: where it stands, on each file, on each rank, in hand.
const SHARED_BY_PIECE: usize = 1 + 9 + 9 + 1;

/// For each row, the shared ones that it has: those of its piece, on the board anywhere, on its file and on its rank;
/// or in hand.
static SHARED_ROWS: LazyLock<Vec<ArrayVec<u16, 3>>> = LazyLock::new(|| {
    let map = FeatureMap::new(FeatureSet::KaHm);
    let view = map.view(Color::Black, None);
    let mut rows = vec![ArrayVec::new(); FEATURES];
    let pieces =
        Color::ALL.into_iter().flat_map(|color| PieceType::ALL.map(|piece_type| Piece::new(color, piece_type)));
    for (number, piece) in pieces.enumerate() {
        let first = (number * SHARED_BY_PIECE) as u16;
        for square in Square::all() {
            let (file, rank) = (square.index() as u16 / 9, square.index() as u16 % 9);
            if let Some(row) = map.on_board(view, piece, square) {
                rows[row as usize].extend([first, first + 1 + file, first + 10 + rank]);
            }
        }
        if PieceType::HAND.contains(&piece.piece_type()) {
            for number in 1..=u32::from(piece.piece_type().count_in_set()) {
                rows[map.in_hand(view, piece, number) as usize].push(first + 19);
            }
        }
    }
    rows
});

/// What a row of a slab holds. The rows of the features come first, then one for missing pieces, which stays 0, the
/// biases, and the output's weights.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SlabRow {
    /// Weights of a feature.
    Feature(usize),
    /// Biases.
    Bias,
    /// Weights of the output: for each stack the side to move's, then the other side's.
    Output(usize),
}

/// Rows of features, which come first.
const FEATURES: usize = FeatureSet::KaHm.rows();

impl SlabRow {
    /// Where the row is.
    fn number(self) -> usize {
        match self {
            SlabRow::Feature(row) => row,
            SlabRow::Bias => FEATURES + 1,
            SlabRow::Output(row) => FEATURES + 2 + row,
        }
    }
}

pub(super) type Columns = [f32; COLUMNS];

/// Weights, gradients and Adam's moments of 64 columns.
pub(super) struct Slab {
    /// What the network has: each row's own weights with the shared ones.
    weights: Vec<Columns>,
    /// Each row's own weights.
    own: Parameters<COLUMNS>,
    shared: Parameters<COLUMNS>,
    /// Both sides' accumulators of each sample of the present chunk.
    accumulators: Vec<[Columns; 2]>,
}

impl Slab {
    /// A slab with this many rows for outputs, with weights from a function of row and column within the slab, and
    /// shared ones from another.
    pub(super) fn new(
        outputs: usize,
        mut weight: impl FnMut(SlabRow, usize) -> f32,
        shared: impl FnMut() -> f32,
    ) -> Slab {
        let mut own = Parameters::zeros(SlabRow::Output(outputs).number());
        let rows = (0..FEATURES).map(SlabRow::Feature).chain([SlabRow::Bias]).chain((0..outputs).map(SlabRow::Output));
        for row in rows {
            for (column, place) in own.weights[row.number()].iter_mut().enumerate() {
                *place = weight(row, column);
            }
        }
        let mut slab = Slab {
            weights: own.weights.clone(),
            own,
            shared: Parameters::new(2 * PieceType::ALL.len() * SHARED_BY_PIECE, shared),
            accumulators: Vec::new(),
        };
        slab.fold();
        slab
    }

    /// Brings `weights` up to date: own and shared ones added.
    fn fold(&mut self) {
        self.weights.copy_from_slice(&self.own.weights);
        for (weights, shared_rows) in self.weights.iter_mut().zip(&*SHARED_ROWS) {
            for &shared in shared_rows {
                add(weights, &self.shared.weights[usize::from(shared)]);
            }
            *weights = weights.map(|weight| weight.clamp(-LARGEST_FEATURE, LARGEST_FEATURE));
        }
    }

    /// Sets this slab's share of the outputs of a chunk, and keeps what the backward pass needs.
    pub(super) fn forward(&mut self, samples: &[Sample], stacks: LayerStacks, outputs: &mut Vec<f32>) {
        self.accumulators.clear();
        outputs.clear();
        for sample in samples {
            let mut accumulators = [*self.weights(SlabRow::Bias); 2];
            let [us, them] = &mut accumulators;
            for (&own, &other) in sample.rows[0].iter().zip(&sample.rows[1]) {
                add(us, &self.weights[usize::from(own)]);
                add(them, &self.weights[usize::from(other)]);
            }
            let weights = &self.weights[SlabRow::Output(2 * sample.stack(stacks)).number()..][..2];
            let mut output = [0.0; COLUMNS];
            for (accumulator, weights) in accumulators.iter().zip(weights) {
                for i in 0..COLUMNS {
                    let clamped = accumulator[i].clamp(0.0, 1.0);
                    output[i] += clamped * clamped * weights[i];
                }
            }
            outputs.push(output.iter().sum());
            self.accumulators.push(accumulators);
        }
    }

    /// Adds a chunk's gradients, given the loss's derivatives by the outputs. Follows a forward pass of the chunk.
    pub(super) fn backward(&mut self, samples: &[Sample], stacks: LayerStacks, derivatives: &[f32]) {
        let [bias, output] = [SlabRow::Bias, SlabRow::Output(0)].map(SlabRow::number);
        let Slab { own: Parameters { gradients, .. }, weights, accumulators, .. } = self;
        for ((sample, accumulators), &derivative) in samples.iter().zip(accumulators).zip(derivatives) {
            let mut inner = [[0.0; COLUMNS]; 2];
            for (side, (accumulator, inner)) in accumulators.iter().zip(&mut inner).enumerate() {
                let row = output + 2 * sample.stack(stacks) + side;
                let (weights, gradients) = (&weights[row], &mut gradients[row]);
                for i in 0..COLUMNS {
                    let clamped = accumulator[i].clamp(0.0, 1.0);
                    gradients[i] += derivative * clamped * clamped;
                    inner[i] = through_clamp(accumulator[i], derivative * weights[i] * 2.0 * clamped);
                }
            }
            scatter(gradients, bias, &sample.rows, &inner);
        }
    }

    /// Moves all weights by the gradients added up since the last step.
    pub(super) fn step(&mut self, step: AdamStep) {
        self.own.gradients[FEATURES] = [0.0; COLUMNS]; // of missing pieces
        for (gradients, shared_rows) in self.own.gradients.iter().zip(&*SHARED_ROWS) {
            for &shared in shared_rows {
                add(&mut self.shared.gradients[usize::from(shared)], gradients);
            }
        }
        self.shared.step(step);
        for row in 0..self.weights.len() {
            self.own.step_row(row, if row < FEATURES { step } else { step.for_outputs() });
        }
        self.fold();
    }

    /// What training changes, for a checkpoint.
    pub(super) fn state(&self) -> impl Iterator<Item = f32> + '_ {
        self.own.state().chain(self.shared.state())
    }

    /// Takes over a state.
    pub(super) fn restore(&mut self, state: &mut dyn Iterator<Item = f32>) {
        self.own.restore(state);
        self.shared.restore(state);
        self.fold();
    }

    /// What the network has in a row.
    pub(super) fn weights(&self, row: SlabRow) -> &Columns {
        &self.weights[row.number()]
    }

    /// A row's own weight, for tests.
    #[cfg(test)]
    pub(super) fn set(&mut self, row: SlabRow, column: usize, weight: f32) {
        self.own.weights[row.number()][column] = weight;
        self.fold();
    }

    /// The gradient of a row's own weight, for tests.
    #[cfg(test)]
    pub(super) fn gradient(&self, row: SlabRow, column: usize) -> f32 {
        self.own.gradients[row.number()][column]
    }
}

/// Adds the derivatives by both sides' accumulators to the gradients of the rows that they are made of.
#[inline(always)]
fn scatter(gradients: &mut [Columns], bias: usize, rows: &[[u16; PIECES]; 2], inner: &[Columns; 2]) {
    for (&own, &other) in rows[0].iter().zip(&rows[1]) {
        add(&mut gradients[usize::from(own)], &inner[0]);
        add(&mut gradients[usize::from(other)], &inner[1]);
    }
    add(&mut gradients[bias], &inner[0]);
    add(&mut gradients[bias], &inner[1]);
}

// Rows of weights, with what training keeps of each, and the steps that move them: AdamW (Kingma and Ba 2015;
// Loshchilov and Hutter 2019).

const BETA1: f32 = 0.9;
const BETA2: f32 = 0.999;
const EPSILON: f32 = 1e-8;
/// First-layer weights are kept within this, so that no accumulator of a bias and forty rows leaves the 16 bits
/// that inference has for it (2047 stands for one).
pub(super) const LARGEST_FEATURE: f32 = 0.35;
/// Other weights are kept within this.
const LARGEST: f32 = 1.98;

/// One step of the optimiser: what it does to every weight.
#[derive(Clone, Copy, Debug)]
pub(super) struct AdamStep {
    rate: f32,
    decay: f32,
    largest: f32,
    /// Bias corrections of the moments, which begin at 0.
    first: f32,
    second: f32,
}

impl AdamStep {
    /// Step `number` (from 1) with this learning rate and weight decay.
    pub(super) fn new(number: u64, rate: f32, decay: f32) -> AdamStep {
        let number = number.min(1 << 20) as i32;
        let (first, second) = (1.0 / (1.0 - BETA1.powi(number)), 1.0 / (1.0 - BETA2.powi(number)));
        AdamStep { rate, decay, largest: LARGEST_FEATURE, first, second }
    }

    /// The same for biases and weights of the output: without weight decay, and with larger weights.
    pub(super) fn for_outputs(self) -> AdamStep {
        AdamStep { decay: 0.0, largest: LARGEST, ..self }
    }

    /// Moves weights against their gradients, which are then 0.
    #[inline]
    fn apply<const N: usize>(self, weights: &mut [f32; N], gradients: &mut [f32; N], moments: &mut [[f32; N]; 2]) {
        let [first, second] = moments;
        for i in 0..N {
            let gradient = std::mem::take(&mut gradients[i]);
            first[i] = BETA1 * first[i] + (1.0 - BETA1) * gradient;
            second[i] = BETA2 * second[i] + (1.0 - BETA2) * gradient * gradient;
            let step = first[i] * self.first / ((second[i] * self.second).sqrt() + EPSILON);
            weights[i] = (weights[i] - self.rate * (step + self.decay * weights[i])).clamp(-self.largest, self.largest);
        }
    }
}

/// Weights, gradients and Adam's moments of rows of `N` numbers.
pub(super) struct Parameters<const N: usize> {
    pub(super) weights: Vec<[f32; N]>,
    pub(super) gradients: Vec<[f32; N]>,
    moments: Vec<[[f32; N]; 2]>,
}

impl<const N: usize> Parameters<N> {
    /// `rows` rows with weights from a function.
    pub(super) fn new(rows: usize, mut weight: impl FnMut() -> f32) -> Parameters<N> {
        let mut parameters = Parameters::zeros(rows);
        parameters.weights.as_flattened_mut().fill_with(&mut weight);
        parameters
    }

    /// Rows of zeros; memory that is never written to is never used.
    pub(super) fn zeros(rows: usize) -> Parameters<N> {
        Parameters {
            weights: vec![[0.0; N]; rows],
            gradients: vec![[0.0; N]; rows],
            moments: vec![[[0.0; N]; 2]; rows],
        }
    }

    /// Moves one row against its gradient.
    #[inline]
    pub(super) fn step_row(&mut self, row: usize, step: AdamStep) {
        step.apply(&mut self.weights[row], &mut self.gradients[row], &mut self.moments[row]);
    }

    /// Moves all rows.
    pub(super) fn step(&mut self, step: AdamStep) {
        (0..self.weights.len()).for_each(|row| self.step_row(row, step));
    }

    /// Weights and moments.
    pub(super) fn state(&self) -> impl Iterator<Item = f32> + '_ {
        let moments = self.moments.as_flattened().as_flattened();
        self.weights.as_flattened().iter().chain(moments).copied()
    }

    /// Takes over a state.
    pub(super) fn restore(&mut self, state: &mut dyn Iterator<Item = f32>) {
        let moments = self.moments.as_flattened_mut().as_flattened_mut();
        let places = self.weights.as_flattened_mut().iter_mut().chain(moments);
        // The places come first: what is taken from the state must not exceed them.
        places.zip(state).for_each(|(place, number)| *place = number);
    }
}

/// Adds a row.
#[inline(always)]
pub(super) fn add<const N: usize>(to: &mut [f32; N], row: &[f32; N]) {
    for (number, weight) in to.iter_mut().zip(row) {
        *number += weight;
    }
}

/// The derivative by a number, given that by the number clamped to 0..=1.
#[inline(always)]
pub(super) fn through_clamp(number: f32, derivative: f32) -> f32 {
    if number > 0.0 && number < 1.0 { derivative } else { 0.0 }
}

#[cfg(test)]
mod tests {

    use super::*;

    #[test]
    fn rows_share_weights_with_the_rows_of_their_piece() {
        let mut rows = [0; 28 * SHARED_BY_PIECE];
        assert!(SHARED_ROWS.iter().all(|shared| !shared.is_empty()));
        SHARED_ROWS.iter().flatten().for_each(|&shared| rows[usize::from(shared)] += 1);
        let count = |wanted: usize| rows.iter().filter(|&&rows| rows == wanted).count();
        // 81 squares, or 9 of a rank or file, or as many as there are of the piece in hand.
        for (rows, expected) in [(81, 28), (9, 28 * 18), (18, 2), (4, 8), (2, 4), (0, 14)] {
            assert_eq!(count(rows), expected, "{rows}");
        }
    }
}
