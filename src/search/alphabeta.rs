//! The main search: principal variation search with alpha-beta pruning.
//!
//! Each step bears its title. Where no source is named, the idea is common to all strong engines and
//! described on the Chess Programming Wiki.

use super::Bound;
use super::correction::CorrectionKeys;
use super::movepick::{MovePicker, is_quiet};
use super::params::*;
use super::pruning;
use super::reductions::PLY;
use super::thread::SearchThread;
use super::tt::TtEntry;
use crate::eval::Evaluator;
use crate::mate::mate_in_one;
use crate::position::Repetition;
use crate::types::{Depth, MAX_PLY, Move, Score};

/// What kind of node is searched; settled at compile time.
pub(super) trait NodeType {
    /// The window is open: the exact score matters.
    const PV: bool;
    /// The position the search was started from.
    const ROOT: bool;
}

/// The root.
pub(super) struct Root;
/// A node with an open window.
pub(super) struct Pv;
/// A node with a null window.
pub(super) struct NonPv;

impl NodeType for Root {
    const PV: bool = true;
    const ROOT: bool = true;
}

impl NodeType for Pv {
    const PV: bool = true;
    const ROOT: bool = false;
}

impl NodeType for NonPv {
    const PV: bool = false;
    const ROOT: bool = false;
}

/// Moves remembered so that their records can be lowered when a later one is better.
type TriedMoves = arrayvec::ArrayVec<Move, 64>;

/// What a node knows before its moves are tried.
struct Node {
    ply: usize,
    depth: Depth,
    in_check: bool,
    /// The static evaluation, corrected by the table's score where that is closer to the truth.
    eval: Score,
    improving: bool,
    table_move: Option<Move>,
    table_move_captures: bool,
    /// What the table knows of the position.
    entry: Option<TtEntry>,
    table_pv: bool,
    cut_node: bool,
}

/// What the moves tried so far have brought.
struct Best {
    score: Score,
    mv: Option<Move>,
    alpha: Score,
}

