//! What earlier nodes of the search showed about moves.
//!
//! All tables use the same saturating update ("history gravity", from Stockfish): a value moves towards
//! the bonus and never passes a fixed bound, so that no rescaling is needed.

use std::sync::atomic::AtomicI16;
use std::sync::atomic::Ordering::Relaxed;

use crate::memory::{LargeSlice, OutOfMemory, try_array, try_vec};
use crate::position::Position;
use crate::types::{Color, Move, Piece, PieceType, Square};

const QUIET_LIMIT: i32 = 7183;
const CAPTURE_LIMIT: i32 = 10692;
const CONTINUATION_LIMIT: i32 = 30000;
const PAWN_LIMIT: i32 = 8192;
const TT_MOVE_LIMIT: i32 = 8192;
/// How many pawn structures have histories of their own.
const PAWN_STRUCTURES: usize = 2048;
/// Plies from the root whose moves have history scores of their own.
const LOW_PLIES: usize = 5;

/// What a move's history score is before anything is known of it: below that of moves that were some good.
const UNKNOWN_CAPTURE: i16 = -678;
const UNKNOWN_CONTINUATION: i16 = -523;
const UNKNOWN_PAWN: i16 = -1238;
const UNKNOWN_LOW_PLY: i16 = 98;

/// A history entry for each [`PlayedMove`], by its index: their length being known, one check of the index does for
/// all.
type Row<const LIMIT: i32> = [HistoryEntry<LIMIT>; PIECE_TO];
pub(super) type ContinuationRow = Row<CONTINUATION_LIMIT>;
pub(super) type PawnRow = Row<PAWN_LIMIT>;
/// Entries of one piece, or of one origin, by destination.
type Entries<const LIMIT: i32> = [HistoryEntry<LIMIT>; Square::COUNT];
pub(super) type ContinuationEntries = Entries<CONTINUATION_LIMIT>;
pub(super) type PawnEntries = Entries<PAWN_LIMIT>;

/// A history entry for each move, by its [bits](Move::to_bits): by origin, then by destination.
pub(super) type MoveRow = [HistoryEntry<QUIET_LIMIT>; MOVE_ROW];
const MOVE_ROW: usize = (Origin::HAND + 8) * DESTINATIONS;
/// The entries of one origin. Those beyond the squares are not used.
pub(super) type QuietEntries = [HistoryEntry<QUIET_LIMIT>; DESTINATIONS];
const DESTINATIONS: usize = 1 << 7;

/// Where moves come from, as their upper bits say it: the squares, the squares of moves that promote, then the piece
/// types that are dropped.
#[derive(Clone, Copy)]
pub(super) struct Origin(usize);

impl Origin {
    const PROMOTION: usize = 1 << 7;
    const HAND: usize = 1 << 8;

    /// The origin of a move of a piece that stands on this square.
    #[inline(always)]
    pub(super) fn board(from: Square, promotes: bool) -> Origin {
        Origin(from.index() + if promotes { Origin::PROMOTION } else { 0 })
    }

    /// The origin of a drop.
    #[inline(always)]
    pub(super) fn hand(piece_type: PieceType) -> Origin {
        Origin(Origin::HAND + piece_type.index())
    }

    /// The entries of the moves from here in a [`MoveRow`].
    #[inline(always)]
    pub(super) fn entries(self, row: &MoveRow) -> &QuietEntries {
        &row.as_chunks().0[self.0]
    }
}

/// The place of a move in a [`MoveRow`].
#[inline(always)]
pub(super) fn move_index(mv: Move) -> usize {
    usize::from(mv.to_bits())
}

/// A move made, as the key of the moves that may follow it. There are four tables of these: in check it
/// matters less what was just done, and after captures other moves are good than after quiet ones.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Continuation(u32);

impl Continuation {
    /// No move, or a null move: its history scores stay as they are at first. The place is that of a Black pawn moved
    /// to 1a, where it would have had to promote, by a quiet move.
    pub(super) const NONE: Continuation = Continuation(0);

    /// A move made by a side that was or was not in check, and that captured or did not.
    #[inline(always)]
    pub(super) fn new(played: PlayedMove, in_check: bool, captured: bool) -> Continuation {
        let table = usize::from(in_check) * 2 + usize::from(captured);
        Continuation((table * PIECE_TO + played.index()) as u32)
    }
}

