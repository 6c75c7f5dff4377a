//! One thread of a search: what it owns, what it shares, and its line through the tree.

use std::sync::atomic::Ordering::Relaxed;
use std::time::Instant;

use crate::eval::{AnyEvaluator, Evaluator};
use crate::position::{MoveDelta, Position};
use crate::search::ordering::picker::Continuations;
use crate::search::params::reductions::Reductions;
use crate::search::state::mates::{MateSolvers, RootMates};
use crate::search::state::root_moves::{RootLine, RootMove};
use crate::search::state::shared::Shared;
use crate::search::state::stack::StackEntry;
use crate::search::tables::history::{Continuation, History};
use crate::search::tables::played_move::PlayedMove;
use crate::types::{Color, Depth, MAX_PLY, Move, Piece, Score};

/// What a thread keeps from one search of a game to the next.
pub(crate) struct Memory {
    pub(crate) history: History,
    pub(crate) evaluator: AnyEvaluator,
    mate_solvers: MateSolvers,
    stack: Vec<StackEntry>,
}

impl Memory {
    pub(crate) fn new(evaluator: AnyEvaluator) -> Memory {
        let stack = vec![StackEntry::default(); MAX_PLY + 2];
        Memory { history: History::new(), evaluator, mate_solvers: MateSolvers::new(), stack }
    }

    pub(crate) fn clear(&mut self) {
        self.history.clear();
        self.mate_solvers.clear();
    }
}

/// A thread at work.
pub(crate) struct SearchThread<'a> {
    pub(crate) index: usize,
    pub(crate) shared: &'a Shared<'a>,
    pub(crate) position: Position,
    pub(crate) root_color: Color,
    pub(crate) history: &'a mut History,
    pub(crate) evaluator: &'a mut AnyEvaluator,
    pub(crate) stack: &'a mut [StackEntry],
    pub(crate) reductions: &'static Reductions,
    pub(crate) root_moves: Vec<RootMove>,
    pub(crate) mate_solvers: &'a mut MateSolvers,
    pub(crate) mates: RootMates,
    /// Which of the MultiPV lines is searched, from 0.
    pub(crate) pv_index: usize,
    /// The lines of the last finished iteration, best first.
    pub(crate) finished: Vec<RootLine>,
    pub(crate) root_depth: Depth,
    /// The best line of the last complete iteration.
    pub(crate) last_pv: Vec<Move>,
    pub(crate) completed_depth: Depth,
    pub(crate) selective_depth: usize,
    pub(crate) nodes: u64,
    /// No null move above this ply, while a null-move result is verified.
    pub(crate) null_move_from: usize,
    /// Width of the root's window.
    pub(crate) root_window: i32,
    /// Nodes between two looks at the limits and at the nodes of the other threads.
    poll_interval: u64,
    /// Nodes at which to look next.
    next_poll: u64,
    /// With one thread a node limit is exact; with several it is looked at now and then.
    node_budget: u64,
    stopped: bool,
}

/// Nodes between two looks at the clock.
const POLL_INTERVAL: u64 = 256;
/// With several threads such a part of a limit of nodes lies between two looks, so that they do not exceed it by much.
const POLLS_OF_NODE_LIMIT: u64 = 1024;

