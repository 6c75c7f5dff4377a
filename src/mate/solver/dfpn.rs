//! Depth-first proof number search (Nagai, "Df-pn algorithm for searching AND/OR trees and its applications", 2002).
//!
//! Every search is for a mate in at most a given number of plies; the first, which only asks whether there is one, for
//! a number that none exceeds. The bound makes shortest mates a matter of asking again with a smaller one.

use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::thread;
use std::time::Instant;

use super::node::{self, Child, Lookup, Summary, estimate, is_mated};
use super::path::{Path, Team};
use super::proofs::{INFINITE, NO_REPETITION, ProofNumbers, ProofTable};
use super::{MateLimits, MateObserver, MateProgress, STACK_BYTES, SilentMateObserver};
use crate::movegen::legal_moves;
use crate::position::Position;
use crate::threads::{self, OnDrop};
use crate::types::{Hand, Move};

/// How many positions are visited between two looks at the clock.
const CHECK_INTERVAL: u64 = 512;
/// Positions beyond the limits for the moves of a mate, where nothing else is said: about 0.1 s.
const CLOSING_NODES: u64 = 40_000;

/// One thread's search.
pub(super) struct Dfpn<'a> {
    pub(super) position: Position,
    pub(super) table: &'a ProofTable,
    pub(super) path: &'a mut Path,
    /// The threads that may be called to help, if there are several.
    pub(super) helpers: Option<Arc<Team>>,
    /// The threads that search the present question together.
    pub(super) team: Option<Arc<Team>>,
    /// Whether futile interpositions count for nothing.
    pub(super) without_futile: bool,
    /// Whether another thread leads the search.
    is_helper: bool,
    /// Positions that the others know of.
    published: u64,
    pub(super) observer: &'a dyn MateObserver,
    /// Where it must end, decided or not.
    max_nodes: u64,
    deadline: Option<Instant>,
    pub(super) progress: MateProgress,
    pub(super) started: Instant,
    reported: Instant,
    next_check: u64,
    /// Set when the search must end: results from then on mean nothing.
    pub(super) aborted: bool,
    /// How many positions may be visited beyond the limits to put the moves of a mate together.
    pub(super) closing_nodes: u64,
    /// While the moves of a mate are put together: how many positions may have been visited at the end, once a limit is
    /// reached.
    closing: Option<u64>,
    /// Of all nodes of the path, one after the other.
    pub(super) children: Vec<Child>,
}