/// The tables of one thread.
pub(super) struct History {
    quiet: Box<[MoveRow; 2]>,
    /// By the piece's arrival, then by what it captures.
    capture: Box<[[HistoryEntry<CAPTURE_LIMIT>; PieceType::TABLE_LEN]; PIECE_TO]>,
    /// How good a piece's arrival on a square is after another move.
    continuation: HistoryTable<CONTINUATION_LIMIT, PIECE_TO>,
    /// How good a piece's arrival on a square is with a pawn structure.
    pawn: HistoryTable<PAWN_LIMIT, PIECE_TO>,
    /// How good moves were near the root of this search.
    low_ply: HistoryTable<QUIET_LIMIT, MOVE_ROW>,
    /// ttMoveHistory: how TT moves have fared against the others.
    pub(super) tt_move_history: HistoryEntry<TT_MOVE_LIMIT>,
}

impl History {
    pub(super) fn try_new() -> Result<History, OutOfMemory> {
        Ok(History {
            quiet: try_array([HistoryEntry::default(); MOVE_ROW])?,
            capture: try_array([HistoryEntry(UNKNOWN_CAPTURE); PieceType::TABLE_LEN])?,
            continuation: HistoryTable::try_new(4 * PIECE_TO, HistoryEntry(UNKNOWN_CONTINUATION))?,
            pawn: HistoryTable::try_new(PAWN_STRUCTURES, HistoryEntry(UNKNOWN_PAWN))?,
            low_ply: HistoryTable::try_new(LOW_PLIES, HistoryEntry(UNKNOWN_LOW_PLY))?,
            tt_move_history: HistoryEntry::default(),
        })
    }

    pub(super) fn clear(&mut self) {
        self.quiet.as_flattened_mut().fill(HistoryEntry::default());
        self.capture.as_flattened_mut().fill(HistoryEntry(UNKNOWN_CAPTURE));
        self.continuation.clear();
        self.pawn.clear();
        self.forget_low_plies();
        self.tt_move_history = HistoryEntry::default();
    }

    /// A new search begins: moves near its root are others than before.
    pub(super) fn forget_low_plies(&mut self) {
        self.low_ply.clear();
    }

    /// A side's quiet moves' history scores, regardless of the moves before them.
    #[inline(always)]
    pub(super) fn quiet_row(&self, color: Color) -> &MoveRow {
        &self.quiet[color.index()]
    }

    /// A quiet move's history score, regardless of the moves before it.
    #[inline(always)]
    pub(super) fn quiet(&self, color: Color, mv: Move) -> i32 {
        self.quiet_row(color)[move_index(mv)].get()
    }

    #[inline(always)]
    pub(super) fn update_quiet(&mut self, color: Color, mv: Move, bonus: i32) {
        self.quiet[color.index()][move_index(mv)].update(bonus);
    }

    /// Quiet moves' history scores near the root; none further down.
    #[inline(always)]
    pub(super) fn low_ply_row(&self, ply: usize) -> Option<&MoveRow> {
        self.low_ply.rows.get(ply)
    }

    #[inline(always)]
    pub(super) fn update_low_ply(&mut self, ply: usize, mv: Move, bonus: i32) {
        if ply < LOW_PLIES {
            self.low_ply.update(ply, move_index(mv), bonus);
        }
    }

    /// Quiet moves' history scores with a pawn structure, for which its key stands.
    #[inline(always)]
    pub(super) fn pawn_row(&self, pawns: u64) -> &PawnRow {
        self.pawn.row(pawns as usize % PAWN_STRUCTURES)
    }

    /// A quiet move's history score with a pawn structure, for which its key stands.
    #[inline(always)]
    pub(super) fn pawn(&self, pawns: u64, played: PlayedMove) -> i32 {
        self.pawn_row(pawns)[played.index()].get()
    }

    #[inline(always)]
    pub(super) fn update_pawn(&mut self, pawns: u64, played: PlayedMove, bonus: i32) {
        self.pawn.update(pawns as usize % PAWN_STRUCTURES, played.index(), bonus);
    }

