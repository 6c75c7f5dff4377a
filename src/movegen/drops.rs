//! Drops.

use super::sink::{DropKinds, MoveSink};
use crate::bitboard::{Bitboard, pawn_attacks};
use crate::position::Position;
use crate::types::{Color, PieceType};

/// Hands over all drops on the squares of `targets`, which are empty.
#[inline(always)]
pub(super) fn generate<S: MoveSink>(position: &Position, targets: Bitboard, sink: &mut S) {
    use PieceType::*;
    let us = position.side_to_move();
    let hand = position.hand(us);
    if hand.is_empty() || targets.is_empty() {
        return;
    }
    if hand.has(Pawn) {
        let mut kinds = DropKinds::default();
        kinds.push(Pawn);
        sink.drops(&kinds, 1, pawn_drop_targets(position, us, targets));
    }
    // Ordered by how far they can be dropped, so that each zone takes a leading part of the kinds.
    let mut kinds = DropKinds::default();
    for piece_type in [Gold, Silver, Bishop, Rook] {
        if hand.has(piece_type) {
            kinds.push(piece_type);
        }
    }
    let anywhere = kinds.len();
    if hand.has(Lance) {
        kinds.push(Lance);
    }
    let not_last_rank = kinds.len();
    if hand.has(Knight) {
        kinds.push(Knight);
    }
    if kinds.is_empty() {
        return;
    }
    let last_rank = Bitboard::far_ranks(us, 1);
    let last_two_ranks = Bitboard::far_ranks(us, 2);
    if anywhere > 0 {
        sink.drops(&kinds, anywhere, targets & last_rank);
    }
    if not_last_rank > 0 {
        sink.drops(&kinds, not_last_rank, (targets & last_two_ranks) - last_rank);
    }
    sink.drops(&kinds, kinds.len(), targets - last_two_ranks);
}

/// Where a pawn can be dropped: not on the last rank, no nifu, no drop-pawn mate.
#[inline(always)]
pub(super) fn pawn_drop_targets(position: &Position, us: Color, targets: Bitboard) -> Bitboard {
    let free_files = position.men_of(us, PieceType::Pawn).files_without();
    let mut targets = (targets & free_files) - Bitboard::far_ranks(us, 1);
    if let Some(king) = position.king_square(!us) {
        // Only the square in front of the enemy king can give check.
        let check = pawn_attacks(!us, king) & targets;
        if let Some(square) = check.first()
            && position.is_drop_pawn_mate(square)
        {
            targets = targets - check;
        }
    }
    targets
}
