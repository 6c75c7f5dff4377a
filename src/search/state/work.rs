//! Work that is no node of its own, counted in builds for tuning.

use super::thread::SearchThread;

/// A step of the search that takes time without making a move.
#[derive(Clone, Copy)]
pub(crate) enum Work {
    /// Passing the turn; the node after it is searched like any other.
    NullMove,
    /// A quiescence search of the same node.
    Razoring,
    /// Trying a node's moves.
    MoveLoop {
        /// How many were picked, be it only to be pruned.
        picked: usize,
        /// Whether the quiet moves were generated and their history scores looked up.
        with_quiets: bool,
    },
}

impl Work {
    /// About what it costs, in sixteenths of a node.
    fn sixteenths(self) -> usize {
        match self {
            Work::NullMove => 16,
            Work::Razoring => 8,
            Work::MoveLoop { picked, with_quiets } => picked + if with_quiets { 8 } else { 0 },
        }
    }
}

impl SearchThread<'_> {
    /// Counts work as nodes, in builds for tuning only.
    ///
    /// Games of a tuning end searches at a number of nodes. What costs time and counts nothing would be free there, and
    /// the values found would do more of it than is good on the clock.
    #[inline(always)]
    pub(crate) fn count_work(&mut self, work: Work) {
        if cfg!(feature = "tuning") {
            self.uncounted_work += work.sixteenths();
            for _ in 0..self.uncounted_work / 16 {
                self.count_node();
            }
            self.uncounted_work %= 16;
        }
    }
}
