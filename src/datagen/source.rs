//! Games from files of either type: Kurosabi's records, and 40-byte positions.

use std::io::BufReader;
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::game::Game;
use super::psv::{PsvError, PsvReader};
use super::record::{GameReader, RecordError};
use crate::open_file;

/// Why a file of games or positions cannot be read.
#[derive(Debug, Error)]
pub enum SourceError {
    /// A file of games.
    #[error(transparent)]
    Games(#[from] RecordError),
    /// A file of single positions.
    #[error("{path}: {error}", path = path.display())]
    Positions {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        error: PsvError,
    },
}

/// The games of a file, one after another.
pub type Games = Box<dyn Iterator<Item = Result<Game, SourceError>> + Send>;

/// The games of a file. Where its name ends in `.psv` or `.bin` it holds 40-byte positions, each of which is a game of
/// one move. All moves are legal; after the first error nothing more is read.
///
/// # Errors
/// When the file cannot be opened, or is no file of games.
pub fn open_source(path: &Path) -> Result<Games, SourceError> {
    let is_psv = path.extension().is_some_and(|extension| extension == "psv" || extension == "bin");
    if !is_psv {
        return Ok(Box::new(GameReader::open(path)?.map(|game| game.map_err(SourceError::Games))));
    }
    let path = path.to_owned();
    let positions = |error| SourceError::Positions { path: path.clone(), error };
    let file = open_file::to_read(&path).map_err(|error| positions(error.into()))?;
    let mut numbered = PsvReader::new(BufReader::with_capacity(1 << 20, file)).zip(1..);
    let mut has_failed = false;
    Ok(Box::new(std::iter::from_fn(move || {
        let (psv, number) = numbered.next().filter(|_| !has_failed)?;
        let game = psv.and_then(|psv| psv.to_game(number));
        has_failed = game.is_err();
        Some(game.map_err(|error| SourceError::Positions { path: path.clone(), error }))
    })))
}
