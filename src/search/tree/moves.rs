//! The moves of a node, tried best first (steps 13–14, 19–20).

use crate::position::CheckInfo;
use crate::search::movepick::{MovePicker, NonPromotions, Picked, Purpose, Quiets};
use crate::search::params::*;
use crate::search::stack::{BestSoFar, NodeInfo, NodeType, NonPv};
use crate::search::thread::SearchThread;
use crate::search::tree::move_pruning::{MovePruning, late_move_count};
use crate::search::tt::Bound;
use crate::types::{Depth, Move, Score};

/// Moves tried, whose history scores are lowered when a later one is better.
type TriedMoves = arrayvec::ArrayVec<Move, 32>;

impl SearchThread<'_> {
    /// Steps 13–20: tries the moves of a node, best first.
    #[inline]
    pub(super) fn search_moves<N: NodeType>(&mut self, node: &mut NodeInfo, alpha: Score, beta: Score) -> BestSoFar {
        let mut best = BestSoFar { score: -Score::INFINITE, mv: None, alpha, no_move: false, multi_cut: None };
        let check_info = CheckInfo::new(&self.position);
        let mut picker = self.move_picker::<N>(node, &check_info);
        let mut tried_quiets = TriedMoves::new();
        let mut tried_captures = TriedMoves::new();
        let mut move_count = 0;
        let mut futile = 0;
        if N::ROOT {
            self.root_window = (beta - alpha).max(1);
        }
        // Divides, so once for all moves of a null-window node
        let mut window_reduction = self.window_reduction(beta - alpha);

        while let Some(picked) = picker.next(&self.position, self.history) {
            let Picked::Move(mv) = picked else {
                if let Some(score) = self.score_without_quiets::<N>(node, move_count, window_reduction, &best) {
                    best.score = score;
                    picker.restrict_quiets(Quiets::Checks);
                }
                continue;
            };
            // At the root, whether it is asked for, and not the first of a better line of MultiPV
            let is_left = || self.root_moves[self.pv_index..].iter().any(|root| root.mv == mv);
            if Some(mv) == node.excluded || N::ROOT && !is_left() {
                continue;
            }
            move_count += 1;
            let reduction = self.base_reduction(node, move_count, window_reduction);

            // Step 14. Singular extension: before step 13, to which the TT move, being the first, does not come
            let extension = match self.singularity::<N>(node, mv, beta) {
                Singularity::Unknown => 0,
                Singularity::Alone(plies) => {
                    node.depth += 1;
                    plies
                }
                Singularity::OneOfSeveral(plies) => -plies,
                Singularity::Refuted(score) => {
                    best.multi_cut = Some(score);
                    return best;
                }
            };

            // Step 13. Prune single moves, once a line that does not lose is known
            let candidate = self.candidate(mv, node.ply, &check_info, move_count, reduction);
            if !N::ROOT && !best.score.is_loss() {
                if move_count >= late_move_count(node.depth, node.improving) {
                    picker.restrict_quiets(Quiets::None);
                }
                match self.prune_move::<N>(node, &candidate, &best) {
                    MovePruning::Keep => futile = 0,
                    MovePruning::Skip => continue,
                    MovePruning::SkipWith(score) => {
                        best.score = score;
                        // Where several quiet moves in a row are futile, later ones nearly all are: of those searched
                        // before 1.1 % are lost, a third of the moves looked at saved
                        futile += 1;
                        if futile >= futile_moves() {
                            picker.restrict_quiets(Quiets::None);
                        }
                        continue;
                    }
                }
            }
            if Some(mv) != node.tt_move {
                self.prefetch_after(mv);
            }
            if !N::PV
                && node.depth <= 8
                && let Some(next) = picker.peek()
            {
                self.prefetch_after(next);
            }

            // Steps 15–18. Make it and search it
            let nodes_before = self.nodes;
            let new_depth = node.depth - 1 - Depth::from(extension > 0) + extension;
            let score = self.search_move::<N>(node, &candidate, new_depth, &best, beta);
            if self.stopped {
                return best;
            }

            // Step 19. Compare
            if N::ROOT {
                self.note_root_move(mv, score, self.nodes - nodes_before, move_count == 1, best.alpha, beta);
            }
            if self.take_if_better::<N>(node, &mut best, mv, score, beta) {
                self.stack[node.ply].cutoff_count += u32::from(extension < 2 || N::PV);
                break;
            }
            if N::PV {
                window_reduction = self.window_reduction(beta - best.alpha);
            }
            if best.mv != Some(mv) && move_count <= tried_quiets.capacity() {
                let tried = if candidate.is_quiet() { &mut tried_quiets } else { &mut tried_captures };
                // The scores of very late moves are left as they are.
                let _ = tried.try_push(mv);
            }
        }

        // Step 20. No legal move: mated, or stalemated, which loses as well
        if move_count == 0 {
            best.no_move = true;
            best.score = if node.excluded.is_none() { Score::mated_in(node.ply) } else { alpha };
            debug_assert!(!N::ROOT || node.excluded.is_some());
        } else if let Some(mv) = best.mv {
            self.update_histories(node, mv, &tried_quiets, &tried_captures);
            if !N::PV {
                let bonus = if Some(mv) == node.tt_move { tt_move_bonus() } else { -tt_move_malus() };
                self.history.tt_move_history.update(bonus);
            }
        } else if best.score == -Score::INFINITE {
            best.score = alpha;
        }
        best
    }

    #[inline]
    fn move_picker<'c, N: NodeType>(&self, node: &NodeInfo, check_info: &'c CheckInfo) -> MovePicker<'c> {
        let non_promotions = if !N::ROOT {
            NonPromotions::below_root(self.shared.settings)
        } else if self.shared.limits.search_moves.is_empty() {
            NonPromotions::at_root(self.shared.settings)
        } else {
            // `searchmoves` may name moves that are not generated otherwise.
            NonPromotions::Always
        };
        let (purpose, continuations) = (Purpose::Main { check_info }, self.continuations(node.ply));
        MovePicker::new(&self.position, purpose, node.tt_move, continuations, node.ply, non_promotions)
    }

    /// Step 19. Makes a move the best one, where it is better than those before. Returns whether the node fails high.
    #[inline]
    fn take_if_better<N: NodeType>(
        &mut self,
        node: &NodeInfo,
        best: &mut BestSoFar,
        mv: Move,
        score: Score,
        beta: Score,
    ) -> bool {
        // Among equals near the leaves, now and then take the later one: it keeps the search from always
        // going the same way
        let equal = score == best.score
            && node.ply + 2 >= self.root_depth as usize
            && self.nodes & 14 == 0
            && !score.is_decided();
        if score <= best.score && !equal {
            return false;
        }
        best.score = score;
        let raises_alpha = score > best.alpha || equal && score == best.alpha;
        if !raises_alpha {
            return false;
        }
        best.mv = Some(mv);
        if N::PV {
            self.pvs.set(node.ply, mv);
        }
        if score >= beta {
            return true;
        }
        best.alpha = score;
        false
    }
}

