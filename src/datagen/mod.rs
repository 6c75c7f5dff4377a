//! Self-play games: playing them, keeping them in compact records, and exchanging their positions with
//! the field's trainers.
//!
//! A record file ([`record`]) holds games; a training position is made from it by replaying. Playing
//! ([`selfplay`], [`generate`]) is a function of the settings and the game's number alone, so that a run
//! can be stopped at any time and goes on where it was. [`psv`] reads and writes the 40-byte positions
//! that other trainers use.

pub mod game;
pub mod generate;
pub mod openings;
pub mod packed;
pub mod psv;
pub mod record;
pub mod selfplay;
pub mod statistics;

pub use game::{Game, GameResult, ScoredMove, Termination};
pub use generate::{GenerateError, Generation, Progress};
pub use record::{GameReader, GameWriter, Header, RecordError};
pub use selfplay::SelfPlaySettings;
