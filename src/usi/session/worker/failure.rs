//! Commands that cannot be done.

use std::fmt::Display;

use thiserror::Error;

use crate::language::InJapanese;

/// Why a command cannot be done.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct Failure(String);

impl Failure {
    pub(in crate::usi::session) fn new(reason: impl Display) -> Failure {
        Failure(reason.to_string())
    }
}

/// Sessions write English: what they say goes to programs.
impl InJapanese for Failure {
    fn in_japanese(&self) -> String {
        self.to_string()
    }
}

/// What happens to the commands behind one that cannot be carried out.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::usi::session) enum OnFailure {
    /// The client is told in an `info string`, and they are carried out.
    GoOn,
    /// They are not carried out.
    End,
}
