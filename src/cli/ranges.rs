//! The ranges of arguments that several commands have: those of the engine's options.

use clap::builder::RangedU64ValueParser;

use crate::engine::Options;

/// Threads, or what is done at once.
pub(super) fn threads() -> RangedU64ValueParser<usize> {
    RangedU64ValueParser::new().range(1..=Options::MAX_THREADS as u64)
}

/// The same, with 0 for one on each core.
pub(super) fn threads_or_all() -> RangedU64ValueParser<usize> {
    RangedU64ValueParser::new().range(0..=Options::MAX_THREADS as u64)
}

/// The size of a table, in MiB.
pub(super) fn hash_mb() -> RangedU64ValueParser<usize> {
    RangedU64ValueParser::new().range(1..=Options::MAX_HASH_MB as u64)
}
