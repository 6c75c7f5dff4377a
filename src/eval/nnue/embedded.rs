//! The network that is part of the program. A page loads it as a file of its own, beside the module.

#[cfg(feature = "web")]
use std::sync::OnceLock;
use std::sync::{Arc, LazyLock};

use super::{Network, NnueError};

/// Trained on games of the program against itself, the last of them with SuishoPetite: see `embedded/MODEL_CARD.md`.
#[cfg(not(feature = "web"))]
const FILE: &[u8] = include_bytes!("embedded/kurosabi.kuro.gz");

#[cfg(feature = "web")]
static FILE: OnceLock<Vec<u8>> = OnceLock::new();

static NETWORK: LazyLock<Result<Arc<Network>, NnueError>> = LazyLock::new(|| Network::read(file()).map(Arc::new));

/// The embedded network's file.
pub(crate) fn file() -> &'static [u8] {
    #[cfg(not(feature = "web"))]
    return FILE;
    #[cfg(feature = "web")]
    FILE.get().expect("the page gives the network before the first command")
}

/// Takes the network's file from the page, once. Returns whether it can be read.
#[cfg(feature = "web")]
pub(crate) fn set_file(bytes: Vec<u8>) -> bool {
    FILE.get_or_init(|| bytes);
    NETWORK.is_ok()
}

/// The embedded network, unpacked when it is first asked for.
pub(crate) fn network() -> Arc<Network> {
    match &*NETWORK {
        Ok(network) => Arc::clone(network),
        // A test reads it: what it may lack is memory.
        Err(error) => panic!("no memory for the built-in network ({error})"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_embedded_network_can_be_read() {
        assert!(network().description().starts_with("Kurosabi"));
    }
}
