//! What the mate search is asked, when it must end, and what it answers.

use std::time::Duration;

use thiserror::Error;

use crate::types::Move;
use crate::types::numbers::nodes_per_second;

/// How long to look for a mate. Without any limit the search runs until it knows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MateLimits {
    /// Positions to visit at most. With one thread and no other limit the result is always the same.
    pub nodes: Option<u64>,
    /// Time to use at most.
    pub time: Option<Duration>,
    /// Longest mate looked for, in plies.
    pub plies: Option<u16>,
    /// Whether any mate will do. Otherwise the shortest one is looked for, with the longest defence.
    pub any_length: bool,
    /// Whether futile interpositions (無駄合) count for nothing, as in collections of problems: the mate ends where the
    /// defender has no other answers left.
    pub without_futile: bool,
}

/// What is known of a position after a search for a mate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MateOutcome {
    /// The attacker mates.
    Mate(Mate),
    /// The attacker cannot mate by checks alone.
    NoMate {
        /// When the defender moves: a move that escapes.
        escape: Option<Move>,
    },
    /// There is no mate within the plies of [`MateLimits::plies`]; there may be a longer one.
    NoMateWithin(u16),
    /// A limit was reached, or the search was stopped, before anything was known.
    Unknown,
}

/// A mate that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mate {
    /// All moves to the end, those of both sides, each legal. Interpositions that only delay the mate (無駄合) count
    /// like all other moves, unless the limits say otherwise.
    pub moves: Vec<Move>,
    /// Whether no mate is shorter and no defence longer. Otherwise a limit was reached before that was known.
    pub is_shortest: bool,
}

impl Mate {
    /// The number of plies to the end.
    pub fn plies(&self) -> usize {
        self.moves.len()
    }
}

/// The answer of a search for a mate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MateResult {
    /// What was found.
    pub outcome: MateOutcome,
    /// What it took.
    pub progress: MateProgress,
}

impl MateResult {
    /// The mate, if there is one.
    pub fn mate(&self) -> Option<&Mate> {
        match &self.outcome {
            MateOutcome::Mate(mate) => Some(mate),
            _ => None,
        }
    }
}

/// How far a search for a mate is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MateProgress {
    /// Positions visited.
    pub nodes: u64,
    /// Time used.
    pub time: Duration,
    /// Longest path looked at, in plies.
    pub selective_depth: u16,
    /// Share of the table in use, in permille.
    pub hash_full: u32,
    /// The moves of the shortest mate known so far; empty while none is.
    pub mate: Vec<Move>,
}

impl MateProgress {
    /// Positions visited a second.
    pub fn nps(&self) -> u64 {
        nodes_per_second(self.nodes, self.time)
    }
}

/// Watches a search for a mate, and may end it.
pub trait MateObserver: Sync {
    /// Called from time to time while the search runs.
    fn on_progress(&self, _progress: &MateProgress) {}

    /// How often [`MateObserver::on_progress`] is called.
    fn interval(&self) -> Duration {
        Duration::from_secs(1)
    }

    /// Whether the search should end now. Asked every 512 positions; the moves of a mate that has been found may take
    /// 40,000 more to put together.
    fn is_stopped(&self) -> bool {
        false
    }
}

/// Lets a search run and looks at its answer only.
pub struct SilentMateObserver;

impl MateObserver for SilentMateObserver {}

/// Why a search for a mate could not be made.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum MateError {
    /// The side that is to be mated has no king.
    #[error("there is no king to mate")]
    NoKing,
    /// The system refused what the search needs.
    #[error("no thread for the mate search: {0}")]
    Thread(String),
}