/// How the TT move compares with the others.
enum Singularity {
    /// It was not compared, or no better is known.
    Unknown,
    /// All others are worse: search it deeper by this many plies, and the node itself by one.
    Alone(Depth),
    /// It is not alone: search it less deep by this many plies.
    OneOfSeveral(Depth),
    /// Multi-cut: the node fails high with this score without it.
    Refuted(Score),
}

impl SearchThread<'_> {
    /// Step 14: how much deeper the TT move is searched because all others are worse (singular
    /// extensions, Anantharaman, Campbell and Hsu 1988), or less deep because they are not.
    #[inline]
    fn singularity<N: NodeType>(&mut self, node: &mut NodeInfo, mv: Move, beta: Score) -> Singularity {
        let Some(entry) = node.tt_entry.filter(|_| !N::ROOT && Some(mv) == node.tt_move && node.excluded.is_none())
        else {
            return Singularity::Unknown;
        };
        let is_candidate = node.depth >= singular_depth() + Depth::from(self.stack[node.ply].tt_pv)
            && entry.bound != Bound::Upper
            && entry.depth >= node.depth - singular_tt_depth()
            && !self.is_shuffling(node.ply, mv);
        let Some(score) = entry.score.filter(|score| is_candidate && !score.is_decided()) else {
            return Singularity::Unknown;
        };
        let margin = singular_margin() + if self.stack[node.ply].tt_pv && !N::PV { singular_margin_pv() } else { 0 };
        let others_below = score - margin * node.depth / 64;
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
        } else if score >= beta {
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
        let earlier = |back| self.prior_move(ply, back).and_then(|made| squares(made.mv));
        match (squares(mv), earlier(2), earlier(4)) {
            (Some((from, _)), Some((before, to)), Some((_, first))) => from == to && before == first,
            _ => false,
        }
    }

    /// By how many plies a move is extended, when all others are this much worse than asked.
    fn extension<N: NodeType>(&self, node: &NodeInfo, surplus: i32) -> Depth {
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
