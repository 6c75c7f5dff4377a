//! One thread of a search: what it owns, what it shares, and its line through the tree.

use std::sync::Mutex;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicU64};
use std::time::Instant;

use crate::eval::AnyEvaluator;
use crate::mate::MateSolver;
use crate::memory::OutOfMemory;
use crate::position::Position;
use crate::search::correction::Corrections;
use crate::search::history::{Continuation, History, PlayedMove};
use crate::search::limits::{SearchLimits, SearchSettings};
use crate::search::movepick::Continuations;
use crate::search::params::Reductions;
use crate::search::report::SearchObserver;
use crate::search::root_moves::{AnswerSlot, RootLine, RootMates, RootMove};
use crate::search::signals::Signals;
use crate::search::stack::{MadeMove, PvTable, Stack};
use crate::search::time::TimeManager;
use crate::search::tt::TranspositionTable;
use crate::threads;
use crate::types::{Color, Depth, Move, Piece, Score};

/// The table of each mate solver in MiB, which grows to that.
const SOLVER_MIB: usize = 8;

/// What a thread keeps from one search of a game to the next.
pub(super) struct Memory {
    history: History,
    pub(super) evaluator: AnyEvaluator,
    /// What the solver knows of both sides' mates, by color index of the attacker.
    mate_solvers: [MateSolver; 2],
    stack: Stack,
    pvs: PvTable,
}

impl Memory {
    pub(super) fn try_new(evaluator: AnyEvaluator) -> Result<Memory, OutOfMemory> {
        Ok(Memory {
            history: History::try_new()?,
            evaluator,
            mate_solvers: [(); 2].map(|()| MateSolver::new(SOLVER_MIB)),
            stack: Stack::try_new()?,
            pvs: PvTable::try_new()?,
        })
    }

    pub(super) fn clear(&mut self) {
        self.history.clear();
        self.mate_solvers.iter_mut().for_each(MateSolver::forget);
    }
}

/// One thread of a search at work.
pub(super) struct SearchThread<'a> {
    pub(super) index: usize,
    pub(super) shared: &'a Shared<'a>,
    pub(super) position: Position,
    root_color: Color,
    pub(super) history: &'a mut History,
    /// Those that all threads share.
    pub(super) corrections: &'a Corrections,
    pub(super) evaluator: &'a mut AnyEvaluator,
    pub(super) stack: &'a mut Stack,
    pub(super) pvs: &'a mut PvTable,
    pub(super) reductions: &'static Reductions,
    pub(super) root_moves: Vec<RootMove>,
    pub(super) mate_solvers: &'a mut [MateSolver; 2],
    pub(super) mates: RootMates,
    /// Which of the MultiPV lines is searched, from 0.
    pub(super) pv_index: usize,
    /// The lines of the last finished iteration, best first.
    pub(super) finished: Vec<RootLine>,
    pub(super) root_depth: Depth,
    /// The best line of the last complete iteration.
    pub(super) last_pv: Vec<Move>,
    pub(super) completed_depth: Depth,
    pub(super) selective_depth: usize,
    pub(super) nodes: u64,
    /// No null move above this ply, while a null-move result is verified.
    pub(super) null_move_from: usize,
    /// Width of the root's window.
    pub(super) root_window: i32,
    /// Nodes between two looks at the limits and at the nodes of the other threads.
    poll_interval: u64,
    /// Nodes at which to look next.
    next_poll: u64,
    /// With one thread a node limit is exact; with several it is looked at now and then.
    node_budget: u64,
    /// The search is over; what is being searched is worth nothing.
    pub(super) stopped: bool,
}

/// Nodes between two looks at the clock.
const POLL_INTERVAL: u64 = 256;
/// With several threads such a part of a limit of nodes lies between two looks, so that they do not exceed it by much.
const POLLS_OF_NODE_LIMIT: u64 = 1024;

