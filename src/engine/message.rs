//! What the engine has to say to people.

use thiserror::Error;

use crate::book::{BookError, ChoiceRemark};
use crate::eval::nnue::{NnueError, NnueWarning};
use crate::search::CutDelay;
use crate::types::Move;

/// MiB that a search thread keeps of its own, rounded up.
pub(super) const THREAD_MIB: u64 = 37;

/// What is not available as the options ask for it, and what is odd about a search.
#[derive(Debug, Error)]
pub enum EngineMessage {
    /// Not enough memory for the table.
    #[error("not enough memory for USI_Hash {asked}: using {used} MiB")]
    Hash {
        /// MiB asked for.
        asked: usize,
        /// MiB used instead.
        used: usize,
    },
    /// Not enough memory for the threads, or the system does not start that many.
    #[error("not enough memory for {asked} threads ({THREAD_MIB} MiB each): using {used}")]
    Threads {
        /// Threads asked for.
        asked: usize,
        /// Threads used instead.
        used: usize,
    },
    /// Not even the smallest searcher can be made.
    #[error("not enough memory to search")]
    NoMemory,
    /// The network cannot be used; the built-in evaluation is.
    #[error("EvalFile \"{file}\": {error}; the built-in evaluation is used")]
    EvalFile {
        /// The option's value.
        file: String,
        /// What is wrong.
        error: NnueError,
    },
    /// The network is used, though something is odd about it.
    #[error("EvalFile \"{file}\": {warning}")]
    OddEvalFile {
        /// The option's value.
        file: String,
        /// What is odd.
        warning: NnueWarning,
    },
    /// The book cannot be used. The engine plays on without one.
    #[error("BookFile \"{file}\": {error}; no book is used")]
    Book {
        /// The option's value.
        file: String,
        /// What is wrong.
        error: BookError,
    },
    /// The clock leaves no room for a delay.
    #[error(transparent)]
    CutDelay(CutDelay),
    /// A move to be searched that is not legal.
    #[error("illegal search move \"{0}\" is ignored")]
    IllegalSearchMove(Move),
    /// What is odd about the book's answer.
    #[error(transparent)]
    Choice(ChoiceRemark),
    /// There is an answer only because there must be one.
    #[error("{0}: any legal move is played")]
    Failure(SearchFailure),
}

/// Why an answer is worth nothing but that it is legal.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SearchFailure {
    /// There is too little memory.
    #[error("not enough memory to search")]
    NoMemory,
    /// A defect.
    #[error("internal error in the search: {0}")]
    Panic(String),
}

impl EngineMessage {
    /// Why a file that the options name cannot be used, if the message is about one. A player can go on without it; a
    /// caller that asks for its content cannot.
    pub fn failure(&self) -> Option<String> {
        match self {
            EngineMessage::EvalFile { file, error } => Some(format!("EvalFile \"{file}\": {error}")),
            EngineMessage::Book { file, error } => Some(format!("BookFile \"{file}\": {error}")),
            _ => None,
        }
    }
}
