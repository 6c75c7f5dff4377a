//! Record files: games at about one and a half bytes a position.
//!
//! A file begins like all of Kurosabi's (`framing`), with magic `KUROGAME`, version 2 and a [`RecordHeader`]; then
//! comes the CRC-32 of the header's text as u32. All numbers are little-endian.
//!
//! Then blocks of 128 games (fewer in the last one):
//!
//! | bytes | what |
//! |---|---|
//! | u32 | length of the packed games |
//! | u16 | number of games |
//! | u32 | CRC-32 of these six bytes and the packed games |
//! | u32, … four times | length and data of a section, packed by deflate |
//!
//! The sections hold, game after game:
//! 1. heads: u8 with the result (bits 0–1: draw, Black's win, White's win), the code of the [`Termination`]
//!    (bits 2–6) and whether a start follows (bit 7); the start's SFEN as u8 length and text; u16 number of opening
//!    moves; u16 number of moves with scores;
//! 2. moves: a byte each, the move's rank among the legal moves in a fixed order (`codes.rs`), or 255;
//! 3. scores: a byte each, the sum of the score's code (`codes.rs`) and that of the position before, which
//!    was seen from the other side: 0 where nothing changed;
//! 4. what has no room in a byte: u16 ranks from 255, i16 scores beyond the codes.
//!
//! A block is a few thousand positions: enough for the codes of deflate, which fit themselves to the frequencies of
//! the bytes. A file that breaks off, as after a crash, is whole up to its last block.
//!
//! [`Termination`]: super::Termination

mod body;
mod file;

use std::collections::BTreeSet;
use std::error::Error as StdError;
use std::io;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use thiserror::Error;

use super::game::GameError;
use super::selfplay::SelfPlaySettings;
use crate::framing::FrameError;
use crate::search::SearcherError;

pub use file::{GameReader, GameWriter};

const MAGIC: &[u8; 8] = b"KUROGAME";
/// The version of the format.
const VERSION: u32 = 2;

/// What all games of a file have in common.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RecordHeader {
    /// The program that played, with its version.
    pub engine: String,
    /// What it evaluated with.
    pub evaluation: String,
    /// The commit that the program was built from, as [`super::BUILD`] has it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub build: Option<String>,
    /// Nodes of `kurosabi bench --depth` [`RecordHeader::SIGNATURE_DEPTH`]: the signature of the search.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signature: Option<u64>,
    /// SHA-256 of the network's file; none where no network evaluated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub network_sha256: Option<String>,
    /// How it played; `None` for games that were not played by `kurosabi datagen` with one setting.
    pub settings: Option<SelfPlaySettings>,
    /// Number of the first game, from 0: a game follows from the settings and its number.
    #[serde(default)]
    pub first_game: u64,
}

impl RecordHeader {
    /// Depth of the bench whose nodes are the [`RecordHeader::signature`].
    pub const SIGNATURE_DEPTH: i32 = 7;

    /// The header of a file of games by this program with this evaluation, of which nothing else is known.
    pub fn new(evaluation: &str) -> RecordHeader {
        RecordHeader {
            engine: concat!("kurosabi ", env!("CARGO_PKG_VERSION")).to_owned(),
            evaluation: evaluation.to_owned(),
            build: None,
            signature: None,
            network_sha256: None,
            settings: None,
            first_game: 0,
        }
    }

    /// The fields in which this header differs from another, with both values: `build "1a2b" and not "3c4d"`.
    fn difference(&self, other: &RecordHeader) -> String {
        let [ours, theirs] = [self, other].map(|header| serde_json::to_value(header).unwrap_or_default());
        let names = [&ours, &theirs].map(|fields| fields.as_object().into_iter().flat_map(|fields| fields.keys()));
        let names: BTreeSet<&String> = names.into_iter().flatten().collect();
        let differing = names.into_iter().filter(|&name| ours.get(name) != theirs.get(name));
        let value = |fields: &Value, name| fields.get(name).unwrap_or(&Value::Null).to_string();
        let differences =
            differing.map(|name| format!("{name} {} and not {}", value(&ours, name), value(&theirs, name)));
        differences.collect::<Vec<_>>().join(", ")
    }
}

/// Why a file of games cannot be read or written.
#[derive(Debug, Error)]
pub enum RecordError {
    /// The system says so.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The file is something else, which begins so.
    #[error("not a file of Kurosabi games (it begins with {0:?})")]
    Foreign(String),
    /// The file was written by another version of the program.
    #[error("version {0} of the game format; this program reads version {VERSION}")]
    Version(u32),
    /// The header is damaged.
    #[error("the header is damaged: {0}")]
    Header(FrameError),
    /// A game is damaged.
    #[error("game {game} at byte {offset} is damaged: {reason}")]
    Game {
        /// Its number, from 1.
        game: u64,
        /// Where it begins.
        offset: u64,
        /// What is wrong.
        reason: Damage,
    },
    /// The file ends inside a game.
    #[error("it ends inside game {game}, which begins at byte {offset}")]
    Truncated {
        /// The game's number, from 1.
        game: u64,
        /// Where it begins.
        offset: u64,
    },
    /// A file to be continued holds other games: what differs.
    #[error("it holds other games; choose another file, or what it was made with: {0}")]
    OtherGames(String),
    /// Another process writes to the file.
    #[error("it is being written to by another process")]
    Locked,
    /// A game that is to be written is not one.
    #[error("a game cannot be written: {0}")]
    Illegal(#[from] GameError),
    /// There is no room for the searches.
    #[error(transparent)]
    Searcher(#[from] SearcherError),
    /// A game that the format has no room for: its length.
    #[error("a game of {0} plies is too long for the format")]
    TooLong(usize),
}

/// What is wrong with a block of games.
type Damage = Box<dyn StdError + Send + Sync>;

impl From<FrameError> for RecordError {
    fn from(error: FrameError) -> RecordError {
        match error {
            FrameError::Io(error) => RecordError::Io(error),
            FrameError::Magic { found, .. } => RecordError::Foreign(found),
            FrameError::Truncated { section: "magic", .. } => RecordError::Foreign(String::new()),
            error => RecordError::Header(error),
        }
    }
}
