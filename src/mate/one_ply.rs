//! Mate in one move.

use super::contact::{board_checks, drop_checks, keeps_pin};
use crate::bitboard::{Bitboard, attacks, king_attacks, line_through};
use crate::movegen::{MoveList, has_legal_move};
use crate::position::Position;
use crate::types::{Move, Square};

/// A move that mates at once, by a check from next to the king or by a knight.
///
/// What it finds is always mate. Mates by checks from afar, by discovered checks, by the king's own moves
/// and by moves that open a line onto a flight square are not looked for: they are rare and search finds them. The side
/// to move must not be in check.
pub fn mate_in_one(position: &mut Position) -> Option<Move> {
    debug_assert!(!position.in_check());
    let us = position.side_to_move();
    let king = position.king_square(!us)?;
    let near = king_attacks(king);
    let attacked = position.attacked_around_king(!us, near);
    let flights = near - position.pieces(!us) - attacked;
    // A check from a neighbouring square is by a piece that attacks the square or by one dropped where the king cannot
    // take it, and a knight's check covers no flight square. In seven of eight nodes nothing attacks a neighbour.
    if flights.any() && !attacked.intersects(near) {
        return None;
    }
    mating_check(position, king, attacked, flights)
}

/// The first check that mates, of those by a piece that is defended or out of the king's reach. `attacked` are the
/// squares around the king that the side to move attacks, `flights` those that it could go to.
#[inline(never)]
fn mating_check(position: &mut Position, king: Square, attacked: Bitboard, flights: Bitboard) -> Option<Move> {
    let mut checks = MoveList::new();
    board_checks(position, king, &mut checks);
    drop_checks(position, king, attacked, flights.count(), &mut checks);
    let mut net: Option<Net> = None;
    (&checks).into_iter().find(|&mv| {
        leaves_no_flight(position, mv, king, flights)
            && net.get_or_insert_with(|| Net::of(position, king)).may_mate(position, mv)
            && mates(position, mv)
    })
}

/// A quick look before the move is tried: the checking piece must cover all flight squares that no piece
/// covers yet.
#[inline]
fn leaves_no_flight(position: &Position, mv: Move, king: Square, flights: Bitboard) -> bool {
    let to = mv.to();
    let flights = flights - Bitboard::of(to);
    if flights.is_empty() {
        return true;
    }
    // The king itself does not shield the squares behind it.
    let occupied = occupied_after(position, mv) - Bitboard::of(king);
    (flights - attacks(position.moved_piece_after(mv), to, occupied)).is_empty()
}

#[inline(always)]
fn occupied_after(position: &Position, mv: Move) -> Bitboard {
    let occupied = position.occupied() | Bitboard::of(mv.to());
    mv.from().map_or(occupied, |from| occupied - Bitboard::of(from))
}

/// Who cannot move freely: pieces alone between a king and an enemy slider.
struct Net {
    king: Square,
    /// Around the king that may be mated.
    theirs: Bitboard,
    /// Around the attacker's own king.
    ours: Bitboard,
}

impl Net {
    #[cold]
    #[inline(never)]
    fn of(position: &Position, king: Square) -> Net {
        let us = position.side_to_move();
        Net { king, theirs: position.blockers(!us), ours: position.blockers(us) }
    }

    /// Whether the move is legal and the piece that gives check is not simply taken. Some moves that do not
    /// mate pass.
    fn may_mate(&self, position: &Position, mv: Move) -> bool {
        let us = position.side_to_move();
        let (to, from) = (mv.to(), mv.from());
        let occupied = occupied_after(position, mv);
        let mut vacated = Bitboard::EMPTY;
        // A piece on the line that the move leaves may be pinned after it.
        let mut free = !self.theirs;
        if let Some(from) = from {
            if !keeps_pin(position, from, to, self.ours) {
                return false;
            }
            if self.theirs.contains(from) {
                // A double check: the king must move.
                free = Bitboard::EMPTY;
            }
            vacated = Bitboard::of(from);
            free = free - line_through(self.king, from);
        }
        let takers = (position.pieces(!us) & free) - Bitboard::of(self.king);
        if position.step_attackers(!us, to).intersects(takers) {
            return false;
        }
        // Drops are only made where the king cannot take.
        if from.is_some() && king_attacks(self.king).contains(to) {
            let defenders = position.pieces(us) - vacated;
            let by_step = position.step_attackers(us, to).intersects(defenders);
            if !by_step && !position.slide_attackers(us, to, occupied).intersects(defenders) {
                return false;
            }
        }
        !position.slide_attackers(!us, to, occupied).intersects(takers)
    }
}

fn mates(position: &mut Position, mv: Move) -> bool {
    position.do_move(mv);
    let mated = !has_legal_move(position);
    position.undo_move(mv);
    mated
}
