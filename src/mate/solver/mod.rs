//! From a position to its mate.

mod dfpn;
mod node;
mod path;
mod proofs;

use std::sync::Arc;
use std::time::Duration;
use std::{panic, thread};

use dfpn::{Dfpn, exact_line, proven_line};
use path::{Path, Team};
use proofs::{ANY_LENGTH, ProofTable};
use thiserror::Error;

use crate::position::{Position, Repetition};
use crate::threads;
use crate::types::numbers::nodes_per_second;
use crate::types::{Color, Move, PieceType};

/// No mate longer than this is found. The longest problem composed so far has 1525 plies.
pub const MAX_MATE_PLIES: u16 = 3000;
/// The deepest path has a frame of the search at each ply.
const STACK_BYTES: usize = 64 << 20;

/// Who is asked about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Attacker {
    /// The side to move mates.
    SideToMove,
    /// The side to move is to be mated: can it escape?
    Opponent,
}

/// Solves mates, one after another with one table.
///
/// ```
/// use kurosabi::mate::{Attacker, MateLimits, MateSolver, SilentMateObserver};
/// use kurosabi::position::Position;
///
/// let position = Position::from_sfen("4k4/9/4P4/9/9/9/9/9/9 b G 1")?;
/// let mut solver = MateSolver::new(16);
/// let result = solver.solve(&position, Attacker::SideToMove, &MateLimits::default(), &SilentMateObserver)?;
/// let mate = result.mate().unwrap();
/// assert_eq!((mate.moves[0].to_string().as_str(), mate.is_shortest), ("G*5b", true));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct MateSolver {
    table: ProofTable,
    threads: usize,
    path: Path,
    /// What the entries of the table are about, if it is kept from one search to the next.
    table_key: Option<TableKey>,
}

/// The shortest mate that the side to move has by checks alone, with a table made for this question. See
/// [`MateSolver`] for many questions, an opponent's mate and a search that can be stopped.
///
/// # Errors
/// When the opponent has no king, or the system refuses a thread.
pub fn solve(position: &Position, limits: &MateLimits) -> Result<MateResult, MateError> {
    const TABLE_MEGABYTES: usize = 64;
    MateSolver::new(TABLE_MEGABYTES).solve(position, Attacker::SideToMove, limits, &SilentMateObserver)
}

impl MateSolver {
    /// A solver with a table of about this many MiB.
    pub fn new(megabytes: usize) -> MateSolver {
        MateSolver::with_threads(megabytes, 1)
    }

    /// A solver that searches with several threads together, with one table of about this many MiB. Its answers are as
    /// exact as with one thread, but which of several mates of one length it finds may differ from run to run.
    pub fn with_threads(megabytes: usize, threads: usize) -> MateSolver {
        MateSolver { table: ProofTable::new(megabytes, threads), threads, path: Path::new(), table_key: None }
    }

    /// Looks for a mate: for the shortest one, if the limits do not say otherwise. The position's history counts: no
    /// move of the mate makes a position occur for the fourth time, and where the position itself does, there is none.
    ///
    /// # Errors
    /// When the side to be mated has no king, or the system refuses a thread.
    pub fn solve(
        &mut self,
        position: &Position,
        attacker: Attacker,
        limits: &MateLimits,
        observer: &dyn MateObserver,
    ) -> Result<MateResult, MateError> {
        self.solve_after(&[], position, attacker, limits, observer)
    }

    /// As [`MateSolver::solve`], but for mates that repeat none of the positions in `before`. Uses one thread.
    pub(super) fn solve_after(
        &mut self,
        before: &[Position],
        position: &Position,
        attacker: Attacker,
        limits: &MateLimits,
        observer: &dyn MateObserver,
    ) -> Result<MateResult, MateError> {
        let us = position.side_to_move();
        let defender = if attacker == Attacker::SideToMove { !us } else { us };
        if position.king_square(defender).is_none() {
            return Err(MateError::NoKing);
        }
        if position.repetition() != Repetition::None {
            // The game is over.
            let outcome = MateOutcome::NoMate { escape: None };
            return Ok(MateResult { outcome, progress: MateProgress::default() });
        }
        self.path.begin(position, !defender);
        self.path.forget();
        for position in before {
            let hand = position.hand(!defender);
            self.path.push(self.path.key(position.board_key(), hand), hand);
        }
        self.table.clear();
        self.table_key = None;
        let mut search = Dfpn::new(position.clone(), &self.table, &mut self.path, observer, limits);
        // Helpers know nothing of the positions before.
        let is_team = self.threads > 1 && before.is_empty();
        search.helpers = is_team.then(|| Arc::new(Team::new(self.threads)));
        let work = || match attacker {
            Attacker::SideToMove => run::<true>(search, limits),
            Attacker::Opponent => run::<false>(search, limits),
        };
        if !threads::AVAILABLE {
            return Ok(work());
        }
        // With enough stack for the longest mates.
        thread::scope(|scope| {
            let thread = thread::Builder::new().name("mate".into()).stack_size(STACK_BYTES).spawn_scoped(scope, work);
            let thread = thread.map_err(|error| MateError::Thread(error.to_string()))?;
            thread.join().map_err(|panic| panic::resume_unwind(panic))
        })
    }
}

