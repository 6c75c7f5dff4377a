//! Kurosabi's own networks: `Ka_hm` inputs.

pub(super) mod factoriser;
mod grown;
pub(super) mod model;
mod passes;
pub(super) mod quantise;
mod rounded;
pub(super) mod shape;
mod slab;
mod tail;
