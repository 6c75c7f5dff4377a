//! Where a search must end.

use std::time::Instant;

use super::result::MateLimits;

/// Where a search must end, decided or not.
#[derive(Clone, Copy, Debug)]
pub(super) struct Deadline {
    pub(super) nodes: u64,
    pub(super) time: Option<Instant>,
}

impl Deadline {
    pub(super) const NONE: Deadline = Deadline { nodes: u64::MAX, time: None };

    pub(super) fn of(limits: &MateLimits, start: Instant) -> Deadline {
        Deadline { nodes: limits.nodes.unwrap_or(u64::MAX), time: limits.time.and_then(|time| start.checked_add(time)) }
    }
}
