//! Mate in one move.

use crate::bitboard::{Bitboard, attacks, king_attacks};
use crate::movegen::{MoveList, generate_contact_checks, has_legal_move};
use crate::position::Position;
use crate::types::Move;

/// A move that mates at once, by a check from next to the king or by a knight.
///
/// What it finds is always mate. Mates by checks from afar, by discovered checks, by the king's own moves
/// and by moves that open a line onto a flight square are not looked for: they are rare and search finds them. The side to move must not be in check.
pub fn mate_in_one(position: &mut Position) -> Option<Move> {
    let us = position.side_to_move();
    let king = position.king_square(!us)?;
    let reach = king_attacks(king) - position.men(!us);
    let flights = reach - position.attacked_around_king(!us, reach);
    let mut checks = MoveList::new();
    generate_contact_checks(position, &mut checks);
    (&checks).into_iter().find(|&mv| leaves_no_flight(position, mv, flights) && mates(position, mv))
}

/// A quick look before the move is tried: the checking man must cover all flight squares that no man
/// covers yet, and must not stand where the king can take it for free.
#[inline]
fn leaves_no_flight(position: &Position, mv: Move, flights: Bitboard) -> bool {
    let to = mv.to();
    let mut occupied = position.occupied() | Bitboard::of(to);
    if let Some(from) = mv.from() {
        occupied = occupied - Bitboard::of(from);
    }
    // The king itself does not shield the squares behind it.
    if let Some(king) = position.king_square(!position.side_to_move()) {
        occupied = occupied - Bitboard::of(king);
    }
    let covered = attacks(position.moved_piece_after(mv), to, occupied);
    (flights - covered - Bitboard::of(to)).is_empty()
}

fn mates(position: &mut Position, mv: Move) -> bool {
    position.do_move(mv);
    let mated = !has_legal_move(position);
    position.undo_move(mv);
    mated
}