impl<'a> Dfpn<'a> {
    pub(super) fn new(
        position: Position,
        table: &'a ProofTable,
        path: &'a mut Path,
        observer: &'a dyn MateObserver,
        limits: &MateLimits,
    ) -> Dfpn<'a> {
        let now = Instant::now();
        Dfpn {
            position,
            table,
            path,
            helpers: None,
            team: None,
            without_futile: limits.without_futile,
            is_helper: false,
            published: 0,
            observer,
            max_nodes: limits.nodes.unwrap_or(u64::MAX),
            deadline: limits.time.and_then(|time| now.checked_add(time)),
            progress: MateProgress::default(),
            started: now,
            reported: now,
            next_check: 0,
            aborted: false,
            closing_nodes: CLOSING_NODES,
            closing: None,
            children: Vec::new(),
        }
    }

    /// Whether the present position is mate in at most `length` plies, and the move that shows it: the attacker's
    /// that mates or the defender's that escapes. Unknown only after an abort.
    pub(super) fn decide<const ATTACK: bool>(&mut self, length: u16) -> (ProofNumbers, Option<Move>) {
        let hand = self.attacking_hand::<ATTACK>();
        self.search::<ATTACK>(hand, length, Thresholds::NONE)
    }

    pub(super) fn attacking_hand<const ATTACK: bool>(&self) -> Hand {
        let us = self.position.side_to_move();
        self.position.hand(if ATTACK { us } else { !us })
    }

    fn search<const ATTACK: bool>(
        &mut self,
        hand: Hand,
        length: u16,
        thresholds: Thresholds,
    ) -> (ProofNumbers, Option<Move>) {
        if ATTACK && length == 0 {
            return (ProofNumbers::disproven(0, hand, NO_REPETITION), None);
        }
        if !ATTACK && length < 2 {
            let numbers = estimate::<true>(&mut self.position, length, self.without_futile);
            return (numbers, legal_moves(&self.position).first().copied());
        }
        let nodes_before = self.progress.nodes;
        let ply = self.path.steps.len() as u16;
        self.visit(ply);
        let board = self.path.key(self.position.board_key(), hand);
        let node = SearchNode { board, hand, length, start: self.children.len() };
        let start = node.start;
        self.path.push(board, hand);
        if let Some(team) = &self.team {
            team.threads_at(board).fetch_add(1, Relaxed);
        }
        self.expand::<ATTACK>(hand, length);
        let summary = self.search_children::<ATTACK>(&node, thresholds);
        let decided = summary.phi == 0 || summary.phi >= INFINITE;
        let (mut numbers, mv) = if decided {
            node::conclude::<ATTACK>(&self.position, &self.children[start..])
        } else if let Some(numbers) = self.decided_by_others(&node) {
            (numbers, None)
        } else {
            let [phi, delta] = [summary.phi, summary.delta].map(|number| number.min(INFINITE - 1));
            (if ATTACK { ProofNumbers::undecided(phi, delta) } else { ProofNumbers::undecided(delta, phi) }, None)
        };
        self.children.truncate(start);
        if numbers.min_repeat_ply != NO_REPETITION && numbers.min_repeat_ply >= ply {
            // What it repeats lies at or below this node: it holds on any path.
            numbers.min_repeat_ply = NO_REPETITION;
        }
        if self.aborted && !decided {
            // The numbers are out of date.
        } else if numbers.min_repeat_ply == NO_REPETITION {
            let work = (self.progress.nodes - nodes_before).min(u64::from(u32::MAX)) as u32;
            self.table.part(board).store(board, hand, &numbers, work);
        } else {
            self.path.remember(&numbers);
        }
        self.path.pop();
        if let Some(team) = &self.team {
            team.threads_at(board).fetch_sub(1, Relaxed);
        }
        (numbers, mv)
    }

    /// The result of a node below the root that another thread has found meanwhile.
    fn decided_by_others(&self, node: &SearchNode) -> Option<ProofNumbers> {
        self.team.as_ref().filter(|_| self.path.steps.len() > 1)?;
        self.table.part(node.board).probe(node.board, node.hand, node.length).filter(ProofNumbers::is_decided)
    }

    pub(super) fn expand<const ATTACK: bool>(&mut self, hand: Hand, length: u16) {
        let Dfpn { position, table, path, without_futile, .. } = self;
        let mut lookup = Lookup { position, table, path, without_futile: *without_futile };
        node::expand::<ATTACK>(&mut lookup, hand, length, &mut self.children);
    }

    /// Searches the most promising child until the node is decided or a threshold is reached.
    fn search_children<const ATTACK: bool>(&mut self, node: &SearchNode, thresholds: Thresholds) -> Summary {
        let mut first = true;
        loop {
            let summary = node::summarize::<ATTACK>(&self.children[node.start..], self.team.as_deref());
            let Summary { phi, delta, .. } = summary;
            let reached = phi >= thresholds.phi || delta >= thresholds.delta;
            // A node visited is always worth a step: otherwise two nodes could send the search back and forth for ever.
            if phi == 0 || phi >= INFINITE || (reached && !first) || self.aborted {
                return summary;
            }
            if self.decided_by_others(node).is_some() {
                return summary;
            }
            first = false;
            self.search_child::<ATTACK>(node, &summary, thresholds);
        }
    }

    fn search_child<const ATTACK: bool>(&mut self, node: &SearchNode, summary: &Summary, thresholds: Thresholds) {
        let &SearchNode { length, start, .. } = node;
        let index = start + summary.best;
        let Child { mv, hand, numbers, .. } = self.children[index];
        // A little more than the second best, so that the search does not change between the two all the time
        // (the 1 + epsilon trick; Pawlewicz and Lew, 2007).
        let second = summary.second_phi.saturating_add(summary.second_phi / 4).saturating_add(1);
        let phi = thresholds.phi.min(second).max(node::phi::<ATTACK>(&numbers) + 1).min(INFINITE);
        let others = if thresholds.delta >= INFINITE { 0 } else { summary.other_delta };
        let delta = thresholds.delta.saturating_sub(others).max(node::delta::<ATTACK>(&numbers) + 1).min(INFINITE);
        // The other side wants the other number.
        let limits = Thresholds { phi: delta, delta: phi };

        self.position.do_move(mv);
        let found = if ATTACK {
            self.search::<false>(hand, length - 1, limits)
        } else {
            self.search::<true>(hand, length - 1, limits)
        };
        self.position.undo_move(mv);
        if self.aborted && !found.0.is_decided() {
            return;
        }
        self.children[index].numbers = found.0;
        if let Some(next) = node::activate_next::<ATTACK>(&mut self.children[start..], index - start) {
            let Dfpn { position, table, path, without_futile, .. } = self;
            let mut lookup = Lookup { position, table, path, without_futile: *without_futile };
            node::assess_chain::<ATTACK>(&mut lookup, length, &mut self.children[start..], next);
        }
    }

    /// Does some work that hardly searches at all, for what it needs is known already: little of it beyond the limits.
    pub(super) fn beyond_limits<T>(&mut self, work: impl FnOnce(&mut Self) -> T) -> T {
        let aborted = std::mem::take(&mut self.aborted);
        self.closing = Some(u64::MAX);
        let result = work(self);
        (self.aborted, self.closing) = (aborted, None);
        result
    }

    /// Counts a position and looks at the clock from time to time.
    fn visit(&mut self, ply: u16) {
        self.progress.nodes += 1;
        self.progress.selective_depth = self.progress.selective_depth.max(ply);
        if self.progress.nodes >= self.closing.unwrap_or(self.max_nodes) {
            self.aborted = true;
        }
        if self.team.as_ref().is_some_and(|team| team.answered.load(Relaxed)) {
            self.aborted = true;
        }
        if self.progress.nodes >= self.next_check {
            self.next_check = self.progress.nodes + CHECK_INTERVAL;
            self.look_at_clock();
        }
    }

    #[cold]
    fn look_at_clock(&mut self) {
        threads::give_way();
        if self.is_helper {
            self.publish_nodes();
            return;
        }
        let now = Instant::now();
        match self.closing {
            None => self.aborted |= self.is_interrupted(now),
            Some(u64::MAX) if self.is_interrupted(now) => self.closing = Some(self.progress.nodes + self.closing_nodes),
            Some(_) => {}
        }
        if now.duration_since(self.reported) >= self.observer.interval() {
            self.reported = now;
            self.report();
        }
    }

    fn is_interrupted(&self, now: Instant) -> bool {
        self.observer.is_stopped()
            || self.deadline.is_some_and(|deadline| now >= deadline)
            || self.progress.nodes + self.nodes_of_helpers() >= self.max_nodes
    }

    /// Whether a search that was aborted has reached a limit; if not, it may go on.
    fn is_beyond_limits(&mut self) -> bool {
        self.aborted = self.is_interrupted(Instant::now());
        self.aborted
    }
}