/// The first search, the ones that shorten the mate it found, and the moves of the last.
fn run<const ATTACK: bool>(mut search: Dfpn<'_>, limits: &MateLimits) -> MateResult {
    let longest = limits.plies.unwrap_or(MAX_MATE_PLIES).min(MAX_MATE_PLIES);
    let (first, escape) = search.decide_with_help::<ATTACK>(longest);
    let outcome = if first.is_proven() {
        let mate = shorten::<ATTACK>(&mut search, first.length, limits.any_length);
        mate.map_or(MateOutcome::Unknown, MateOutcome::Mate)
    } else if first.is_disproven() && first.length == ANY_LENGTH {
        MateOutcome::NoMate { escape }
    } else if first.is_disproven() && limits.plies.is_some() {
        MateOutcome::NoMateWithin(longest)
    } else {
        MateOutcome::Unknown
    };
    search.update_progress();
    MateResult { outcome, progress: search.progress }
}

/// Asks for ever shorter mates until there is none.
fn shorten<const ATTACK: bool>(search: &mut Dfpn<'_>, first: u16, any_length: bool) -> Option<Mate> {
    let at_once = 2 + u16::from(ATTACK);
    let mut plies = first;
    search.progress.mate = proven_line::<ATTACK>(search, plies)?;
    let mut is_shortest = plies < at_once;
    while !any_length && !is_shortest {
        search.report();
        let (numbers, _) = search.decide_with_help::<ATTACK>(plies - 2);
        if !numbers.is_proven() {
            is_shortest = numbers.is_disproven();
            break;
        }
        plies = numbers.length;
        if let Some(moves) = proven_line::<ATTACK>(search, plies) {
            search.progress.mate = moves;
        }
        is_shortest = plies < at_once;
    }
    if is_shortest
        && !any_length
        && let Some(moves) = exact_line::<ATTACK>(search, plies)
    {
        search.progress.mate = moves;
    } else {
        is_shortest = false;
    }
    Some(Mate { moves: search.progress.mate.clone(), is_shortest })
}

/// Mates longer than this are not looked for on the stack of another search.
const MAX_STEP_PLIES: u16 = 199;

/// Positions beyond the limits for the moves of a mate: a few milliseconds, for a clock may be running.
const CLOSING_NODES: u64 = 2_000;

impl MateSolver {
    /// Looks for a mate by the side to move like [`MateSolver::solve`], but on the thread that calls and with what
    /// earlier steps have found for the same side with the same set of pieces: a step goes on where the last one was
    /// cut short, also from another position of the same game. No mate longer than 199 plies is found.
    ///
    /// # Errors
    /// When the opponent has no king.
    pub fn step(
        &mut self,
        position: &Position,
        limits: &MateLimits,
        observer: &dyn MateObserver,
    ) -> Result<MateResult, MateError> {
        let attacker = position.side_to_move();
        if position.king_square(!attacker).is_none() {
            return Err(MateError::NoKing);
        }
        self.path.begin(position, attacker);
        let table_key = TableKey { attacker, set: piece_set(position), barred: self.path.barred.clone() };
        if self.table_key.as_ref() != Some(&table_key) {
            self.table.clear();
            self.path.forget();
            self.table_key = Some(table_key);
        }
        let limits =
            MateLimits { plies: Some(limits.plies.unwrap_or(MAX_STEP_PLIES).min(MAX_STEP_PLIES)), ..limits.clone() };
        let mut search = Dfpn::new(position.clone(), &self.table, &mut self.path, observer, &limits);
        search.closing_nodes = CLOSING_NODES;
        Ok(run::<true>(search, &limits))
    }

