//! Games, positions and samples to train on.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use kurosabi::movegen::legal_moves;
use kurosabi::position::Position;
use kurosabi::train::{Features, Filters, Sample};
use rand::SeedableRng;
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;

/// A folder that is removed at the end of its test.
pub(crate) struct Folder(PathBuf);

impl Folder {
    pub(crate) fn new(test: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("kurosabi-train-{test}-{}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    pub(crate) fn path(&self, name: &str) -> String {
        self.0.join(name).to_str().unwrap().to_owned()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

pub(crate) fn kurosabi(arguments: &[&str]) -> (String, String, bool) {
    let output = Command::new(env!("CARGO_BIN_EXE_kurosabi")).args(arguments).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (text(output.stdout), text(output.stderr), output.status.success())
}

pub(crate) fn play(folder: &Folder, games: &str) -> String {
    let file = folder.path("games");
    let (_, err, ok) = kurosabi(&["datagen", "play", &file, "--games", games, "--nodes", "40", "--eval", "material"]);
    assert!(ok, "{err}");
    file
}

pub(crate) fn random_positions(count: usize) -> Vec<Position> {
    let mut rng = StdRng::seed_from_u64(4);
    let mut positions = Vec::new();
    let mut position = Position::startpos();
    while positions.len() < count {
        match legal_moves(&position).choose(&mut rng) {
            Some(&mv) if position.game_ply() < 150 => {
                position.do_move(mv);
            }
            _ => position = Position::startpos(),
        }
        positions.push(position.clone());
    }
    positions
}

pub(crate) fn samples(positions: &[Position]) -> Vec<Sample> {
    let features = Features::new();
    positions.iter().map(|position| features.sample(position, 0, 0.5)).collect()
}

/// Nothing is left out.
pub(crate) const ALL: Filters = Filters { checks: false, tactical: false, max_score: i32::MAX };
