//! Lists of openings from which games may start.

use std::io;
use std::path::{Path, PathBuf};

use rand::RngExt;
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use thiserror::Error;

use crate::open_file::read_text;
use crate::position::Position;
use crate::rules::{GameLine, LineError};
use crate::types::Move;

/// The largest file, in bytes: room for a million openings of fifty moves.
const MAX_FILE: u64 = 256 << 20;

/// Lines of moves from the start of an even game.
#[derive(Clone, Debug, Default)]
pub struct Openings {
    lines: Vec<Vec<Move>>,
    crc: u32,
}

/// Why a list of openings cannot be used.
#[derive(Debug, Error)]
pub enum OpeningsError {
    /// The system says so.
    #[error("{path}: {error}", path = path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// It is larger than any list of openings.
    #[error("{path} is larger than {limit} MiB, which no list of openings is", path = path.display())]
    TooLarge {
        /// The file.
        path: PathBuf,
        /// The size of the largest list, in MiB.
        limit: u64,
    },
    /// A line cannot be read, or holds an illegal move.
    #[error("{path}, line {line}: {error}", path = path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// Number of the line, from 1.
        line: usize,
        /// What is wrong with it.
        error: LineError,
    },
    /// A line begins elsewhere than with the even game.
    #[error("{path}, line {line}: {text:?} does not begin with \"startpos\"", path = path.display())]
    Start {
        /// The file.
        path: PathBuf,
        /// Number of the line, from 1.
        line: usize,
        /// The line.
        text: String,
    },
    /// There are no lines in it.
    #[error("{path} holds no opening", path = path.display())]
    Empty {
        /// The file.
        path: PathBuf,
    },
}

impl Openings {
    /// Reads a file with a line `startpos moves …` for each opening; empty lines and `#` comments are skipped.
    ///
    /// # Errors
    /// Names the line that is not an opening.
    pub fn load(path: impl AsRef<Path>) -> Result<Openings, OpeningsError> {
        let path = path.as_ref().to_owned();
        let text = match read_text(&path, MAX_FILE) {
            Ok(Some(text)) => text,
            Ok(None) => return Err(OpeningsError::TooLarge { path, limit: MAX_FILE >> 20 }),
            Err(error) => return Err(OpeningsError::Io { path, error }),
        };
        let mut lines = Vec::new();
        for (index, text) in text.lines().enumerate() {
            let text = text.trim();
            if text.is_empty() || text.starts_with('#') {
                continue;
            }
            let line = index + 1;
            match text.parse::<GameLine>() {
                Ok(opening) if opening.start() == Position::startpos() => lines.push(opening.moves().to_vec()),
                Ok(_) => return Err(OpeningsError::Start { path, line, text: text.to_owned() }),
                Err(error) => return Err(OpeningsError::Line { path, line, error }),
            }
        }
        if lines.is_empty() {
            return Err(OpeningsError::Empty { path });
        }
        Ok(Openings { lines, crc: crc32fast::hash(text.as_bytes()) })
    }

    /// Tells lists apart; 0 for the empty list.
    pub fn crc(&self) -> u32 {
        self.crc
    }

    /// The first moves of one of the lines, at least a quarter of it. `None` where there are no lines.
    pub(super) fn draw(&self, rng: &mut StdRng) -> Option<Vec<Move>> {
        let line = self.lines.choose(rng)?;
        let length = rng.random_range(line.len() / 4..=line.len());
        Some(line[..length].to_vec())
    }
}
