//! A slab of columns of a network: all that its forward and backward pass need.

use super::adam::AdamStep;
use super::sample::{MEN, ROWS, Sample, Views};

/// Columns of a slab. Eight vectors of both sides' sums stay in registers while rows are added.
pub(super) const COLUMNS: usize = 64;
/// Rows after those of the features: of missing men (always 0), biases, output weights of either side.
const ABSENT: usize = ROWS;
pub(super) const BIAS: usize = ROWS + 1;
pub(super) const OUTPUT: usize = ROWS + 2;
pub(super) const ALL_ROWS: usize = ROWS + 4;

pub(super) type Row = [f32; COLUMNS];

/// Weights, gradients and Adam's moments of 64 columns.
pub(super) struct Slab {
    pub(super) weights: Vec<Row>,
    gradients: Vec<Row>,
    pub(super) moments: Vec<[Row; 2]>,
    /// Both sides' sums of each sample of the present chunk.
    sums: Vec<[Row; 2]>,
}

/// A chunk's samples with what the rows of each are.
pub(super) struct Chunk {
    rows: Vec<[[u16; MEN]; 2]>,
}

impl Chunk {
    pub(super) fn new(views: &Views, samples: &[Sample]) -> Chunk {
        Chunk { rows: samples.iter().map(|sample| views.rows(sample)).collect() }
    }
}

impl Slab {
    /// A slab with weights from a function of row and column within the slab.
    pub(super) fn new(mut weight: impl FnMut(usize, usize) -> f32) -> Slab {
        let mut weights = vec![[0.0; COLUMNS]; ALL_ROWS];
        for (number, row) in weights.iter_mut().enumerate().filter(|(number, _)| *number != ABSENT) {
            for (column, place) in row.iter_mut().enumerate() {
                *place = weight(number, column);
            }
        }
        Slab {
            gradients: vec![[0.0; COLUMNS]; weights.len()],
            moments: vec![[[0.0; COLUMNS]; 2]; weights.len()],
            weights,
            sums: Vec::new(),
        }
    }

    /// Adds this slab's share to the outputs of a chunk and remembers what the way back needs.
    pub(super) fn forward(&mut self, chunk: &Chunk, outputs: &mut Vec<f32>) {
        self.sums.clear();
        outputs.clear();
        for rows in &chunk.rows {
            let mut sums = [self.weights[BIAS]; 2];
            let [us, them] = &mut sums;
            for (&own, &other) in rows[0].iter().zip(&rows[1]) {
                add(us, &self.weights[usize::from(own)]);
                add(them, &self.weights[usize::from(other)]);
            }
            let mut output = [0.0; COLUMNS];
            for (side, sums) in sums.iter().enumerate() {
                let weights = &self.weights[OUTPUT + side];
                for i in 0..COLUMNS {
                    let clamped = sums[i].clamp(0.0, 1.0);
                    output[i] += clamped * clamped * weights[i];
                }
            }
            outputs.push(output.iter().sum());
            self.sums.push(sums);
        }
    }

    /// Adds a chunk's gradients, given the loss's derivatives by the outputs. Follows a `forward` of the chunk.
    pub(super) fn backward(&mut self, chunk: &Chunk, derivatives: &[f32]) {
        let outputs = [self.weights[OUTPUT], self.weights[OUTPUT + 1]];
        let mut output_gradients = [[0.0; COLUMNS]; 2];
        let mut bias_gradient = [0.0; COLUMNS];
        for ((rows, sums), &derivative) in chunk.rows.iter().zip(&self.sums).zip(derivatives) {
            let mut inner = [[0.0; COLUMNS]; 2];
            for side in 0..2 {
                for i in 0..COLUMNS {
                    let sum = sums[side][i];
                    let clamped = sum.clamp(0.0, 1.0);
                    output_gradients[side][i] += derivative * clamped * clamped;
                    let inside = sum > 0.0 && sum < 1.0;
                    inner[side][i] = if inside { derivative * outputs[side][i] * 2.0 * clamped } else { 0.0 };
                }
                add(&mut bias_gradient, &inner[side]);
            }
            for (&own, &other) in rows[0].iter().zip(&rows[1]) {
                add(&mut self.gradients[usize::from(own)], &inner[0]);
                add(&mut self.gradients[usize::from(other)], &inner[1]);
            }
        }
        add(&mut self.gradients[BIAS], &bias_gradient);
        add(&mut self.gradients[OUTPUT], &output_gradients[0]);
        add(&mut self.gradients[OUTPUT + 1], &output_gradients[1]);
    }

    /// Moves all weights by the gradients added up since the last step.
    pub(super) fn step(&mut self, step: AdamStep) {
        self.gradients[ABSENT] = [0.0; COLUMNS];
        let rows = self.weights.iter_mut().zip(&mut self.gradients).zip(&mut self.moments);
        for (number, ((weights, gradients), moments)) in rows.enumerate() {
            let step = if number < ROWS { step } else { step.of_others() };
            step.apply(weights, gradients, moments);
        }
    }

    /// The gradient of a weight, for tests.
    #[cfg(test)]
    pub(super) fn gradient(&self, row: usize, column: usize) -> f32 {
        self.gradients[row][column]
    }
}

#[inline(always)]
fn add(sums: &mut Row, row: &Row) {
    for (sum, weight) in sums.iter_mut().zip(row) {
        *sum += weight;
    }
}
