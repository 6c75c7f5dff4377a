//! The mate solver at the root: mates longer than the search sees, the player's own and the opponent's.
//!
//! After each iteration the main thread gives a small share of its work to the solver, first to a mate by the side to
//! move, which is then played, then to a mate by the opponent after the best move, which is then not played. The work
//! is counted in positions, so that with one thread and a node limit a search always finds the same; the nodes of the
//! search do not count them.

use std::sync::atomic::Ordering::Relaxed;
use std::time::Instant;

use crate::mate::{MateLimits, MateObserver, MateOutcome, MateResult};
use crate::position::Position;
use crate::rules::GameEnd;
use crate::search::root_moves::{RootLine, RootMove};
use crate::search::thread::{SearchThread, Shared};
use crate::threads::lock;
use crate::types::{Depth, Move, Score};

/// The solver searches at most one position for this many nodes of the search: at one for 16 it cost games.
const SEARCH_NODES_PER_SOLVER_NODE: u64 = 64;
/// Fewer positions are not worth asking about.
const LEAST_NODES: u64 = 40;
/// How many positions may be visited besides, to shorten a mate that has been found or to prove one that the search
/// sees.
const NODES_FOR_FOUND: u64 = 20_000;

/// Ends the solver's work when the search must end.
struct Interrupt<'a>(&'a Shared<'a>);

impl MateObserver for Interrupt<'_> {
    fn is_stopped(&self) -> bool {
        self.0.stop.load(Relaxed) || self.0.signals.is_stopped() || self.0.time.is_over(Instant::now())
    }
}

