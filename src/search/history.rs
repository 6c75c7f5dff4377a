//! What earlier nodes of the search taught about moves.
//!
//! All tables use the same saturating update ("history gravity", from Stockfish): a value moves towards
//! the bonus and never passes a fixed bound, so that no rescaling is needed.

use super::correction::Corrections;
use super::history_table::{HistoryEntry, HistoryTable};
use crate::types::{Color, Move, MoveKind, Piece, PieceType, Square};

const QUIET_LIMIT: i32 = 7183;
const CAPTURE_LIMIT: i32 = 10692;
const CONTINUATION_LIMIT: i32 = 30000;
const PAWN_LIMIT: i32 = 8192;
const TABLE_MOVE_LIMIT: i32 = 8192;
/// Pawn structures told apart.
const PAWN_STRUCTURES: usize = 2048;
/// Plies from the root whose moves have records of their own.
const LOW_PLIES: usize = 5;

/// How many [`Origin`]s there are.
const ORIGINS: usize = 2 * Square::COUNT + 8;

/// What a move's record is before anything is known of it: below that of moves that were some good.
const UNKNOWN_CAPTURE: i16 = -678;
const UNKNOWN_CONTINUATION: i16 = -523;
const UNKNOWN_PAWN: i16 = -1238;
const UNKNOWN_LOW_PLY: i16 = 98;

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

/// A history entry for each [`PlayedMove`], by its index: their length being known, one check of the index does for all.
type Row<const LIMIT: i32> = [HistoryEntry<LIMIT>; PIECE_TO];
pub(super) type ContinuationRow = Row<CONTINUATION_LIMIT>;
pub(super) type PawnRow = Row<PAWN_LIMIT>;

/// Where moves come from: the squares, the squares of moves that promote, then the kinds that are dropped.
#[derive(Clone, Copy)]
pub(super) struct Origin(usize);

impl Origin {
    /// A man on the board.
    #[inline(always)]
    pub(super) fn board(from: Square, promotes: bool) -> Origin {
        Origin(from.index() + if promotes { Square::COUNT } else { 0 })
    }

    /// A man in hand.
    #[inline(always)]
    pub(super) fn hand(kind: PieceType) -> Origin {
        Origin(2 * Square::COUNT + kind.index())
    }

    #[inline(always)]
    fn of(mv: Move) -> Origin {
        match mv.kind() {
            MoveKind::Board { from, promote, .. } => Origin::board(from, promote),
            MoveKind::Drop { piece_type, .. } => Origin::hand(piece_type),
        }
    }

    /// The index of the move to a square in a [`MoveRow`].
    #[inline(always)]
    pub(super) fn to(self, to: Square) -> usize {
        self.0 * Square::COUNT + to.index()
    }
}

/// A history entry for each origin and destination.
pub(super) type MoveRow = [HistoryEntry<QUIET_LIMIT>; MOVE_ROW];
const MOVE_ROW: usize = ORIGINS * Square::COUNT;

/// A move made, as the key of the moves that may follow it. There are four tables of these: in check it
/// matters less what was just done, and after captures other moves are good than after quiet ones.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Continuation(u32);

impl Continuation {
    /// No move, or a null move: its records stay as they are at first.
    pub(super) const NONE: Continuation = Continuation(0);

    /// A move made by a side that was or was not in check, and that captured or did not.
    #[inline(always)]
    pub(super) fn of(played: PlayedMove, in_check: bool, captured: bool) -> Continuation {
        let table = usize::from(in_check) * 2 + usize::from(captured);
        Continuation((table * PIECE_TO + played.index()) as u32)
    }
}

/// The tables of one thread.
pub(super) struct History {
    quiet: Vec<MoveRow>,
    capture: Vec<HistoryEntry<CAPTURE_LIMIT>>,
    /// How good a man's arrival on a square is after another move.
    continuation: HistoryTable<CONTINUATION_LIMIT, PIECE_TO>,
    /// How good a man's arrival on a square is with a pawn structure.
    pawn: HistoryTable<PAWN_LIMIT, PIECE_TO>,
    /// How good moves were near the root of this search.
    low_ply: HistoryTable<QUIET_LIMIT, MOVE_ROW>,
    /// How the table's moves have fared against the others.
    pub(super) table_moves: HistoryEntry<TABLE_MOVE_LIMIT>,
    /// What evaluations were off by.
    pub(super) corrections: Corrections,
}

