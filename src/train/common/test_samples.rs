//! Samples to test networks with.

use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};

use crate::movegen::legal_moves;
use crate::position::Position;
use crate::train::data::sample::{Features, Sample};

/// As many samples of random games always the same.
pub(in crate::train) fn samples(count: usize) -> Vec<Sample> {
    let mut rng = StdRng::seed_from_u64(1);
    let mut samples = Vec::new();
    let mut position = Position::startpos();
    let features = Features::new();
    while samples.len() < count {
        match legal_moves(&position).choose(&mut rng) {
            Some(&mv) if position.game_ply() < 120 => drop(position.do_move(mv)),
            _ => position = Position::startpos(),
        }
        samples.push(features.sample(&position, rng.random_range(-500..500), 1.0));
    }
    samples
}
