//! Commands that cannot be done.

use thiserror::Error;

use crate::language::{InJapanese, Text};

/// Why a command cannot be done.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub(crate) struct Failure(Text);

impl Failure {
    pub(in crate::usi::session) fn new(reason: &impl InJapanese) -> Failure {
        Failure(Text { en: reason.to_string(), ja: reason.in_japanese() })
    }
}

impl InJapanese for Failure {
    fn in_japanese(&self) -> String {
        self.0.in_japanese()
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
