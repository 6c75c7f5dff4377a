//! Whether the table's move stands alone.

use crate::search::control::Bound;
use crate::search::params::*;
use crate::search::state::node::{Node, NodeType, NonPv};
use crate::search::state::thread::SearchThread;
use crate::types::{Depth, Move, Score};

/// What is known of a table move beside the others.
pub(crate) enum Singularity {
    /// Nothing.
    Unknown,
    /// All others are worse: search it deeper by this many plies, and the node itself by one.
    Alone(Depth),
    /// It is not alone: search it less deep by this many plies.
    OneOfSeveral(Depth),
    /// The node fails high with this score whatever it brings.
    Refuted(Score),
}

impl SearchThread<'_> {
    /// Step 14: how much deeper the table's move is searched because all others are worse (singular
    /// extensions, Anantharaman, Campbell and Hsu 1988), or less deep because they are not.
    #[inline]
    pub(crate) fn singularity<N: NodeType>(&mut self, node: &mut Node, mv: Move, beta: Score) -> Singularity {
        let Some(entry) = node.entry.filter(|_| !N::ROOT && Some(mv) == node.tt_move && node.excluded.is_none()) else {
            return Singularity::Unknown;
        };
        let told = node.depth >= singular_depth() + Depth::from(self.stack[node.ply].tt_pv)
            && entry.bound != Bound::Upper
            && entry.depth >= node.depth - singular_tt_depth()
            && !entry.score.is_decided()
            && !self.is_shuffling(node.ply, mv);
        if !told {
            return Singularity::Unknown;
        }
        let margin = singular_margin() + if self.stack[node.ply].tt_pv && !N::PV { singular_margin_pv() } else { 0 };
        let others_below = entry.score - margin * node.depth / 64;
        self.stack[node.ply].excluded = Some(mv);
        let depth = (node.depth - 1) / 2;
        let others = self.search::<NonPv>(others_below - 1, others_below, depth, node.ply, node.cut_node);
        self.stack[node.ply].excluded = None;
        if others < others_below {
            Singularity::Alone(self.extension::<N>(node, others_below - others))
        } else if others >= beta && !others.is_decided() {
            let malus = multi_cut_malus_base() + multi_cut_malus_factor() * node.depth;
            let malus = malus.min(multi_cut_malus_most());
            // Another move refutes the node as well (multi-cut, Björnsson and Marsland 1998)
            self.history.tt_move_history.update(-malus);
            Singularity::Refuted(others)
        } else if entry.score >= beta {
            Singularity::OneOfSeveral(negative_extension_beta())
        } else if node.cut_node {
            Singularity::OneOfSeveral(negative_extension_cut())
        } else {
            Singularity::Unknown
        }
    }

    /// Whether a piece is led back and forth: extensions would only make that longer.
    fn is_shuffling(&self, ply: usize, mv: Move) -> bool {
        if ply < shuffling_ply() as usize || self.position.piece_on(mv.to()).is_some() {
            return false;
        }
        let squares = |mv: Move| Some((mv.from()?, mv.to()));
        let earlier = |back: usize| self.stack[ply - back].mv.and_then(squares);
        match (squares(mv), earlier(2), earlier(4)) {
            (Some((from, _)), Some((before, to)), Some((_, first))) => from == to && before == first,
            _ => false,
        }
    }

    /// By how many plies a move is extended, when all others are this much worse than asked.
    fn extension<N: NodeType>(&self, node: &Node, surplus: i32) -> Depth {
        let open = i32::from(N::PV);
        let quiet = i32::from(!node.tt_move_captures);
        let common = node.correction / extension_correction()
            + extension_deep() * i32::from(node.ply > self.root_depth as usize);
        let usual = self.history.tt_move_history.get() / extension_tt_history();
        let double = double_extension() + double_extension_pv() * open - double_extension_quiet() * quiet - usual;
        let triple = triple_extension() + triple_extension_pv() * open - triple_extension_quiet() * quiet
            + triple_extension_tt_pv() * i32::from(self.stack[node.ply].tt_pv);
        1 + Depth::from(surplus > double - common) + Depth::from(surplus > triple - common)
    }
}