    /// The history score of a piece's capture of a piece type on a square.
    #[inline(always)]
    pub(super) fn capture(&self, played: PlayedMove, captured: PieceType) -> i32 {
        self.capture[played.index()][captured.index()].get()
    }

    #[inline(always)]
    pub(super) fn update_capture(&mut self, played: PlayedMove, captured: PieceType, bonus: i32) {
        self.capture[played.index()][captured.index()].update(bonus);
    }

    /// Moves' history scores as continuations of an earlier move of the line.
    #[inline(always)]
    pub(super) fn continuation_row(&self, before: Continuation) -> &ContinuationRow {
        self.continuation.row(before.0 as usize)
    }

    /// A move's history score as a continuation of an earlier move of the line.
    #[inline(always)]
    pub(super) fn continuation(&self, before: Continuation, played: PlayedMove) -> i32 {
        self.continuation_row(before)[played.index()].get()
    }

    #[inline(always)]
    pub(super) fn update_continuation(&mut self, before: Continuation, played: PlayedMove, bonus: i32) {
        self.continuation.update(before.0 as usize, played.index(), bonus);
    }
}

/// A history score between `-LIMIT` and `LIMIT`.
#[derive(Clone, Copy, Default)]
pub(super) struct HistoryEntry<const LIMIT: i32>(i16);

impl<const LIMIT: i32> HistoryEntry<LIMIT> {
    /// Moves the score towards a bonus ("history gravity").
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

/// A history score that threads share. Of two updates at the same time one may be lost, which does no harm.
#[derive(Default)]
pub(super) struct SharedHistoryEntry<const LIMIT: i32>(AtomicI16);

impl<const LIMIT: i32> SharedHistoryEntry<LIMIT> {
    /// The same as [`HistoryEntry::update`].
    #[inline(always)]
    pub(super) fn update(&self, bonus: i32) {
        let mut entry = HistoryEntry::<LIMIT>(self.0.load(Relaxed));
        entry.update(bonus);
        self.0.store(entry.0, Relaxed);
    }

    #[inline(always)]
    pub(super) fn get(&self) -> i32 {
        i32::from(self.0.load(Relaxed))
    }
}

impl<const LIMIT: i32> Clone for SharedHistoryEntry<LIMIT> {
    fn clone(&self) -> Self {
        SharedHistoryEntry(AtomicI16::new(self.0.load(Relaxed)))
    }
}

/// Entries that are cleared together: a cache line of them. Few, so that hardly any is cleared untouched; enough that
/// their bits stay in the second-level cache.
const BLOCK: usize = 32;

/// Rows of history scores, all equal at first.
struct HistoryTable<const LIMIT: i32, const ROW: usize> {
    rows: LargeSlice<[HistoryEntry<LIMIT>; ROW]>,
    initial: HistoryEntry<LIMIT>,
    /// A bit for each block of entries: whether it was written to since the table was last cleared.
    touched: Vec<u64>,
}

impl<const LIMIT: i32, const ROW: usize> HistoryTable<LIMIT, ROW> {
    fn try_new(rows: usize, initial: HistoryEntry<LIMIT>) -> Result<Self, OutOfMemory> {
        let blocks = (rows * ROW).div_ceil(BLOCK);
        let rows = LargeSlice::try_filled(rows, [initial; ROW])?;
        Ok(HistoryTable { rows, initial, touched: try_vec(0, blocks.div_ceil(64))? })
    }

    /// Makes all entries equal again.
    fn clear(&mut self) {
        let entries = self.rows.as_flattened_mut();
        for (index, word) in self.touched.iter_mut().enumerate() {
            let mut bits = std::mem::take(word);
            while bits != 0 {
                let start = (index * 64 + bits.trailing_zeros() as usize) * BLOCK;
                let end = (start + BLOCK).min(entries.len());
                entries[start..end].fill(self.initial);
                bits &= bits - 1;
            }
        }
    }

    #[inline(always)]
    fn row(&self, row: usize) -> &[HistoryEntry<LIMIT>; ROW] {
        &self.rows[row]
    }

    #[inline(always)]
    fn update(&mut self, row: usize, index: usize, bonus: i32) {
        let block = (row * ROW + index) / BLOCK;
        self.touched[block / 64] |= 1 << (block % 64);
        self.rows[row][index].update(bonus);
    }
}

/// A move as the histories know it: the piece that it put down, and where.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PlayedMove {
    /// The piece as it stands after the move.
    pub(super) piece: Piece,
    index: u16,
}

