//! The moves of a node, tried best first.

use crate::position::{CheckInfo, exchange_value};
use crate::search::ordering::nonpromotions::NonPromotions;
use crate::search::ordering::picker::{MovePicker, is_quiet};
use crate::search::params::reductions::PLY;
use crate::search::params::*;
use crate::search::state::node::{Best, Node, NodeType, NonPv, Pv};
use crate::search::state::thread::SearchThread;
use crate::search::tables::tt::TtEntry;
use crate::search::tree::move_pruning::{Candidate, MovePruning, late_move_count};
use crate::search::tree::singular::Singularity;
use crate::types::{Depth, Move, Score};

/// Moves tried, whose history scores are lowered when a later one is better.
pub(crate) type TriedMoves = arrayvec::ArrayVec<Move, 32>;

impl SearchThread<'_> {
    /// Steps 13–20: tries the moves of a node, best first.
    #[inline]
    pub(crate) fn search_moves<N: NodeType>(&mut self, node: &mut Node, alpha: Score, beta: Score) -> Best {
        let ply = node.ply;
        let mut best = Best { score: -Score::INFINITE, mv: None, alpha, no_move: false, multi_cut: None };
        let check_info = CheckInfo::of(&self.position);
        let mut picker = MovePicker::new(
            &self.position,
            &check_info,
            node.tt_move,
            self.continuations(ply),
            ply,
            if !N::ROOT {
                NonPromotions::below_root(self.shared.settings)
            } else if self.shared.limits.search_moves.is_empty() {
                NonPromotions::at_root(self.shared.settings)
            } else {
                // `searchmoves` may name moves that are not generated otherwise.
                NonPromotions::Always
            },
        );
        let mut tried_quiets = TriedMoves::new();
        let mut tried_captures = TriedMoves::new();
        let mut number = 0;
        let mut skip_quiet = false;
        let excluded = self.stack[ply].excluded;
        if N::ROOT {
            self.root_window = (beta - alpha).max(1);
        }

        while let Some(mv) = picker.next(&self.position, self.history, skip_quiet) {
            if N::ROOT && !self.root_moves[self.pv_index..].iter().any(|root| root.mv == mv) {
                continue;
            }
            if Some(mv) == excluded {
                continue;
            }
            number += 1;
            let quiet = is_quiet(&self.position, mv);
            let gives_check = check_info.gives_check(&self.position, mv);
            let reduction = self.base_reduction(node, number, beta - best.alpha);
            let candidate = Candidate { mv, number, quiet, gives_check, reduction };

            // Step 13. Prune single moves, once a line that does not lose is known
            if !N::ROOT && !best.score.is_loss() {
                skip_quiet |= number >= late_move_count(node.depth, node.improving);
                match self.prune_move::<N>(node, &candidate, &best) {
                    MovePruning::Keep => {}
                    MovePruning::Skip => continue,
                    MovePruning::SkipWith(score) => {
                        best.score = score;
                        continue;
                    }
                }
            }
            if Some(mv) != node.tt_move {
                self.prefetch_after(mv);
            }

            // Step 14. Singular extension
            let mut extension = 0;
            if !N::ROOT && Some(mv) == node.tt_move && excluded.is_none() {
                match self.singularity::<N>(node, mv, beta) {
                    Singularity::Unknown => {}
                    Singularity::Alone(plies) => {
                        extension = plies;
                        node.depth += 1;
                    }
                    Singularity::OneOfSeveral(plies) => extension = -plies,
                    Singularity::Refuted(score) => {
                        best.multi_cut = Some(score);
                        return best;
                    }
                }
                if self.is_stopped() {
                    return best;
                }
            }

            // Steps 15–18. Make it and search it
            let nodes_before = self.nodes;
            let new_depth = node.depth - 1 - Depth::from(extension > 0) + extension;
            let score = self.search_move::<N>(node, &candidate, new_depth, &best, beta);
            if self.is_stopped() {
                return best;
            }

            // Step 19. Compare
            if N::ROOT {
                self.note_root_move(mv, score, self.nodes - nodes_before, number == 1, best.alpha, beta);
            }
            // Among equals near the leaves, now and then take the later one: it keeps the search from always
            // going the same way
            let equal = score == best.score
                && ply + 2 >= self.root_depth as usize
                && self.nodes & 14 == 0
                && !score.is_decided();
            if score > best.score || equal {
                best.score = score;
                if score > best.alpha || equal && score == best.alpha {
                    best.mv = Some(mv);
                    if N::PV {
                        self.set_pv(ply, mv);
                    }
                    if score >= beta {
                        self.stack[ply].cutoffs += u32::from(extension < 2 || N::PV);
                        break;
                    }
                    best.alpha = score;
                    // The moves after one that raised alpha are less likely to be better still
                    if (raised_depth_min()..=raised_depth_max()).contains(&node.depth) && !score.is_decided() {
                        node.depth -= raised_reduction().min(node.depth - 1);
                    }
                }
            }
            if best.mv != Some(mv) && number <= tried_quiets.capacity() {
                let tried = if quiet { &mut tried_quiets } else { &mut tried_captures };
                // The scores of very late moves are left as they are.
                let _ = tried.try_push(mv);
            }
        }

        // Step 20. No legal move: mated, or stalemated, which loses as well
        if number == 0 {
            best.no_move = true;
            best.score = if excluded.is_none() { Score::mated_in(ply) } else { alpha };
            debug_assert!(!N::ROOT || excluded.is_some());
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

    /// Steps 15–18: the score of a move, searched reduced, with a null window, with the open window.
    #[inline]
    fn search_move<N: NodeType>(
        &mut self,
        node: &Node,
        candidate: &Candidate,
        mut new_depth: Depth,
        best: &Best,
        beta: Score,
    ) -> Score {
        let Candidate { mv, number, quiet, .. } = *candidate;
        let ply = node.ply;
        let alpha = best.alpha;
        let history_score = self.history_score(mv, quiet, ply);
        let reduction = self.reduction::<N>(node, candidate, history_score, alpha);

        // Step 15. Make the move
        self.note_move(ply, mv, quiet, number, history_score);
        self.do_move(mv, ply);

        let mut score = alpha;
        if node.depth >= 2 && number > 1 {
            // Step 16. Late moves: less deep at first, with a null window
            let reduced = (new_depth - reduction / PLY).min(new_depth + 2).max(1) + Depth::from(N::PV);
            self.stack[ply].reduction = new_depth - reduced;
            score = -self.search::<NonPv>(-(alpha + 1), -alpha, reduced, ply + 1, true);
            self.stack[ply].reduction = 0;
            if score > alpha && !self.is_stopped() {
                // The better the move turns out, the deeper it is looked at again
                let deeper = reduced < new_depth && score > best.score + deeper_margin();
                let shallower = score < best.score + shallower_margin();
                new_depth += Depth::from(deeper) - Depth::from(shallower);
                if new_depth > reduced {
                    score = -self.search::<NonPv>(-(alpha + 1), -alpha, new_depth, ply + 1, !node.cut_node);
                }
                if let Some(played) = self.stack[ply].played {
                    self.update_continuation_histories(played, raised_bonus(), ply);
                }
            }
        } else if !N::PV || number > 1 {
            // Step 17. Others with a null window
            let reduction = reduction + if node.tt_move.is_none() { late_no_move() } else { 0 };
            let less = Depth::from(reduction > late_ply()) + Depth::from(reduction > late_plies() && new_depth > 2);
            score = -self.search::<NonPv>(-(alpha + 1), -alpha, new_depth - less, ply + 1, !node.cut_node);
        }
        // Step 18. The first move, and those that beat it, with the open window
        if N::PV && (number == 1 || score > alpha) && !self.is_stopped() {
            // The table's move goes into the main search as long as its entry does
            let decided = |entry: &TtEntry| entry.depth > 0 && entry.score.is_decided();
            if Some(mv) == node.tt_move && node.entry.is_some_and(|entry| entry.depth > 1 || decided(&entry)) {
                new_depth = new_depth.max(1);
            }
            score = -self.search::<Pv>(-beta, -alpha, new_depth, ply + 1, false);
        }
        self.undo_move(mv);
        score
    }

    /// A move's history score in the histories.
    #[inline]
    fn history_score(&self, mv: Move, quiet: bool, ply: usize) -> i32 {
        if quiet {
            let played = self.played(mv);
            2 * self.history.quiet(self.position.side_to_move(), mv) + self.continuation_history(played, ply)
        } else {
            let victim = self.position.piece_on(mv.to()).map_or(0, |piece| exchange_value(piece.piece_type()));
            reduction_victim() * victim / 4 + self.capture_history(mv)
        }
    }

    /// By how much less deep a move is searched for its place in the order, in parts of [`PLY`].
    #[inline]
    fn base_reduction(&self, node: &Node, number: usize, window: i32) -> i32 {
        let scale = self.reductions.of(node.depth, number);
        let mut reduction = reduction_base() + scale - reduction_window() * window / self.root_window;
        // Multiplied by 0 or 1: as branches these would often be mispredicted
        reduction += i32::from(!node.improving) * (scale * reduction_not_improving() / 512);
        reduction + i32::from(self.stack[node.ply].tt_pv) * reduction_pv_pruning()
    }

    /// Step 16: by how much less deep a late move is searched at first, in parts of [`PLY`].
    #[inline]
    fn reduction<N: NodeType>(&self, node: &Node, candidate: &Candidate, history_score: i32, alpha: Score) -> i32 {
        let mut reduction = candidate.reduction + reduction_offset()
            - reduction_per_move() * candidate.number as i32
            - node.correction / reduction_correction();
        if self.stack[node.ply].tt_pv {
            reduction -= reduction_pv_pruning() + reduction_pv();
            if N::PV {
                reduction -= reduction_open();
            }
            if node.entry.is_none_or(|entry| entry.score > alpha || !entry.has_score()) {
                reduction -= reduction_tt_above();
            }
            if node.entry.is_some_and(|entry| entry.depth >= node.depth) {
                reduction -= reduction_tt_deep() + if node.cut_node { reduction_tt_deep_cut() } else { 0 };
            }
        }
        if node.cut_node {
            reduction += reduction_cut() + if node.tt_move.is_none() { reduction_cut_no_move() } else { 0 };
        }
        // A table move that captures is rarely surpassed
        if node.tt_move_captures {
            reduction += reduction_tt_capture();
        }
        // Where many nodes below have failed high, this one is likely to fail low whatever is tried
        let cutoffs = self.stack.get(node.ply + 1).map_or(0, |below| below.cutoffs);
        if cutoffs > 1 {
            reduction += reduction_cutoffs() + if node.all_node { reduction_cutoffs_all() } else { 0 };
            if cutoffs > 2 {
                reduction += reduction_many_cutoffs();
            }
        }
        if Some(candidate.mv) == node.tt_move {
            reduction -= reduction_tt_move();
        }
        reduction -= history_score * reduction_history() / 4096;
        if node.all_node {
            reduction += reduction * reduction_all() / (256 * node.depth + reduction_all_base());
        }
        reduction
    }
}
