//! The network that is part of the program.

use std::sync::{Arc, LazyLock};

use super::Network;

/// Trained on games of the program against itself: see `embedded/MODEL_CARD.md`.
const FILE: &[u8] = include_bytes!("embedded/kurosabi.kuro.gz");

static NETWORK: LazyLock<Arc<Network>> = LazyLock::new(|| {
    // A test reads it: what it may lack is memory.
    Arc::new(Network::read(FILE).unwrap_or_else(|error| panic!("no memory for the built-in network ({error})")))
});

/// The embedded network's file.
pub(crate) fn file() -> &'static [u8] {
    FILE
}

/// The embedded network, unpacked when it is first asked for.
pub(crate) fn network() -> Arc<Network> {
    Arc::clone(&NETWORK)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_embedded_network_can_be_read() {
        assert!(network().description().starts_with("Kurosabi"));
    }
}