impl<'a> SearchThread<'a> {
    pub(crate) fn new(
        index: usize,
        shared: &'a Shared<'a>,
        memory: &'a mut Memory,
        position: &Position,
        root_moves: &[Move],
    ) -> SearchThread<'a> {
        let color = position.side_to_move();
        let limit = shared.limits.nodes.unwrap_or(u64::MAX);
        let (poll_interval, node_budget) = match shared.nodes.len() {
            1 => (POLL_INTERVAL, limit),
            _ => ((limit / POLLS_OF_NODE_LIMIT).clamp(1, POLL_INTERVAL), u64::MAX),
        };
        memory.stack.iter_mut().for_each(StackEntry::clear);
        memory.evaluator.reset(position);
        memory.history.forget_low_plies();
        SearchThread {
            index,
            shared,
            position: position.clone(),
            root_color: color,
            history: &mut memory.history,
            evaluator: &mut memory.evaluator,
            stack: &mut memory.stack,
            reductions: Reductions::get(),
            root_moves: root_moves.iter().copied().map(RootMove::new).collect(),
            mate_solvers: &mut memory.mate_solvers,
            mates: RootMates::default(),
            pv_index: 0,
            finished: Vec::new(),
            root_depth: 0,
            last_pv: Vec::new(),
            completed_depth: 0,
            selective_depth: 0,
            nodes: 0,
            null_move_from: 0,
            root_window: 1,
            poll_interval,
            next_poll: poll_interval.min(node_budget),
            node_budget,
            stopped: false,
        }
    }

    /// Whether this is the thread that watches the clock and reports.
    #[inline(always)]
    pub(crate) fn is_main(&self) -> bool {
        self.index == 0
    }

    /// Whether the search is over; what is being searched is then worth nothing.
    #[inline(always)]
    pub(crate) fn is_stopped(&self) -> bool {
        self.stopped
    }

    /// Counts a node and, now and then, looks whether the search must end.
    #[inline(always)]
    pub(crate) fn count_node(&mut self) {
        if self.stopped {
            return;
        }
        self.nodes += 1;
        if self.nodes >= self.next_poll {
            self.poll();
        }
    }

    /// Publishes the node count and looks whether the search must end.
    #[inline(never)]
    pub(crate) fn poll(&mut self) {
        self.shared.nodes[self.index].0.store(self.nodes, Relaxed);
        self.next_poll = (self.nodes + self.poll_interval).min(self.node_budget);
        if self.has_spent_nodes() || self.is_main() && self.is_told_to_stop() {
            self.shared.stop.store(true, Relaxed);
        }
        self.stopped = self.shared.stop.load(Relaxed);
    }

    /// Every thread looks at the nodes of all: none goes on beyond the limit while another waits for a processor.
    fn has_spent_nodes(&self) -> bool {
        self.shared.limits.nodes.is_some() && self.shared.limits.has_spent_nodes(self.shared.total_nodes())
    }

    fn is_told_to_stop(&self) -> bool {
        self.shared.control.is_stopped() || self.shared.time.is_over(Instant::now())
    }

    /// Prefetches the transposition table's entry of the position after a move. That takes longer than making the
    /// move, so call it as soon as it is known that the move will be made, and not before: with pages of 4 KiB, as
    /// Windows has them, a prefetch mostly waits for the address to be looked up (those for moves that exchanges then
    /// ruled out took 6 % of the time of a search).
    #[inline(always)]
    pub(crate) fn prefetch_after(&self, mv: Move) {
        self.shared.table.prefetch(self.position.key_after(mv));
    }

    /// Makes a move at a ply and lets the evaluation follow.
    #[inline(always)]
    pub(crate) fn do_move(&mut self, mv: Move, ply: usize) -> MoveDelta {
        self.count_node();
        let delta = self.position.do_move(mv);
        self.evaluator.push(&delta);
        let here = &mut self.stack[ply];
        let played = PlayedMove { piece: delta.after, to: delta.to };
        here.played = Some(played);
        here.continuation = Continuation::of(played, here.in_check, delta.captured.is_some());
        delta
    }

    /// Notes what later nodes ask about a move before it is made.
    #[inline(always)]
    pub(crate) fn note_move(&mut self, ply: usize, mv: Move, quiet: bool, number: usize, history_score: i32) {
        let captured = self.position.piece_on(mv.to()).map(Piece::piece_type);
        let here = &mut self.stack[ply];
        (here.mv, here.quiet, here.captured, here.number, here.history_score) =
            (Some(mv), quiet, captured, number, history_score);
    }

    #[inline(always)]
    pub(crate) fn undo_move(&mut self, mv: Move) {
        self.evaluator.pop();
        self.position.undo_move(mv);
    }

    /// The moves one to six plies before a ply.
    #[inline(always)]
    pub(crate) fn continuations(&self, ply: usize) -> Continuations {
        [1, 2, 3, 4, 5, 6]
            .map(|back| ply.checked_sub(back).map_or(Continuation::NONE, |at| self.stack[at].continuation))
    }

    /// What a draw is worth to the side to move.
    #[inline]
    pub(crate) fn draw_score(&self) -> Score {
        let value = self.shared.settings.draw_value[self.root_color.index()];
        if self.position.side_to_move() == self.root_color { value } else { -value }
    }

    /// Makes `mv` and the PV of the next ply the PV of this ply.
    pub(crate) fn set_pv(&mut self, ply: usize, mv: Move) {
        let (upper, lower) = self.stack.split_at_mut(ply + 1);
        let pv = &mut upper[ply].pv;
        pv.clear();
        pv.push(mv);
        if let Some(below) = lower.first() {
            // The PV below is at least one ply shorter than what fits.
            pv.extend(below.pv.iter().copied().take(MAX_PLY));
        }
    }

    /// A move of the present position as the histories index it.
    #[inline(always)]
    pub(crate) fn played(&self, mv: Move) -> PlayedMove {
        PlayedMove::of(&self.position, mv)
    }
}
