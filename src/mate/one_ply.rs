//! Mate in one move, by checks from next to the king or by a knight.

use crate::bitboard::{
    Bitboard, attacks, bishop_attacks, bishop_rays, gold_attacks, king_attacks, knight_attacks, lance_attacks,
    lance_rays, line_through, neighbourhood, pawn_attacks, pawn_set_attacks, rook_attacks, rook_rays, silver_attacks,
};
use crate::movegen::{MoveList, MoveSet, has_legal_move};
use crate::position::Position;
use crate::types::{Move, PieceType, Square};

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
    if flights.any() && !attacked.intersects(near - position.pieces(us)) {
        return None;
    }
    mating_check(position, king, attacked, flights)
}

/// The first check that mates, of those by a piece that is defended or out of the king's reach. `attacked` are the
/// squares around the king that the side to move attacks, `flights` those that it could go to.
#[inline(never)]
fn mating_check(position: &mut Position, king: Square, attacked: Bitboard, flights: Bitboard) -> Option<Move> {
    let squares = CheckSquares::around(position, king, attacked, flights);
    if squares.union().is_empty() {
        return None;
    }
    let mut checks = MoveList::new();
    board_checks(position, king, &squares, &mut checks);
    drop_checks(position, &squares, &mut checks);
    let mut blockers: Option<Blockers> = None;
    (&checks).into_iter().find(|&mv| {
        leaves_no_flight(position, mv, king, flights)
            && blockers.get_or_insert_with(|| Blockers::new(position, king)).may_mate(position, mv)
            && mates(position, mv)
    })
}

/// A quick look before the move is tried: the checking piece must cover all flight squares that no piece
/// covers yet.
#[inline]
fn leaves_no_flight(position: &Position, mv: Move, king: Square, flights: Bitboard) -> bool {
    let to = mv.to();
    let flights = flights - Bitboard::from_square(to);
    if flights.is_empty() {
        return true;
    }
    // The king itself does not shield the squares behind it.
    let occupied = occupied_after(position, mv) - Bitboard::from_square(king);
    (flights - attacks(position.moved_piece_after(mv), to, occupied)).is_empty()
}

#[inline(always)]
fn occupied_after(position: &Position, mv: Move) -> Bitboard {
    let occupied = position.occupied() | Bitboard::from_square(mv.to());
    mv.from().map_or(occupied, |from| occupied - Bitboard::from_square(from))
}

/// The pieces that cannot move freely: those alone between a king and an enemy slider.
struct Blockers {
    king: Square,
    /// Around the king that may be mated.
    theirs: Bitboard,
    /// Around the attacker's own king.
    ours: Bitboard,
}

impl Blockers {
    #[cold]
    #[inline(never)]
    fn new(position: &Position, king: Square) -> Blockers {
        let us = position.side_to_move();
        Blockers { king, theirs: position.blockers(!us), ours: position.blockers(us) }
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
            // Our own king is not laid bare, as far as pins go.
            let leaves_line = |king| !line_through(king, from).contains(to);
            if self.ours.contains(from) && position.king_square(us).is_some_and(leaves_line) {
                return false;
            }
            if self.theirs.contains(from) {
                // A double check: the king must move.
                free = Bitboard::EMPTY;
            }
            vacated = Bitboard::from_square(from);
            free -= line_through(self.king, from);
        }
        let takers = (position.pieces(!us) & free) - Bitboard::from_square(self.king);
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

// Checks that may mate at once: from next to the king, or by a knight.

/// Where pieces of the side to move may mate without a square between: they check from a square that the side attacks
/// (knights from any), and on an empty board they would cover all flight squares.
#[derive(Default)]
struct CheckSquares {
    /// Of pawns and lances.
    pawn: Bitboard,
    knight: Bitboard,
    silver: Bitboard,
    gold: Bitboard,
    bishop: Bitboard,
    rook: Bitboard,
    horse: Bitboard,
    dragon: Bitboard,
}

impl CheckSquares {
    /// Those around the king of the side not to move.
    fn around(position: &Position, king: Square, attacked: Bitboard, flights: Bitboard) -> CheckSquares {
        let us = position.side_to_move();
        let knight = if flights.is_empty() { knight_attacks(!us, king) } else { Bitboard::EMPTY };
        let mut squares = CheckSquares { knight, ..CheckSquares::default() };
        let near = (king_attacks(king) & attacked) - position.pieces(us);
        near.for_each(|to| {
            let square = Bitboard::from_square(to);
            let flights = flights - square;
            let add = |squares: &mut Bitboard, attacks: Bitboard| {
                if (flights - attacks).is_empty() {
                    *squares |= square;
                }
            };
            add(&mut squares.pawn, lance_rays(us, to));
            add(&mut squares.silver, silver_attacks(us, to));
            add(&mut squares.gold, gold_attacks(us, to));
            add(&mut squares.bishop, bishop_rays(to));
            add(&mut squares.rook, rook_rays(to));
            add(&mut squares.horse, bishop_rays(to) | king_attacks(to));
            add(&mut squares.dragon, rook_rays(to) | king_attacks(to));
        });
        squares.pawn &= pawn_attacks(!us, king);
        squares.silver &= silver_attacks(!us, king);
        squares.gold &= gold_attacks(!us, king);
        squares.bishop &= bishop_rays(king);
        squares.rook &= rook_rays(king);
        squares
    }

