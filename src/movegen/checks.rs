//! Checking moves.

use super::sink::{DropKinds, MoveSink};
use super::{MoveList, Selection, drops, generate};
use crate::bitboard::Bitboard;
use crate::position::Position;
use crate::types::{Color, PieceType, Square};

/// Appends the legal quiet moves and drops that give check. The side to move must not be in check.
pub fn generate_quiet_checks(position: &Position, list: &mut MoveList) {
    debug_assert!(!position.in_check());
    if position.king_square(!position.side_to_move()).is_none() {
        return;
    }
    let mut quiet = QuietBoardMoves(MoveList::new());
    generate::<false, _>(position, Selection::Quiet, &mut quiet);
    for mv in &quiet.0 {
        if position.gives_check(mv) {
            list.push(mv);
        }
    }
    checking_drops(position, !position.occupied(), list);
}

/// Keeps board moves and passes over drops, whose checks are known without trying them.
struct QuietBoardMoves(MoveList);

impl MoveSink for QuietBoardMoves {
    #[inline(always)]
    fn moves(&mut self, from: Square, targets: Bitboard) {
        self.0.moves(from, targets);
    }

    #[inline(always)]
    fn promotions(&mut self, from: Square, targets: Bitboard) {
        self.0.promotions(from, targets);
    }

    #[inline(always)]
    fn pawn_moves(&mut self, color: Color, targets: Bitboard) {
        self.0.pawn_moves(color, targets);
    }

    #[inline(always)]
    fn pawn_promotions(&mut self, color: Color, targets: Bitboard) {
        self.0.pawn_promotions(color, targets);
    }

    #[inline(always)]
    fn drops(&mut self, _kinds: &DropKinds, _count: usize, _targets: Bitboard) {}
}

/// Drops on empty squares of `targets` that give check.
fn checking_drops(position: &Position, targets: Bitboard, list: &mut MoveList) {
    let us = position.side_to_move();
    let hand = position.hand(us);
    for piece_type in PieceType::HAND {
        if !hand.has(piece_type) {
            continue;
        }
        let dead = Bitboard::far_ranks(us, Position::dead_ranks(piece_type));
        let mut targets = (position.check_squares(piece_type) & targets) - dead;
        if piece_type == PieceType::Pawn {
            targets = drops::pawn_drop_targets(position, us, targets);
        }
        let mut kinds = DropKinds::default();
        kinds.push(piece_type);
        list.drops(&kinds, 1, targets);
    }
}
