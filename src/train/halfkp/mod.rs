//! Networks of the public format (`nn.bin`): `HalfKP` rows, two hidden layers.
//!
//! A first layer of 125,388 [`rows`] cut into slabs of columns ([`feature_slab`]) with a factoriser, which is
//! folded in at the end; a dense [`tail`], whose gradients are added up shard by shard of a chunk; the integers
//! and their file ([`export`]).

mod export;
mod feature_slab;
mod model;
mod rows;
mod tail;

pub use export::HalfKpNetwork;
pub use model::HalfKpModel;
