//! How fast positions are visited.

use std::time::Duration;

/// Times below this count as this, so that none is divided by 0.
const SHORTEST: f64 = 1e-6;

/// Nodes a second.
pub(crate) fn nodes_per_second(nodes: u64, time: Duration) -> u64 {
    (nodes as f64 / time.as_secs_f64().max(SHORTEST)) as u64
}
