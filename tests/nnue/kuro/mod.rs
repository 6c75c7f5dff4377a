//! Kurosabi's own networks: files, and evaluations as the format is described.

mod files;

use std::fs::{self, File};
use std::io::Write;
use std::sync::Arc;
use std::time::{Duration, Instant};

use flate2::Compression;
use flate2::write::GzEncoder;
use kurosabi::eval::nnue::{KuroHeader, KuroNetwork, LayerStacks, Network, NnueError, NnueEvaluator};
use kurosabi::position::Position;
use kurosabi::types::{Color, PieceType, Square};
use rand::{RngExt, SeedableRng, rngs::StdRng};

use super::positions::{Event, mirrored, play, turned};

const WIDTHS: [usize; 4] = [32, 96, 256, 512];

/// A network of pseudo-random weights, sized as trained ones are.
pub(crate) fn random(width: usize, seed: u64) -> KuroNetwork {
    let mut rng = StdRng::seed_from_u64(seed);
    let mut some = |count: usize, most: i16| (0..count).map(|_| rng.random_range(-most..=most)).collect::<Vec<i16>>();
    KuroNetwork {
        header: KuroHeader::new("test", width, 4096, 600),
        feature_biases: some(width, 2047),
        feature_weights: some(2344 * width, 480),
        output_biases: vec![4321],
        output_weights: some(2 * width, 1023),
    }
}

/// The rows that a position switches on for a side, from the format's description.
fn rows(position: &Position, side: Color) -> Vec<usize> {
    use PieceType::*;
    let kinds =
        [Pawn, Lance, Knight, Silver, Gold, Bishop, Rook, King, ProPawn, ProLance, ProKnight, ProSilver, Horse, Dragon];
    let mirror = position.king_square(side).is_some_and(|king| king.relative(side).index() / 9 > 4);
    let mut rows = Vec::new();
    for square in Square::all() {
        let Some(piece) = position.piece_on(square) else { continue };
        let piece_type = kinds.iter().position(|&piece_type| piece_type == piece.piece_type()).unwrap();
        let seen = square.relative(side).index();
        let seen = if mirror { (8 - seen / 9) * 9 + seen % 9 } else { seen };
        rows.push(usize::from(piece.color() != side) * 1172 + piece_type * 81 + seen);
    }
    for owner in Color::ALL {
        for (piece_type, base) in
            [(Pawn, 0), (Lance, 18), (Knight, 22), (Silver, 26), (Gold, 30), (Bishop, 34), (Rook, 36)]
        {
            let count = position.hand(owner).count(piece_type) as usize;
            rows.extend((0..count).map(|n| usize::from(owner != side) * 1172 + 14 * 81 + base + n));
        }
    }
    rows
}

/// Both sides' accumulators, the side to move's first.
fn accumulators(network: &KuroNetwork, position: &Position) -> [Vec<i64>; 2] {
    let width = network.header.width;
    let us = position.side_to_move();
    [us, !us].map(|side| {
        let rows = rows(position, side);
        let weights =
            |column: usize| rows.iter().map(move |row| i64::from(network.feature_weights[row * width + column]));
        (0..width).map(|column| i64::from(network.feature_biases[column]) + weights(column).sum::<i64>()).collect()
    })
}

/// Which set of layers a position is for, from the format's description.
fn bucket(buckets: usize, position: &Position) -> usize {
    let us = position.side_to_move();
    let third = |side: Color| position.king_square(side).map_or(2, |king| king.relative(side).index() % 9 / 3);
    if buckets == 1 { 0 } else { 3 * third(us) + third(!us) }
}

/// The output and the score, in plain arithmetic.
fn described(network: &KuroNetwork, position: &Position) -> (i64, i64) {
    let KuroHeader { width, output_q, scale, output_buckets, .. } = network.header;
    let bucket = bucket(output_buckets, position);
    let weights = network.output_weights[2 * width * bucket..].iter().map(|&weight| i64::from(weight));
    let squares = accumulators(network, position).into_iter().flatten().map(|sum| sum.clamp(0, 2047).pow(2) / 256);
    let raw = squares.zip(weights).map(|(square, weight)| square * weight).sum::<i64>()
        + i64::from(network.output_biases[bucket]);
    (raw, raw * 256 * i64::from(scale) / (2047 * 2047 * i64::from(output_q)))
}

fn evaluator(network: KuroNetwork) -> NnueEvaluator {
    NnueEvaluator::new(Arc::new(network.into_network().unwrap()))
}

pub(crate) fn compressed(bytes: &[u8]) -> Vec<u8> {
    let mut gzip = GzEncoder::new(Vec::new(), Compression::fast());
    gzip.write_all(bytes).unwrap();
    gzip.finish().unwrap()
}

#[test]
fn along_random_lines_outputs_are_as_described() {
    let mut stacked = random(64, 3);
    stacked.header = stacked.header.with_stacks(LayerStacks::KingThirds);
    stacked.output_biases = (0..9).map(|number| 1000 * number).collect();
    stacked.output_weights = (0..2 * 64 * 9).map(|number| (number * 37 % 1001) as i16 - 500).collect();
    let plain = WIDTHS.into_iter().enumerate().map(|(seed, width)| random(width, seed as u64));
    for (seed, network) in plain.chain([stacked]).enumerate() {
        let width = network.header.width;
        let bytes = network.to_bytes().unwrap();
        assert_eq!(KuroNetwork::parse(&bytes).unwrap(), network);
        let mut evaluator = evaluator(network.clone());
        let mut compared = 0;
        play(seed as u64, 14, 100, |position, event, rng| {
            match event {
                Event::Start => evaluator.reset(position),
                Event::Made(delta) => evaluator.push(delta),
                Event::TakenBack => evaluator.pop(),
            }
            if rng.random_bool(0.5) {
                let (raw, score) = described(&network, position);
                assert_eq!(i64::from(evaluator.raw(position)), raw, "{width} {}", position.to_sfen());
                let value = i64::from(NnueEvaluator::MAX_EVAL).min(score.abs()) * score.signum();
                assert_eq!(i64::from(evaluator.value(position)), value);
                compared += 1;
            }
        });
        assert!(compared > 200);
    }
}

#[test]
fn both_sides_and_both_wings_are_alike() {
    let mut evaluator = evaluator(random(64, 9));
    let mut value = |position: &Position| {
        evaluator.reset(position);
        evaluator.raw(position)
    };
    let mut compared = 0;
    play(5, 21, 120, |position, _, rng| {
        if !rng.random_bool(0.3) {
            return;
        }
        let expected = value(position);
        assert_eq!(value(&turned(position)), expected, "{}", position.to_sfen());
        // A king on the middle file, or none, is never mirrored.
        let kings = Color::ALL.map(|color| position.king_square(color).map_or(4, |king| king.file().index()));
        if kings.iter().all(|&file| file != 4) {
            assert_eq!(value(&mirrored(position)), expected, "{}", position.to_sfen());
            compared += 1;
        }
    });
    assert!(compared > 50, "{compared}");
}
