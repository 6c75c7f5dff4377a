//! Kurosabi's own networks: `Ka_hm` inputs.

pub(super) mod factoriser;
mod grown;
pub(super) mod model;
pub(super) mod quantise;
pub(super) mod shape;
mod slab;
