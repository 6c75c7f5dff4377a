//! Record files: games at about one and a half bytes a position.
//!
//! A file begins like all of Kurosabi's (`framing`), with magic `KUROGAME`, version 2 (1 in older files) and a
//! [`RecordHeader`]; then comes the CRC-32 of the header's text as u32. All numbers are little-endian.
//!
//! Then, in version 2, blocks of 128 games (fewer in the last one):
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
//! Version 1 has for each game a u16 length, the CRC-32 of the body, and the body: the first section's first three
//! items, a u8 number of opening moves, these as u16 ([`Move::to_bits`]), and a u16 and an i16 for each move played
//! and its score. It is read, and no longer written.
//!
//! [`Termination`]: super::Termination
//! [`Move::to_bits`]: crate::types::Move::to_bits

mod body;
mod codes;
mod error;
mod reader;
mod writer;

use serde::{Deserialize, Serialize};

use super::selfplay::SelfPlaySettings;

pub use error::{BodyError, HeaderError, RecordError};
pub use reader::GameReader;
pub use writer::GameWriter;

pub(crate) const MAGIC: &[u8; 8] = b"KUROGAME";
/// The version that is written.
const VERSION: u32 = 2;
/// The version whose games stand alone.
const PLAIN_VERSION: u32 = 1;

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

    /// The header of a file whose games come from elsewhere, or from several files.
    pub fn mixed(origin: &str) -> RecordHeader {
        RecordHeader {
            engine: concat!("kurosabi ", env!("CARGO_PKG_VERSION")).to_owned(),
            evaluation: origin.to_owned(),
            build: None,
            signature: None,
            network_sha256: None,
            settings: None,
            first_game: 0,
        }
    }

    /// The fields in which this header differs from another, with both values: `build "1a2b" and not "3c4d"`.
    fn difference(&self, other: &RecordHeader) -> String {
        let fields = |header| match serde_json::to_value(header) {
            Ok(serde_json::Value::Object(fields)) => fields,
            _ => Default::default(),
        };
        let (ours, theirs) = (fields(self), fields(other));
        let mut names: Vec<_> = ours.keys().chain(theirs.keys()).collect();
        names.sort();
        names.dedup();
        let none = serde_json::Value::Null;
        let differing = names.into_iter().filter_map(|name| {
            let (ours, theirs) = (ours.get(name).unwrap_or(&none), theirs.get(name).unwrap_or(&none));
            (ours != theirs).then(|| format!("{name} {ours} and not {theirs}"))
        });
        differing.collect::<Vec<_>>().join(", ")
    }
}
