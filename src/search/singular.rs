//! Whether the table's move stands alone.

use super::Bound;
use super::node::{Node, NodeType, NonPv};
use super::params::*;
use super::thread::SearchThread;
use crate::eval::Evaluator;
use crate::types::{Depth, Move, Score};

/// What is known of a table move beside the others.
pub(super) enum Singularity {
    /// Search it deeper by this many plies.
    Extend(Depth),
    /// The node fails high with this score whatever it brings.
    Refuted(Score),
}

impl<E: Evaluator> SearchThread<'_, E> {
    /// Step 12: how much deeper the table's move is searched because all others are worse (singular
    /// extensions, Anantharaman, Campbell and Hsu 1988), or less deep because they are not.
    #[inline]
    pub(super) fn singularity<N: NodeType>(&mut self, node: &Node, mv: Move, beta: Score) -> Singularity {
        let Some(entry) = node.entry else { return Singularity::Extend(0) };
        let score = entry.score.from_table(node.ply);
        let told = node.depth >= singular_depth() + Depth::from(node.table_pv)
            && entry.bound != Bound::Upper
            && entry.depth >= node.depth - 3
            && !score.is_decided()
            && node.ply < 2 * self.root_depth as usize;
        if !told {
            return Singularity::Extend(0);
        }
        let margin = singular_margin() + if node.table_pv && !N::PV { singular_margin() } else { 0 };
        let others_below = score - margin * node.depth / 2;
        self.frames[node.ply].excluded = Some(mv);
        let depth = (node.depth - 1) / 2;
        let others = self.search::<NonPv>(others_below - 1, others_below, depth, node.ply, node.cut_node);
        self.frames[node.ply].excluded = None;
        if others < others_below {
            let by_far = !N::PV && others < others_below - double_extension_margin();
            Singularity::Extend(1 + Depth::from(by_far))
        } else if others >= beta && !others.is_decided() {
            // Another move refutes the node as well (multi-cut, Björnsson and Marsland 1998)
            Singularity::Refuted(others)
        } else if score >= beta {
            Singularity::Extend(-2)
        } else if node.cut_node {
            Singularity::Extend(-1)
        } else {
            Singularity::Extend(0)
        }
    }
}
