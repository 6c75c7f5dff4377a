//! What the sections of a block are made of: bytes to read from, moves and scores as codes, deflate.

pub(super) mod bytes;
pub(super) mod deflate;
pub(super) mod moves;
pub(super) mod scores;