    /// Forgets what steps have found.
    pub fn forget(&mut self) {
        self.table_key = None;
    }
}

/// What the entries of a table are about, from one step to the next.
#[derive(PartialEq, Eq)]
struct TableKey {
    /// Whose mates.
    attacker: Color,
    /// How many pieces of each type there are in all, on the board and in both hands. A game never changes it. Entries
    /// of the table have the board and the attacker's hand, from which the defender's follows only within one set.
    set: [u32; PieceType::HAND.len()],
    /// Positions that may not come again.
    barred: Vec<u64>,
}

fn piece_set(position: &Position) -> [u32; PieceType::HAND.len()] {
    PieceType::HAND.map(|piece_type| {
        let on_board = position.pieces_of_type(piece_type) | position.pieces_of_type(piece_type.promoted());
        on_board.count() + Color::ALL.iter().map(|&color| position.hand(color).count(piece_type)).sum::<u32>()
    })
}

// What the mate search is asked, when it must end, and what it answers.

/// How long to look for a mate. Without any limit the search runs until it knows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MateLimits {
    /// Positions to visit at most. With one thread and no other limit the result is always the same.
    pub nodes: Option<u64>,
    /// Time to use at most.
    pub time: Option<Duration>,
    /// Longest mate looked for, in plies.
    pub plies: Option<u16>,
    /// Whether any mate will do. Otherwise the shortest one is looked for, with the longest defence.
    pub any_length: bool,
    /// Whether futile interpositions (無駄合) count for nothing, as in collections of problems: the mate ends where the
    /// defender has no other answers left.
    pub without_futile: bool,
}

/// What is known of a position after a search for a mate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MateOutcome {
    /// The attacker mates.
    Mate(Mate),
    /// The attacker cannot mate by checks alone.
    NoMate {
        /// When the defender moves: a move that escapes.
        escape: Option<Move>,
    },
    /// There is no mate within the plies of [`MateLimits::plies`]; there may be a longer one.
    NoMateWithin(u16),
    /// A limit was reached, or the search was stopped, before anything was known.
    Unknown,
}

/// A mate that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mate {
    /// All moves to the end, those of both sides, each legal. Interpositions that only delay the mate (無駄合) count
    /// like all other moves, unless the limits say otherwise.
    pub moves: Vec<Move>,
    /// Whether no mate is shorter and no defence longer. Otherwise a limit was reached before that was known.
    pub is_shortest: bool,
}

impl Mate {
    /// The number of plies to the end.
    pub fn plies(&self) -> usize {
        self.moves.len()
    }
}

/// The answer of a search for a mate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MateResult {
    /// What was found.
    pub outcome: MateOutcome,
    /// What it took.
    pub progress: MateProgress,
}

impl MateResult {
    /// The mate, if there is one.
    pub fn mate(&self) -> Option<&Mate> {
        match &self.outcome {
            MateOutcome::Mate(mate) => Some(mate),
            _ => None,
        }
    }
}

/// How far a search for a mate is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MateProgress {
    /// Positions visited.
    pub nodes: u64,
    /// Time used.
    pub time: Duration,
    /// Longest path looked at, in plies.
    pub selective_depth: u16,
    /// Share of the table in use, in permille.
    pub hash_full: u32,
    /// The moves of the shortest mate known so far; empty while none is.
    pub mate: Vec<Move>,
}

impl MateProgress {
    /// Positions visited a second.
    pub fn nps(&self) -> u64 {
        nodes_per_second(self.nodes, self.time)
    }
}

/// Watches a search for a mate, and may end it.
pub trait MateObserver: Sync {
    /// Called from time to time while the search runs.
    fn on_progress(&self, _progress: &MateProgress) {}

    /// How often [`MateObserver::on_progress`] is called.
    fn interval(&self) -> Duration {
        Duration::from_secs(1)
    }

    /// Whether the search should end now. Asked every 512 positions; the moves of a mate that has been found may take
    /// 40,000 more to put together.
    fn is_stopped(&self) -> bool {
        false
    }
}

/// Lets a search run and looks at its answer only.
pub struct SilentMateObserver;

impl MateObserver for SilentMateObserver {}

/// Why a search for a mate could not be made.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum MateError {
    /// The side that is to be mated has no king.
    #[error("there is no king to mate")]
    NoKing,
    /// The system refused what the search needs.
    #[error("no thread for the mate search: {0}")]
    Thread(String),
}
