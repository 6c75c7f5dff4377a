//! What a node needs to look its children up.

use crate::mate::solver::path::Path;
use crate::position::Position;

/// What a node needs to look its children up.
pub(in crate::mate::solver) struct Sources<'a, S> {
    pub(in crate::mate::solver) position: &'a mut Position,
    pub(in crate::mate::solver) table: &'a S,
    pub(in crate::mate::solver) path: &'a Path,
    /// Whether futile interpositions count for nothing.
    pub(in crate::mate::solver) without_futile: bool,
}

impl<'a, S> Sources<'a, S> {
    pub(in crate::mate::solver) fn of(
        position: &'a mut Position,
        table: &'a S,
        path: &'a Path,
        without_futile: bool,
    ) -> Sources<'a, S> {
        Sources { position, table, path, without_futile }
    }
}
