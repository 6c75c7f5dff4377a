//! Gradients and states of networks in training.

use super::*;
use crate::eval::nnue::LayerStacks;
use crate::train::common::test_samples::samples;
use crate::train::ka_hm::slab::Row;

fn shapes() -> [Shape; 2] {
    [Shape::plain(64), Shape { factoriser: Factoriser::Lines, stacks: LayerStacks::KingThirds, ..Shape::plain(128) }]
}

/// Rows large enough for the samples to differ.
fn start(seed: u64) -> Start {
    Start { seed, rows: 0.1 }
}

/// Derivatives of the sum of all outputs by the weights of the first layer against finite differences.
#[test]
fn gradients_are_those_of_the_outputs() {
    for shape in shapes() {
        let mut model = Model::new(Shape { factoriser: Factoriser::None, ..shape }, &start(3)).unwrap();
        let samples = samples(400);
        let mut outputs = Vec::new();
        let mut total = |model: &mut Model| {
            model.forward(&samples, &mut outputs);
            outputs.iter().map(|&output| f64::from(output)).sum::<f64>()
        };
        total(&mut model);
        model.backward(&vec![1.0; samples.len()]);
        let mut compared = 0;
        let features = [0, 500, 567 + 5, 1134, 1172 + 8, 1700].map(Row::Feature);
        let outputs = (0..shape.output_rows()).map(Row::Output);
        let rows = features.into_iter().chain([Row::Bias]).chain(outputs);
        for (row, column) in rows.flat_map(|row| [0, 17, 63].map(|column| (row, column))) {
            let expected = f64::from(model.slabs[0].gradient(row, column));
            let step = 1e-3;
            let weight = model.slabs[0].weights(row)[column];
            model.slabs[0].set(row, column, weight + step);
            let above = total(&mut model);
            model.slabs[0].set(row, column, weight - step);
            let below = total(&mut model);
            model.slabs[0].set(row, column, weight);
            let found = (above - below) / (2.0 * f64::from(step));
            assert!((found - expected).abs() <= 0.02 * expected.abs().max(1.0), "{row:?} {column}: {found} {expected}");
            compared += usize::from(expected.abs() > 0.5);
        }
        assert!(compared > 4, "{compared}");
    }
}

#[test]
fn a_state_is_whole() {
    for shape in shapes() {
        let samples = samples(50);
        let mut model = Model::new(shape, &start(5)).unwrap();
        let step = |model: &mut Model, number| {
            model.scores(&samples);
            model.backward(&vec![0.1; samples.len()]);
            model.step(AdamStep::new(number, 1e-2, 0.1).averaging(0.5));
        };
        step(&mut model, 1);
        let state: Vec<f32> = model.state().collect();
        assert_eq!(state.len(), model.state_len());
        let mut other = Model::new(shape, &start(6)).unwrap();
        assert_ne!(other.scores(&samples), model.scores(&samples));
        other.restore(&mut state.into_iter());
        // As do the steps after it, and the average.
        for model in [&mut model, &mut other] {
            step(model, 2);
        }
        assert_eq!(other.scores(&samples), model.scores(&samples));
        let now = model.scores(&samples);
        model.swap_average();
        other.swap_average();
        assert_eq!(other.scores(&samples), model.scores(&samples));
        assert_ne!(model.scores(&samples), now);
    }
}
