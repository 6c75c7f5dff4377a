//! One thread of a search: what it owns, what it shares, and its line through the tree.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard};
use std::time::Instant;

use arrayvec::ArrayVec;

use super::history::{Continuation, History, PlayedMove};
use super::movepick::Continuations;
use super::reductions::Reductions;
use super::root_moves::{RootLine, RootMove};
use super::time::TimeManager;
use super::tt::TranspositionTable;
use super::{SearchControl, SearchLimits, SearchObserver, SearchSettings};
use crate::eval::Evaluator;
use crate::position::{MoveDelta, Position};
use crate::types::{Color, Depth, MAX_PLY, Move, Piece, PieceType, Score};

/// What all threads of one search share.
pub(super) struct Shared<'a> {
    pub(super) table: &'a TranspositionTable,
    pub(super) control: &'a SearchControl,
    pub(super) observer: &'a dyn SearchObserver,
    pub(super) limits: &'a SearchLimits,
    pub(super) settings: &'a SearchSettings,
    /// Set once by the main thread, for all.
    pub(super) stop: AtomicBool,
    /// Nodes of each thread, published now and then.
    pub(super) nodes: Vec<NodeCounter>,
    /// What the main thread would answer now.
    pub(super) answer: AnswerSlot,
}

/// The lines that the main thread would answer now, best first, for whoever must answer in its stead.
#[derive(Default)]
pub(super) struct AnswerSlot(Mutex<Vec<RootLine>>);

impl AnswerSlot {
    /// The lock is held only to swap what lies in the slot, so that a thread that waits for a processor hardly
    /// ever holds it.
    pub(super) fn put(&self, lines: Vec<RootLine>) {
        let old = std::mem::replace(&mut *self.lock(), lines);
        drop(old);
    }

    pub(super) fn get(&self) -> Vec<RootLine> {
        self.lock().clone()
    }

    fn lock(&self) -> MutexGuard<'_, Vec<RootLine>> {
        self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

/// A counter on a cache line of its own.
#[derive(Default)]
#[repr(align(64))]
pub(super) struct NodeCounter(AtomicU64);

impl Shared<'_> {
    /// Nodes of all threads, as far as they were published.
    pub(super) fn total_nodes(&self) -> u64 {
        self.nodes.iter().map(|counter| counter.0.load(Relaxed)).sum()
    }
}

/// What a thread remembers of one ply of its line.
#[derive(Clone, Default)]
pub(super) struct Frame {
    /// The move made from this ply.
    pub(super) played: Option<PlayedMove>,
    /// The same move as the key of those that follow it.
    pub(super) continuation: Continuation,
    /// The same move as it is written.
    pub(super) mv: Option<Move>,
    /// It captures nothing.
    pub(super) quiet: bool,
    /// What it captured.
    pub(super) captured: Option<PieceType>,
    /// Its place among the moves tried, from 1.
    pub(super) number: usize,
    /// Its record in the histories when it was made.
    pub(super) record: i32,
    /// By how much less deep it is being searched.
    pub(super) reduction: Depth,
    /// The static evaluation of this ply's position; in check, of the one two plies before.
    pub(super) static_eval: Option<Score>,
    pub(super) in_check: bool,
    /// The table knew the position.
    pub(super) table_hit: bool,
    /// The position was once in the principal variation.
    pub(super) table_pv: bool,
    /// All moves that led here are those of the last iteration's best line.
    pub(super) follows_pv: bool,
    /// How often nodes at this ply have failed high since the node two plies above was begun.
    pub(super) cutoffs: u32,
    /// A move left out here, while a search finds out whether it is the only good one.
    pub(super) excluded: Option<Move>,
    pub(super) pv: ArrayVec<Move, { MAX_PLY + 1 }>,
}

impl Frame {
    /// Forgets everything. The moves of the line are left where they are: with them the frames are 150 KiB.
    fn clear(&mut self) {
        let Frame {
            played,
            continuation,
            mv,
            quiet,
            captured,
            number,
            record,
            reduction,
            static_eval,
            in_check,
            table_hit,
            table_pv,
            follows_pv,
            cutoffs,
            excluded,
            pv,
        } = self;
        (*played, *continuation, *mv, *captured, *static_eval, *excluded) = Default::default();
        (*number, *record, *reduction, *cutoffs) = Default::default();
        (*quiet, *in_check, *table_hit, *table_pv, *follows_pv) = Default::default();
        pv.clear();
    }
}

