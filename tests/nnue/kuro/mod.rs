//! Kurosabi's own networks: files, and evaluations as the format is described.

mod files;

use std::fs::{self, File};
use std::io::Write;
use std::sync::Arc;
use std::time::{Duration, Instant};

use flate2::Compression;
use flate2::write::GzEncoder;
use kurosabi::eval::Evaluator;
use kurosabi::eval::nnue::{
    FeatureSet, KuroHeader, KuroLayers, KuroNetwork, LayerStacks, Network, NnueError, NnueEvaluator, PairwiseLayers,
};
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
        layers: KuroLayers::Screlu { weights: some(2 * width, 1023), biases: vec![4321] },
    }
}

/// A network like [`random`], with rows of its own for each zone of the own king.
fn random_zones(width: usize, seed: u64) -> KuroNetwork {
    let mut network = random(width, seed);
    let mut rng = StdRng::seed_from_u64(!seed);
    network.header = network.header.with_features(FeatureSet::KaHmZones);
    network.feature_weights = (0..10 * 2344 * width).map(|_| rng.random_range(-480..=480)).collect();
    network
}

/// The zone of a king that its side sees on a file from 0 to 4 and a rank from 0: the seven most common squares have
/// zones of their own, the other ones at home share one, as do ranks 6 and 7, and all before them.
fn zone(file: usize, rank: usize) -> usize {
    let common = [(1, 7), (2, 7), (3, 7), (4, 7), (4, 8), (3, 8), (2, 8)];
    let rest = match rank {
        7.. => 7,
        5 | 6 => 8,
        _ => 9,
    };
    common.iter().position(|&square| square == (file, rank)).unwrap_or(rest)
}

/// The rows of zone 0 that a position switches on for a side, and the side's zone, from the format's description.
fn rows(position: &Position, side: Color) -> (Vec<usize>, usize) {
    use PieceType::*;
    let kinds =
        [Pawn, Lance, Knight, Silver, Gold, Bishop, Rook, King, ProPawn, ProLance, ProKnight, ProSilver, Horse, Dragon];
    let mirror = position.king_square(side).is_some_and(|king| king.relative(side).index() / 9 > 4);
    let home = position.king_square(side).map_or(4 * 9 + 8, |king| king.relative(side).index());
    let zone = zone((home / 9).min(8 - home / 9), home % 9);
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
    (rows, zone)
}

/// A pairwise network of pseudo-random weights, sized as trained ones are.
fn random_pairwise(width: usize, stacks: LayerStacks, seed: u64) -> KuroNetwork {
    let mut rng = StdRng::seed_from_u64(seed);
    let mut some = |count: usize, most: i32| (0..count).map(|_| rng.random_range(-most..=most)).collect::<Vec<i32>>();
    let words = |numbers: Vec<i32>| numbers.into_iter().map(|number| number as i16).collect::<Vec<i16>>();
    let mut layers = |_| PairwiseLayers {
        first_biases: some(16, 4000),
        first_weights: some(16 * width, 20).into_iter().map(|number| number as i8).collect(),
        second_biases: some(32, 4_000_000),
        second_weights: words(some(32 * 30, 600)),
        output_bias: some(1, 4_000_000)[0],
        output_weights: words(some(32, 1000)),
    };
    let layers = KuroLayers::Pairwise((0..stacks.count()).map(&mut layers).collect());
    KuroNetwork {
        header: KuroHeader::pairwise("test", width, 600).with_stacks(stacks),
        feature_biases: words(some(width, 2047)),
        feature_weights: words(some(2344 * width, 480)),
        layers,
    }
}

/// Both sides' accumulators, the side to move's first.
fn accumulators(network: &KuroNetwork, position: &Position) -> [Vec<i64>; 2] {
    let width = network.header.width;
    let us = position.side_to_move();
    [us, !us].map(|side| {
        let (rows, zone) = rows(position, side);
        let first = if network.header.features == "Ka_hm_k10" { zone * 2344 * width } else { 0 };
        let weights = |column: usize| {
            rows.iter().map(move |row| i64::from(network.feature_weights[first + row * width + column]))
        };
        (0..width).map(|column| i64::from(network.feature_biases[column]) + weights(column).sum::<i64>()).collect()
    })
}

