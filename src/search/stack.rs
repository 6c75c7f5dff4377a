//! The stack of the search, one entry for each ply from the root, and what is known of the node at hand.

use std::ops::{Index, IndexMut};

use arrayvec::ArrayVec;

use crate::memory::{OutOfMemory, try_array, try_vec};
use crate::search::history::{Continuation, PlayedMove};
use crate::search::tt::{Bound, TtEntry};
use crate::types::{Depth, MAX_PLY, Move, PieceType, Score};

/// How many plies back a node looks for the moves that led to it.
const PLIES_LOOKED_BACK: usize = 6;
/// The plies from the root to the deepest, and the two below it that its node resets.
const PLIES: usize = MAX_PLY + 2;

/// The stack of a thread, indexed by the ply. Above the root lie entries without a move, so that a node looks back
/// without asking how far it is from the root.
pub(super) struct Stack(Box<[StackEntry; PLIES_LOOKED_BACK + PLIES]>);

impl Stack {
    pub(super) fn try_new() -> Result<Stack, OutOfMemory> {
        Ok(Stack(try_array(StackEntry::default())?))
    }

    pub(super) fn clear(&mut self) {
        self.0.fill(StackEntry::default());
    }

    /// The entry some plies above a ply, at most [`PLIES_LOOKED_BACK`].
    #[inline(always)]
    pub(super) fn above(&self, ply: usize, back: usize) -> &StackEntry {
        &self.line(ply)[PLIES_LOOKED_BACK - back]
    }

    /// The entries up to a ply that its node looks at: one check of the ply does for all.
    #[inline(always)]
    fn line(&self, ply: usize) -> &[StackEntry; PLIES_LOOKED_BACK + 1] {
        self.0[ply..].first_chunk().expect("a ply of the stack")
    }
}

impl Index<usize> for Stack {
    type Output = StackEntry;

    #[inline(always)]
    fn index(&self, ply: usize) -> &StackEntry {
        self.above(ply, 0)
    }
}

impl IndexMut<usize> for Stack {
    #[inline(always)]
    fn index_mut(&mut self, ply: usize) -> &mut StackEntry {
        &mut self.0[ply + PLIES_LOOKED_BACK]
    }
}

/// What a thread knows of one ply of the line that it searches (Stockfish's `Stack`), in one cache line.
#[derive(Clone, Default)]
#[repr(align(64))]
pub(super) struct StackEntry {
    /// The move made from this ply; none before the first, and for a null move.
    pub(super) made: Option<MadeMove>,
    /// That move as the key of those that follow it.
    pub(super) continuation: Continuation,
    /// By how much less deep it is being searched.
    pub(super) reduction: Depth,
    /// The static evaluation of this ply's position; in check, of the one two plies before.
    pub(super) static_eval: Option<Score>,
    pub(super) in_check: bool,
    /// The TT knew the position.
    pub(super) tt_hit: bool,
    /// The position was once in the principal variation.
    pub(super) tt_pv: bool,
    /// All moves that led here are those of the last iteration's best line.
    pub(super) follows_pv: bool,
    /// How often nodes at this ply have failed high since the node two plies above was begun.
    pub(super) cutoff_count: u32,
    /// A move left out here, while a search finds out whether it is the only good one.
    pub(super) excluded: Option<Move>,
}

const _: () = assert!(size_of::<StackEntry>() == 64, "an entry is one cache line");

/// The best lines from each ply of an open window to the end of what was searched.
pub(super) struct PvTable(Vec<ArrayVec<Move, { MAX_PLY + 1 }>>);

impl PvTable {
    pub(super) fn try_new() -> Result<PvTable, OutOfMemory> {
        Ok(PvTable(try_vec(ArrayVec::new(), PLIES)?))
    }

    pub(super) fn get(&self, ply: usize) -> &[Move] {
        &self.0[ply]
    }

    pub(super) fn clear(&mut self, ply: usize) {
        self.0[ply].clear();
    }

    /// Makes `mv` and the PV of the next ply the PV of this ply.
    pub(super) fn set(&mut self, ply: usize, mv: Move) {
        let [pv, below] = &mut self.0[ply..ply + 2] else { unreachable!("the slice has two elements") };
        pv.clear();
        pv.push(mv);
        // The PV below is at least one ply shorter than what fits.
        pv.extend(below.iter().copied().take(MAX_PLY));
    }
}

