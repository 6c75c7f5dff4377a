//! Kurosabi's own networks: files, and evaluations as the format is described.

use std::io::Write;
use std::sync::Arc;

use flate2::Compression;
use flate2::write::GzEncoder;
use kurosabi::eval::Evaluator;
use kurosabi::eval::nnue::{Network, NnueError, NnueEvaluator, OwnHeader, OwnNetwork};
use kurosabi::position::Position;
use kurosabi::types::{Color, PieceType, Square};
use rand::{RngExt, SeedableRng, rngs::StdRng};

use super::positions::{Event, mirrored, play, turned};

const WIDTHS: [usize; 4] = [32, 96, 256, 512];

/// A network of pseudo-random weights, sized as trained ones are.
pub(crate) fn random(width: usize, seed: u64) -> OwnNetwork {
    let mut rng = StdRng::seed_from_u64(seed);
    let mut some = |count: usize, most: i16| (0..count).map(|_| rng.random_range(-most..=most)).collect::<Vec<i16>>();
    OwnNetwork {
        header: OwnHeader::new("test", width, 4096, 600),
        feature_biases: some(width, 2047),
        feature_weights: some(2344 * width, 480),
        output_weights: some(2 * width, 1023),
        output_bias: 4321,
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
        let kind = kinds.iter().position(|&kind| kind == piece.piece_type()).unwrap();
        let seen = square.relative(side).index();
        let seen = if mirror { (8 - seen / 9) * 9 + seen % 9 } else { seen };
        rows.push(usize::from(piece.color() != side) * 1172 + kind * 81 + seen);
    }
    for owner in Color::ALL {
        for (kind, base) in [(Pawn, 0), (Lance, 18), (Knight, 22), (Silver, 26), (Gold, 30), (Bishop, 34), (Rook, 36)] {
            let count = position.hand(owner).count(kind) as usize;
            rows.extend((0..count).map(|n| usize::from(owner != side) * 1172 + 14 * 81 + base + n));
        }
    }
    rows
}

/// The output and the score, in plain arithmetic.
fn described(network: &OwnNetwork, position: &Position) -> (i64, i64) {
    let OwnHeader { width, output_q, scale, .. } = network.header;
    let us = position.side_to_move();
    let mut sum = 0;
    for (half, side) in [us, !us].into_iter().enumerate() {
        let rows = rows(position, side);
        for column in 0..width {
            let weights = rows.iter().map(|row| i64::from(network.feature_weights[row * width + column]));
            let total = i64::from(network.feature_biases[column]) + weights.sum::<i64>();
            sum += total.clamp(0, 2047).pow(2) / 256 * i64::from(network.output_weights[half * width + column]);
        }
    }
    let raw = sum + i64::from(network.output_bias);
    (raw, raw * 256 * i64::from(scale) / (2047 * 2047 * i64::from(output_q)))
}

fn evaluator(network: OwnNetwork) -> NnueEvaluator {
    NnueEvaluator::new(Arc::new(network.into_network().unwrap()))
}

pub(crate) fn compressed(bytes: &[u8]) -> Vec<u8> {
    let mut gzip = GzEncoder::new(Vec::new(), Compression::fast());
    gzip.write_all(bytes).unwrap();
    gzip.finish().unwrap()
}

#[test]
fn along_random_lines_outputs_are_as_described() {
    for (seed, width) in WIDTHS.into_iter().enumerate() {
        let network = random(width, seed as u64);
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

#[test]
fn files_give_back_what_was_written() {
    let mut network = random(96, 4);
    network.header.description = "黒錆".to_owned();
    network.header.training = serde_json::json!({"games": 12, "files": ["a", "b"]});
    let bytes = network.to_bytes();
    assert_eq!(OwnNetwork::parse(&bytes).unwrap(), network);
    let read = Network::read(&bytes).unwrap();
    assert_eq!(read.description(), "Kurosabi Ka_hm 96x2 \"test\"");

    let compressed = compressed(&bytes);
    assert_eq!(Network::read(&compressed).unwrap().description(), read.description());
    for length in 2..200 {
        let error = Network::read(&compressed[..length]).unwrap_err();
        assert!(matches!(error, NnueError::Compression(_)), "{length}: {error}");
    }
}

#[test]
fn a_bomb_is_not_expanded_to_its_end() {
    let mut gzip = GzEncoder::new(Vec::new(), Compression::fast());
    for _ in 0..260 {
        gzip.write_all(&vec![0; 1 << 20]).unwrap();
    }
    let error = Network::read(&gzip.finish().unwrap()).unwrap_err();
    assert!(error.to_string().contains("when expanded"), "{error}");
}

#[test]
fn no_damage_goes_unnoticed() {
    let bytes = random(32, 1).to_bytes();
    let header = bytes.len() - 4 - 2 * (32 + 2344 * 32 + 64) - 4;
    let mut rng = StdRng::seed_from_u64(2);
    let some: Vec<usize> = (0..500).map(|_| rng.random_range(header..bytes.len())).collect();
    for at in (8..header).chain(some) {
        let mut damaged = bytes.clone();
        damaged[at] ^= 1 << (at % 8);
        assert!(Network::read(&damaged).is_err(), "byte {at}");
    }
    for length in (0..header + 3).chain((header..bytes.len()).step_by(997)) {
        let error = Network::read(&bytes[..length]).unwrap_err();
        let cut = matches!(error, NnueError::Truncated { .. } | NnueError::Version { .. });
        assert!(cut, "{length}: {error}");
    }
    let longer = [&bytes[..], &[0]].concat();
    assert!(matches!(Network::read(&longer), Err(NnueError::Trailing { extra: 1, .. })));
}

#[test]
fn networks_of_other_kinds_are_refused() {
    fn error(change: impl Fn(&mut OwnNetwork)) -> String {
        let mut network = random(32, 3);
        change(&mut network);
        Network::read(&network.to_bytes()).unwrap_err().to_string()
    }
    assert!(error(|network| network.header.features = "HalfKP".to_owned()).contains("HalfKP"));
    assert!(error(|network| network.header.head = "crelu".to_owned()).contains("crelu"));
    assert!(error(|network| network.header.width = 33).contains("33"));
    assert!(error(|network| network.header.width = 0).contains("width 0"));
    assert!(error(|network| network.header.output_q = 0).contains("2047 and 0"));
    assert!(error(|network| network.header.scale = -1).contains("scale -1"));
    assert!(error(|network| network.header.feature_q = 127).contains("127"));
    assert!(error(|network| network.output_weights[7] = -1024).contains("-1024"));
}