/// Which set of layers a position is for, from the format's description.
fn bucket(buckets: usize, position: &Position) -> usize {
    let us = position.side_to_move();
    let third = |side: Color| position.king_square(side).map_or(2, |king| king.relative(side).index() % 9 / 3);
    let held = Color::ALL.iter().map(|&side| position.hand(side).total()).sum::<u32>();
    match buckets {
        1 => 0,
        9 => 3 * third(us) + third(!us),
        _ => [1, 3, 5, 7, 9, 12, 16, 38].iter().position(|&most| held <= most).unwrap(),
    }
}

/// The output and the score of a pairwise network, in plain arithmetic.
fn described_pairwise(network: &KuroNetwork, position: &Position) -> (i64, i64) {
    let KuroHeader { width, scale, output_buckets, .. } = network.header;
    let KuroLayers::Pairwise(stacks) = &network.layers else { panic!() };
    let layers = &stacks[bucket(output_buckets, position)];
    let round = |number: i64, parts: i64| (number + parts / 2).div_euclid(parts);
    let activations: Vec<i64> = accumulators(network, position)
        .iter()
        .flat_map(|accumulators| {
            let (left, right) = accumulators.split_at(width / 2);
            let products = left.iter().zip(right).map(|(left, right)| left.clamp(&0, &2040) * right.clamp(&0, &2040));
            products.map(|product| round(product, 1 << 15)).collect::<Vec<i64>>()
        })
        .collect();
    let first: Vec<i64> = (0..16)
        .map(|i| {
            let weights = layers.first_weights[i * width..].iter().map(|&weight| i64::from(weight));
            i64::from(layers.first_biases[i]) + weights.zip(&activations).map(|(w, a)| w * a).sum::<i64>()
        })
        .collect();
    let squares = first[..15].iter().map(|&sum| round(sum.clamp(-8128, 8128).pow(2), 8128));
    let doubled: Vec<i64> = squares.chain(first[..15].iter().map(|&sum| sum.clamp(0, 8128))).collect();
    let mut raw = i64::from(layers.output_bias) + 1024 * first[15];
    for i in 0..32 {
        let weights = layers.second_weights[i * 30..].iter().map(|&weight| i64::from(weight));
        let sum = i64::from(layers.second_biases[i]) + weights.zip(&doubled).map(|(w, a)| w * a).sum::<i64>();
        raw += round(sum, 1024).clamp(0, 8128) * i64::from(layers.output_weights[i]);
    }
    (raw, raw * i64::from(scale) / (8128 * 1024))
}

/// The output and the score, in plain arithmetic.
fn described(network: &KuroNetwork, position: &Position) -> (i64, i64) {
    let KuroHeader { width, output_q, scale, output_buckets, .. } = network.header;
    let KuroLayers::Screlu { biases, weights } = &network.layers else { return described_pairwise(network, position) };
    let bucket = bucket(output_buckets, position);
    let weights = weights[2 * width * bucket..].iter().map(|&weight| i64::from(weight));
    let squares = accumulators(network, position).into_iter().flatten().map(|sum| sum.clamp(0, 2047).pow(2) / 256);
    let raw = squares.zip(weights).map(|(square, weight)| square * weight).sum::<i64>() + i64::from(biases[bucket]);
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
    let pairwise = |width, stacks| random_pairwise(width, stacks, width as u64);
    let buckets = |stacks: LayerStacks| {
        let mut network = random(64, 3);
        network.header = network.header.with_stacks(stacks);
        network.layers = KuroLayers::Screlu {
            biases: (0..stacks.count() as i32).map(|number| 1000 * number).collect(),
            weights: (0..2 * 64 * stacks.count()).map(|number| (number * 37 % 1001) as i16 - 500).collect(),
        };
        network
    };
    let plain = WIDTHS.into_iter().enumerate().map(|(seed, width)| random(width, seed as u64));
    let others = [
        pairwise(128, LayerStacks::One),
        pairwise(512, LayerStacks::KingThirds),
        pairwise(256, LayerStacks::Hands),
        buckets(LayerStacks::KingThirds),
        buckets(LayerStacks::Hands),
        random_zones(32, 7),
        random_zones(64, 8),
    ];
    for (seed, network) in plain.chain(others).enumerate() {
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
    [random(64, 9), random_zones(32, 9)].into_iter().for_each(assert_alike);
}

fn assert_alike(network: KuroNetwork) {
    let mut evaluator = evaluator(network);
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
