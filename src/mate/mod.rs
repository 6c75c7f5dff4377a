//! Mate tests.

mod contact;
mod one_ply;

pub use one_ply::mate_in_one;
