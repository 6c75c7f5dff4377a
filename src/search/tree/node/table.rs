//! What a node takes from the transposition table, and what it stores there.

use crate::search::control::Bound;
use crate::search::params::{MATE_DEPTH, tt_cutoff_depth};
use crate::search::state::node::{Best, Node, NodeType, settles};
use crate::search::state::thread::SearchThread;
use crate::search::tables::tt::TtEntry;
use crate::types::{Depth, Move, Score};

impl SearchThread<'_> {
    /// What the table knows, its score counted from the root.
    #[inline]
    pub(crate) fn probe(&self, key: u64, ply: usize) -> Option<TtEntry> {
        let entry = self.shared.table.probe(key)?;
        // An entry without a score tells no distance to mate either
        let score = if entry.has_score() { entry.score.from_table(ply) } else { entry.score };
        Some(TtEntry { score, ..entry })
    }

    /// The table's move, where it is legal here.
    #[inline]
    pub(crate) fn tt_move(&self, entry: Option<&TtEntry>) -> Option<Move> {
        entry.and_then(|entry| entry.mv).filter(|&mv| self.position.is_legal(mv))
    }

    /// Step 4. The score of a null-window node that the table has searched deep enough.
    #[inline]
    pub(crate) fn tt_cutoff(&mut self, node: &Node, beta: Score) -> Option<Score> {
        let entry = node.entry.as_ref().filter(|_| node.excluded.is_none())?;
        let depth = node.depth;
        let settled = entry.depth > depth - Depth::from(entry.score <= beta)
            && settles(entry, beta)
            && (node.cut_node == (entry.score >= beta) || depth >= tt_cutoff_depth());
        if settled && entry.score >= beta {
            self.update_on_tt_cutoff(node.tt_move, depth, node.ply);
        }
        settled.then_some(entry.score)
    }

    /// Step 21. Stores what the search of a node has shown. Of the root only the first line is worth keeping.
    #[inline]
    pub(crate) fn store_result<N: NodeType>(&mut self, node: &Node, best: &Best, alpha: Score, beta: Score) {
        if N::ROOT && self.pv_index > 0 || node.excluded.is_some() {
            return;
        }
        let bound = if best.score >= beta {
            Bound::Lower
        } else if N::PV && best.score > alpha {
            Bound::Exact
        } else {
            Bound::Upper
        };
        // Mate is mate at any depth
        let depth = node.depth + if best.no_move { MATE_DEPTH } else { 0 };
        let score = best.score.to_table(node.ply);
        let pv = self.stack[node.ply].tt_pv;
        self.shared.table.store(node.key, TtEntry { mv: best.mv, score, eval: node.raw_eval, depth, bound, pv });
    }
}
