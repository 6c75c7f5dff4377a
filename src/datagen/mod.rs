//! Self-play games: playing them, keeping them in compact records, and exchanging their positions with other shogi
//! trainers.
//!
//! A record file ([`record`]) holds games; a training position is made from it by replaying. Playing
//! ([`selfplay`], [`generate`]) is a function of the settings and the game's number alone, so that a run
//! can be stopped at any time and goes on where it was, and so that many machines can share the games between them.
//! [`psv`] reads and writes the 40-byte positions that other trainers use; [`source`] reads files of either kind. A
//! [`manifest`] says what files hold.

/// The commit that the program was built from, with a plus sign where changes had not been committed; `debug` in
/// test builds, `unknown` where git was not at hand.
pub const BUILD: &str = env!("KUROSABI_BUILD");

pub mod game;
pub mod generate;
pub mod manifest;
pub mod openings;
pub mod psv;
pub mod record;
pub mod result;
pub mod scores;
pub mod selfplay;
pub mod sha256;
pub mod source;
pub mod statistics;

pub use game::{Game, GameError, ScoredMove};
pub use generate::{GenerateError, Generation, Identity, Progress};
pub(crate) use record::MAGIC;
pub use record::{GameReader, GameWriter, Header, RecordError};
pub use result::{GameResult, Termination};
pub use selfplay::SelfPlaySettings;
pub use source::{SourceError, open_source};
