//! Self-play games: playing them, keeping them in compact records, and exchanging their positions with other shogi
//! trainers.
//!
//! A record file ([`GameReader`], [`GameWriter`]) holds games; a training position is made from it by replaying.
//! Playing ([`Generation`]) is a function of the settings and the game's number alone, so that a run can be stopped at
//! any time and goes on where it was, and so that many machines can share the games between them. [`psv`] reads and
//! writes the 40-byte positions that other trainers use; [`open_source`] reads files of either kind. A manifest
//! ([`ManifestEntry`]) says what files hold.

mod game;
mod generate;
mod manifest;
pub mod psv;
mod record;
mod selfplay;
mod statistics;

use std::io::BufReader;
use std::path::{Path, PathBuf};

use thiserror::Error;

pub use game::{Game, GameError, GameResult, ScoredMove, Termination};
pub use generate::{GenerateError, Generation, Identity, Progress};
pub use manifest::{ManifestEntry, ManifestError, file_sha256, read_manifest, sha256};
pub(crate) use record::MAGIC;
pub use record::{BodyError, GameReader, GameWriter, HeaderError, RecordError, RecordHeader};
pub use selfplay::{Openings, OpeningsError, SelfPlaySettings};
pub use statistics::Statistics;

use crate::open_file;
use psv::{PsvError, PsvReader};

/// The commit that the program was built from, with a plus sign where changes had not been committed; `debug` in
/// test builds, `unknown` where git was not at hand.
pub const BUILD: &str = env!("KUROSABI_BUILD");

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
