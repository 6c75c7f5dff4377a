//! The positions between the root and the node searched, and disproofs that hold on one path only.
//!
//! A mate never repeats a position, for each of its moves makes the way to its end shorter. A line that does is a
//! disproof, but one that holds only where the repeated position lies on the path (the graph-history interaction
//! problem; Kishimoto and Müller, "A general solution to the graph history interaction problem", 2004). Such a
//! disproof carries the ply of the position repeated: it holds absolutely from that position upwards. Below it is
//! remembered together with the path.
//!
//! Of the game before the root only positions that have occurred three times matter: with the fourth the game is over
//! (千日手), on any path, for a path of its own never repeats one. But with another hand the same moves may lead past
//! them, so that nothing known for one hand may serve for others: the hand becomes part of every key.

use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicU16, AtomicU64};

use super::proofs::ProofNumbers;
use crate::position::Position;
use crate::types::numbers::GOLDEN;
use crate::types::{Color, Hand};

/// Remembered path-dependent disproofs.
const REMEMBERED: usize = 1 << 16;
/// Places that boards on the path are counted in.
const COUNTERS: usize = 1 << 10;

#[derive(Clone, Copy)]
pub(super) struct Step {
    board: u64,
    hand: Hand,
    /// Names the path up to and including this position.
    path: u64,
}

#[derive(Clone, Copy, Default)]
struct Remembered {
    key: u64,
    length: u16,
    min_repeat_ply: u16,
}

fn with_hand(board: u64, hand: Hand) -> u64 {
    board ^ u64::from(hand.bits()).wrapping_mul(0x9fb2_1c65_1e98_df25)
}

/// The path from the root to the node searched.
pub(super) struct Path {
    /// The positions above the one at hand, or up to it.
    pub(super) steps: Vec<Step>,
    counters: Vec<u16>,
    remembered: Vec<Remembered>,
    /// Tells the paths from those that are forgotten.
    root: u64,
    /// Keys of the positions that end the game, since they have occurred three times in it.
    pub(super) barred: Vec<u64>,
}

impl Path {
    pub(super) fn new() -> Path {
        Path {
            steps: Vec::new(),
            counters: vec![0; COUNTERS],
            remembered: vec![Remembered::default(); REMEMBERED],
            root: 0,
            barred: Vec::new(),
        }
    }

    /// Starts a new search from a position, for mates by the attacker.
    pub(super) fn begin(&mut self, position: &Position, attacker: Color) {
        self.steps.clear();
        self.counters.fill(0);
        let thrice = position.occurred_thrice().into_iter();
        self.barred = thrice.map(|(board, hands)| with_hand(board, hands[attacker.index()])).collect();
    }

    /// The key of a board in which the attacker holds a hand: that of the board alone, unless the game bars positions.
    pub(super) fn key(&self, board: u64, hand: Hand) -> u64 {
        if self.barred.is_empty() { board } else { with_hand(board, hand) }
    }

    /// Forgets what is remembered: it belongs to other paths from now on.
    pub(super) fn forget(&mut self) {
        self.root = self.root.wrapping_add(GOLDEN);
    }

    pub(super) fn push(&mut self, board: u64, hand: Hand) {
        let path = self.extended(board, hand);
        self.steps.push(Step { board, hand, path });
        self.counters[board as usize % COUNTERS] += 1;
    }

    pub(super) fn pop(&mut self) {
        if let Some(step) = self.steps.pop() {
            self.counters[step.board as usize % COUNTERS] -= 1;
        }
    }

    /// A key of the path extended by one more position.
    fn extended(&self, board: u64, hand: Hand) -> u64 {
        let before = self.steps.last().map_or(self.root, |step| step.path);
        let position = board ^ u64::from(hand.bits()).wrapping_mul(GOLDEN);
        (before.rotate_left(5) ^ position).wrapping_mul(0xd134_2543_de82_ef95)
    }

    /// The ply of a position of the path that a position repeats, with no more in the attacker's hand.
    pub(super) fn repeated(&self, board: u64, hand: Hand) -> Option<u16> {
        if self.counters[board as usize % COUNTERS] == 0 {
            return None;
        }
        let same = |step: &Step| step.board == board && step.hand.includes(hand);
        // The latest: the result then holds for the longest part of the path.
        self.steps.iter().rposition(same).map(|ply| ply as u16)
    }

    /// A disproof remembered for a position reached by this very path.
    pub(super) fn recall(&self, board: u64, hand: Hand, length: u16) -> Option<ProofNumbers> {
        let key = self.extended(board, hand);
        let found = &self.remembered[key as usize % REMEMBERED];
        (found.key == key && found.length >= length)
            .then(|| ProofNumbers::disproven(found.length, hand, found.min_repeat_ply))
    }

    /// Remembers a path-dependent disproof of the last position of the path.
    pub(super) fn remember(&mut self, numbers: &ProofNumbers) {
        if let Some(step) = self.steps.last() {
            self.remembered[step.path as usize % REMEMBERED] =
                Remembered { key: step.path, length: numbers.length, min_repeat_ply: numbers.min_repeat_ply };
        }
    }
}

// One question answered by several threads, which help each other through the table they share.
//
// All search the same tree. Each takes the moves on which others are at work for less promising than they are, so
// that threads part where several moves are about as good (virtual proof numbers; Kaneko, "Parallel depth first proof
// number search", 2010).

/// Places that boards on the threads' paths are counted in.
const TEAM_COUNTERS: usize = 1 << 14;

/// What threads that search together share besides the table.
pub(super) struct Team {
    /// Threads beside the first.
    pub(super) helper_count: usize,
    /// On how many paths a board lies.
    threads_on_board: Vec<AtomicU16>,
    /// Set when the question is answered or given up.
    pub(super) answered: AtomicBool,
    /// Positions visited by the helpers.
    pub(super) helpers_nodes: AtomicU64,
}

impl Team {
    pub(super) fn new(threads: usize) -> Team {
        Team {
            helper_count: threads.saturating_sub(1),
            threads_on_board: (0..TEAM_COUNTERS).map(|_| AtomicU16::new(0)).collect(),
            answered: AtomicBool::new(false),
            helpers_nodes: AtomicU64::new(0),
        }
    }

    /// How many threads search a board now.
    pub(super) fn threads_at(&self, board: u64) -> &AtomicU16 {
        &self.threads_on_board[board as usize % TEAM_COUNTERS]
    }

    /// Ends the search of all threads: the helpers have no limits of their own.
    pub(super) fn stop(&self) {
        self.answered.store(true, Relaxed);
    }
}
