//! Kurosabi's own networks: `Ka_hm` inputs.

pub(super) mod factoriser;
pub(super) mod model;
pub(super) mod quantise;
mod slab;
mod tail;
