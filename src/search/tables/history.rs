//! What earlier nodes of the search showed about moves.
//!
//! All tables use the same saturating update ("history gravity", from Stockfish): a value moves towards
//! the bonus and never passes a fixed bound, so that no rescaling is needed.

use crate::search::tables::correction::Corrections;
use crate::search::tables::history_table::{HistoryEntry, HistoryTable};
use crate::search::tables::played_move::{PIECE_TO, PlayedMove};
use crate::types::{Color, Move, MoveKind, PieceType, Square};

const QUIET_LIMIT: i32 = 7183;
const CAPTURE_LIMIT: i32 = 10692;
const CONTINUATION_LIMIT: i32 = 30000;
const PAWN_LIMIT: i32 = 8192;
const TT_MOVE_LIMIT: i32 = 8192;
/// Pawn structures told apart.
const PAWN_STRUCTURES: usize = 2048;
/// Plies from the root whose moves have history scores of their own.
const LOW_PLIES: usize = 5;

/// How many [`Origin`]s there are.
const ORIGINS: usize = 2 * Square::COUNT + 8;

/// What a move's history score is before anything is known of it: below that of moves that were some good.
const UNKNOWN_CAPTURE: i16 = -678;
const UNKNOWN_CONTINUATION: i16 = -523;
const UNKNOWN_PAWN: i16 = -1238;
const UNKNOWN_LOW_PLY: i16 = 98;

/// A history entry for each [`PlayedMove`], by its index: their length being known, one check of the index does for
/// all.
type Row<const LIMIT: i32> = [HistoryEntry<LIMIT>; PIECE_TO];
pub(crate) type ContinuationRow = Row<CONTINUATION_LIMIT>;
pub(crate) type PawnRow = Row<PAWN_LIMIT>;
/// Entries of one piece, or of one origin, by destination.
type Entries<const LIMIT: i32> = [HistoryEntry<LIMIT>; Square::COUNT];
pub(crate) type ContinuationEntries = Entries<CONTINUATION_LIMIT>;
pub(crate) type PawnEntries = Entries<PAWN_LIMIT>;
pub(crate) type QuietEntries = Entries<QUIET_LIMIT>;

/// Where moves come from: the squares, the squares of moves that promote, then the piece types that are dropped.
#[derive(Clone, Copy)]
pub(crate) struct Origin(usize);

impl Origin {
    /// A piece on the board.
    #[inline(always)]
    pub(crate) fn board(from: Square, promotes: bool) -> Origin {
        Origin(from.index() + if promotes { Square::COUNT } else { 0 })
    }

    /// A piece in hand.
    #[inline(always)]
    pub(crate) fn hand(piece_type: PieceType) -> Origin {
        Origin(2 * Square::COUNT + piece_type.index())
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
    pub(crate) fn to(self, to: Square) -> usize {
        self.0 * Square::COUNT + to.index()
    }

    /// The entries of the moves from here in a [`MoveRow`].
    #[inline(always)]
    pub(crate) fn entries(self, row: &MoveRow) -> &QuietEntries {
        &row.as_chunks().0[self.0]
    }
}

/// A history entry for each origin and destination.
pub(crate) type MoveRow = [HistoryEntry<QUIET_LIMIT>; MOVE_ROW];
const MOVE_ROW: usize = ORIGINS * Square::COUNT;

/// A move made, as the key of the moves that may follow it. There are four tables of these: in check it
/// matters less what was just done, and after captures other moves are good than after quiet ones.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Continuation(u32);

impl Continuation {
    /// No move, or a null move: its history scores stay as they are at first. The place is that of a Black pawn moved
    /// to 1a, where it would have had to promote, by a quiet move.
    pub(crate) const NONE: Continuation = Continuation(0);

    /// A move made by a side that was or was not in check, and that captured or did not.
    #[inline(always)]
    pub(crate) fn of(played: PlayedMove, in_check: bool, captured: bool) -> Continuation {
        let table = usize::from(in_check) * 2 + usize::from(captured);
        Continuation((table * PIECE_TO + played.index()) as u32)
    }
}

/// The tables of one thread.
pub(crate) struct History {
    quiet: Vec<MoveRow>,
    capture: Vec<HistoryEntry<CAPTURE_LIMIT>>,
    /// How good a piece's arrival on a square is after another move.
    continuation: HistoryTable<CONTINUATION_LIMIT, PIECE_TO>,
    /// How good a piece's arrival on a square is with a pawn structure.
    pawn: HistoryTable<PAWN_LIMIT, PIECE_TO>,
    /// How good moves were near the root of this search.
    low_ply: HistoryTable<QUIET_LIMIT, MOVE_ROW>,
    /// How the table's moves have fared against the others.
    pub(crate) tt_move_history: HistoryEntry<TT_MOVE_LIMIT>,
    /// What evaluations were off by.
    pub(crate) corrections: Corrections,
}

impl History {
    pub(crate) fn new() -> History {
        History {
            quiet: vec![[HistoryEntry::default(); MOVE_ROW]; 2],
            capture: vec![HistoryEntry::new(UNKNOWN_CAPTURE); PIECE_TO * PieceType::TABLE_LEN],
            continuation: HistoryTable::new(4 * PIECE_TO, HistoryEntry::new(UNKNOWN_CONTINUATION)),
            pawn: HistoryTable::new(PAWN_STRUCTURES, HistoryEntry::new(UNKNOWN_PAWN)),
            low_ply: HistoryTable::new(LOW_PLIES, HistoryEntry::new(UNKNOWN_LOW_PLY)),
            tt_move_history: HistoryEntry::default(),
            corrections: Corrections::new(),
        }
    }