/// What a thread keeps from one search of a game to the next.
pub(super) struct Memory<E> {
    pub(super) history: History,
    pub(super) evaluator: E,
    frames: Vec<Frame>,
}

impl<E: Evaluator> Memory<E> {
    pub(super) fn new(evaluator: E) -> Memory<E> {
        Memory { history: History::new(), evaluator, frames: vec![Frame::default(); MAX_PLY + 2] }
    }

    pub(super) fn clear(&mut self) {
        self.history.clear();
    }
}

/// A thread at work.
pub(super) struct SearchThread<'a, E> {
    pub(super) index: usize,
    pub(super) shared: &'a Shared<'a>,
    pub(super) position: Position,
    pub(super) root_color: Color,
    pub(super) history: &'a mut History,
    pub(super) evaluator: &'a mut E,
    pub(super) frames: &'a mut [Frame],
    pub(super) reductions: &'static Reductions,
    pub(super) time: TimeManager,
    pub(super) root_moves: Vec<RootMove>,
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
    root_ply: u32,
    /// With one thread a node limit is exact; with several it is looked at now and then.
    node_budget: u64,
    was_pondering: bool,
    /// What the last iteration on the opponent's time would have meant for the own clock.
    pub(super) pondered: Pondered,
    /// When the search began, on whoever's time.
    pub(super) started: Instant,
    stopped: bool,
}

/// What is known of a move by the time that its search comes to the own clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pondered {
    /// Nothing yet that would end the search.
    Unsettled,
    /// It has been thought about long enough.
    Enough,
    /// There is no choice, or nothing better to find.
    Certain,
}

/// Nodes between two looks at the clock.
const POLL_INTERVAL: u64 = 256;

