//! The root: iterative deepening with aspiration windows and MultiPV, its lines, and when to stop.

use std::cmp::Reverse;
use std::time::Instant;

use crate::search::params::aspiration_window;
use crate::search::pv::{MOST_POSITIONS, OnePly};
use crate::search::report::SearchInfo;
use crate::search::root_moves::{RootLine, RootMove};
use crate::search::stack::Root;
use crate::search::thread::SearchThread;
use crate::search::time::{IterationResult, Stability};
use crate::search::tt::Bound;
use crate::types::{Depth, Move, Outcome, Score};

/// How deep the only legal move is searched when time is limited.
const ONLY_MOVE_DEPTH: Depth = 8;

impl SearchThread<'_> {
    /// Searches deeper and deeper until a limit or a stop ends it.
    pub(super) fn iterative_deepening(&mut self) {
        let lines = self.shared.settings.multi_pv.clamp(1, self.root_moves.len());
        let mut stability = Stability::default();
        let mut last_report: Option<Instant> = None;

        for depth in 1..=self.shared.limits.deepest() {
            self.root_depth = depth;
            self.drop_refuted_moves();
            for root in &mut self.root_moves {
                root.previous_score = root.score;
            }
            for pv_index in 0..lines {
                self.pv_index = pv_index;
                self.selective_depth = 0;
                self.aspiration_search(depth);
                if pv_index == 0 && !self.stopped {
                    self.look_for_mates(depth);
                }
                self.root_moves[..=pv_index].sort_by_key(|root| Reverse(root.score));
                if self.stopped {
                    return;
                }
            }
            self.completed_depth = depth;
            self.last_pv.clone_from(&self.root_moves[0].pv);
            self.finished = self.root_moves[..lines].iter().filter_map(|root| root.settled(depth)).collect();
            if self.is_main() {
                self.shared.answer.put(self.lines(lines));
                if last_report.is_none_or(|at| at.elapsed() >= self.shared.settings.pv_interval) {
                    self.report(lines);
                    last_report = Some(Instant::now());
                }
                if let Some(score) = self.root_moves[0].score {
                    stability.update(self.root_moves[0].mv, score);
                }
                let shared = self.shared;
                let is_enough = self.is_enough(&stability, lines);
                let is_last = |limit| {
                    self.poll();
                    shared.total_nodes() >= limit
                };
                if is_enough || shared.limits.soft_nodes.is_some_and(is_last) {
                    break;
                }
            }
        }
    }

    /// Searches the best of the root moves from `self.pv_index` on, with a window around its last score.
    pub(super) fn aspiration_search(&mut self, depth: Depth) {
        let root = &self.root_moves[self.pv_index];
        // Large scores waver more
        let mut window = aspiration_window() + (self.index % 8) as i32 + root.average_square.abs() / 9000;
        let (mut alpha, mut beta) = (-Score::INFINITE, Score::INFINITE);
        if let Some(average) = root.average {
            (alpha, beta) = (edge(average - window), edge(average + window));
        }
        let mut fail_highs = 0;
        loop {
            let adjusted = (depth - fail_highs).max(1);
            let score = self.search::<Root>(alpha, beta, adjusted, 0, false);
            let pv_index = self.pv_index;
            self.root_moves[pv_index..].sort_by_key(|root| (Reverse(root.score), Reverse(root.previous_score)));
            if self.stopped {
                return;
            }
            if score <= alpha {
                beta = alpha;
                alpha = edge(score.value() - window);
                fail_highs = 0;
            } else if score >= beta {
                alpha = alpha.max(edge(beta.value() - window));
                beta = edge(score.value() + window);
                fail_highs += 1;
            } else {
                return;
            }
            // With several lines there are reports enough.
            let settings = self.shared.settings;
            let is_alone = settings.multi_pv == 1 && self.mates.proven.is_none();
            if self.is_main() && is_alone && settings.shows_bounds(self.shared.time.elapsed()) {
                self.report_bound();
            }
            window += window / 3;
        }
    }

    /// Whether the main thread is content with what it has.
    fn is_enough(&self, stability: &Stability, lines: usize) -> bool {
        let result = IterationResult {
            effort: stability.effort(self.node_share(lines)),
            // The only move is played at any score; a shallow search gives it a score and a ponder move.
            move_is_certain: self.root_moves.len() == 1 && self.root_depth >= ONLY_MOVE_DEPTH
                || lines == 1 && self.mates.proven.is_some(),
            score_is_certain: lines == 1 && self.mate_is_certain(),
        };
        self.shared.time.is_content(result, Instant::now())
    }

    /// The best move's part of the nodes of all iterations, of 1. None with several lines: each has its own part.
    pub(super) fn node_share(&self, lines: usize) -> Option<f64> {
        let all: u64 = self.root_moves.iter().map(|root| root.nodes).sum();
        (lines == 1 && all > 0).then(|| self.root_moves[0].nodes as f64 / all as f64)
    }

    /// Whether the best line is a mate of which it is known that none is shorter and no defence longer: by the solver,
    /// or because it is short compared with the depth of the search.
    fn mate_is_certain(&self) -> bool {
        let Some(best) = self.lines(1).into_iter().next() else { return false };
        let is_proven = self.mates.proven.as_ref().is_some_and(|proven| proven.pv == best.pv);
        let is_shortest = self.mates.own_is_settled && is_proven;
        match best.score.outcome() {
            Outcome::MateIn(_) if is_shortest => true,
            Outcome::MateIn(plies) | Outcome::MatedIn(plies) => plies as Depth * 2 <= self.root_depth,
            _ => false,
        }
    }

    /// Reports the best lines, the very best last: some clients keep the last line they saw.
    pub(super) fn report(&mut self, lines: usize) {
        self.poll();
        for info in self.infos(lines).iter().rev() {
            self.shared.observer.on_info(info);
        }
    }

    /// Reports a fail-high or fail-low of the best move.
    fn report_bound(&mut self) {
        self.poll();
        let root = &self.root_moves[0];
        let Some(score) = root.score else { return };
        let (depth, selective_depth) = (self.root_depth, root.selective_depth);
        let line = RootLine { score, depth, selective_depth, pv: root.pv.clone() };
        let info = self.shared.info(line, 1, &self.position, &mut OnePly::new(None, 0));
        let info = SearchInfo { bound: root.bound, ..info };
        self.shared.observer.on_info(&info);
    }

    /// The best lines, best first, each with an exact score.
    pub(super) fn infos(&mut self, count: usize) -> Vec<SearchInfo> {
        let lines = self.lines(count);
        let mut one_ply = OnePly::new(Some(self.evaluator), MOST_POSITIONS);
        let infos = self.shared.infos(lines, &self.position, &mut one_ply);
        if one_ply.positions_left < MOST_POSITIONS {
            self.evaluator.reset(&self.position);
        }
        infos
    }
}

