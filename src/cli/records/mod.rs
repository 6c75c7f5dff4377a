//! Subcommands that read game records.

pub(super) mod convert;
pub(super) mod files;
pub(super) mod inputs;
pub(super) mod referee;
