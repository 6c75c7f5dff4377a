//! Gradients and states of networks in training.

use super::*;
use crate::eval::nnue::{FeatureSet, LayerStacks};
use crate::train::SCORE_UNIT;
use crate::train::common::test_samples::samples;
use crate::train::ka_hm::slab::Row;

fn shapes() -> [Shape; 5] {
    [
        Shape::plain(64),
        Shape { factoriser: Factoriser::Lines, stacks: LayerStacks::Hands, ..Shape::plain(128) },
        Shape { features: FeatureSet::KaHmZones, factoriser: Factoriser::Piece, ..Shape::plain(64) },
        Shape { head: HeadKind::Pairwise, ..Shape::plain(128) },
        Shape { head: HeadKind::Pairwise, stacks: LayerStacks::KingThirds, ..Shape::plain(128) },
    ]
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
        let samples = samples(shape.features, 400);
        let mut outputs = Vec::new();
        let mut total = |model: &mut Model| {
            model.forward(&samples, &mut outputs);
            outputs.iter().map(|&output| f64::from(output)).sum::<f64>()
        };
        total(&mut model);
        model.backward(&vec![1.0; samples.len()]);
        let mut compared = 0;
        // Kings of random games stand at home: zone 4, where they have not moved.
        let home = if shape.features == FeatureSet::KaHmZones { 4 * FeatureSet::KaHm.rows() } else { 0 };
        let features = [0, 500, 567 + 5, 1134, 1172 + 8, 1700].map(|row| Row::Feature(home + row));
        let outputs = (0..shape.output_rows()).map(Row::Output);
        let rows = features.into_iter().chain([Row::Bias]).chain(outputs);
        for (row, column) in rows.flat_map(|row| [0, 17, 63].map(|column| (row, column))) {
            let expected = f64::from(model.slabs[0].gradient(row, column));
            // Products are rounded: steps must be larger than that.
            let step = if shape.head == HeadKind::Pairwise { 2e-2 } else { 1e-3 };
            let weight = model.slabs[0].weights(row)[column];
            model.slabs[0].set(row, column, weight + step);
            let above = total(&mut model);
            model.slabs[0].set(row, column, weight - step);
            let below = total(&mut model);
            model.slabs[0].set(row, column, weight);
            let found = (above - below) / (2.0 * f64::from(step));
            let wide = if shape.head == HeadKind::Pairwise { 0.1 } else { 0.02 };
            assert!((found - expected).abs() <= wide * expected.abs().max(1.0), "{row:?} {column}: {found} {expected}");
            compared += usize::from(expected.abs() > 0.5);
        }
        assert!(compared > 4, "{compared}");
    }
}

/// The same by the weights of the layers after a pairwise one.
#[test]
fn gradients_of_later_layers_are_those_of_the_outputs() {
    type Weight = fn(&mut Tail) -> (&mut f32, f32);
    let weights: [Weight; 8] = [
        |tail| (&mut tail.first.weights[3][1], tail.first.gradients[3][1]),
        |tail| (&mut tail.first.weights[77][14], tail.first.gradients[77][14]),
        |tail| (&mut tail.first.weights[100][15], tail.first.gradients[100][15]),
        |tail| (&mut tail.first_bias.weights[0][4], tail.first_bias.gradients[0][4]),
        |tail| (&mut tail.second.weights[2][30], tail.second.gradients[2][30]),
        |tail| (&mut tail.second.weights[20][7], tail.second.gradients[20][7]),
        |tail| (&mut tail.second_bias.weights[0][9], tail.second_bias.gradients[0][9]),
        |tail| (&mut tail.output.weights[0][11], tail.output.gradients[0][11]),
    ];
    let shape = Shape { head: HeadKind::Pairwise, ..Shape::plain(128) };
    let mut model = Model::new(shape, &start(3)).unwrap();
    let samples = samples(shape.features, 300);
    fn tail(model: &mut Model) -> &mut Tail {
        let Top::Pairwise(tail) = &mut model.top else { panic!() };
        tail
    }
    let total = |model: &mut Model| model.scores(&samples).iter().map(|&score| f64::from(score)).sum::<f64>();
    total(&mut model);
    model.backward(&vec![SCORE_UNIT; samples.len()]);
    tail(&mut model).collect();
    for (number, weight) in weights.into_iter().enumerate() {
        // Rounded weights move by whole steps.
        let step = 1.0 / 64.0;
        let expected = f64::from(weight(tail(&mut model)).1);
        let mut moved = |by: f32| {
            *weight(tail(&mut model)).0 += by;
            tail(&mut model).round();
            total(&mut model)
        };
        let above = moved(step);
        let below = moved(-2.0 * step);
        moved(step);
        let found = (above - below) / (2.0 * f64::from(step));
        assert!((found - expected).abs() <= 0.05 * expected.abs().max(50.0), "{number}: {found} {expected}");
    }
}

#[test]
fn a_state_is_whole() {
    for shape in shapes() {
        let samples = samples(shape.features, 50);
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
