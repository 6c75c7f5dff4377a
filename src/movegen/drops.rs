//! Drops.

use std::ops::ControlFlow;

use super::move_set::{DropTypes, MoveSet};
use crate::bitboard::{Bitboard, pawn_attacks};
use crate::position::Position;
use crate::types::{Color, PieceType};

/// Hands over all drops on the squares of `targets`, which are empty.
#[inline(always)]
pub(super) fn generate(
    position: &Position,
    targets: Bitboard,
    listener: &mut impl FnMut(MoveSet) -> ControlFlow<()>,
) -> ControlFlow<()> {
    use PieceType::*;
    let us = position.side_to_move();
    let hand = position.hand(us);
    if hand.is_empty() || targets.is_empty() {
        return ControlFlow::Continue(());
    }
    if hand.has(Pawn) {
        let mut piece_types = DropTypes::new();
        piece_types.push(Pawn);
        listener(MoveSet::Drops { piece_types, to: pawn_drop_targets(position, us, targets) })?;
    }
    // Ordered by how far they can be dropped, so that each zone takes a leading part of the types.
    let mut piece_types = DropTypes::new();
    for piece_type in [Gold, Silver, Bishop, Rook] {
        if hand.has(piece_type) {
            piece_types.push(piece_type);
        }
    }
    let anywhere = piece_types.len();
    if hand.has(Lance) {
        piece_types.push(Lance);
    }
    let not_last_rank = piece_types.len();
    if hand.has(Knight) {
        piece_types.push(Knight);
    }
    if piece_types.is_empty() {
        return ControlFlow::Continue(());
    }
    let last_rank = Bitboard::far_ranks(us, 1);
    let last_two_ranks = Bitboard::far_ranks(us, 2);
    if anywhere > 0 {
        listener(MoveSet::Drops { piece_types: piece_types.first(anywhere), to: targets & last_rank })?;
    }
    if not_last_rank > 0 {
        let to = (targets & last_two_ranks) - last_rank;
        listener(MoveSet::Drops { piece_types: piece_types.first(not_last_rank), to })?;
    }
    listener(MoveSet::Drops { piece_types, to: targets - last_two_ranks })
}

/// Where a pawn can be dropped: not on the last rank, no nifu, no drop-pawn mate.
#[inline(always)]
pub(super) fn pawn_drop_targets(position: &Position, us: Color, targets: Bitboard) -> Bitboard {
    let free_files = position.pieces_of(us, PieceType::Pawn).files_without();
    let mut targets = (targets & free_files) - Bitboard::far_ranks(us, 1);
    if let Some(king) = position.king_square(!us) {
        // Only the square in front of the enemy king can give check.
        let check = pawn_attacks(!us, king) & targets;
        if let Some(square) = check.first()
            && position.is_drop_pawn_mate(square)
        {
            targets -= check;
        }
    }
    targets
}
