//! `id`, and what the protocol's draft has for registered copies.

use std::fmt;

/// Who the engine is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Id {
    /// `id name <engine and version>`.
    Name(String),
    /// `id author <who wrote it>`.
    Author(String),
}

/// What `register` says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Register {
    /// `register later`.
    Later,
    /// `register name <name> code <code>`.
    Account {
        /// Who registers, never empty.
        name: String,
        /// The code the user was given.
        code: String,
    },
}

/// How far copy protection or registration has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verification {
    /// `checking`
    Checking,
    /// `ok`
    Ok,
    /// `error`
    Error,
}

/// The word after `copyprotection` or `registration`.
impl fmt::Display for Verification {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Verification::Checking => "checking",
            Verification::Ok => "ok",
            Verification::Error => "error",
        })
    }
}
