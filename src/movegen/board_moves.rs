//! Moves of the pieces on the board.

use std::ops::ControlFlow;

use super::list::{DropTypes, MoveSet};
use crate::bitboard::{
    Bitboard, attacks, bishop_attacks, gold_attacks, king_attacks, knight_attacks, lance_attacks, line_through,
    pawn_attacks, pawn_set_attacks, rook_attacks, silver_attacks,
};
use crate::position::Position;
use crate::types::{Color, PieceType, Square};

/// What the moves of one generation have in common.
struct Context<'a, const EVERY: bool, L> {
    us: Color,
    zone: Bitboard,
    /// Squares the selection allows.
    targets: Bitboard,
    listener: &'a mut L,
}

/// Hands over the moves of all pieces but the king.
#[inline(always)]
pub(super) fn generate<const EVERY: bool, L: FnMut(MoveSet) -> ControlFlow<()>>(
    position: &Position,
    targets: Bitboard,
    pinned: Bitboard,
    listener: &mut L,
) -> ControlFlow<()> {
    use PieceType::*;
    let us = position.side_to_move();
    let occupied = position.occupied();
    let free = position.pieces(us) - pinned;
    let mut context = Context::<EVERY, L> { us, zone: Bitboard::promotion_zone(us), targets, listener };
    context.pawns(pawn_set_attacks(us, position.pieces_of_type(Pawn) & free))?;

    let pieces = |piece_type| position.pieces_of_type(piece_type) & free;
    pieces(Lance).try_for_each(|from| context.moves_of(Lance, from, lance_attacks(us, from, occupied)))?;
    pieces(Knight).try_for_each(|from| context.moves_of(Knight, from, knight_attacks(us, from)))?;
    pieces(Silver).try_for_each(|from| context.moves_of(Silver, from, silver_attacks(us, from)))?;
    (position.gold_movers() & free).try_for_each(|from| context.moves_of(Gold, from, gold_attacks(us, from)))?;
    pieces(Bishop).try_for_each(|from| context.moves_of(Bishop, from, bishop_attacks(from, occupied)))?;
    pieces(Rook).try_for_each(|from| context.moves_of(Rook, from, rook_attacks(from, occupied)))?;
    pieces(Horse)
        .try_for_each(|from| context.moves_of(Horse, from, bishop_attacks(from, occupied) | king_attacks(from)))?;
    pieces(Dragon)
        .try_for_each(|from| context.moves_of(Dragon, from, rook_attacks(from, occupied) | king_attacks(from)))?;

    if pinned.any() { context.pinned_pieces(position, pinned) } else { ControlFlow::Continue(()) }
}

impl<const EVERY: bool, L: FnMut(MoveSet) -> ControlFlow<()>> Context<'_, EVERY, L> {
    #[inline(always)]
    fn pawns(&mut self, attacked: Bitboard) -> ControlFlow<()> {
        let color = self.us;
        let targets = attacked & self.targets;
        let promotions = targets & self.zone;
        (self.listener)(MoveSet::Pawns { color, to: promotions, promote: true })?;
        let must_promote = if EVERY { Bitboard::far_ranks(color, 1) } else { self.zone };
        let to = targets - must_promote;
        (self.listener)(MoveSet::Pawns { color, to, promote: false })
    }

    /// Pieces that stay on the line between their king and the slider that pins them.
    #[inline(never)]
    fn pinned_pieces(&mut self, position: &Position, pinned: Bitboard) -> ControlFlow<()> {
        let Some(king) = position.king_square(self.us) else { return ControlFlow::Continue(()) };
        for from in pinned {
            let Some(piece) = position.piece_on(from) else { continue };
            let line = line_through(king, from);
            match piece.piece_type() {
                PieceType::Pawn => self.pawns(pawn_attacks(self.us, from) & line)?,
                piece_type => self.moves_of(piece_type, from, attacks(piece, from, position.occupied()) & line)?,
            }
        }
        ControlFlow::Continue(())
    }

    /// The moves of a piece other than king and pawn, split into promotions and others.
    #[inline(always)]
    fn moves_of(&mut self, piece_type: PieceType, from: Square, attacked: Bitboard) -> ControlFlow<()> {
        use PieceType::*;
        let targets = attacked & self.targets;
        if targets.is_empty() {
            return ControlFlow::Continue(());
        }
        if !piece_type.can_promote() {
            return (self.listener)(MoveSet::Piece { from, to: targets, promote: false });
        }
        let promoting = if self.zone.contains(from) { targets } else { targets & self.zone };
        (self.listener)(MoveSet::Piece { from, to: promoting, promote: true })?;
        let must_promote = match (piece_type, EVERY) {
            (Lance, true) => Bitboard::far_ranks(self.us, 1),
            (Lance | Knight, _) => Bitboard::far_ranks(self.us, 2),
            (Bishop | Rook, false) => promoting,
            _ => Bitboard::EMPTY,
        };
        (self.listener)(MoveSet::Piece { from, to: targets - must_promote, promote: false })
    }
}

/// Hands over the king's moves.
#[inline(always)]
pub(super) fn generate_king(
    position: &Position,
    king: Square,
    targets: Bitboard,
    listener: &mut impl FnMut(MoveSet) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let candidates = king_attacks(king) & targets;
    if candidates.is_empty() {
        return ControlFlow::Continue(());
    }
    let to = candidates - position.attacked_around_king(position.side_to_move(), candidates);
    listener(MoveSet::Piece { from: king, to, promote: false })
}

// Drops.

/// Hands over all drops on the squares of `targets`, which are empty.
#[inline(always)]
pub(super) fn generate_drops(
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