    /// All of them.
    fn union(&self) -> Bitboard {
        self.pawn | self.knight | self.silver | self.gold | self.bishop | self.rook | self.horse | self.dragon
    }
}

/// Appends the checks by pieces on the board other than the king. Pins are not looked at; moves that could
/// promote and do not are left out as everywhere.
fn board_checks(position: &Position, king: Square, squares: &CheckSquares, list: &mut MoveList) {
    use PieceType::*;
    let us = position.side_to_move();
    let ours = position.pieces(us);
    let occupied = position.occupied();
    let zone = Bitboard::promotion_zone(us);
    let pieces = |piece_type| position.pieces_of_type(piece_type) & ours;
    // A piece that does not slide reaches a neighbour of the king only from nearby.
    let nearby = neighbourhood(king);

    let pawn_targets = pawn_set_attacks(us, pieces(Pawn) & nearby) - ours;
    list.extend(MoveSet::Pawns { color: us, to: pawn_targets & squares.gold & zone, promote: true });
    list.extend(MoveSet::Pawns { color: us, to: (pawn_targets & squares.pawn) - zone, promote: false });

    let mut add = |from: Square, attacked: Bitboard, plain: Bitboard, promoted: Bitboard| {
        let targets = (attacked & (plain | promoted)) - ours;
        if targets.is_empty() {
            return;
        }
        let in_zone = if zone.contains(from) { targets } else { targets & zone };
        (in_zone & promoted).for_each(|to| list.push(Move::board(from, to, true)));
        (targets & plain).for_each(|to| list.push(Move::board(from, to, false)));
    };
    let not_last_two = Bitboard::ALL - Bitboard::far_ranks(us, 2);
    pieces(Lance).for_each(|from| {
        if lance_rays(us, from).intersects(squares.pawn | squares.gold) {
            add(from, lance_attacks(us, from, occupied), squares.pawn & not_last_two, squares.gold);
        }
    });
    pieces(Knight).for_each(|from| {
        add(from, knight_attacks(us, from), squares.knight & not_last_two, squares.gold);
    });
    (pieces(Silver) & nearby).for_each(|from| add(from, silver_attacks(us, from), squares.silver, squares.gold));
    let golds = position.gold_movers() & ours & nearby;
    golds.for_each(|from| add(from, gold_attacks(us, from), squares.gold, Bitboard::EMPTY));
    pieces(Bishop).for_each(|from| {
        if bishop_rays(from).intersects(squares.bishop | squares.horse) {
            // Where a bishop or rook can promote it does.
            let plain = if zone.contains(from) { Bitboard::EMPTY } else { squares.bishop - zone };
            add(from, bishop_attacks(from, occupied), plain, squares.horse);
        }
    });
    pieces(Rook).for_each(|from| {
        if rook_rays(from).intersects(squares.rook | squares.dragon) {
            let plain = if zone.contains(from) { Bitboard::EMPTY } else { squares.rook - zone };
            add(from, rook_attacks(from, occupied), plain, squares.dragon);
        }
    });
    pieces(Horse).for_each(|from| {
        if (bishop_rays(from) | king_attacks(from)).intersects(squares.horse) {
            add(from, bishop_attacks(from, occupied) | king_attacks(from), squares.horse, Bitboard::EMPTY);
        }
    });
    pieces(Dragon).for_each(|from| {
        if (rook_rays(from) | king_attacks(from)).intersects(squares.dragon) {
            add(from, rook_attacks(from, occupied) | king_attacks(from), squares.dragon, Bitboard::EMPTY);
        }
    });
}

/// Appends the drops that check where the king cannot take, but for pawns: they may not mate by a drop.
fn drop_checks(position: &Position, squares: &CheckSquares, list: &mut MoveList) {
    use PieceType::*;
    let us = position.side_to_move();
    let hand = position.hand(us);
    let empty = !position.occupied();
    for (piece_type, squares) in [
        (Lance, squares.pawn),
        (Knight, squares.knight),
        (Silver, squares.silver),
        (Gold, squares.gold),
        (Bishop, squares.bishop),
        (Rook, squares.rook),
    ] {
        if hand.has(piece_type) {
            let dead = Bitboard::far_ranks(us, Position::dead_ranks(piece_type));
            ((squares & empty) - dead).for_each(|to| list.push(Move::drop(piece_type, to)));
        }
    }
}