impl SearchThread<'_> {
    /// Looks for mates after an iteration has found its best line. A best move that the opponent answers with mate
    /// is taken out, and the iteration done again without it.
    pub(super) fn look_for_mates(&mut self, depth: Depth) {
        if !self.is_main() || self.shared.settings.root_mate_nodes == 0 {
            return;
        }
        self.look_for_own_mate();
        while !self.stopped && self.mates.proven.is_none() && self.refutes_best_move() {
            self.aspiration_search(depth);
        }
    }

    /// How many positions the solver may visit now.
    fn nodes_left(&self) -> u64 {
        let limit = (self.nodes / SEARCH_NODES_PER_SOLVER_NODE).min(self.shared.settings.root_mate_nodes);
        limit.saturating_sub(self.mates.nodes)
    }

    /// How many positions the solver may visit for a mate that is known already.
    fn nodes_for_found(&self) -> u64 {
        NODES_FOR_FOUND.min(self.shared.settings.root_mate_nodes.saturating_sub(self.mates.nodes))
    }

    fn look_for_own_mate(&mut self) {
        // With `searchmoves` only the moves named there may be played, which the solver does not know.
        if self.mates.own_is_settled || !self.shared.limits.search_moves.is_empty() {
            return;
        }
        let mut nodes = self.nodes_left() / 2;
        // The search may lose sight of a mate that it has seen, where the next iteration prunes a move of it.
        let sees_mate = self.root_moves[0].score.is_some_and(|score| score.is_win() && score.is_mate());
        if sees_mate && self.mates.proven.is_none() && !self.mates.asked_for_seen {
            self.mates.asked_for_seen = true;
            nodes = nodes.max(self.nodes_for_found());
        }
        if nodes < LEAST_NODES {
            return;
        }
        let root = self.position.clone();
        let mut found = self.solve(&root, nodes);
        if let Some(MateOutcome::Mate(mate)) = found.as_ref().map(|result| &result.outcome)
            && !mate.is_shortest
            && self.mates.proven.is_none()
            && self.nodes_for_found() > 0
        {
            found = self.solve(&root, self.nodes_for_found());
        }
        let Some(MateResult { outcome, progress }) = found else { return };
        match outcome {
            MateOutcome::Mate(mate) if ends_in_mate(&root, &mate.moves, self.shared) => {
                self.mates.own_is_settled = mate.is_shortest;
                self.prove(RootLine {
                    score: Score::mate_in(mate.plies()),
                    depth: self.root_depth,
                    selective_depth: progress.selective_depth.into(),
                    pv: mate.moves,
                });
            }
            MateOutcome::Unknown => {}
            _ => self.mates.own_is_settled = true,
        }
    }

    /// Makes a line the answer, unless the search knows a better one.
    fn prove(&mut self, line: RootLine) {
        let Some(mv) = line.best_move() else { return };
        if self.root_moves.iter().all(|root| root.mv != mv) {
            // A non-promotion that is hardly ever useful.
            self.root_moves.push(RootMove::new(mv));
        }
        self.mates.proven = Some(line);
        let count = self.shared.settings.multi_pv;
        self.shared.answer.put(self.lines(count));
        self.report(count);
    }

    /// Whether the opponent mates after the best move, and another one can be searched in its place.
    fn refutes_best_move(&mut self) -> bool {
        let best = &self.root_moves[0];
        let (mv, score) = (best.mv, best.score);
        let nodes = self.nodes_left();
        if nodes < LEAST_NODES || score.is_none_or(Score::is_decided) || self.mates.safe.contains(&mv) {
            return false;
        }
        let mut after = self.position.clone();
        after.do_move(mv);
        if GameEnd::from_position(&after, &self.shared.settings.rules).is_some() {
            return false;
        }
        let Some(MateResult { outcome, progress }) = self.solve(&after, nodes) else { return false };
        match outcome {
            MateOutcome::Mate(mate) if ends_in_mate(&after, &mate.moves, self.shared) => {
                let line = RootLine {
                    score: Score::mated_in(mate.plies() + 1),
                    depth: self.root_depth,
                    selective_depth: usize::from(progress.selective_depth) + 1,
                    pv: [mv].into_iter().chain(mate.moves).collect(),
                };
                self.refute_best_move(line)
            }
            MateOutcome::Unknown => false,
            _ => {
                self.mates.safe.push(mv);
                false
            }
        }
    }

    /// Takes the best move out of the search, if enough others remain.
    fn refute_best_move(&mut self, line: RootLine) -> bool {
        let count = self.shared.settings.multi_pv;
        if self.root_moves.len() > count {
            self.root_moves.remove(0);
            lock(&self.shared.refuted).extend(line.best_move());
            self.mates.refuted.push(line);
            return true;
        }
        if count == 1 {
            // All moves lose: the longest defence.
            let lines = self.mates.refuted.drain(..).chain([line]);
            let Some(longest) = lines.max_by_key(|line| line.score) else { return false };
            self.prove(longest);
        }
        false
    }

    /// Leaves out the moves that the main thread has taken out of the search.
    pub(super) fn drop_refuted_moves(&mut self) {
        let refuted = lock(&self.shared.refuted);
        if !self.is_main() && !refuted.is_empty() {
            self.root_moves.retain(|root| !refuted.contains(&root.mv));
        }
    }

    /// Lets the solver look for a mate by the side to move; `None` when there is no king to mate.
    fn solve(&mut self, position: &Position, nodes: u64) -> Option<MateResult> {
        let limits = MateLimits { nodes: Some(nodes), ..MateLimits::default() };
        let solver = &mut self.mate_solvers[position.side_to_move().index()];
        let result = solver.step(position, &limits, &Interrupt(self.shared)).ok()?;
        self.mates.nodes += result.progress.nodes;
        self.poll();
        Some(result)
    }
}

/// Whether no rule ends the game before a line's mate: of these the solver knows only the repetitions of the game.
fn ends_in_mate(position: &Position, moves: &[Move], shared: &Shared<'_>) -> bool {
    let mut position = position.clone();
    for (left, &mv) in (0..moves.len()).rev().zip(moves) {
        position.do_move(mv);
        let is_as_said = match GameEnd::from_position(&position, &shared.settings.rules) {
            None => left > 0,
            Some(end) => left == 0 && matches!(end, GameEnd::Mate(_)),
        };
        if !is_as_said {
            return false;
        }
    }
    !moves.is_empty()
}
