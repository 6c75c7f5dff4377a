//! Why a command ends without success.

use std::any::Any;
use std::io::{self, ErrorKind};

use crate::language::{InJapanese, Text};

/// What a command does, or why it could not.
pub(in crate::cli) type Result<T = (), E = Failure> = std::result::Result<T, E>;

/// Why a command ends without success, in both languages: an error without Japanese does not become one.
#[derive(Debug)]
pub(in crate::cli) struct Failure {
    kind: ErrorKind,
    text: Text,
}

impl Failure {
    /// Ctrl-C or SIGTERM ended the command before it was done.
    pub(in crate::cli) fn interrupted(text: Text) -> Failure {
        Failure { kind: ErrorKind::Interrupted, text }
    }

    /// An error that names what it is about, such as a file.
    pub(in crate::cli) fn about(name: &impl InJapanese, error: impl Into<Failure>) -> Failure {
        let Failure { kind, text } = error.into();
        Failure { kind, text: Text::about(name, &text) }
    }

    /// The kind of error, where it is the system's.
    pub(in crate::cli) fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// What is said of it.
    pub(in crate::cli) fn text(&self) -> &Text {
        &self.text
    }
}

impl<E: InJapanese + 'static> From<E> for Failure {
    fn from(error: E) -> Failure {
        let kind = (&error as &dyn Any).downcast_ref().map_or(ErrorKind::Other, io::Error::kind);
        Failure { kind, text: Text::new(&error) }
    }
}
