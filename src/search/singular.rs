//! Whether the table's move stands alone.

use super::Bound;
use super::node::{Node, NodeType, NonPv};
use super::params::*;
use super::thread::SearchThread;
use crate::eval::Evaluator;
use crate::types::{Depth, Move, Score};

/// What is known of a table move beside the others.
pub(super) enum Singularity {
    /// Nothing.
    Unknown,
    /// All others are worse: search it deeper by this many plies, and the node itself by one.
    Alone(Depth),
    /// It is not alone: search it less deep by this many plies.
    OneOfSeveral(Depth),
    /// The node fails high with this score whatever it brings.
    Refuted(Score),
}

impl<E: Evaluator> SearchThread<'_, E> {
    /// Step 14: how much deeper the table's move is searched because all others are worse (singular
    /// extensions, Anantharaman, Campbell and Hsu 1988), or less deep because they are not.
    #[inline]
    pub(super) fn singularity<N: NodeType>(&mut self, node: &Node, mv: Move, beta: Score) -> Singularity {
        let Some(entry) = node.entry else { return Singularity::Unknown };
        let told = node.depth >= singular_depth() + Depth::from(node.table_pv)
            && entry.bound != Bound::Upper
            && entry.depth >= node.depth - 3
            && !entry.score.is_decided()
            && node.ply < 2 * self.root_depth as usize;
        if !told {
            return Singularity::Unknown;
        }
        let margin = singular_margin() + if node.table_pv && !N::PV { singular_margin_pv() } else { 0 };
        let others_below = entry.score - margin * node.depth / 64;
        self.frames[node.ply].excluded = Some(mv);
        let depth = (node.depth - 1) / 2;
        let others = self.search::<NonPv>(others_below - 1, others_below, depth, node.ply, node.cut_node);
        self.frames[node.ply].excluded = None;
        if others < others_below {
            Singularity::Alone(extension::<N>(node, others_below - others, self.root_depth))
        } else if others >= beta && !others.is_decided() {
            // Another move refutes the node as well (multi-cut, Björnsson and Marsland 1998)
            Singularity::Refuted(others)
        } else if entry.score >= beta {
            Singularity::OneOfSeveral(3)
        } else if node.cut_node {
            Singularity::OneOfSeveral(2)
        } else {
            Singularity::Unknown
        }
    }
}

/// By how many plies a move is extended, when all others are this much worse than asked.
fn extension<N: NodeType>(node: &Node, surplus: i32, root_depth: Depth) -> Depth {
    let open = i32::from(N::PV);
    let quiet = i32::from(!node.table_move_captures);
    let deep = 44 * i32::from(node.ply > root_depth as usize);
    let double = double_extension() + double_extension_pv() * open - double_extension_quiet() * quiet + deep;
    let triple = triple_extension() + triple_extension_pv() * open - triple_extension_quiet() * quiet
        + 92 * i32::from(node.table_pv)
        + deep;
    let corrected = node.correction * 5 / 8;
    1 + Depth::from(surplus > double - corrected) + Depth::from(surplus > triple - corrected)
}