    pub(crate) fn clear(&mut self) {
        self.quiet.as_flattened_mut().fill(HistoryEntry::default());
        self.capture.fill(HistoryEntry::new(UNKNOWN_CAPTURE));
        self.continuation.clear();
        self.pawn.clear();
        self.forget_low_plies();
        self.tt_move_history = HistoryEntry::default();
        self.corrections.clear();
    }

    /// A new search begins: moves near its root are others than before.
    pub(crate) fn forget_low_plies(&mut self) {
        self.low_ply.clear();
    }

    /// A side's quiet moves' history scores, whatever came before them.
    #[inline(always)]
    pub(crate) fn quiet_row(&self, color: Color) -> &MoveRow {
        &self.quiet[color.index()]
    }

    /// A quiet move's history score, whatever came before it.
    #[inline(always)]
    pub(crate) fn quiet(&self, color: Color, mv: Move) -> i32 {
        self.quiet_row(color)[Origin::of(mv).to(mv.to())].get()
    }

    #[inline(always)]
    pub(crate) fn update_quiet(&mut self, color: Color, mv: Move, bonus: i32) {
        self.quiet[color.index()][Origin::of(mv).to(mv.to())].update(bonus);
    }

    /// Quiet moves' history scores near the root; none further down.
    #[inline(always)]
    pub(crate) fn low_ply_row(&self, ply: usize) -> Option<&MoveRow> {
        self.low_ply.get_row(ply)
    }

    #[inline(always)]
    pub(crate) fn update_low_ply(&mut self, ply: usize, mv: Move, bonus: i32) {
        if ply < LOW_PLIES {
            self.low_ply.update(ply, Origin::of(mv).to(mv.to()), bonus);
        }
    }

    /// Quiet moves' history scores with a pawn structure, for which its key stands.
    #[inline(always)]
    pub(crate) fn pawn_row(&self, pawns: u64) -> &PawnRow {
        self.pawn.row(pawns as usize % PAWN_STRUCTURES)
    }

    /// A quiet move's history score with a pawn structure, for which its key stands.
    #[inline(always)]
    pub(crate) fn pawn(&self, pawns: u64, played: PlayedMove) -> i32 {
        self.pawn_row(pawns)[played.index()].get()
    }

    #[inline(always)]
    pub(crate) fn update_pawn(&mut self, pawns: u64, played: PlayedMove, bonus: i32) {
        self.pawn.update(pawns as usize % PAWN_STRUCTURES, played.index(), bonus);
    }

    #[inline(always)]
    fn capture_index(played: PlayedMove, captured: PieceType) -> usize {
        played.index() * PieceType::TABLE_LEN + captured.index()
    }

    /// The history score of a piece's capture of a piece type on a square.
    #[inline(always)]
    pub(crate) fn capture(&self, played: PlayedMove, captured: PieceType) -> i32 {
        self.capture[Self::capture_index(played, captured)].get()
    }

    #[inline(always)]
    pub(crate) fn update_capture(&mut self, played: PlayedMove, captured: PieceType, bonus: i32) {
        self.capture[Self::capture_index(played, captured)].update(bonus);
    }

    /// Moves' history scores as continuations of an earlier move of the line.
    #[inline(always)]
    pub(crate) fn continuation_row(&self, before: Continuation) -> &ContinuationRow {
        self.continuation.row(before.0 as usize)
    }

    /// A move's history score as a continuation of an earlier move of the line.
    #[inline(always)]
    pub(crate) fn continuation(&self, before: Continuation, played: PlayedMove) -> i32 {
        self.continuation_row(before)[played.index()].get()
    }

    #[inline(always)]
    pub(crate) fn update_continuation(&mut self, before: Continuation, played: PlayedMove, bonus: i32) {
        self.continuation.update(before.0 as usize, played.index(), bonus);
    }
}