/// A move made on the line that is searched, with what the nodes below ask about it.
#[derive(Clone, Copy)]
pub(super) struct MadeMove {
    pub(super) mv: Move,
    /// The move as the histories index it.
    pub(super) played: PlayedMove,
    pub(super) captured: Option<PieceType>,
    /// Its place among the moves tried, from 1.
    pub(super) move_count: usize,
    /// statScore: its history score when it was made; 0 where that was not looked up.
    pub(super) stat_score: i32,
}

impl MadeMove {
    #[inline(always)]
    pub(super) fn is_quiet(&self) -> bool {
        self.captured.is_none()
    }
}

/// The repeated position, three plies above the one with the repeating move, must lie below the root.
pub(super) const PLIES_BACK: usize = 3;

/// What kind of node is searched; settled at compile time.
pub(super) trait NodeType {
    /// The window is open: the exact score matters.
    const PV: bool;
    /// The position the search was started from.
    const ROOT: bool;
}

/// A node, with an open window or a null window, and whether it is the root.
pub(super) struct Node<const PV: bool, const ROOT: bool>;

impl<const IS_PV: bool, const IS_ROOT: bool> NodeType for Node<IS_PV, IS_ROOT> {
    const PV: bool = IS_PV;
    const ROOT: bool = IS_ROOT;
}

pub(super) type Root = Node<true, true>;
pub(super) type Pv = Node<true, false>;
pub(super) type NonPv = Node<false, false>;

/// What a node knows before its moves are tried. (Its stack entry keeps what the nodes below ask for.)
#[derive(Clone, Copy, Default)]
pub(super) struct NodeInfo {
    pub(super) ply: usize,
    /// The position's key in the transposition table.
    pub(super) key: u64,
    pub(super) depth: Depth,
    /// The move that is left out, while a search of the others shows whether it stands alone.
    pub(super) excluded: Option<Move>,
    /// The evaluation as the network gives it; none in check.
    pub(super) raw_eval: Option<Score>,
    /// The static evaluation; in check, that of two plies before.
    pub(super) static_eval: Option<Score>,
    /// The static evaluation, or the TT score where that is closer to the truth.
    pub(super) eval: Score,
    /// By how much the static evaluation was corrected, either way, in
    /// [`UNITS_PER_POINT`](crate::search::correction::UNITS_PER_POINT): an uncertain one is pruned by less.
    pub(super) correction: i32,
    /// The static evaluation has risen since the side to move was last to move.
    pub(super) improving: bool,
    /// The sum of both sides' static evaluations is above 0: the opponent's has fallen with its last move.
    pub(super) opponent_worsening: bool,
    pub(super) tt_move: Option<Move>,
    pub(super) tt_move_captures: bool,
    /// What the TT knows of the position, its score counted from the root.
    pub(super) tt_entry: Option<TtEntry>,
    /// By how many plies the search of this node was reduced.
    pub(super) prior_reduction: Depth,
    /// Expected to fail high.
    pub(super) cut_node: bool,
    /// Expected to fail low after all moves were tried.
    pub(super) all_node: bool,
}

/// What the moves tried so far have brought.
pub(super) struct BestSoFar {
    pub(super) score: Score,
    pub(super) mv: Option<Move>,
    pub(super) alpha: Score,
    /// There was no legal move except the excluded one.
    pub(super) no_move: bool,
    /// Moves other than the TT move refute the node as well, so it was left at once with this score.
    pub(super) multi_cut: Option<Score>,
}

/// Whether the bound of a TT entry cuts off a null-window node, if the entry is deep enough.
#[inline]
pub(super) fn bound_allows_cutoff(entry: &TtEntry, beta: Score) -> bool {
    entry.score.is_some_and(|score| match entry.bound {
        Bound::Exact => true,
        Bound::Lower => score >= beta,
        Bound::Upper => score < beta,
    })
}

/// The evaluation, or the TT score where its bound says that it is closer to the truth.
#[inline]
pub(super) fn tt_adjusted_eval(static_eval: Option<Score>, entry: Option<TtEntry>) -> Score {
    let Some(eval) = static_eval else { return -Score::MAX_EVAL };
    let Some((score, bound)) = entry.and_then(|entry| Some((entry.score?, entry.bound))) else { return eval };
    let closer = match bound {
        Bound::Exact => true,
        Bound::Lower => score > eval,
        Bound::Upper => score < eval,
    };
    if closer { score } else { eval }
}

/// A score above beta, moved towards it by these weights: how far above is uncertain.
#[inline]
pub(super) fn lerp_to_beta(score: Score, weight: i32, beta: Score, beta_weight: i32) -> Score {
    if score <= beta || score.is_decided() || beta.is_decided() {
        return score;
    }
    Score::from_value((score.value() * weight + beta.value() * beta_weight) / (weight + beta_weight))
}
