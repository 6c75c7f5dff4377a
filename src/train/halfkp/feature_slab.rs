//! A slab of columns of the first layer.

use rand::RngExt;
use rand::rngs::StdRng;

use super::rows::{Chunk, PIECES, ROWS};
use super::tail::{SHARD, Shard};
use crate::train::common::adam::AdamStep;
use crate::train::common::parameters::Parameters;
use crate::train::common::rows::add;

/// Columns of a slab.
pub(super) const COLUMNS: usize = 64;
/// Weights and biases are kept within this: neither 38 rows with their factoriser's nor any row alone leaves 16
/// bits, of which 127 parts are one.
const LARGEST: f32 = 1.98;
/// What a gradient of a row is measured against (a lone position's is about 1e-7, at 16384 positions a step).
/// Measured on 1.2 million positions, three epochs: validation 0.01424 with 1e-8, 0.01364 with 1e-6, 0.01346 so.
const ROW_EPSILON: f32 = 6e-6;
/// First weights of the factoriser lie within these; those of the rows are 0, so that a row that is never seen
/// is what its factoriser says.
const FIRST_ROWS: f32 = 0.1;
const FIRST_BIAS: f32 = 0.4;

pub(super) type Row = [f32; COLUMNS];

/// 64 columns of the first layer.
pub(super) struct FeatureSlab {
    /// A row for each square of the own king and each piece.
    pub(super) rows: Parameters<COLUMNS>,
    /// The factoriser: what a piece is worth wherever the king stands. Added to its rows.
    pub(super) pieces: Parameters<COLUMNS>,
    pub(super) bias: Parameters<COLUMNS>,
    /// Both sides' clipped accumulators for each sample of the present chunk.
    pub(super) activations: Vec<[Row; 2]>,
    /// Rows of one square of the king, the factoriser's included.
    folded: Vec<Row>,
}

impl FeatureSlab {
    pub(super) fn new(rng: &mut StdRng) -> FeatureSlab {
        FeatureSlab {
            rows: Parameters::zeros(ROWS),
            pieces: Parameters::new(PIECES, || rng.random_range(-FIRST_ROWS..FIRST_ROWS)),
            bias: Parameters::new(1, || FIRST_BIAS),
            activations: Vec::new(),
            folded: vec![[0.0; COLUMNS]; PIECES],
        }
    }

    /// Sets the activations for a chunk.
    pub(super) fn forward(&mut self, chunk: &Chunk) {
        self.activations.resize(chunk.len(), [[0.0; COLUMNS]; 2]);
        let sides = chunk.sides();
        for places in chunk.by_king() {
            self.fold(sides[places[0] as usize].base as usize);
            for &place in places {
                let mut accumulator = self.bias.weights[0];
                for &piece in &sides[place as usize].pieces {
                    add(&mut accumulator, &self.folded[usize::from(piece)]);
                }
                self.activations.as_flattened_mut()[place as usize] = accumulator.map(|number| number.clamp(0.0, 1.0));
            }
        }
    }

    /// Adds a chunk's gradients; `shards` hold the derivatives by the accumulators, in which this slab is the
    /// `number`-th. The factoriser's gradients are those of its rows and are added up in `step`.
    pub(super) fn backward(&mut self, number: usize, chunk: &Chunk, shards: &[Shard]) {
        let sides = chunk.sides();
        for &place in chunk.by_king().flatten() {
            let place = place as usize;
            let derivatives = shards[place / 2 / SHARD].derivatives(place / 2 % SHARD, place % 2);
            let derivatives = &derivatives.as_chunks::<COLUMNS>().0[number];
            add(&mut self.bias.gradients[0], derivatives);
            for row in sides[place].rows() {
                add(&mut self.rows.gradients[row], derivatives);
            }
        }
    }

    /// Adds a row's gradient to the factoriser's.
    pub(super) fn pass_on(&mut self, row: usize) {
        add(&mut self.pieces.gradients[row % PIECES], &self.rows.gradients[row]);
    }

    /// The rows of a king's square, which begin here, each with the factoriser's row added.
    pub(super) fn fold(&mut self, base: usize) -> &[Row] {
        let rows = self.rows.weights[base..][..PIECES].iter().zip(&self.pieces.weights);
        for (folded, (row, piece)) in self.folded.iter_mut().zip(rows) {
            *folded = *row;
            add(folded, piece);
        }
        &self.folded
    }

    /// Moves the rows that were touched since the last step, all of the factoriser and the biases.
    pub(super) fn step(&mut self, step: AdamStep, touched: &[bool]) {
        let step = step.within(LARGEST);
        for (row, _) in touched.iter().enumerate().filter(|(_, touched)| **touched) {
            self.pass_on(row);
            self.rows.step_row(row, step.damped(ROW_EPSILON));
        }
        self.pieces.step(step);
        self.bias.step(step.of_others().within(LARGEST));
    }
}