impl<'a, E: Evaluator> SearchThread<'a, E> {
    pub(super) fn new(
        index: usize,
        shared: &'a Shared<'a>,
        memory: &'a mut Memory<E>,
        position: &Position,
        root_moves: &[Move],
    ) -> SearchThread<'a, E> {
        let color = position.side_to_move();
        memory.frames.iter_mut().for_each(Frame::clear);
        memory.evaluator.reset(position);
        memory.history.forget_low_plies();
        let time = TimeManager::new(shared.limits, &shared.settings.time, color, position.game_ply());
        SearchThread {
            index,
            shared,
            position: position.clone(),
            root_color: color,
            history: &mut memory.history,
            evaluator: &mut memory.evaluator,
            frames: &mut memory.frames,
            reductions: Reductions::get(),
            time,
            pondered: Pondered::Unsettled,
            started: time.start(),
            root_moves: root_moves.iter().copied().map(RootMove::new).collect(),
            pv_index: 0,
            finished: Vec::new(),
            root_depth: 0,
            last_pv: Vec::new(),
            completed_depth: 0,
            selective_depth: 0,
            nodes: 0,
            null_move_from: 0,
            root_window: 1,
            root_ply: position.game_ply(),
            node_budget: shared.limits.nodes.filter(|_| shared.nodes.len() == 1).unwrap_or(u64::MAX),
            was_pondering: shared.limits.ponder,
            stopped: false,
        }
    }

    /// Whether this is the thread that watches the clock and reports.
    #[inline(always)]
    pub(super) fn is_main(&self) -> bool {
        self.index == 0
    }

    /// Whether the search is over; what is being searched is then worth nothing.
    #[inline(always)]
    pub(super) fn is_stopped(&self) -> bool {
        self.stopped
    }

    /// Counts a node and, now and then, looks whether the search must end.
    #[inline(always)]
    pub(super) fn count_node(&mut self) {
        if self.stopped {
            return;
        }
        self.nodes += 1;
        if self.nodes.is_multiple_of(POLL_INTERVAL) || self.nodes >= self.node_budget {
            self.poll();
        }
    }

    #[inline(never)]
    fn poll(&mut self) {
        self.shared.nodes[self.index].0.store(self.nodes, Relaxed);
        if self.is_main() && self.must_stop() {
            self.shared.stop.store(true, Relaxed);
        }
        self.stopped = self.shared.stop.load(Relaxed);
    }

    /// Publishes the node count and tells whether the search is over.
    pub(super) fn poll_now(&mut self) -> bool {
        self.poll();
        self.stopped
    }

    fn must_stop(&mut self) -> bool {
        if self.shared.control.is_stopped() {
            return true;
        }
        if self.shared.limits.nodes.is_some_and(|limit| self.shared.total_nodes() >= limit) {
            return true;
        }
        !self.is_pondering() && self.time.is_over()
    }

    /// Whether the search is still on the opponent's time. On `ponderhit` the clock starts.
    pub(super) fn is_pondering(&mut self) -> bool {
        let pondering = self.shared.control.is_pondering();
        if self.was_pondering && !pondering {
            self.was_pondering = false;
            if let Some(hit) = self.shared.control.ponder_hit_seen() {
                let (limits, settings) = (self.shared.limits, &self.shared.settings.time);
                self.time = TimeManager::after_ponder_hit(hit, limits, settings, self.root_color, self.root_ply);
                match self.pondered {
                    Pondered::Unsettled => {}
                    Pondered::Enough => self.time.be_quick(),
                    Pondered::Certain => self.time.finish(),
                }
            }
        }
        pondering
    }

    /// Asks for the table's memory of the position after a move. It takes longer than making the move, so ask as
    /// soon as the move is likely to be made.
    #[inline(always)]
    pub(super) fn prefetch_after(&self, mv: Move) {
        self.shared.table.prefetch(self.position.key_after(mv));
    }

    /// Makes a move at a ply and lets the evaluation follow.
    #[inline(always)]
    pub(super) fn do_move(&mut self, mv: Move, ply: usize) -> MoveDelta {
        self.count_node();
        let delta = self.position.do_move(mv);
        self.evaluator.push(&delta);
        let frame = &mut self.frames[ply];
        let played = PlayedMove { piece: delta.after, to: delta.to };
        frame.played = Some(played);
        frame.continuation = Continuation::of(played, frame.in_check, delta.captured.is_some());
        delta
    }

    /// Notes what later nodes ask about a move before it is made.
    #[inline(always)]
    pub(super) fn note_move(&mut self, ply: usize, mv: Move, quiet: bool, number: usize, record: i32) {
        let captured = self.position.piece_on(mv.to()).map(Piece::piece_type);
        let frame = &mut self.frames[ply];
        (frame.mv, frame.quiet, frame.captured, frame.number, frame.record) =
            (Some(mv), quiet, captured, number, record);
    }

    #[inline(always)]
    pub(super) fn undo_move(&mut self, mv: Move) {
        self.evaluator.pop();
        self.position.undo_move(mv);
    }

    /// The moves one to six plies before a ply.
    #[inline(always)]
    pub(super) fn continuations(&self, ply: usize) -> Continuations {
        [1, 2, 3, 4, 5, 6]
            .map(|back| ply.checked_sub(back).map_or(Continuation::NONE, |at| self.frames[at].continuation))
    }

    /// What a draw is worth to the side to move.
    #[inline]
    pub(super) fn draw_score(&self) -> Score {
        let value = self.shared.settings.draw_value[self.root_color.index()];
        if self.position.side_to_move() == self.root_color { value } else { -value }
    }

    /// Makes `mv` and the line found below it the line of this ply.
    pub(super) fn set_pv(&mut self, ply: usize, mv: Move) {
        let (upper, lower) = self.frames.split_at_mut(ply + 1);
        let pv = &mut upper[ply].pv;
        pv.clear();
        pv.push(mv);
        if let Some(below) = lower.first() {
            // The line below is at least one ply shorter than what fits.
            pv.extend(below.pv.iter().copied().take(MAX_PLY));
        }
    }

    /// The man a move puts down, as histories know it.
    #[inline(always)]
    pub(super) fn played(&self, mv: Move) -> PlayedMove {
        let piece: Piece = self.position.moved_piece_after(mv);
        PlayedMove { piece, to: mv.to() }
    }
}