impl PlayedMove {
    /// That of a pseudo-legal move of this position.
    #[inline(always)]
    pub(super) fn new(position: &Position, mv: Move) -> PlayedMove {
        PlayedMove::from_parts(position.moved_piece_after(mv), mv.to())
    }

    #[inline(always)]
    pub(super) fn from_parts(piece: Piece, to: Square) -> PlayedMove {
        PlayedMove { piece, index: (place(piece) * Square::COUNT + to.index()) as u16 }
    }

    /// A number for each piece and destination, below [`PIECE_TO`].
    #[inline(always)]
    pub(super) fn index(self) -> usize {
        usize::from(self.index)
    }
}

/// The entries of a piece, by destination, out of those of all moves.
#[inline(always)]
pub(super) fn piece_entries<T>(entries: &[T; PIECE_TO], piece: Piece) -> &[T; Square::COUNT] {
    &entries.as_chunks().0[place(piece)]
}

/// Where the entries of a coloured piece lie among those of all.
#[inline(always)]
fn place(piece: Piece) -> usize {
    usize::from(PLACES[piece.index()])
}

/// Piece types with history scores of their own. Promoted lances, knights and silvers are rare; they are treated
/// as promoted pawns, which attack the same squares and are as little lost when taken. The tables of pairs of moves
/// are 0.6 times as large for that.
const PIECE_TYPES: usize = 11;

/// How many moves have history scores of their own.
const PIECE_TO: usize = 2 * PIECE_TYPES * Square::COUNT;

/// The place of a coloured piece, by [`Piece::index`]; 0 for numbers that are none.
const PLACES: [u8; Piece::TABLE_LEN] = {
    let mut places = [0; Piece::TABLE_LEN];
    let mut index = 0;
    while index < Piece::TABLE_LEN {
        if let Some(piece_type) = PieceType::new(index as u8 & 15) {
            let place = match piece_type {
                PieceType::ProPawn | PieceType::ProLance | PieceType::ProKnight | PieceType::ProSilver => 8,
                PieceType::Horse => 9,
                PieceType::Dragon => 10,
                _ => piece_type.index() - 1,
            };
            places[index] = (index / 16 * PIECE_TYPES + place) as u8;
        }
        index += 1;
    }
    places
};

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    const ROW: usize = 37;
    const ROWS: usize = 150;

    /// The last block is shorter than the others.
    const _: () = assert!(!(ROW * ROWS).is_multiple_of(BLOCK));

    #[test]
    fn clearing_reaches_every_entry() {
        let initial = HistoryEntry::<1000>(-7);
        let mut table = HistoryTable::<1000, ROW>::try_new(ROWS, initial).unwrap();
        for round in 0..2 {
            for row in 0..ROWS {
                for index in (row + round..ROW).step_by(1 + row % 5) {
                    table.update(row, index, 300);
                    assert_ne!(table.row(row)[index].get(), -7);
                }
            }
            table.clear();
            assert!(table.rows.as_flattened().iter().all(|score| score.get() == -7));
            assert!(table.touched.iter().all(|&word| word == 0));
        }
    }

    #[test]
    fn only_promoted_small_pieces_share_their_places() {
        let mut pieces: BTreeMap<usize, Vec<Piece>> = BTreeMap::new();
        for color in [Color::Black, Color::White] {
            for piece in PieceType::ALL.map(|piece_type| Piece::new(color, piece_type)) {
                for to in Square::all() {
                    pieces.entry(PlayedMove::from_parts(piece, to).index()).or_default().push(piece);
                }
            }
        }
        assert!(pieces.len() == PIECE_TO && pieces.keys().all(|&index| index < PIECE_TO));
        for sharing in pieces.values().filter(|pieces| pieces.len() > 1) {
            let names: Vec<_> = sharing.iter().map(|piece| piece.piece_type().name()).collect();
            assert_eq!(names, ["promoted pawn", "promoted lance", "promoted knight", "promoted silver"]);
            assert!(sharing.iter().all(|piece| piece.color() == sharing[0].color()));
        }
    }
}
