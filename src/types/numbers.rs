//! Arithmetic that several rooms share: mixing numbers into hashes, nodes a second.

use std::time::Duration;

/// An odd number without pattern (the golden ratio's fraction): multiplying by it spreads numbers over the high bits
/// ("Fibonacci hashing", Knuth).
pub(crate) const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

/// SplitMix64 (Steele, Lea, Flood 2014): the n-th output of a stream, from 0.
pub(crate) const fn split_mix(n: u64) -> u64 {
    let mut z = n.wrapping_add(1).wrapping_mul(GOLDEN);
    z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}

/// Times below this count as this, so that none is divided by 0.
const SHORTEST: f64 = 1e-6;

/// Nodes a second.
pub(crate) fn nodes_per_second(nodes: u64, time: Duration) -> u64 {
    (nodes as f64 / time.as_secs_f64().max(SHORTEST)) as u64
}
