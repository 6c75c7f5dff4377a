//! One question answered by several threads, which help each other through the table they share.
//!
//! All search the same tree. Each takes the moves on which others are at work for less promising than they are, so
//! that threads part where several moves are about as good (virtual proof numbers; Kaneko, "Parallel depth first proof
//! number search", 2010).

use super::STACK_BYTES;
use super::dfpn::{Deadline, Dfpn};
use super::path::Path;
use super::result::SilentMateObserver;
use super::shared::SharedTable;
use super::table::{Known, ProofTable};
use crate::types::Move;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU16, AtomicU64, Ordering::Relaxed};
use std::thread;

/// A question that takes fewer positions than this is answered sooner without help.
const ALONE: u64 = 4096;
/// Places that boards on the threads' paths are counted in.
const COUNTERS: usize = 1 << 14;

/// What threads that search together tell each other beside the table.
pub(super) struct Team {
    /// Threads beside the first.
    helpers: usize,
    /// On how many paths a board lies.
    at_work: Vec<AtomicU16>,
    /// Set when the question is answered or given up.
    answered: AtomicBool,
    /// Positions visited by the helpers.
    pub(super) helpers_nodes: AtomicU64,
}

impl Team {
    pub(super) fn new(threads: usize) -> Team {
        Team {
            helpers: threads.saturating_sub(1),
            at_work: (0..COUNTERS).map(|_| AtomicU16::new(0)).collect(),
            answered: AtomicBool::new(false),
            helpers_nodes: AtomicU64::new(0),
        }
    }

    /// Whether there is nothing left to do.
    pub(super) fn is_done(&self) -> bool {
        self.answered.load(Relaxed)
    }

    /// A thread begins to search a board.
    pub(super) fn enter(&self, board: u64) {
        self.at_work[board as usize % COUNTERS].fetch_add(1, Relaxed);
    }

    /// It has ended.
    pub(super) fn leave(&self, board: u64) {
        self.at_work[board as usize % COUNTERS].fetch_sub(1, Relaxed);
    }

    /// How many threads search a board now.
    pub(super) fn threads_at(&self, board: u64) -> u32 {
        self.at_work[board as usize % COUNTERS].load(Relaxed).into()
    }
}

/// How a search answers its questions: alone, or with helpers.
pub(super) trait Decide {
    /// As [`Dfpn::decide`], by all threads there are.
    fn decide_with_help<const ATTACK: bool>(&mut self, length: u16) -> (Known, Option<Move>);
}

impl Decide for Dfpn<'_, ProofTable> {
    fn decide_with_help<const ATTACK: bool>(&mut self, length: u16) -> (Known, Option<Move>) {
        self.decide::<ATTACK>(length)
    }
}

impl Decide for Dfpn<'_, &SharedTable> {
    fn decide_with_help<const ATTACK: bool>(&mut self, length: u16) -> (Known, Option<Move>) {
        let limit = self.deadline.nodes;
        self.deadline.nodes = limit.min(self.progress.nodes + ALONE);
        let answer = self.decide::<ATTACK>(length);
        self.deadline.nodes = limit;
        let is_over = self.is_beyond_limits() || is_answer(&answer);
        match self.reserve.clone() {
            Some(team) if !is_over => self.decide_as_team::<ATTACK>(&team, length),
            _ => answer,
        }
    }
}

impl Dfpn<'_, &SharedTable> {
    fn decide_as_team<const ATTACK: bool>(&mut self, team: &Arc<Team>, length: u16) -> (Known, Option<Move>) {
        team.answered.store(false, Relaxed);
        team.helpers_nodes.store(0, Relaxed);
        self.team = Some(Arc::clone(team));
        let answer = thread::scope(|scope| {
            for _ in 0..team.helpers {
                let (position, mut table) = (self.position.clone(), *self.table);
                let help = move || {
                    let mut path = Path::new();
                    let mut search = Dfpn::new(position, &mut table, &mut path, &SilentMateObserver, Deadline::NONE);
                    search.team = Some(Arc::clone(team));
                    search.is_helper = true;
                    search.decide::<ATTACK>(length);
                    search.publish_nodes();
                    team.answered.store(true, Relaxed);
                };
                // Where the system refuses a thread, fewer have to do.
                let _ = thread::Builder::new().name("mate".into()).stack_size(STACK_BYTES).spawn_scoped(scope, help);
            }
            let answer = self.decide::<ATTACK>(length);
            team.answered.store(true, Relaxed);
            answer
        });
        self.team = None;
        self.progress.nodes += team.helpers_nodes.load(Relaxed);
        if self.is_beyond_limits() || is_answer(&answer) {
            return answer;
        }
        // A helper was first: the answer lies in the table.
        self.decide::<ATTACK>(length)
    }
}

fn is_answer((known, _): &(Known, Option<Move>)) -> bool {
    known.is_proven() || known.is_disproven()
}
