//! What a first look at a position tells: mate, no mate, or first proof and disproof numbers.

use super::futile::is_mated;
use crate::mate::one_ply::mate_in_one;
use crate::mate::solver::proofs::hands;
use crate::mate::solver::proofs::{ANY_LENGTH, Known, NO_REPETITION};
use crate::movegen::{MoveList, generate_checks, legal_moves};
use crate::position::Position;
use crate::types::Hand;

/// A first look at the position after a move of the attacker's (`ATTACK`) or of the defender's, from which a mate
/// must not take more than `length` plies.
pub(in crate::mate::solver) fn estimate<const ATTACK: bool>(
    position: &mut Position,
    length: u16,
    without_futile: bool,
) -> Known {
    if ATTACK { before_defence(position, length, without_futile) } else { before_attack(position) }
}

/// The defender is in check.
fn before_defence(position: &mut Position, length: u16, without_futile: bool) -> Known {
    let evasions = legal_moves(position);
    if evasions.is_empty() || (without_futile && is_mated(position, true)) {
        return Known::proven(0, hands::proof_before_defence(position, Hand::EMPTY));
    }
    let board_moves = evasions.iter().filter(|mv| !mv.is_drop()).count() as u32;
    if length < 2 {
        let attacker = !position.side_to_move();
        // A move on the board is possible whatever the hands hold.
        let hand = if board_moves > 0 { hands::in_play(position) } else { position.hand(attacker) };
        return Known::disproven(1, hand, NO_REPETITION);
    }
    let captures = evasions.iter().filter(|mv| !mv.is_drop() && position.checkers().contains(mv.to())).count() as u32;
    let drops = u32::from(board_moves as usize != evasions.len());
    Known::unknown(board_moves + captures + drops, 1)
}

/// The attacker moves.
fn before_attack(position: &mut Position) -> Known {
    let mut checks = MoveList::new();
    generate_checks(position, &mut checks);
    if checks.is_empty() {
        let hand = hands::disproof_before_attack(position, hands::in_play(position));
        return Known::disproven(ANY_LENGTH, hand, NO_REPETITION);
    }
    if !position.in_check()
        && let Some(mv) = mate_in_one(position)
    {
        // A check that nothing can be interposed against: only a piece dropped is needed.
        return Known::proven(1, hands::before_attack(position, mv, Hand::EMPTY));
    }
    Known::unknown(1, 1 + checks.len() as u32 / 4)
}