/// A node being searched.
struct SearchNode {
    board: u64,
    /// The attacker's.
    hand: Hand,
    length: u16,
    /// Where its children begin.
    start: usize,
}

/// When the search of a node ends: one of its numbers, seen from the side to move, has reached its threshold.
#[derive(Clone, Copy)]
struct Thresholds {
    phi: u32,
    delta: u32,
}

impl Thresholds {
    const NONE: Thresholds = Thresholds { phi: INFINITE, delta: INFINITE };
}

impl Dfpn<'_> {
    /// Lets the thread that leads know what this one does.
    fn publish_nodes(&mut self) {
        if let Some(team) = &self.team {
            team.helpers_nodes.fetch_add(self.progress.nodes - self.published, Relaxed);
            self.published = self.progress.nodes;
        }
    }

    /// Positions visited by helpers in the question that is being answered.
    fn nodes_of_helpers(&self) -> u64 {
        self.team.as_ref().map_or(0, |team| team.helpers_nodes.load(Relaxed))
    }

    /// Tells the observer how far the search is.
    pub(super) fn report(&mut self) {
        self.update_progress();
        let nodes = self.progress.nodes + self.nodes_of_helpers();
        self.observer.on_progress(&MateProgress { nodes, ..self.progress.clone() });
    }

    /// Brings the figures of the progress up to date.
    pub(super) fn update_progress(&mut self) {
        self.progress.time = self.started.elapsed();
        self.progress.hash_full = self.table.part(0).permille_used();
    }
}

/// A question that takes fewer positions than this is answered sooner without help.
const SOLO_NODES: u64 = 4096;

impl Dfpn<'_> {
    /// As [`Dfpn::decide`], by all threads there are.
    pub(super) fn decide_with_help<const ATTACK: bool>(&mut self, length: u16) -> (ProofNumbers, Option<Move>) {
        let Some(team) = self.helpers.clone() else { return self.decide::<ATTACK>(length) };
        let limit = self.max_nodes;
        self.max_nodes = limit.min(self.progress.nodes + SOLO_NODES);
        let answer = self.decide::<ATTACK>(length);
        self.max_nodes = limit;
        if self.is_beyond_limits() || answer.0.is_decided() {
            return answer;
        }
        self.decide_as_team::<ATTACK>(&team, length)
    }

    fn decide_as_team<const ATTACK: bool>(&mut self, team: &Arc<Team>, length: u16) -> (ProofNumbers, Option<Move>) {
        team.answered.store(false, Relaxed);
        team.helpers_nodes.store(0, Relaxed);
        self.team = Some(Arc::clone(team));
        let answer = thread::scope(|scope| {
            let without_futile = self.without_futile;
            let us = self.position.side_to_move();
            let attacker = if ATTACK { us } else { !us };
            for _ in 0..team.helper_count {
                let (position, table) = (self.position.clone(), self.table);
                let help = move || {
                    let _end = OnDrop(|| team.stop());
                    let mut path = Path::new();
                    let limits = MateLimits { without_futile, ..MateLimits::default() };
                    path.begin(&position, attacker);
                    let mut search = Dfpn::new(position, table, &mut path, &SilentMateObserver, &limits);
                    search.team = Some(Arc::clone(team));
                    search.is_helper = true;
                    search.decide::<ATTACK>(length);
                    search.publish_nodes();
                };
                // Where the system refuses a thread, fewer have to do.
                let _ = thread::Builder::new().name("mate".into()).stack_size(STACK_BYTES).spawn_scoped(scope, help);
            }
            let _end = OnDrop(|| team.stop());
            self.decide::<ATTACK>(length)
        });
        self.team = None;
        self.progress.nodes += team.helpers_nodes.load(Relaxed);
        if self.is_beyond_limits() || answer.0.is_decided() {
            return answer;
        }
        // A helper was first: the answer lies in the table.
        self.decide::<ATTACK>(length)
    }
}

