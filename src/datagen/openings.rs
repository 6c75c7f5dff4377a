//! Lists of openings from which games may start.

use std::path::{Path, PathBuf};
use std::{fs, io};

use rand::RngExt;
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use thiserror::Error;

use crate::position::Position;
use crate::types::Move;

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
    /// A line is not `startpos moves …`.
    #[error("{path}, line {line}: {text:?} does not begin with \"startpos moves\"", path = path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// Number of the line, from 1.
        line: usize,
        /// The line.
        text: String,
    },
    /// A move is none, or is not legal there.
    #[error("{path}, line {line}: {text:?} is not a legal move there", path = path.display())]
    Move {
        /// The file.
        path: PathBuf,
        /// Number of the line, from 1.
        line: usize,
        /// The move.
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
        let text = fs::read_to_string(&path).map_err(|error| OpeningsError::Io { path: path.clone(), error })?;
        let mut lines = Vec::new();
        for (index, text) in text.lines().enumerate() {
            let text = text.trim();
            if text.is_empty() || text.starts_with('#') {
                continue;
            }
            let line = index + 1;
            let moves = text.strip_prefix("position ").unwrap_or(text).strip_prefix("startpos");
            let Some(moves) = moves.and_then(|rest| rest.trim_start().strip_prefix("moves")) else {
                return Err(OpeningsError::Line { path, line, text: text.to_owned() });
            };
            let mut position = Position::startpos();
            let mut opening = Vec::new();
            for text in moves.split_whitespace() {
                let Some(mv) = text.parse().ok().filter(|&mv| position.is_legal(mv)) else {
                    return Err(OpeningsError::Move { path, line, text: text.to_owned() });
                };
                position.do_move(mv);
                opening.push(mv);
            }
            lines.push(opening);
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