impl<'a> SearchThread<'a> {
    pub(super) fn new(
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
        memory.stack.clear();
        memory.evaluator.reset(position);
        memory.history.forget_low_plies();
        SearchThread {
            index,
            shared,
            position: position.clone(),
            root_color: color,
            history: &mut memory.history,
            corrections: shared.corrections,
            evaluator: &mut memory.evaluator,
            stack: &mut memory.stack,
            pvs: &mut memory.pvs,
            reductions: Reductions::table(),
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
    pub(super) fn is_main(&self) -> bool {
        self.index == 0
    }

    /// Counts a node and, now and then, looks whether the search must end.
    #[inline(always)]
    fn count_node(&mut self) {
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
    pub(super) fn poll(&mut self) {
        threads::give_way();
        self.shared.nodes[self.index].0.store(self.nodes, Relaxed);
        self.next_poll = (self.nodes + self.poll_interval).min(self.node_budget);
        // Every thread looks at the nodes of all: none goes on beyond the limit while another waits for a processor.
        let shared = self.shared;
        if shared.limits.nodes.is_some_and(|limit| shared.total_nodes() >= limit)
            || self.is_main() && (shared.signals.is_stopped() || shared.time.is_over(Instant::now()))
        {
            self.shared.stop.store(true, Relaxed);
        }
        self.stopped = self.shared.stop.load(Relaxed);
    }

    /// Prefetches the transposition table's entry of the position after a move. That takes longer than making the
    /// move, so call it as soon as it is known that the move will be made, and not before: with pages of 4 KiB, as
    /// Windows has them, a prefetch mostly waits for the address to be looked up (those for moves that exchanges then
    /// ruled out took 6 % of the time of a search).
    #[inline(always)]
    pub(super) fn prefetch_after(&self, mv: Move) {
        self.shared.table.prefetch(self.position.key_after(mv));
    }

    /// Makes a move at a ply, the `move_count`th that is tried there, and lets the evaluation follow.
    #[inline(always)]
    pub(super) fn do_move(&mut self, mv: Move, ply: usize, move_count: usize, stat_score: i32) {
        self.count_node();
        let delta = self.position.do_move(mv);
        self.evaluator.push(&delta);
        let here = &mut self.stack[ply];
        let played = PlayedMove::from_parts(delta.after, delta.to);
        here.continuation = Continuation::new(played, here.in_check, delta.captured.is_some());
        let captured = delta.captured.map(Piece::piece_type);
        here.made = Some(MadeMove { mv, played, captured, move_count, stat_score });
    }

    #[inline(always)]
    pub(super) fn undo_move(&mut self, mv: Move) {
        self.evaluator.pop();
        self.position.undo_move(mv);
    }

    /// The move made some plies before a ply; none above the root, and for a null move.
    #[inline(always)]
    pub(super) fn prior_move(&self, ply: usize, back: usize) -> Option<&MadeMove> {
        self.stack.above(ply, back).made.as_ref()
    }

    /// The move some plies before a ply, as the key of those that follow it.
    #[inline(always)]
    pub(super) fn continuation(&self, ply: usize, back: usize) -> Continuation {
        self.stack.above(ply, back).continuation
    }

    /// The moves one to six plies before a ply.
    #[inline(always)]
    pub(super) fn continuations(&self, ply: usize) -> Continuations {
        std::array::from_fn(|earlier| self.continuation(ply, earlier + 1))
    }

    /// What a draw is worth to the side to move.
    #[inline]
    pub(super) fn draw_score(&self) -> Score {
        let value = self.shared.settings.draw_value[self.root_color.index()];
        if self.position.side_to_move() == self.root_color { value } else { -value }
    }

    /// A move of the present position as the histories index it.
    #[inline(always)]
    pub(super) fn played(&self, mv: Move) -> PlayedMove {
        PlayedMove::new(&self.position, mv)
    }
}

/// What all threads of one search share.
pub(super) struct Shared<'a> {
    pub(super) table: &'a TranspositionTable,
    pub(super) corrections: &'a Corrections,
    pub(super) signals: &'a Signals,
    pub(super) observer: &'a dyn SearchObserver,
    pub(super) limits: &'a SearchLimits,
    pub(super) settings: &'a SearchSettings,
    pub(super) time: TimeManager<'a>,
    /// Set once by the main thread, for all.
    pub(super) stop: AtomicBool,
    /// Nodes of each thread, published now and then.
    pub(super) nodes: Vec<NodeCounter>,
    /// What the main thread would answer now.
    pub(super) answer: &'a AnswerSlot,
    /// Root moves that the main thread has found to be answered with mate.
    pub(super) refuted: Mutex<Vec<Move>>,
    /// Whether a PV that search cut short is continued up to its depth when it is reported.
    pub(super) extends_pv: bool,
}

/// A counter on a cache line of its own.
#[derive(Default)]
#[repr(align(64))]
pub(super) struct NodeCounter(pub(super) AtomicU64);

impl Shared<'_> {
    /// Nodes of all threads, as far as they were published.
    pub(super) fn total_nodes(&self) -> u64 {
        self.nodes.iter().map(|counter| counter.0.load(Relaxed)).sum()
    }
}
