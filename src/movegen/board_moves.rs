//! Moves of the men on the board.

use super::Scope;
use super::sink::MoveSink;
use crate::bitboard::{
    Bitboard, attacks, bishop_attacks, gold_attacks, king_attacks, knight_attacks, lance_attacks, line_through,
    pawn_attacks, pawn_set_attacks, rook_attacks, silver_attacks,
};
use crate::position::Position;
use crate::types::{Color, PieceType, Square};

/// What the moves of one generation have in common.
struct Context<'a, const EVERY: bool, S> {
    us: Color,
    zone: Bitboard,
    scope: Scope,
    sink: &'a mut S,
}

/// Hands over the moves of all men but the king.
#[inline(always)]
pub(super) fn generate<const EVERY: bool, S: MoveSink>(
    position: &Position,
    scope: Scope,
    pinned: Bitboard,
    sink: &mut S,
) {
    use PieceType::*;
    let us = position.side_to_move();
    let occupied = position.occupied();
    let free = position.men(us) - pinned;
    let mut context = Context::<EVERY, S> { us, zone: Bitboard::promotion_zone(us), scope, sink };
    context.pawns(pawn_set_attacks(us, position.men_of_type(Pawn) & free));

    let men = |piece_type| position.men_of_type(piece_type) & free;
    men(Lance).for_each(|from| context.moves_of(Lance, from, lance_attacks(us, from, occupied)));
    men(Knight).for_each(|from| context.moves_of(Knight, from, knight_attacks(us, from)));
    men(Silver).for_each(|from| context.moves_of(Silver, from, silver_attacks(us, from)));
    (position.gold_movers() & free).for_each(|from| context.moves_of(Gold, from, gold_attacks(us, from)));
    men(Bishop).for_each(|from| context.moves_of(Bishop, from, bishop_attacks(from, occupied)));
    men(Rook).for_each(|from| context.moves_of(Rook, from, rook_attacks(from, occupied)));
    men(Horse).for_each(|from| context.moves_of(Horse, from, bishop_attacks(from, occupied) | king_attacks(from)));
    men(Dragon).for_each(|from| context.moves_of(Dragon, from, rook_attacks(from, occupied) | king_attacks(from)));

    if pinned.any() {
        context.pinned_men(position, pinned);
    }
}

impl<const EVERY: bool, S: MoveSink> Context<'_, EVERY, S> {
    #[inline(always)]
    fn pawns(&mut self, targets: Bitboard) {
        self.sink.pawn_promotions(self.us, targets & self.scope.pawn_promotions & self.zone);
        let must_promote = if EVERY { Bitboard::far_ranks(self.us, 1) } else { self.zone };
        self.sink.pawn_moves(self.us, (targets & self.scope.pawn_moves) - must_promote);
    }

    /// Men that stay on the line between their king and the slider that pins them.
    #[inline(never)]
    fn pinned_men(&mut self, position: &Position, pinned: Bitboard) {
        let Some(king) = position.king_square(self.us) else { return };
        for from in pinned {
            let Some(piece) = position.piece_on(from) else { continue };
            let line = line_through(king, from);
            match piece.piece_type() {
                PieceType::Pawn => self.pawns(pawn_attacks(self.us, from) & line),
                kind => self.moves_of(kind, from, attacks(piece, from, position.occupied()) & line),
            }
        }
    }

    /// The moves of a man other than king and pawn, split into promotions and others.
    #[inline(always)]
    fn moves_of(&mut self, piece_type: PieceType, from: Square, attacked: Bitboard) {
        use PieceType::*;
        let targets = attacked & self.scope.men;
        if !piece_type.can_promote() {
            self.sink.moves(from, targets);
            return;
        }
        let promoting = if self.zone.contains(from) { targets } else { targets & self.zone };
        self.sink.promotions(from, promoting);
        let must_promote = match (piece_type, EVERY) {
            (Lance, true) => Bitboard::far_ranks(self.us, 1),
            (Lance | Knight, _) => Bitboard::far_ranks(self.us, 2),
            (Bishop | Rook, false) => promoting,
            _ => Bitboard::EMPTY,
        };
        self.sink.moves(from, targets - must_promote);
    }
}

/// Hands over the king's moves.
#[inline(always)]
pub(super) fn generate_king<S: MoveSink>(position: &Position, king: Square, scope: Bitboard, sink: &mut S) {
    let candidates = king_attacks(king) & scope;
    if candidates.any() {
        sink.moves(king, candidates - position.attacked_around_king(position.side_to_move(), candidates));
    }
}
