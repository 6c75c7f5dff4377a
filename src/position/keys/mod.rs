//! Zobrist keys of positions and of parts of them.

pub(super) mod part_keys;
pub(super) mod zobrist;
