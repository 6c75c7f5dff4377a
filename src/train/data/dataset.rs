//! From files of games to training positions.

use std::collections::HashSet;
use std::fs::File;
use std::io::BufReader;
use std::path::PathBuf;
use std::str::FromStr;

use super::filters::Filters;
use super::sample::Sample;
use crate::datagen::psv::PsvReader;
use crate::datagen::{Game, GameReader};
use crate::train::common::error::TrainError;

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

/// The games to measure with. None of them is trained on.
#[derive(Clone, Debug, PartialEq)]
pub enum Validation {
    /// This share of the games that are read. Which ones follows from their moves alone: the same ones in whatever
    /// file they stand and whatever else is read.
    Share(f64),
    /// All games of a file, so that runs on different games can be compared.
    File(Source),
}

/// `0.02`, or a file as [`Source`] has it.
impl FromStr for Validation {
    type Err = String;

    fn from_str(text: &str) -> Result<Validation, String> {
        match text.parse() {
            Ok(share) if (0.0..=1.0).contains(&share) => Ok(Validation::Share(share)),
            Ok(_) => Err("it must be a number from 0 to 1, or a file".to_owned()),
            Err(_) => Source::from_str(text).map(Validation::File),
        }
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

/// Where the positions of a game go.
enum Purpose {
    Training,
    Validation,
    Neither,
}

impl Dataset {
    /// Reads files.
    ///
    /// # Errors
    /// When a file cannot be read.
    pub fn load(sources: &[Source], filters: &Filters, validation: &Validation) -> Result<Dataset, TrainError> {
        let mut dataset = Dataset::default();
        let mut measured = HashSet::new();
        let mut share = 0.0;
        match validation {
            Validation::Share(number) => share = *number,
            Validation::File(source) => for_each_game(source, |game, identity| {
                // A game that stands in a file twice is measured with once.
                if measured.insert(identity) {
                    dataset.add(game, identity, filters, Purpose::Validation)?;
                }
                Ok(())
            })?,
        }
        for source in sources {
            for_each_game(source, |game, identity| {
                let purpose = if measured.contains(&identity) {
                    Purpose::Neither
                } else if lot(identity) < share {
                    Purpose::Validation
                } else {
                    Purpose::Training
                };
                dataset.add(game, identity, filters, purpose)
            })?;
        }
        Ok(dataset)
    }

    fn add(&mut self, game: &Game, identity: u64, filters: &Filters, purpose: Purpose) -> Result<(), TrainError> {
        let (read, samples) = match purpose {
            Purpose::Training => (&mut self.read, &mut self.training),
            Purpose::Validation => (&mut self.read, &mut self.validation),
            Purpose::Neither => return Ok(()),
        };
        let mut ply = 0;
        game.replay(|position, scored| {
            *read += 1;
            ply += 1;
            if filters.pass(position, scored, || lot(mix(identity, ply))) {
                let points = game.result.points(position.side_to_move());
                samples.push(Sample::new(position, scored.score.value() as i16, points));
            }
        })?;
        Ok(())
    }
}

/// Calls `visit` with the games of a source that are in its share, and what tells each from others.
fn for_each_game(
    source: &Source,
    mut visit: impl FnMut(&Game, u64) -> Result<(), TrainError>,
) -> Result<(), TrainError> {
    let mut visit = |number: u64, game: &Game| {
        if lot(number) < source.share { visit(game, identity(game)) } else { Ok(()) }
    };
    let is_psv = source.path.extension().is_some_and(|extension| extension == "psv" || extension == "bin");
    if !is_psv {
        for (number, game) in GameReader::open(&source.path)?.enumerate() {
            visit(number as u64, &game?)?;
        }
        return Ok(());
    }
    let positions = |error| TrainError::Positions { path: source.path.clone(), error };
    let file = File::open(&source.path).map_err(|error| positions(error.into()))?;
    for (number, psv) in PsvReader::new(BufReader::with_capacity(1 << 20, file)).enumerate() {
        let game = psv.and_then(|psv| psv.to_game(number as u64 + 1)).map_err(positions)?;
        visit(number as u64, &game)?;
    }
    Ok(())
}

/// A number that follows from the moves of a game.
fn identity(game: &Game) -> u64 {
    let start = game.start.as_ref().map_or(0, |position| position.key());
    let moves = game.opening.iter().copied().chain(game.moves.iter().map(|scored| scored.mv));
    moves.fold(start, |hash, mv| mix(hash, u64::from(mv.to_bits())))
}

/// Mixes two numbers into one (SplitMix64's finish).
fn mix(hash: u64, number: u64) -> u64 {
    let mut z = hash.wrapping_add(number).wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}

/// A number's lot between 0 and 1.
fn lot(number: u64) -> f64 {
    mix(number, 0) as f64 / u64::MAX as f64
}
