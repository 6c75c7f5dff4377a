//! Files of games, and which of their positions are trained on and measured with.

use std::collections::HashSet;
use std::path::PathBuf;
use std::str::FromStr;

use thiserror::Error;

use super::TrainError;
use super::store::{Filters, GameStore, identity, uniform};
use crate::datagen::{Game, GameReader};

/// A file of games and the share of them to use.
#[derive(Clone, Debug, PartialEq)]
pub struct GameFile {
    /// The file.
    pub path: PathBuf,
    /// Share of its games, up to 1.
    pub share: f64,
}

/// `games` or `games:0.3`.
impl FromStr for GameFile {
    type Err = ShareError;

    fn from_str(text: &str) -> Result<GameFile, ShareError> {
        let with_share = text.rsplit_once(':').and_then(|(path, share)| Some((path, share.parse().ok()?)));
        let (path, share) = with_share.unwrap_or((text, 1.0));
        if !(0.0..=1.0).contains(&share) {
            return Err(ShareError(text.to_owned()));
        }
        Ok(GameFile { path: path.into(), share })
    }
}

/// A share that is none.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0:?}: the share must be a number from 0 to 1")]
pub struct ShareError(String);

/// The games to measure with. None of them is trained on.
#[derive(Clone, Debug, PartialEq)]
pub enum Validation {
    /// This share of the games that are read. Which ones follows from their moves alone: the same ones in any
    /// file and with any others.
    Share(f64),
    /// All games of a file, so that runs on different games can be compared.
    File(GameFile),
}

/// `0.02`, or a file as [`GameFile`] has it.
impl FromStr for Validation {
    type Err = ShareError;

    fn from_str(text: &str) -> Result<Validation, ShareError> {
        match text.parse() {
            Ok(share) if (0.0..=1.0).contains(&share) => Ok(Validation::Share(share)),
            Ok(_) => Err(ShareError(text.to_owned())),
            Err(_) => GameFile::from_str(text).map(Validation::File),
        }
    }
}

/// Games to train on, and others to measure with.
#[derive(Clone, Debug)]
pub struct Dataset {
    /// To train on.
    pub training: GameStore,
    /// To measure with.
    pub validation: GameStore,
}

impl Dataset {
    /// Reads files. What is trained on gets its scores by TD(`lambda`), see [`GameStore::with_lambda`]; what is
    /// measured with keeps its own.
    ///
    /// # Errors
    /// When a file cannot be read.
    pub fn load(
        files: &[GameFile],
        filters: &Filters,
        lambda: f32,
        validation: &Validation,
    ) -> Result<Dataset, TrainError> {
        let training = GameStore::new(*filters).with_lambda(lambda);
        let mut dataset = Dataset { training, validation: GameStore::new(*filters) };
        let mut measured = HashSet::new();
        let mut share = 0.0;
        match validation {
            Validation::Share(number) => share = *number,
            Validation::File(file) => for_each_game(file, |game| {
                // A game that stands in a file twice is measured with once.
                if measured.insert(identity(&game)) {
                    dataset.validation.push(game)?;
                }
                Ok(())
            })?,
        }
        for file in files {
            for_each_game(file, |game| {
                let identity = identity(&game);
                if uniform(identity) < share {
                    dataset.validation.push(game)?;
                } else if !measured.contains(&identity) {
                    dataset.training.push(game)?;
                }
                Ok(())
            })?;
        }
        Ok(dataset)
    }
}

/// Calls `visit` with the games of a file that are in its share.
fn for_each_game(file: &GameFile, mut visit: impl FnMut(Game) -> Result<(), TrainError>) -> Result<(), TrainError> {
    let failed = TrainError::naming(&file.path);
    for (number, game) in GameReader::open(&file.path).map_err(failed)?.enumerate() {
        let game = game.map_err(failed)?;
        if uniform(number as u64) < file.share {
            visit(game)?;
        }
    }
    Ok(())
}
