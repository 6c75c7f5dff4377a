//! Subcommands that read game records.

pub(super) mod convert;
mod inputs;
pub(super) mod referee;
