//! Self-play games: playing them, and keeping them in compact records.
//!
//! A record file ([`GameReader`], [`GameWriter`]) holds games; a training position is made from it by replaying.
//! Playing ([`Generation`]) is a function of the settings and the game's number alone, so that a run can be stopped at
//! any time and goes on where it was, and so that many machines can share the games between them.

mod game;
mod generate;
mod record;
mod selfplay;
mod statistics;

use std::io::{self, Read};
use std::path::Path;

use sha2::{Digest, Sha256};

pub use game::{Game, GameError, GameResult, ScoredMove, Termination};
pub use generate::{GenerateError, Generation, Progress};
pub use record::{GameReader, GameWriter, RecordError, RecordHeader};
pub use selfplay::{Openings, OpeningsError, SelfPlaySettings};
pub use statistics::Statistics;

use crate::open_file;

/// The commit that the program was built from, with a plus sign where changes had not been committed; `debug` in
/// test builds, `unknown` where git was not at hand.
pub const BUILD: &str = env!("KUROSABI_BUILD");

/// The SHA-256 of a file, in lower-case hexadecimal, as `sha256sum` prints it.
///
/// # Errors
/// When the file cannot be read, or is no regular file: what else is read a second time is another content.
pub fn file_sha256(path: &Path) -> io::Result<String> {
    let mut bytes = Vec::new();
    open_file::regular(path)?.read_to_end(&mut bytes)?;
    Ok(sha256(&bytes))
}

/// The SHA-256 of bytes, in lower-case hexadecimal.
pub fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}
