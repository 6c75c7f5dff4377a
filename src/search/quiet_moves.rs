//! Quiet moves, scored by their records while they are generated.
//!
//! The generator hands over sets of moves of one man, so what these have in common is looked up once.

use arrayvec::ArrayVec;

use super::history::{ContinuationRow, History, MoveRow, Origin, PawnRow, PlayedMove};
use super::params::check_order;
use crate::bitboard::Bitboard;
use crate::movegen::{DropKinds, MAX_MOVES, MoveSink, behind};
use crate::position::Position;
use crate::types::{Color, Move, Piece, PieceType, Square};

/// A move and its place in the order: the higher, the earlier.
#[derive(Clone, Copy)]
pub(super) struct ScoredMove {
    pub(super) mv: Move,
    pub(super) score: i32,
}

/// The moves of a node as far as they were generated.
pub(super) type ScoredMoves = ArrayVec<ScoredMove, MAX_MOVES>;

/// Earlier moves of the line that count for the order of quiet moves.
pub(super) const ORDERING_MOVES: usize = 5;
/// What a check may lose and still come early.
const CHECK_LOSS: i32 = 75;

/// Receives the quiet moves of a node.
pub(super) struct QuietMoves<'a> {
    position: &'a Position,
    /// It has been tried before.
    table_move: Option<Move>,
    records: Records<'a>,
    /// From where men of each kind, by its index, give check.
    check_squares: [Bitboard; PieceType::TABLE_LEN],
    moves: &'a mut ScoredMoves,
}

/// What the moves of a node are judged by.
#[derive(Clone, Copy)]
struct Records<'a> {
    quiet: &'a MoveRow,
    /// Near the root, and what its records are divided by.
    low_ply: Option<(&'a MoveRow, i32)>,
    continuations: [&'a ContinuationRow; ORDERING_MOVES],
    pawns: &'a PawnRow,
}

impl Records<'_> {
    #[inline(always)]
    fn score(&self, piece: Piece, origin: Origin, to: Square) -> i32 {
        let played = PlayedMove { piece, to }.index();
        let from_to = origin.to(to);
        let mut score = 2 * (self.quiet[from_to].get() + self.pawns[played].get());
        for row in self.continuations {
            score += row[played].get();
        }
        if let Some((row, divisor)) = self.low_ply {
            score += 8 * row[from_to].get() / divisor;
        }
        score
    }
}

/// What the moves of a man have in common.
#[derive(Clone, Copy)]
struct Man {
    /// As it stands after the move.
    piece: Piece,
    check_squares: Bitboard,
}

impl<'a> QuietMoves<'a> {
    /// Appends to `moves`, for a node at this ply, what is generated.
    pub(super) fn new(
        position: &'a Position,
        history: &'a History,
        continuations: [&'a ContinuationRow; ORDERING_MOVES],
        ply: usize,
        table_move: Option<Move>,
        moves: &'a mut ScoredMoves,
    ) -> QuietMoves<'a> {
        QuietMoves {
            position,
            table_move,
            records: Records {
                quiet: history.quiet_row(position.side_to_move()),
                low_ply: history.low_ply_row(ply).map(|row| (row, 1 + ply as i32)),
                continuations,
                pawns: history.pawn_row(position.structure().pawns()),
            },
            check_squares: position.all_check_squares(),
            moves,
        }
    }

    #[inline(always)]
    fn man(&self, piece: Piece) -> Man {
        Man { piece, check_squares: self.check_squares[piece.piece_type().index()] }
    }

    #[inline(always)]
    fn add(&mut self, records: &Records<'_>, man: &Man, origin: Origin, mv: Move) {
        if Some(mv) == self.table_move {
            return;
        }
        let mut score = records.score(man.piece, origin, mv.to());
        if man.check_squares.contains(mv.to()) && self.position.see_ge(mv, -CHECK_LOSS) {
            score += check_order();
        }
        // There is room: no position has more moves than the array holds.
        let _ = self.moves.try_push(ScoredMove { mv, score });
    }

    #[inline(never)]
    fn add_moves(&mut self, from: Square, promote: bool, targets: Bitboard) {
        let Some(piece) = self.position.piece_on(from) else { return };
        let man = self.man(if promote { piece.promoted() } else { piece });
        let origin = Origin::board(from, promote);
        let records = self.records;
        for to in targets {
            self.add(&records, &man, origin, Move::board(from, to, promote));
        }
    }

    #[inline(never)]
    fn add_pawn_moves(&mut self, color: Color, promote: bool, targets: Bitboard) {
        let man = self.man(Piece::new(color, if promote { PieceType::ProPawn } else { PieceType::Pawn }));
        let records = self.records;
        for to in targets {
            let from = behind(color, to);
            self.add(&records, &man, Origin::board(from, promote), Move::board(from, to, promote));
        }
    }
}

impl MoveSink for QuietMoves<'_> {
    #[inline(always)]
    fn moves(&mut self, from: Square, targets: Bitboard) {
        if targets.any() {
            self.add_moves(from, false, targets);
        }
    }

    #[inline(always)]
    fn promotions(&mut self, from: Square, targets: Bitboard) {
        if targets.any() {
            self.add_moves(from, true, targets);
        }
    }

    #[inline(always)]
    fn pawn_moves(&mut self, color: Color, targets: Bitboard) {
        self.add_pawn_moves(color, false, targets);
    }

    #[inline(always)]
    fn pawn_promotions(&mut self, color: Color, targets: Bitboard) {
        if targets.any() {
            self.add_pawn_moves(color, true, targets);
        }
    }

    #[inline(never)]
    fn drops(&mut self, kinds: &DropKinds, count: usize, targets: Bitboard) {
        let us = self.position.side_to_move();
        let mut men = ArrayVec::<_, { DropKinds::LANES }>::new();
        for kind in kinds.iter().take(count) {
            // There is a lane for each kind.
            let _ = men.try_push((kind, self.man(Piece::new(us, kind)), Origin::hand(kind)));
        }
        let records = self.records;
        for to in targets {
            for &(kind, man, origin) in &men {
                self.add(&records, &man, origin, Move::drop(kind, to));
            }
        }
    }
}
