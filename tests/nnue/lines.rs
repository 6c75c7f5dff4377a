//! Networks of other sizes and seeds: as the formats are described, along whole lines, and from both
//! sides of the board.

use std::sync::Arc;

use kurosabi::eval::nnue::{Network, NnueEvaluator};
use kurosabi::position::Position;
use kurosabi::types::Color;
use rand::RngExt;

use super::generator::Weights;
use super::positions::{Event, mirrored, play, turned};
use super::reference;

/// Sizes that fill lines and sizes that do not, with and without shortcut and layer stacks.
const NETWORKS: [(&str, u64); 10] = [
    ("halfkp_256x2-32-32", 2),
    ("halfkp_80x2-8-64", 3),
    ("kp_256x2-32-32", 7),
    ("kp_512x2-16-32", 4),
    ("kp_48x2-40-24", 5),
    ("SFNN_halfkahm2_768_15_64_k3k3", 6),
    ("SFNN_halfkahm2_256_7_32_k3k3", 8),
    ("SFNN_halfkahm2_192_8_64", 9),
    ("SFNN_halfkahm2_64_16_32_k3k3", 10),
    ("SFNN_halfkahm2_32_31_16", 11),
];

fn network(name: &str, seed: u64) -> (Weights, Arc<Network>) {
    let weights = Weights::new(name, seed);
    let network = Network::read(&weights.file()).unwrap_or_else(|error| panic!("{name}: {error}"));
    assert_eq!(network.warnings(), [], "{name}");
    (weights, Arc::new(network))
}

fn has_both_kings(position: &Position) -> bool {
    Color::ALL.into_iter().all(|color| position.king_square(color).is_some())
}

/// Goes along random lines and compares with the description and with a fresh start.
fn check(name: &str, seed: u64) {
    let (weights, network) = network(name, seed);
    let mut fresh = NnueEvaluator::new(network.clone());
    let mut raw = |position: &Position| {
        fresh.reset(position);
        fresh.raw(position)
    };
    let mut evaluator = NnueEvaluator::new(network);
    let (mut compared, mut positions) = (0, 0);
    play(seed, 14, 150, |position, event, rng| {
        match event {
            Event::Start => evaluator.reset(position),
            Event::Made(delta) => evaluator.push(delta),
            Event::TakenBack => evaluator.pop(),
        }
        positions += 1;
        if !rng.random_bool(0.6) {
            return;
        }
        let expected = raw(position);
        assert_eq!(evaluator.raw(position), expected, "{name}: {position:?}");
        if rng.random_bool(0.1) && has_both_kings(position) {
            assert_eq!(reference::raw(&weights, position), expected, "{name}: {position:?}");
            compared += 1;
        }
        assert_eq!(raw(&turned(position)), expected, "{name}, turned: {position:?}");
        let kings = Color::ALL.map(|color| position.king_square(color).map(|king| king.file().index()));
        if weights.arch.is_sfnn() && kings.iter().all(|file| file.is_some_and(|file| file != 4)) {
            assert_eq!(raw(&mirrored(position)), expected, "{name}, mirrored: {position:?}");
        }
    });
    assert!(positions > 1000 && compared > 30, "{positions} {compared}");
}

#[test]
fn all_sizes_evaluate_as_described_along_random_lines() {
    for (name, seed) in NETWORKS {
        check(name, seed);
    }
}

#[test]
fn a_null_move_changes_the_side_only() {
    let (_, network) = network("kp_48x2-40-24", 1);
    let mut position = Position::startpos();
    let mut evaluator = NnueEvaluator::new(network.clone());
    evaluator.reset(&position);
    evaluator.push(&position.do_move("7g7f".parse().unwrap()));
    let before = evaluator.raw(&position);
    position.do_null_move();
    let mut fresh = NnueEvaluator::new(network);
    fresh.reset(&position);
    assert_eq!(evaluator.raw(&position), fresh.raw(&position));
    assert_ne!(evaluator.raw(&position), before);
    position.undo_null_move();
    assert_eq!(evaluator.raw(&position), before);
}

#[test]
fn a_report_has_all_units() {
    let (_, network) = network("kp_48x2-40-24", 1);
    let mut evaluator = NnueEvaluator::new(network).with_fv_scale(24);
    let position = Position::startpos();
    evaluator.reset(&position);
    let report = evaluator.report(&position);
    assert_eq!(report.network, "K+P 48x2-40-24");
    assert_eq!(report.raw, evaluator.raw(&position));
    assert_eq!((report.eval, report.score), (report.raw / 24, evaluator.evaluate(&position)));
}
