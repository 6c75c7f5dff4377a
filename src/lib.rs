//! Kurosabi (黒錆), a USI shogi engine, as a library.

pub mod bitboard;
pub mod eval;
pub mod mate;
pub mod movegen;
pub mod position;
pub mod search;
pub mod types;
pub mod usi;
