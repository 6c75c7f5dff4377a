//! Mate in three plies.

use super::mate_in_one;
use crate::bitboard::king_attacks;
use crate::movegen::{MoveList, generate_checks, legal_moves};
use crate::position::Position;
use crate::types::{Move, PieceType};

/// A first move that mates in three plies, by a check from next to the king or by a knight, where [`mate_in_one`]
/// finds the mate after every answer.
///
/// What it finds is always mate, in at most three plies. Checks that can be answered by a check are left out. The side
/// to move must not be in check.
pub fn mate_in_three(position: &mut Position) -> Option<Move> {
    debug_assert!(!position.in_check());
    let king = position.king_square(!position.side_to_move())?;
    let near = king_attacks(king) | position.check_squares(PieceType::Knight);
    let mut checks = MoveList::new();
    generate_checks(position, &mut checks);
    (&checks).into_iter().filter(|mv| near.contains(mv.to())).find(|&mv| {
        position.do_move(mv);
        let mated = (&legal_moves(position)).into_iter().all(|answer| is_mated_after(position, answer));
        position.undo_move(mv);
        mated
    })
}

fn is_mated_after(position: &mut Position, answer: Move) -> bool {
    position.do_move(answer);
    let mated = !position.in_check() && mate_in_one(position).is_some();
    position.undo_move(answer);
    mated
}