impl History {
    pub(super) fn new() -> History {
        History {
            quiet: vec![[HistoryEntry::default(); MOVE_ROW]; 2],
            capture: vec![HistoryEntry::new(UNKNOWN_CAPTURE); PIECE_TO * PieceType::TABLE_LEN],
            continuation: HistoryTable::new(4 * PIECE_TO, HistoryEntry::new(UNKNOWN_CONTINUATION)),
            pawn: HistoryTable::new(PAWN_STRUCTURES, HistoryEntry::new(UNKNOWN_PAWN)),
            low_ply: HistoryTable::new(LOW_PLIES, HistoryEntry::new(UNKNOWN_LOW_PLY)),
            table_moves: HistoryEntry::default(),
            corrections: Corrections::new(),
        }
    }

    pub(super) fn clear(&mut self) {
        self.quiet.as_flattened_mut().fill(HistoryEntry::default());
        self.capture.fill(HistoryEntry::new(UNKNOWN_CAPTURE));
        self.continuation.clear();
        self.pawn.clear();
        self.forget_low_plies();
        self.table_moves = HistoryEntry::default();
        self.corrections.clear();
    }

    /// A new search begins: moves near its root are others than before.
    pub(super) fn forget_low_plies(&mut self) {
        self.low_ply.clear();
    }

    /// A side's quiet moves' records, whatever came before them.
    #[inline(always)]
    pub(super) fn quiet_row(&self, color: Color) -> &MoveRow {
        &self.quiet[color.index()]
    }

    /// A quiet move's record, whatever came before it.
    #[inline(always)]
    pub(super) fn quiet(&self, color: Color, mv: Move) -> i32 {
        self.quiet_row(color)[Origin::of(mv).to(mv.to())].get()
    }

    #[inline(always)]
    pub(super) fn update_quiet(&mut self, color: Color, mv: Move, bonus: i32) {
        self.quiet[color.index()][Origin::of(mv).to(mv.to())].update(bonus);
    }

    /// Quiet moves' records near the root; none further down.
    #[inline(always)]
    pub(super) fn low_ply_row(&self, ply: usize) -> Option<&MoveRow> {
        self.low_ply.get_row(ply)
    }

    #[inline(always)]
    pub(super) fn update_low_ply(&mut self, ply: usize, mv: Move, bonus: i32) {
        if ply < LOW_PLIES {
            self.low_ply.update(ply, Origin::of(mv).to(mv.to()), bonus);
        }
    }

    /// Quiet moves' records with a pawn structure, for which its key stands.
    #[inline(always)]
    pub(super) fn pawn_row(&self, pawns: u64) -> &PawnRow {
        self.pawn.row(pawns as usize % PAWN_STRUCTURES)
    }

    /// A quiet move's record with a pawn structure, for which its key stands.
    #[inline(always)]
    pub(super) fn pawn(&self, pawns: u64, played: PlayedMove) -> i32 {
        self.pawn_row(pawns)[played.index()].get()
    }

    #[inline(always)]
    pub(super) fn update_pawn(&mut self, pawns: u64, played: PlayedMove, bonus: i32) {
        self.pawn.update(pawns as usize % PAWN_STRUCTURES, played.index(), bonus);
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

    /// Moves' records as continuations of an earlier move of the line.
    #[inline(always)]
    pub(super) fn continuation_row(&self, before: Continuation) -> &ContinuationRow {
        self.continuation.row(before.0 as usize)
    }

    /// A move's record as a continuation of an earlier move of the line.
    #[inline(always)]
    pub(super) fn continuation(&self, before: Continuation, played: PlayedMove) -> i32 {
        self.continuation_row(before)[played.index()].get()
    }

    #[inline(always)]
    pub(super) fn update_continuation(&mut self, before: Continuation, played: PlayedMove, bonus: i32) {
        self.continuation.update(before.0 as usize, played.index(), bonus);
    }
}