impl<E: Evaluator> SearchThread<'_, E> {
    /// Searches the present position to a depth within a window. A score outside the window is a bound
    /// (fail-soft). After a stop the result means nothing.
    pub(super) fn search<N: NodeType>(
        &mut self,
        mut alpha: Score,
        mut beta: Score,
        mut depth: Depth,
        ply: usize,
        cut_node: bool,
    ) -> Score {
        debug_assert!(alpha < beta && (N::PV || beta - alpha == 1));
        if depth <= 0 {
            return self.quiescence::<N>(alpha, beta, 0, ply);
        }

        // Step 1. Begin the node
        self.count_node();
        self.frames[ply].pv.clear();
        self.frames[ply].played = None;
        if N::PV {
            self.selective_depth = self.selective_depth.max(ply);
        }
        if !N::ROOT {
            // Step 2. Ends of the game by rule, and the edge of the tree
            if self.is_stopped() {
                return Score::ZERO;
            }
            if let Some(score) = self.ended_score(ply) {
                return score;
            }
            // Step 3. Mate-distance pruning: a quicker win or a slower loss than already found is impossible
            alpha = alpha.max(Score::mated_in(ply));
            beta = beta.min(Score::mate_in(ply + 1));
            if alpha >= beta {
                return alpha;
            }
        }

        // Step 4. Transposition table
        let key = self.position.key();
        let entry = self.shared.table.probe(key);
        let excluded = self.frames[ply].excluded;
        let in_check = self.position.in_check();
        let table_move = if N::ROOT {
            self.root_moves.get(self.line).map(|root| root.mv)
        } else {
            entry.and_then(|entry| entry.mv).filter(|&mv| self.position.is_legal(mv))
        };
        if !N::PV
            && excluded.is_none()
            && let Some(entry) = entry
            && entry.depth >= depth
            && let Some(score) = cutoff(entry, ply, beta)
        {
            if score >= beta
                && let Some(mv) = table_move
                && is_quiet(&self.position, mv)
            {
                self.reward_quiet(mv, pruning::bonus(depth), ply);
            }
            return score;
        }
        let table_pv = N::PV || entry.is_some_and(|entry| entry.pv);

        // Step 5. Wins that need no search: declaration, mate in one
        if !N::ROOT && excluded.is_none() {
            let won = self.immediate_win::<N>(ply, entry.is_none());
            if let Some(score) = won {
                return score;
            }
        }

        // Step 6. Static evaluation
        let raw_eval = if in_check {
            None
        } else {
            let known = entry.and_then(|entry| entry.eval);
            Some(known.unwrap_or_else(|| self.evaluator.evaluate(&self.position)))
        };
        let correction_keys = self.correction_keys(ply);
        let static_eval = raw_eval.map(|eval| self.history.corrections.correct(eval, correction_keys));
        self.frames[ply].static_eval = static_eval;
        let node = Node {
            ply,
            depth,
            in_check,
            eval: refined_eval(static_eval, entry, ply),
            improving: self.is_improving(ply),
            table_move,
            table_move_captures: table_move.is_some_and(|mv| !is_quiet(&self.position, mv)),
            entry,
            table_pv,
            cut_node,
        };
        if let Some(next) = self.frames.get_mut(ply + 1) {
            next.killers = [None; 2];
        }
        if let Some(after) = self.frames.get_mut(ply + 2) {
            after.cutoffs = 0;
        }

        // Steps 7–9. Prune the whole node
        if !N::PV
            && !in_check
            && excluded.is_none()
            && let Some(score) = self.prune_node(&node, alpha, beta)
        {
            return score;
        }
        if !N::ROOT && self.is_stopped() {
            return Score::ZERO;
        }

        // Step 10. Internal iterative reduction (Ed Schröder): without a table move, order is poor; come
        // back to this node when there is one
        if depth >= INTERNAL_REDUCTION_DEPTH && table_move.is_none() && (N::PV || cut_node) {
            depth -= 1;
        }

        // Steps 11–18. The moves
        let best = self.search_moves::<N>(&Node { depth, ..node }, alpha, beta);
        if self.is_stopped() {
            return Score::ZERO;
        }

        // Step 19. Remember the result
        if !(N::ROOT && self.line > 0) && excluded.is_none() {
            let bound = if best.score >= beta {
                Bound::Lower
            } else if N::PV && best.score > alpha {
                Bound::Exact
            } else {
                Bound::Upper
            };
            let score = best.score.to_table(ply);
            self.shared.table.store(key, TtEntry { mv: best.mv, score, eval: raw_eval, depth, bound, pv: table_pv });
            if let Some(eval) = static_eval {
                self.learn_correction(correction_keys, eval, &best, bound, depth);
            }
        }
        best.score
    }

    /// The score of a position in which the rules or the tree end the line.
    #[inline]
    pub(super) fn ended_score(&mut self, ply: usize) -> Option<Score> {
        match self.position.search_repetition() {
            Repetition::None => {}
            Repetition::Draw => return Some(self.draw_score()),
            Repetition::Win => return Some(Score::win_in(ply)),
            Repetition::Lose => return Some(Score::loss_in(ply)),
            // The opponent could have had more, so this line refutes its play; and the reverse.
            Repetition::Superior => return Some(Score::MAX_EVAL),
            Repetition::Inferior => return Some(-Score::MAX_EVAL),
        }
        if let Some(limit) = self.shared.settings.max_moves_to_draw
            && self.position.game_ply() > limit
        {
            // Mate on the last move counts, and a check may be answered.
            return Some(match self.position.in_check() && !crate::movegen::has_legal_move(&self.position) {
                true => Score::mated_in(ply),
                false => self.draw_score(),
            });
        }
        if ply >= MAX_PLY {
            let in_check = self.position.in_check();
            return Some(if in_check { self.draw_score() } else { self.evaluator.evaluate(&self.position) });
        }
        None
    }

    /// A win the side to move can have at once. Mate in one is looked for only in positions that the
    /// table does not know: the others have been looked at.
    #[inline]
    pub(super) fn immediate_win<N: NodeType>(&mut self, ply: usize, look_for_mate: bool) -> Option<Score> {
        if self.position.can_declare(self.shared.settings.entering_king_rule) {
            return Some(Score::win_in(ply + 1));
        }
        if look_for_mate
            && !self.position.in_check()
            && let Some(mv) = mate_in_one(&mut self.position)
        {
            if N::PV {
                self.frames[ply + 1].pv.clear();
                self.set_pv(ply, mv);
            }
            return Some(Score::mate_in(ply + 1));
        }
        None
    }

    /// Where corrections of this position's evaluation are kept.
    #[inline]
    pub(super) fn correction_keys(&self, ply: usize) -> CorrectionKeys {
        let played = |back: usize| ply.checked_sub(back).and_then(|at| self.frames[at].played);
        CorrectionKeys::of(&self.position, [played(1), played(2)])
    }

    /// Notes by how much the evaluation was off, where the search can tell: not after captures, whose
    /// gain no evaluation is to know, nor from bounds on the wrong side.
    #[inline]
    fn learn_correction(&mut self, keys: CorrectionKeys, eval: Score, best: &Best, bound: Bound, depth: Depth) {
        let quiet = best.mv.is_none_or(|mv| is_quiet(&self.position, mv));
        let tells = match bound {
            Bound::Exact => true,
            Bound::Lower => best.score > eval,
            Bound::Upper => best.score < eval,
        };
        if quiet && tells && !best.score.is_decided() {
            self.history.corrections.learn(keys, depth, best.score - eval);
        }
    }

    /// Whether the static evaluation has risen since the side to move was last to move.
    fn is_improving(&self, ply: usize) -> bool {
        let eval_at = |back: usize| ply.checked_sub(back).and_then(|at| self.frames[at].static_eval);
        match (eval_at(0), eval_at(2).or_else(|| eval_at(4))) {
            (Some(now), Some(before)) => now > before,
            (Some(_), None) => true,
            (None, _) => false,
        }
    }

    /// Steps 7–9: reasons not to search the moves of a node with a null window at all.
    #[inline]
    fn prune_node(&mut self, node: &Node, alpha: Score, beta: Score) -> Option<Score> {
        let Node { ply, depth, eval, .. } = *node;

        // Step 7. Razoring: hopeless positions are left to quiescence search
        if depth <= RAZORING_DEPTH && eval + pruning::razoring_margin(depth) < alpha {
            let score = self.quiescence::<NonPv>(alpha, alpha + 1, 0, ply);
            if score <= alpha {
                return Some(score);
            }
        }

        // Step 8. Reverse futility: so far above beta that the opponent will not come back
        if depth <= REVERSE_FUTILITY_DEPTH
            && !beta.is_loss()
            && !eval.is_win()
            && eval - pruning::reverse_futility_margin(depth, node.improving) >= beta
        {
            return Some(eval);
        }

        // Step 9. Null move: even passing the turn keeps the score above beta
        let passed_last = ply > 0 && self.frames[ply - 1].played.is_none();
        if depth >= NULL_MOVE_DEPTH && eval >= beta && !passed_last && ply >= self.null_move_from && !beta.is_loss() {
            let reduction = pruning::null_move_reduction(depth, eval - beta);
            self.position.do_null_move();
            self.frames[ply].played = None;
            let score = -self.search::<NonPv>(-beta, -(beta - 1), depth - reduction, ply + 1, !node.cut_node);
            self.position.undo_null_move();
            if self.is_stopped() {
                return Some(Score::ZERO);
            }
            if score >= beta {
                let score = if score.is_decided() { beta } else { score };
                if self.null_move_from > 0 || depth < 14 {
                    return Some(score);
                }
                // At high depth verify, with null moves off for a while (zugzwang is rare but exists)
                self.null_move_from = ply + (3 * (depth - reduction) / 4).max(1) as usize;
                let verified = self.search::<NonPv>(beta - 1, beta, depth - reduction, ply, false);
                self.null_move_from = 0;
                if verified >= beta {
                    return Some(score);
                }
            }
        }
        None
    }

    /// Steps 11–18: tries the moves of a node, best first.
    #[inline]
    fn search_moves<N: NodeType>(&mut self, node: &Node, alpha: Score, beta: Score) -> Best {
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
            if depth >= REDUCTION_DEPTH && moves > 1 + usize::from(N::ROOT) {
                let reduction = self.reduction::<N>(node, moves, quiet, gives_check, record);
                let reduced = (new_depth - reduction).clamp(1, new_depth.max(1));
                score = -self.search::<NonPv>(-(best.alpha + 1), -best.alpha, reduced, ply + 1, true);
                full_search = score > best.alpha && reduced < new_depth;
                if full_search && !N::ROOT {
                    // The better the move turns out, the deeper it is looked at again
                    let deeper = score > best.score + DEEPER_MARGIN;
                    let shallower = score < best.score + SHALLOWER_MARGIN;
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
    fn record(&self, mv: Move, quiet: bool, ply: usize) -> i32 {
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

    /// Step 11: whether a move can be left out.
    #[inline]
    fn prune_move(
        &self,
        node: &Node,
        mv: Move,
        moves: usize,
        quiet: bool,
        gives_check: bool,
        alpha: Score,
    ) -> MovePruning {
        if !quiet {
            let hopeless = node.depth <= SEE_DEPTH && !self.position.see_ge(mv, SEE_TACTICAL_MARGIN * node.depth);
            return if hopeless { MovePruning::SkipMove } else { MovePruning::Keep };
        }
        // Late-move pruning
        if node.depth <= LATE_MOVE_DEPTH && moves > pruning::late_move_count(node.depth, node.improving) {
            return MovePruning::SkipQuietMoves;
        }
        let depth = (node.depth - self.reductions.of(node.depth, moves) / PLY).max(0);
        // History pruning
        if depth <= HISTORY_PRUNING_DEPTH && self.record(mv, true, node.ply) < HISTORY_PRUNING_MARGIN * depth.max(1) {
            return MovePruning::SkipMove;
        }
        // Futility: quiet moves rarely raise the score by much
        if !node.in_check
            && !gives_check
            && depth <= FUTILITY_DEPTH
            && node.eval + pruning::futility_margin(depth) <= alpha
        {
            return MovePruning::SkipQuietMoves;
        }
        // Moves and drops that lose a man
        if depth <= SEE_DEPTH && !self.position.see_ge(mv, SEE_QUIET_MARGIN * depth * depth) {
            return MovePruning::SkipMove;
        }
        MovePruning::Keep
    }

    /// Step 12: how much deeper the table's move is searched because all others are worse (singular
    /// extensions, Anantharaman, Campbell and Hsu 1988), or less deep because they are not.
    #[inline]
    fn singularity<N: NodeType>(&mut self, node: &Node, mv: Move, beta: Score) -> Singularity {
        let Some(entry) = node.entry else { return Singularity::Extend(0) };
        let score = entry.score.from_table(node.ply);
        let told = node.depth >= SINGULAR_DEPTH + Depth::from(node.table_pv)
            && entry.bound != Bound::Upper
            && entry.depth >= node.depth - 3
            && !score.is_decided()
            && node.ply < 2 * self.root_depth as usize;
        if !told {
            return Singularity::Extend(0);
        }
        let margin = SINGULAR_MARGIN + if node.table_pv && !N::PV { SINGULAR_MARGIN } else { 0 };
        let others_below = score - margin * node.depth / 2;
        self.frames[node.ply].excluded = Some(mv);
        let depth = (node.depth - 1) / 2;
        let others = self.search::<NonPv>(others_below - 1, others_below, depth, node.ply, node.cut_node);
        self.frames[node.ply].excluded = None;
        if others < others_below {
            let by_far = !N::PV && others < others_below - DOUBLE_EXTENSION_MARGIN;
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

    /// Step 14: by how many plies a late move is searched less deep at first.
    #[inline]
    fn reduction<N: NodeType>(&self, node: &Node, moves: usize, quiet: bool, gives_check: bool, record: i32) -> Depth {
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
        (reduction - record * PLY / REDUCTION_HISTORY) / PLY
    }

    /// Raises the record of the move that refuted a node and lowers those tried before it.
    fn reward_refutation(&mut self, node: &Node, mv: Move, quiet: bool, quiets: &[Move], captures: &[Move]) {
        let bonus = pruning::bonus(node.depth);
        if quiet {
            let killers = &mut self.frames[node.ply].killers;
            if killers[0] != Some(mv) {
                *killers = [Some(mv), killers[0]];
            }
            self.reward_quiet(mv, bonus, node.ply);
            for &other in quiets {
                self.reward_quiet(other, -bonus, node.ply);
            }
        } else {
            self.reward_capture(mv, bonus);
        }
        for &other in captures {
            self.reward_capture(other, -bonus);
        }
    }

    fn reward_quiet(&mut self, mv: Move, bonus: i32, ply: usize) {
        let color = self.position.side_to_move();
        let played = self.played(mv);
        self.history.update_quiet(color, mv, bonus);
        for before in self.continuations(ply).into_iter().flatten() {
            self.history.update_continuation(before, played, bonus);
        }
    }

    fn reward_capture(&mut self, mv: Move, bonus: i32) {
        let played = self.played(mv);
        if let Some(captured) = self.position.piece_on(mv.to()) {
            self.history.update_capture(played, captured.piece_type(), bonus);
        }
    }
}

/// What is known of a table move beside the others.
enum Singularity {
    /// Search it deeper by this many plies.
    Extend(Depth),
    /// The node fails high with this score whatever it brings.
    Refuted(Score),
}

/// What becomes of a move before it is searched.
enum MovePruning {
    Keep,
    SkipMove,
    SkipQuietMoves,
}

/// The score a table entry of sufficient depth settles a null-window node with.
#[inline]
pub(super) fn cutoff(entry: TtEntry, ply: usize, beta: Score) -> Option<Score> {
    let score = entry.score.from_table(ply);
    let settles = match entry.bound {
        Bound::Exact => true,
        Bound::Lower => score >= beta,
        Bound::Upper => score < beta,
    };
    settles.then_some(score)
}

/// The evaluation, or the table's score where that is known to be on the right side of it.
#[inline]
pub(super) fn refined_eval(static_eval: Option<Score>, entry: Option<TtEntry>, ply: usize) -> Score {
    let Some(eval) = static_eval else { return -Score::MAX_EVAL };
    let Some(entry) = entry else { return eval };
    let score = entry.score.from_table(ply);
    let closer = match entry.bound {
        Bound::Exact => true,
        Bound::Lower => score > eval,
        Bound::Upper => score < eval,
    };
    if closer { score } else { eval }
}