// The moves of a mate.

/// The shortest mate with the longest defence, from a position known to be mate in `plies` and not in fewer. `None`
/// when a limit is reached before all of it is known.
pub(super) fn exact_line<const ATTACK: bool>(search: &mut Dfpn<'_>, plies: u16) -> Option<Vec<Move>> {
    let mut moves = Vec::new();
    let mut attack = ATTACK;
    let mut left = plies;
    while left > 0 {
        let next = if attack {
            search.decide::<true>(left).1
        } else {
            // The move that escapes from a mate two plies shorter is the longest defence.
            search.decide::<false>(left.checked_sub(2)?).1
        };
        let Some(mv) = next.filter(|_| !search.aborted) else { break };
        search.position.do_move(mv);
        moves.push(mv);
        attack = !attack;
        left -= 1;
    }
    let complete = left == 0 && search.is_mated();
    moves.iter().rev().for_each(|&mv| search.position.undo_move(mv));
    complete.then_some(moves)
}

/// A mate in at most `plies`, from a position just found to have one, with as long a defence as is known.
pub(super) fn proven_line<const ATTACK: bool>(search: &mut Dfpn<'_>, plies: u16) -> Option<Vec<Move>> {
    search.beyond_limits(|search| {
        let mut moves = Vec::new();
        let mut attack = ATTACK;
        let mut left = plies;
        let mut keys = Vec::new();
        // With no ply left nothing may be asked: a mate that is not there by then is none.
        while left > 0 && !search.is_mated() {
            let next = if attack {
                let (numbers, mv) = search.decide::<true>(left);
                mv.map(|mv| (mv, Some(numbers.length - 1)))
            } else {
                search.longest_known_defence(left)
            };
            let Some((mv, numbers)) = next else { break };
            keys.push(search.position.key());
            search.position.do_move(mv);
            moves.push(mv);
            attack = !attack;
            left = numbers.unwrap_or(left - 1);
            // What was found meanwhile may lead back: such moves are left out.
            if let Some(first) = keys.iter().position(|&key| key == search.position.key()) {
                moves.drain(first..).rev().for_each(|mv| search.position.undo_move(mv));
                keys.truncate(first);
            }
        }
        let complete = search.is_mated();
        moves.iter().rev().for_each(|&mv| search.position.undo_move(mv));
        complete.then_some(moves)
    })
}

impl Dfpn<'_> {
    fn is_mated(&mut self) -> bool {
        is_mated(&mut self.position, self.without_futile)
    }

    /// The defence that is known to hold out longest, where the defender is mated in `length` plies.
    fn longest_known_defence(&mut self, length: u16) -> Option<(Move, Option<u16>)> {
        let hand = self.attacking_hand::<false>();
        let start = self.children.len();
        self.expand::<false>(hand, length);
        let proven_length = |child: &Child| child.numbers.is_proven().then_some(child.numbers.length);
        let defences = self.children[start..].iter().map(|child| (child.mv, proven_length(child)));
        let longest = defences.max_by_key(|(_, length)| length.unwrap_or(u16::MAX));
        self.children.truncate(start);
        longest
    }
}

#[cfg(test)]
mod tests {
    use crate::mate::solver::path::Path;
    use crate::mate::solver::proofs::ProofTable;
    use crate::mate::{MateLimits, SilentMateObserver};
    use crate::position::Position;
    use crate::types::Color;

    use super::*;

    #[test]
    fn no_ply_is_asked_about_where_none_is_left() {
        let position = Position::from_sfen("4k4/9/4P4/9/9/9/9/9/4K4 w G 1").unwrap();
        let (table, mut path) = (ProofTable::new(1, 1), Path::new());
        path.begin(&position, Color::Black);
        let mut search = Dfpn::new(position, &table, &mut path, &SilentMateObserver, &MateLimits::default());
        assert_eq!(proven_line::<false>(&mut search, 0), None);
        assert_eq!(proven_line::<true>(&mut search, 0), None);
    }
}
