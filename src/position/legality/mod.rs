//! Whether one given move is legal, and the drop-pawn mate rule.

mod illegal;

pub use illegal::IllegalMove;

use crate::bitboard::{Bitboard, attacks, between, king_attacks, line_through, pawn_attacks};
use crate::position::Position;
use crate::types::{Color, Move, MoveKind, PieceType, Square};

impl Position {
    /// Whether a move is legal here. Any move may be asked, such as one from a hash table or a user.
    pub fn is_legal(&self, mv: Move) -> bool {
        match mv.kind() {
            MoveKind::Drop { piece_type, to } => self.is_legal_drop(piece_type, to),
            MoveKind::Board { from, to, promote } => {
                self.is_pseudo_legal_board_move(from, to, promote) && self.leaves_king_safe(from, to)
            }
        }
    }

    /// How many of the farthest ranks a piece of this type may not stand on unpromoted.
    #[inline(always)]
    pub(crate) const fn dead_ranks(piece_type: PieceType) -> usize {
        match piece_type {
            PieceType::Pawn | PieceType::Lance => 1,
            PieceType::Knight => 2,
            _ => 0,
        }
    }

    fn is_legal_drop(&self, piece_type: PieceType, to: Square) -> bool {
        let us = self.side_to_move;
        if !self.hand(us).has(piece_type)
            || self.piece_on(to).is_some()
            || to.rank().relative(us) < Self::dead_ranks(piece_type)
        {
            return false;
        }
        if self.in_check() && !self.interpositions().contains(to) {
            return false;
        }
        if piece_type != PieceType::Pawn {
            return true;
        }
        let nifu = self.pieces_of(us, PieceType::Pawn).intersects(Bitboard::file(to.file()));
        !nifu && !self.is_drop_pawn_mate(to)
    }

    /// The squares between the king and its only checker; empty when there are several.
    pub(in crate::position) fn interpositions(&self) -> Bitboard {
        let checkers = self.checkers();
        match (self.king_square(self.side_to_move), checkers.first()) {
            (Some(king), Some(checker)) if !checkers.has_several() => between(king, checker),
            _ => Bitboard::EMPTY,
        }
    }

    fn is_pseudo_legal_board_move(&self, from: Square, to: Square, promote: bool) -> bool {
        let us = self.side_to_move;
        let Some(piece) = self.piece_on(from) else { return false };
        if piece.color() != us || self.pieces(us).contains(to) || !attacks(piece, from, self.occupied()).contains(to) {
            return false;
        }
        if promote {
            piece.piece_type().can_promote() && (from.in_promotion_zone(us) || to.in_promotion_zone(us))
        } else {
            to.rank().relative(us) >= Self::dead_ranks(piece.piece_type())
        }
    }

    /// Whether the mover's king is not in check after a pseudo-legal board move.
    fn leaves_king_safe(&self, from: Square, to: Square) -> bool {
        let us = self.side_to_move;
        let Some(king) = self.king_square(us) else { return true };
        if from == king {
            return !self.is_attacked(!us, to, self.occupied() - Bitboard::of(king));
        }
        let checkers = self.checkers();
        if checkers.any() && (checkers.has_several() || !(checkers | self.interpositions()).contains(to)) {
            return false;
        }
        !self.blockers(us).contains(from) || line_through(king, from).contains(to)
    }

    /// Whether one of `color`'s pieces other than its king, which stands on `king`, can take on `to`, with these
    /// squares taken as occupied; a pinned one only if its line holds the square.
    pub(crate) fn can_take(&self, color: Color, king: Square, to: Square, occupied: Bitboard) -> bool {
        let takers = self.attackers(color, to, occupied) - Bitboard::of(king);
        if takers.is_empty() {
            return false;
        }
        let pinned = self.blockers(color);
        (takers - pinned).any() || (takers & pinned).into_iter().any(|piece| line_through(king, piece).contains(to))
    }

    /// Whether dropping a pawn of the side to move on `to` mates at once (打ち歩詰め), which the rules
    /// forbid. The drop must be possible otherwise.
    pub(crate) fn is_drop_pawn_mate(&self, to: Square) -> bool {
        let us = self.side_to_move;
        let them = !us;
        let Some(king) = self.king_square(them) else { return false };
        if !pawn_attacks(us, to).contains(king) {
            return false;
        }
        // The king takes the pawn.
        let occupied = self.occupied() | Bitboard::of(to);
        if !self.is_attacked(us, to, occupied) {
            return false;
        }
        if self.can_take(them, king, to, occupied) {
            return false;
        }
        // The king steps away. It no longer shields the squares behind it, but the pawn shields others.
        let without_king = occupied - Bitboard::of(king);
        let flights = king_attacks(king) - self.pieces(them) - Bitboard::of(to);
        !flights.into_iter().any(|flight| !self.is_attacked(us, flight, without_king))
    }
}
