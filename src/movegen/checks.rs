//! Checking moves.

use std::ops::ControlFlow;

use super::{MoveList, MoveSet, Selection, drops, generate};
use crate::bitboard::Bitboard;
use crate::position::Position;
use crate::types::{Move, PieceType};

/// Appends the legal quiet moves and drops that give check. The side to move must not be in check.
pub fn generate_quiet_checks(position: &Position, list: &mut MoveList) {
    debug_assert!(!position.in_check());
    if position.king_square(!position.side_to_move()).is_none() {
        return;
    }
    let _ = generate::<false>(
        position,
        Selection::Quiet,
        #[inline(always)]
        |set| {
            // Which drops give check is known without trying them.
            if !matches!(set, MoveSet::Drops { .. }) {
                set.for_each(|mv| {
                    if position.gives_check(mv) {
                        list.push(mv);
                    }
                });
            }
            ControlFlow::Continue(())
        },
    );
    checking_drops(position, !position.occupied(), list);
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
        targets.for_each(|to| list.push(Move::drop(piece_type, to)));
    }
}
