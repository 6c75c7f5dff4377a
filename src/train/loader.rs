//! From files of games to training positions.

use std::fs::File;
use std::io::BufReader;
use std::path::PathBuf;
use std::str::FromStr;

use super::error::TrainError;
use super::sample::Sample;
use crate::datagen::psv::PsvReader;
use crate::datagen::{Game, GameReader};
use crate::position::Position;

/// A file of games and the share of them to use.
#[derive(Clone, Debug, PartialEq)]
pub struct Source {
    /// The file: Kurosabi's games, or (`.psv`, `.bin`) the field's 40-byte positions.
    pub path: PathBuf,
    /// Share of its games, up to 1.
    pub share: f64,
}

/// `games` or `games:0.3`.
impl FromStr for Source {
    type Err = String;

    fn from_str(text: &str) -> Result<Source, String> {
        let (path, share) = match text.rsplit_once(':') {
            Some((path, share)) if share.parse::<f64>().is_ok() => (path, share.parse().unwrap_or(1.0)),
            _ => (text, 1.0),
        };
        if !(0.0..=1.0).contains(&share) {
            return Err(format!("{text:?}: the share must be between 0 and 1"));
        }
        Ok(Source { path: path.into(), share })
    }
}

/// Which positions are fit for training.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Filters {
    /// Leave out positions in check.
    pub checks: bool,
    /// Leave out positions in which the move played captures or promotes: no evaluation is to see such gains.
    pub tactical: bool,
    /// Leave out higher scores.
    pub max_score: i32,
    /// Leave out the first plies of a game.
    pub min_ply: u32,
}

impl Default for Filters {
    fn default() -> Filters {
        Filters { checks: true, tactical: true, max_score: 3000, min_ply: 0 }
    }
}

impl Filters {
    fn pass(&self, position: &Position, scored: crate::datagen::ScoredMove) -> bool {
        let mv = scored.mv;
        !(self.checks && position.in_check()
            || self.tactical && (mv.is_promotion() || position.piece_on(mv.to()).is_some())
            || scored.score.value().abs() > self.max_score
            || position.game_ply() <= self.min_ply)
    }
}

/// Positions to train on, and others of other games to measure with.
#[derive(Clone, Debug, Default)]
pub struct Dataset {
    /// To train on.
    pub training: Vec<Sample>,
    /// To measure with.
    pub validation: Vec<Sample>,
    /// Positions read, before the filters.
    pub read: u64,
}

impl Dataset {
    /// Reads files. Whole games go to the validation set, the same ones whatever else is read.
    ///
    /// # Errors
    /// When a file cannot be read.
    pub fn load(sources: &[Source], filters: &Filters, validation: f64) -> Result<Dataset, TrainError> {
        let mut dataset = Dataset::default();
        for source in sources {
            dataset.add(source, filters, validation)?;
        }
        Ok(dataset)
    }

    fn add(&mut self, source: &Source, filters: &Filters, validation: f64) -> Result<(), TrainError> {
        let is_psv = source.path.extension().is_some_and(|extension| extension == "psv" || extension == "bin");
        if !is_psv {
            for (number, game) in GameReader::open(&source.path)?.enumerate() {
                self.add_game(number as u64, &game?, source.share, filters, validation);
            }
            return Ok(());
        }
        let positions = |error| TrainError::Positions { path: source.path.clone(), error };
        let file = File::open(&source.path).map_err(|error| positions(error.into()))?;
        for (number, psv) in PsvReader::new(BufReader::with_capacity(1 << 20, file)).enumerate() {
            let game = psv.and_then(|psv| psv.to_game(number as u64 + 1)).map_err(positions)?;
            self.add_game(number as u64, &game, source.share, filters, validation);
        }
        Ok(())
    }

    fn add_game(&mut self, number: u64, game: &Game, share: f64, filters: &Filters, validation: f64) {
        // Two independent lots of a game.
        if lot(2 * number) >= share {
            return;
        }
        let samples = if lot(2 * number + 1) < validation { &mut self.validation } else { &mut self.training };
        let read = &mut self.read;
        game.replay(|position, scored| {
            *read += 1;
            if filters.pass(position, scored) {
                let points = game.result.points(position.side_to_move());
                samples.push(Sample::new(position, scored.score.value() as i16, points));
            }
        });
    }
}

/// A number's lot between 0 and 1 (the mixing of SplitMix64).
fn lot(number: u64) -> f64 {
    let mut z = number.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    (z ^ z >> 31) as f64 / u64::MAX as f64
}
