//! Checking moves.

use super::{MoveList, MoveSet, board_moves, legal_moves};
use crate::bitboard::{Bitboard, attacks, king_attacks, line_through, neighbourhood, pawn_set_attacks};
use crate::position::{CheckInfo, Position};
use crate::types::{Color, Move, Piece, PieceType, Square};

/// Appends all legal moves that give check: captures, moves that could promote and do not, discovered checks and
/// checks that answer a check are among them.
pub fn generate_checks(position: &Position, list: &mut MoveList) {
    let us = position.side_to_move();
    let Some(king) = position.king_square(!us) else { return };
    if position.in_check() {
        legal_moves(position).into_iter().filter(|&mv| position.gives_check(mv)).for_each(|mv| list.push(mv));
        return;
    }
    let board = BoardChecks {
        position,
        us,
        king,
        info: CheckInfo::new(position),
        pinned: position.blockers(us) & position.pieces(us),
        zone: Bitboard::promotion_zone(us),
    };
    board.generate(list);
    if !position.hand(us).is_empty() {
        checking_drops(position, list);
    }
}

/// What the checks by pieces on the board have in common.
struct BoardChecks<'a> {
    position: &'a Position,
    us: Color,
    king: Square,
    info: CheckInfo,
    pinned: Bitboard,
    zone: Bitboard,
}

impl BoardChecks<'_> {
    fn generate(&self, list: &mut MoveList) {
        use PieceType::*;
        let position = self.position;
        let ours = position.pieces(self.us);
        let nearby = neighbourhood(self.king);
        let special = self.info.discoverers() | self.pinned;
        let pawns = position.pieces_of_type(Pawn) & ours;
        self.pawns((pawns & nearby) - special, list);
        // Pieces that step reach a square next to the king only from nearby.
        let steppers = ours & nearby & (position.pieces_of_type(Silver) | position.gold_movers());
        let others = ours
            & (position.pieces_of_type(Lance)
                | position.pieces_of_type(Knight)
                | position.diagonal_sliders()
                | position.orthogonal_sliders());
        let own_king = position.king_square(self.us).map_or(Bitboard::EMPTY, Bitboard::from_square);
        let pieces = (steppers | others | self.info.discoverers() | (pawns & nearby & special)) - own_king;
        pieces.for_each(|from| {
            if let Some(piece) = position.piece_on(from) {
                self.piece(piece, from, list);
            }
        });
        if let Some(from) = position.king_square(self.us)
            && self.info.discoverers().contains(from)
        {
            let targets = (king_attacks(from) - ours) - line_through(self.king, from);
            let to = targets - position.attacked_around_king(self.us, targets);
            list.extend(MoveSet::Piece { from, to, promote: false });
        }
    }

    /// Pawns that may move freely and discover nothing.
    fn pawns(&self, pawns: Bitboard, list: &mut MoveList) {
        let targets = pawn_set_attacks(self.us, pawns) - self.position.pieces(self.us);
        let promoted = targets & self.zone & self.info.squares(PieceType::ProPawn);
        list.extend(MoveSet::Pawns { color: self.us, to: promoted, promote: true });
        let plain = (targets & self.info.squares(PieceType::Pawn)) - Bitboard::far_ranks(self.us, 1);
        list.extend(MoveSet::Pawns { color: self.us, to: plain, promote: false });
    }

    /// Any piece but the king.
    fn piece(&self, piece: Piece, from: Square, list: &mut MoveList) {
        let piece_type = piece.piece_type();
        let mut targets = attacks(piece, from, self.position.occupied()) - self.position.pieces(self.us);
        if self.pinned.contains(from)
            && let Some(own_king) = self.position.king_square(self.us)
        {
            targets &= line_through(own_king, from);
        }
        let mut discovering = Bitboard::EMPTY;
        if self.info.discoverers().contains(from) {
            discovering = targets - line_through(self.king, from);
        }
        if piece_type.can_promote() {
            let promoting = if self.zone.contains(from) { targets } else { targets & self.zone };
            let to = promoting & (self.info.squares(piece_type.promoted()) | discovering);
            list.extend(MoveSet::Piece { from, to, promote: true });
        }
        let dead = Bitboard::far_ranks(self.us, Position::dead_ranks(piece_type));
        let to = (targets & (self.info.squares(piece_type) | discovering)) - dead;
        list.extend(MoveSet::Piece { from, to, promote: false });
    }
}

/// Drops that give check.
fn checking_drops(position: &Position, list: &mut MoveList) {
    let us = position.side_to_move();
    let (hand, empty) = (position.hand(us), !position.occupied());
    for piece_type in PieceType::HAND {
        if !hand.has(piece_type) {
            continue;
        }
        let dead = Bitboard::far_ranks(us, Position::dead_ranks(piece_type));
        let mut targets = (position.check_squares(piece_type) & empty) - dead;
        if piece_type == PieceType::Pawn {
            targets = board_moves::pawn_drop_targets(position, us, targets);
        }
        targets.for_each(|to| list.push(Move::drop(piece_type, to)));
    }
}
