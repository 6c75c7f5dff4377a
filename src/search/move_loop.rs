//! The moves of a node, tried best first.

use super::move_pruning::MovePruning;
use super::movepick::{MovePicker, is_quiet};
use super::node::{Best, Node, NodeType, NonPv, Pv};
use super::params::*;
use super::reductions::PLY;
use super::singular::Singularity;
use super::thread::SearchThread;
use crate::eval::Evaluator;
use crate::types::{Depth, Move, Score};

/// Moves remembered so that their records can be lowered when a later one is better.
type TriedMoves = arrayvec::ArrayVec<Move, 64>;

impl<E: Evaluator> SearchThread<'_, E> {
    /// Steps 11–18: tries the moves of a node, best first.
    #[inline]
    pub(super) fn search_moves<N: NodeType>(&mut self, node: &Node, alpha: Score, beta: Score) -> Best {
        let Node { ply, depth, in_check, .. } = *node;
        let mut best = Best { score: -Score::INFINITE, mv: None, alpha };
        let mut picker = MovePicker::new(
            &self.position,
            node.table_move,
            self.frames[ply].killers,
            self.continuations(ply),
            depth,
            self.shared.settings.generate_all_legal_moves,
        );
        let mut tried_quiets = TriedMoves::new();
        let mut tried_captures = TriedMoves::new();
        let mut moves = 0;
        let mut skip_quiet = false;
        let excluded = self.frames[ply].excluded;

        while let Some(mv) = picker.next(&self.position, self.history, skip_quiet) {
            if N::ROOT && !self.root_moves[self.line..].iter().any(|root| root.mv == mv) {
                continue;
            }
            if Some(mv) == excluded {
                continue;
            }
            moves += 1;
            let quiet = is_quiet(&self.position, mv);
            let gives_check = self.position.gives_check(mv);

            // Step 11. Prune single moves, once a line that does not lose is known
            if !N::ROOT && !best.score.is_loss() {
                match self.prune_move(node, mv, moves, quiet, gives_check, best.alpha) {
                    MovePruning::Keep => {}
                    MovePruning::SkipMove => continue,
                    MovePruning::SkipQuietMoves => {
                        skip_quiet = true;
                        continue;
                    }
                }
            }

            // Step 12. Singular extension
            let mut extension = 0;
            if !N::ROOT && Some(mv) == node.table_move && excluded.is_none() {
                match self.singularity::<N>(node, mv, beta) {
                    Singularity::Extend(plies) => extension = plies,
                    Singularity::Refuted(score) => {
                        best.score = score;
                        return best;
                    }
                }
                if self.is_stopped() {
                    return best;
                }
            }

            // Step 13. Make the move
            let record = self.record(mv, quiet, ply);
            let nodes_before = self.nodes;
            self.do_move(mv, ply);
            let mut new_depth = depth - 1 + extension;

            // Steps 14–16. Search it: reduced, with a null window, with the open window
            let mut score = best.alpha;
            let mut full_search = !N::PV || moves > 1;
            if depth >= reduction_depth() && moves > 1 + usize::from(N::ROOT) {
                let reduction = self.reduction::<N>(node, moves, quiet, gives_check, record);
                let reduced = (new_depth - reduction).clamp(1, new_depth.max(1));
                score = -self.search::<NonPv>(-(best.alpha + 1), -best.alpha, reduced, ply + 1, true);
                full_search = score > best.alpha && reduced < new_depth;
                if full_search && !N::ROOT {
                    // The better the move turns out, the deeper it is looked at again
                    let deeper = score > best.score + deeper_margin();
                    let shallower = score < best.score + shallower_margin();
                    new_depth += Depth::from(deeper) - Depth::from(shallower);
                    full_search = reduced < new_depth;
                }
            }
            if full_search {
                score = -self.search::<NonPv>(-(best.alpha + 1), -best.alpha, new_depth, ply + 1, !node.cut_node);
            }
            if N::PV && (moves == 1 || score > best.alpha) {
                score = -self.search::<Pv>(-beta, -best.alpha, new_depth, ply + 1, false);
            }
            self.undo_move(mv);
            if self.is_stopped() {
                return best;
            }

            // Step 17. Compare
            if N::ROOT {
                self.note_root_move(mv, score, self.nodes - nodes_before, moves == 1, best.alpha, beta);
            }
            if score > best.score {
                best.score = score;
                if score > best.alpha {
                    best.mv = Some(mv);
                    if N::PV {
                        self.set_pv(ply, mv);
                    }
                    if score >= beta {
                        self.frames[ply].cutoffs += 1;
                        self.reward_refutation(node, mv, quiet, &tried_quiets, &tried_captures);
                        break;
                    }
                    best.alpha = score;
                }
            }
            let tried = if quiet { &mut tried_quiets } else { &mut tried_captures };
            // Very late moves teach little: leave them out once the list is full.
            let _ = tried.try_push(mv);
        }

        // Step 18. No legal move: mated, or stalemated, which loses as well
        if moves == 0 && excluded.is_some() {
            best.score = alpha;
        } else if moves == 0 {
            debug_assert!(!N::ROOT);
            best.score = Score::mated_in(ply);
        } else if best.score == -Score::INFINITE {
            best.score = alpha;
        }
        debug_assert!(in_check || moves > 0 || excluded.is_some() || !crate::movegen::has_legal_move(&self.position));
        best
    }

    /// A move's record in the histories.
    #[inline]
    pub(super) fn record(&self, mv: Move, quiet: bool, ply: usize) -> i32 {
        let played = self.played(mv);
        if !quiet {
            let captured = self.position.piece_on(mv.to());
            return captured.map_or(0, |man| self.history.capture(played, man.piece_type()));
        }
        let continuations = self.continuations(ply);
        let continued: i32 =
            continuations.iter().take(2).flatten().map(|&before| self.history.continuation(before, played)).sum();
        self.history.quiet(self.position.side_to_move(), mv) + continued
    }

    /// Step 14: by how many plies a late move is searched less deep at first.
    #[inline]
    pub(super) fn reduction<N: NodeType>(
        &self,
        node: &Node,
        moves: usize,
        quiet: bool,
        gives_check: bool,
        record: i32,
    ) -> Depth {
        let mut reduction = self.reductions.of(node.depth, moves);
        if !quiet {
            reduction /= 2;
        }
        if !node.improving && !node.in_check {
            reduction += PLY;
        }
        if node.cut_node {
            reduction += PLY + if node.table_move.is_none() { PLY } else { 0 };
        }
        if node.table_pv {
            reduction -= PLY;
        }
        if N::PV {
            reduction -= PLY;
        }
        if gives_check || node.in_check {
            reduction -= PLY;
        }
        // Where many nodes below have failed high, this one is likely to fail low whatever is tried
        if self.frames.get(node.ply + 1).is_some_and(|next| next.cutoffs > 2) {
            reduction += PLY / 2;
        }
        // A table move that captures is rarely surpassed by a quiet one
        if quiet && node.table_move_captures {
            reduction += PLY / 2;
        }
        (reduction - record * PLY / reduction_history()) / PLY
    }
}
