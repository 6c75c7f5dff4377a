//! What earlier nodes of the search taught about moves.
//!
//! All tables use the same saturating update ("history gravity", from Stockfish): a value moves towards
//! the bonus and never passes a fixed bound, so that no rescaling is needed.

use super::correction::Corrections;
use crate::types::{Color, Move, Piece, PieceType, Square};

/// A learnt value between `-LIMIT` and `LIMIT`.
#[derive(Clone, Copy, Default)]
pub(super) struct Gauge<const LIMIT: i32>(i16);

impl<const LIMIT: i32> Gauge<LIMIT> {
    #[inline(always)]
    pub(super) fn update(&mut self, bonus: i32) {
        let bonus = bonus.clamp(-LIMIT, LIMIT);
        let value = i32::from(self.0);
        self.0 = (value + bonus - value * bonus.abs() / LIMIT) as i16;
    }

    #[inline(always)]
    pub(super) fn get(self) -> i32 {
        i32::from(self.0)
    }
}

const QUIET_LIMIT: i32 = 8192;
const CAPTURE_LIMIT: i32 = 10692;
const CONTINUATION_LIMIT: i32 = 29952;
const PAWN_LIMIT: i32 = 8192;
/// Pawn structures told apart.
const PAWN_STRUCTURES: usize = 512;
/// Plies from the root whose moves have records of their own.
const LOW_PLIES: usize = 5;

/// Origins of moves: the squares, then the kinds that are dropped.
const ORIGINS: usize = Square::COUNT + 8;

/// A move made, as later moves remember it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PlayedMove {
    /// The man as it stands after the move.
    pub(super) piece: Piece,
    pub(super) to: Square,
}

impl PlayedMove {
    /// Tells moves apart, below 2¹².
    pub(super) fn index(self) -> usize {
        piece_to(self.piece, self.to)
    }
}

/// Index of a coloured man on a square.
#[inline(always)]
fn piece_to(piece: Piece, to: Square) -> usize {
    piece.index() * Square::COUNT + to.index()
}

const PIECE_TO: usize = Piece::TABLE_LEN * Square::COUNT;

/// The tables of one thread.
pub(super) struct History {
    quiet: Vec<Gauge<QUIET_LIMIT>>,
    capture: Vec<Gauge<CAPTURE_LIMIT>>,
    /// How good a man's arrival on a square is after another man's arrival on another.
    continuation: Vec<Gauge<CONTINUATION_LIMIT>>,
    /// How good a man's arrival on a square is with a pawn structure.
    pawn: Vec<Gauge<PAWN_LIMIT>>,
    /// How good moves were near the root of this search.
    low_ply: Vec<Gauge<QUIET_LIMIT>>,
    /// What evaluations were off by.
    pub(super) corrections: Corrections,
}

impl History {
    pub(super) fn new() -> History {
        History {
            quiet: vec![Gauge::default(); 2 * ORIGINS * Square::COUNT],
            capture: vec![Gauge::default(); PIECE_TO * PieceType::TABLE_LEN],
            continuation: vec![Gauge::default(); PIECE_TO * PIECE_TO],
            pawn: vec![Gauge::default(); PAWN_STRUCTURES * PIECE_TO],
            low_ply: vec![Gauge::default(); LOW_PLIES * ORIGINS * Square::COUNT],
            corrections: Corrections::new(),
        }
    }

    pub(super) fn clear(&mut self) {
        self.quiet.fill(Gauge::default());
        self.capture.fill(Gauge::default());
        self.continuation.fill(Gauge::default());
        self.pawn.fill(Gauge::default());
        self.forget_low_plies();
        self.corrections.clear();
    }

    /// A new search begins: moves near its root are others than before.
    pub(super) fn forget_low_plies(&mut self) {
        self.low_ply.fill(Gauge::default());
    }

    #[inline(always)]
    fn quiet_index(color: Color, mv: Move) -> usize {
        color.index() * ORIGINS * Square::COUNT + Self::from_to(mv)
    }

    #[inline(always)]
    fn from_to(mv: Move) -> usize {
        let origin = match (mv.from(), mv.dropped()) {
            (Some(from), _) => from.index(),
            (None, dropped) => Square::COUNT + dropped.map_or(0, PieceType::index),
        };
        origin * Square::COUNT + mv.to().index()
    }

    /// A quiet move's record, whatever came before it.
    #[inline(always)]
    pub(super) fn quiet(&self, color: Color, mv: Move) -> i32 {
        self.quiet[Self::quiet_index(color, mv)].get()
    }

    #[inline(always)]
    pub(super) fn update_quiet(&mut self, color: Color, mv: Move, bonus: i32) {
        self.quiet[Self::quiet_index(color, mv)].update(bonus);
    }

    /// A quiet move's record near the root; 0 further down.
    #[inline(always)]
    pub(super) fn low_ply(&self, ply: usize, mv: Move) -> i32 {
        if ply < LOW_PLIES { self.low_ply[ply * ORIGINS * Square::COUNT + Self::from_to(mv)].get() } else { 0 }
    }

    #[inline(always)]
    pub(super) fn update_low_ply(&mut self, ply: usize, mv: Move, bonus: i32) {
        if ply < LOW_PLIES {
            self.low_ply[ply * ORIGINS * Square::COUNT + Self::from_to(mv)].update(bonus);
        }
    }

    #[inline(always)]
    fn pawn_place(structure: usize, played: PlayedMove) -> usize {
        structure % PAWN_STRUCTURES * PIECE_TO + piece_to(played.piece, played.to)
    }

    /// A quiet move's record with a pawn structure, which any number stands for.
    #[inline(always)]
    pub(super) fn pawn(&self, structure: usize, played: PlayedMove) -> i32 {
        self.pawn[Self::pawn_place(structure, played)].get()
    }

    #[inline(always)]
    pub(super) fn update_pawn(&mut self, structure: usize, played: PlayedMove, bonus: i32) {
        self.pawn[Self::pawn_place(structure, played)].update(bonus);
    }

    #[inline(always)]
    fn capture_index(played: PlayedMove, captured: PieceType) -> usize {
        piece_to(played.piece, played.to) * PieceType::TABLE_LEN + captured.index()
    }

    /// The record of a man's capture of a kind of man on a square.
    #[inline(always)]
    pub(super) fn capture(&self, played: PlayedMove, captured: PieceType) -> i32 {
        self.capture[Self::capture_index(played, captured)].get()
    }

    #[inline(always)]
    pub(super) fn update_capture(&mut self, played: PlayedMove, captured: PieceType, bonus: i32) {
        self.capture[Self::capture_index(played, captured)].update(bonus);
    }

    #[inline(always)]
    fn continuation_index(before: PlayedMove, played: PlayedMove) -> usize {
        piece_to(before.piece, before.to) * PIECE_TO + piece_to(played.piece, played.to)
    }

    /// A move's record as a continuation of an earlier move of the line.
    #[inline(always)]
    pub(super) fn continuation(&self, before: PlayedMove, played: PlayedMove) -> i32 {
        self.continuation[Self::continuation_index(before, played)].get()
    }

    #[inline(always)]
    pub(super) fn update_continuation(&mut self, before: PlayedMove, played: PlayedMove, bonus: i32) {
        self.continuation[Self::continuation_index(before, played)].update(bonus);
    }
}
