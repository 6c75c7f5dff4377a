//! A slab of columns of the first layer: all that its forward and backward pass need.
//!
//! To a row's own weights are added shared ones while they are trained: those of the piece, wherever it stands or is
//! held, and of the piece on a rank and on a file. What many rows agree on is learnt from all their positions, so that
//! rare rows (promoted minors, last pawns in hand) begin where others of their piece are instead of at random. The
//! network has the weights added up; inference knows nothing of their parts.

use std::sync::Arc;

use arrayvec::ArrayVec;

use super::COLUMNS;
use super::optimiser::{AdamStep, LARGEST_FEATURE, Parameters, add, through_clamp};
use super::sample::{PIECES, Sample};
use crate::eval::nnue::{FeatureMap, FeatureSet, LayerStacks};
use crate::types::{Color, Piece, PieceType, Square};

/// Shared rows of a piece: where it stands, on each file, on each rank, in hand.
const SHARED_BY_PIECE: usize = 1 + 9 + 9 + 1;

/// For each row, the shared ones that it has.
pub(super) type SharedRows = Arc<[ArrayVec<u16, 3>]>;

/// Those of its piece, on the board anywhere, on its file and on its rank; or in hand.
pub(super) fn shared_rows() -> SharedRows {
    let map = FeatureMap::new(FeatureSet::KaHm);
    let view = map.view(Color::Black, None);
    let mut rows = vec![ArrayVec::new(); FeatureSet::KaHm.rows()];
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
    rows.into()
}

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

/// Rows between those of the features and of the output.
const BETWEEN: usize = 2;

pub(super) type Columns = [f32; COLUMNS];

/// Weights, gradients and Adam's moments of 64 columns.
pub(super) struct Slab {
    /// What the network has: each row's own weights with the shared ones.
    weights: Vec<Columns>,
    /// Each row's own weights.
    own: Parameters<COLUMNS>,
    shared: Parameters<COLUMNS>,
    shared_rows: SharedRows,
    /// Both sides' accumulators of each sample of the present chunk.
    accumulators: Vec<[Columns; 2]>,
}

impl Slab {
    /// A slab with this many rows for outputs, with weights from a function of row and column within the slab, and
    /// shared ones from another.
    pub(super) fn new(
        outputs: usize,
        shared_rows: SharedRows,
        mut weight: impl FnMut(SlabRow, usize) -> f32,
        shared: impl FnMut() -> f32,
    ) -> Slab {
        let features = shared_rows.len();
        let mut own = Parameters::zeros(features + BETWEEN + outputs);
        let rows = (0..features).map(SlabRow::Feature).chain([SlabRow::Bias]).chain((0..outputs).map(SlabRow::Output));
        for row in rows {
            for (column, place) in own.weights[number(features, row)].iter_mut().enumerate() {
                *place = weight(row, column);
            }
        }
        let mut slab = Slab {
            weights: own.weights.clone(),
            own,
            shared: Parameters::new(2 * PieceType::ALL.len() * SHARED_BY_PIECE, shared),
            shared_rows,
            accumulators: Vec::new(),
        };
        slab.fold();
        slab
    }

    /// Brings `weights` up to date: own and shared ones added.
    fn fold(&mut self) {
        self.weights.copy_from_slice(&self.own.weights);
        for (weights, shared_rows) in self.weights.iter_mut().zip(&*self.shared_rows) {
            for &shared in shared_rows {
                add(weights, &self.shared.weights[usize::from(shared)]);
            }
            *weights = weights.map(|weight| weight.clamp(-LARGEST_FEATURE, LARGEST_FEATURE));
        }
    }

    /// Computes the accumulators of a chunk.
    fn accumulate(&mut self, samples: &[Sample]) {
        self.accumulators.clear();
        let biases = *self.weights(SlabRow::Bias);
        for Sample { rows, .. } in samples {
            let mut accumulators = [biases; 2];
            let [us, them] = &mut accumulators;
            for (&own, &other) in rows[0].iter().zip(&rows[1]) {
                add(us, &self.weights[usize::from(own)]);
                add(them, &self.weights[usize::from(other)]);
            }
            self.accumulators.push(accumulators);
        }
    }

    /// Sets this slab's share of the outputs of a chunk, and keeps what the backward pass needs.
    pub(super) fn forward(&mut self, samples: &[Sample], stacks: LayerStacks, outputs: &mut Vec<f32>) {
        self.accumulate(samples);
        outputs.clear();
        for (accumulators, sample) in self.accumulators.iter().zip(samples) {
            let weights = &self.weights[self.number(SlabRow::Output(2 * sample.stack(stacks)))..][..2];
            let mut output = [0.0; COLUMNS];
            for (accumulator, weights) in accumulators.iter().zip(weights) {
                for i in 0..COLUMNS {
                    let clamped = accumulator[i].clamp(0.0, 1.0);
                    output[i] += clamped * clamped * weights[i];
                }
            }
            outputs.push(output.iter().sum());
        }
    }

    /// Adds a chunk's gradients, given the loss's derivatives by the outputs. Follows a forward pass of the chunk.
    pub(super) fn backward(&mut self, samples: &[Sample], stacks: LayerStacks, derivatives: &[f32]) {
        let [bias, output] = [SlabRow::Bias, SlabRow::Output(0)].map(|row| self.number(row));
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
        let features = self.shared_rows.len();
        self.own.gradients[features] = [0.0; COLUMNS]; // of missing pieces
        for (gradients, shared_rows) in self.own.gradients.iter().zip(&*self.shared_rows) {
            for &shared in shared_rows {
                add(&mut self.shared.gradients[usize::from(shared)], gradients);
            }
        }
        self.shared.step(step);
        for row in 0..self.weights.len() {
            self.own.step_row(row, if row < features { step } else { step.for_outputs() });
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

    /// Where a row is.
    fn number(&self, row: SlabRow) -> usize {
        number(self.shared_rows.len(), row)
    }

    /// What the network has in a row.
    pub(super) fn weights(&self, row: SlabRow) -> &Columns {
        &self.weights[self.number(row)]
    }

    /// A row's own weight, for tests.
    #[cfg(test)]
    pub(super) fn set(&mut self, row: SlabRow, column: usize, weight: f32) {
        let row = self.number(row);
        self.own.weights[row][column] = weight;
        self.fold();
    }

    /// The gradient of a row's own weight, for tests.
    #[cfg(test)]
    pub(super) fn gradient(&self, row: SlabRow, column: usize) -> f32 {
        self.own.gradients[self.number(row)][column]
    }
}

/// Where a row is in a slab with this many features.
fn number(features: usize, row: SlabRow) -> usize {
    match row {
        SlabRow::Feature(row) => row,
        SlabRow::Bias => features + 1,
        SlabRow::Output(row) => features + BETWEEN + row,
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_share_weights_with_the_rows_of_their_piece() {
        let mut rows = [0; 28 * SHARED_BY_PIECE];
        assert!(shared_rows().iter().all(|shared| !shared.is_empty()));
        shared_rows().iter().flatten().for_each(|&shared| rows[usize::from(shared)] += 1);
        let count = |wanted: usize| rows.iter().filter(|&&rows| rows == wanted).count();
        // 81 squares, or 9 of a rank or file, or as many as there are of the piece in hand.
        for (rows, expected) in [(81, 28), (9, 28 * 18), (18, 2), (4, 8), (2, 4), (0, 14)] {
            assert_eq!(count(rows), expected, "{rows}");
        }
    }
}