/// An edge of a window, which lies within all scores.
fn edge(score: i32) -> Score {
    Score::from_value(score.clamp((-Score::INFINITE).value(), Score::INFINITE.value()))
}

impl SearchThread<'_> {
    /// The best lines, best first, as of now; none where no move has been searched.
    ///
    /// Several lines are those of the last finished iteration, of which one that was cut short knows only some. In a
    /// game a new best move is played all the same, where its score is above what is known of the others: then it comes
    /// first, a line searched again has its new depth and score, and one that was not keeps its own. Where a line of
    /// the iteration before has a higher score, its new one is not known, only that it is worse: such lines cannot be
    /// shown together, and those of the finished iteration stand.
    pub(super) fn lines(&self, count: usize) -> Vec<RootLine> {
        self.mates.with_proven_first(self.searched_lines(count), count, self.completed_depth)
    }

    fn searched_lines(&self, count: usize) -> Vec<RootLine> {
        let by_worth = |root: &&RootMove| (Reverse(root.score), Reverse(root.previous_score));
        let Some(best) = self.root_moves.iter().min_by_key(by_worth) else { return Vec::new() };
        if count == 1 {
            return best.settled(self.root_depth).into_iter().collect();
        }
        let mut lines = if self.finished.is_empty() {
            // Nothing is known but of the moves that the first iteration has come to. The others have no score yet and
            // are left out.
            self.root_moves.iter().filter_map(|root| root.settled(self.root_depth)).collect()
        } else {
            self.finished_lines()
        };
        lines.sort_by_key(|line| Reverse(line.score));
        let is_new = !self.finished.is_empty() && lines[0].best_move() != Some(best.mv);
        if is_new && self.shared.limits.clock.is_some() {
            lines = self.lines_with_new_best(best).unwrap_or(lines);
        }
        lines.truncate(count);
        lines
    }

    /// The lines of the last finished iteration. A move that was refuted since has the line that shows it.
    fn finished_lines(&self) -> Vec<RootLine> {
        let refuted = |line: &RootLine| self.mates.refuted.iter().find(|shown| shown.best_move() == line.best_move());
        self.finished.iter().map(|line| refuted(line).unwrap_or(line).clone()).collect()
    }

    /// The line of a move that has become the best in an unfinished iteration, before the others with their last exact
    /// scores; none where one of these is higher.
    fn lines_with_new_best(&self, best: &RootMove) -> Option<Vec<RootLine>> {
        let is_new = |line: &&RootLine| best.bound == Bound::Exact && line.depth == self.root_depth;
        let first = best.exact.as_ref().filter(is_new)?.clone();
        let newest = |line: RootLine| {
            let root = self.root_moves.iter().find(|root| line.best_move() == Some(root.mv));
            root.and_then(|root| root.exact.clone()).unwrap_or(line)
        };
        let others = self.finished_lines().into_iter().filter(|line| line.best_move() != Some(best.mv));
        let mut lines: Vec<RootLine> = [first].into_iter().chain(others.map(newest)).collect();
        lines.sort_by_key(|line| Reverse(line.score));
        (lines[0].best_move() == Some(best.mv)).then_some(lines)
    }
}

impl SearchThread<'_> {
    /// Notes the result of a root move. All but the first and those above alpha have only shown that
    /// they are worse; their scores stay out of the order.
    pub(super) fn note_root_move(
        &mut self,
        mv: Move,
        score: Score,
        nodes: u64,
        first: bool,
        alpha: Score,
        beta: Score,
    ) {
        let Some(root) = self.root_moves.iter_mut().find(|root| root.mv == mv) else { return };
        root.nodes += nodes;
        root.note_average(score.value());
        if !first && score <= alpha {
            root.score = None;
            return;
        }
        let bound = if score >= beta {
            Bound::Lower
        } else if score <= alpha {
            Bound::Upper
        } else {
            Bound::Exact
        };
        root.take(score, bound, self.root_depth, self.selective_depth, self.pvs.get(1));
        if self.pv_index == 0 && self.index == 0 {
            self.shared.answer.put(self.lines(self.shared.settings.multi_pv));
        }
    }
}
