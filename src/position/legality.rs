//! Whether one given move is legal, and the rule that an illegal one breaks.

use thiserror::Error;

use super::{MoveDelta, Position};
use crate::bitboard::{Bitboard, attacks, attacks_unobstructed, between, king_attacks, line_through, pawn_attacks};
use crate::types::{Color, Move, MoveKind, Piece, PieceType, Square};

impl Position {
    /// Whether a move is legal here. Any move may be asked, such as one from a hash table or a user.
    pub fn is_legal(&self, mv: Move) -> bool {
        self.check_legal(mv).is_ok()
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

    /// The squares between the king and its only checker; empty when there are several.
    fn interpositions(&self) -> Bitboard {
        let checkers = self.checkers();
        match (self.king_square(self.side_to_move), checkers.first()) {
            (Some(king), Some(checker)) if !checkers.has_several() => between(king, checker),
            _ => Bitboard::EMPTY,
        }
    }

    /// Whether one of `color`'s pieces other than its king, which stands on `king`, can take on `to`, with these
    /// squares taken as occupied; a pinned one only if its line holds the square.
    fn can_take(&self, color: Color, king: Square, to: Square, occupied: Bitboard) -> bool {
        let takers = self.attackers(color, to, occupied) - Bitboard::from_square(king);
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
        let occupied = self.occupied() | Bitboard::from_square(to);
        if !self.is_attacked(us, to, occupied) {
            return false;
        }
        if self.can_take(them, king, to, occupied) {
            return false;
        }
        // The king steps away. It no longer shields the squares behind it, but the pawn shields others.
        let without_king = occupied - Bitboard::from_square(king);
        let flights = king_attacks(king) - self.pieces(them) - Bitboard::from_square(to);
        !flights.into_iter().any(|flight| !self.is_attacked(us, flight, without_king))
    }
}

/// The rule that a move breaks. Where it breaks several, the one a player would name first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum IllegalMove {
    /// There is nothing to move on the square.
    #[error("there is no piece on {0}")]
    NoPiece(Square),
    /// The piece that was to be moved is the opponent's; where it stands, and the side to move.
    #[error("the {piece} on {1} is the opponent's, and it is {2:?}'s turn", piece = .0.name())]
    NotYourPiece(PieceType, Square, Color),
    /// No such piece is in the hand of the side to move.
    #[error("{1:?} has no {piece} in hand", piece = .0.name())]
    NotInHand(PieceType, Color),
    /// A piece may only be dropped on an empty square.
    #[error("{0} is occupied, and a piece is only dropped on an empty square")]
    Occupied(Square),
    /// A piece of the side to move stands on the destination.
    #[error("{2:?}'s own {piece} stands on {1}", piece = .0.name())]
    OwnPiece(PieceType, Square, Color),
    /// The piece does not move from the first square to the second.
    #[error("a {piece} does not move from {1} to {2}", piece = .0.name())]
    WrongMovement(PieceType, Square, Square),
    /// Another piece stands in the way; only knights jump.
    #[error("the {} on {by} blocks the way from {from} to {to}", blocker.name())]
    Blocked {
        /// Where the piece stands.
        from: Square,
        /// Where it was to go.
        to: Square,
        /// The type of piece in the way, the nearest if there are several.
        blocker: PieceType,
        /// Where that stands.
        by: Square,
    },
    /// The piece is of a type that never promotes, or is promoted already.
    #[error("a {} does not promote", .0.name())]
    CannotPromote(PieceType),
    /// Neither end of the move lies in the promotion zone.
    #[error("neither {0} nor {1} lies in the promotion zone")]
    OutsideZone(Square, Square),
    /// The piece could never move again unpromoted.
    #[error("a {piece} must promote on {1}, from where it could never move again", piece = .0.name())]
    MustPromote(PieceType, Square),
    /// A dropped piece could never move from there (行き所のない駒).
    #[error("a {piece} dropped on {1} could never move", piece = .0.name())]
    NoFurtherMove(PieceType, Square),
    /// Nifu (二歩): a second unpromoted pawn on a file; whose, and where the first one stands.
    #[error("nifu: {0:?} has a pawn on file {file} already, on {1}", file = .1.file())]
    Nifu(Color, Square),
    /// Uchifuzume (打ち歩詰め): a dropped pawn may give check, but not mate.
    #[error("drop-pawn mate (uchifuzume): the pawn on {0} would be mate, and a dropped pawn must not mate")]
    DropPawnMate(Square),
    /// The king of the side to move is in check and stays so; where it stands, and a piece that gives check.
    #[error("{0:?}'s king on {1} stays in check from {2}")]
    StaysInCheck(Color, Square, Square),
    /// The king of the side to move would go where it is attacked, and from where.
    #[error("{0:?}'s king would be in check on {1} from {2}")]
    KingIntoCheck(Color, Square, Square),
    /// The piece shields its king from a check and may not leave the line.
    #[error("the {} on {from} is pinned: {side:?}'s king on {king} would be in check", piece_type.name())]
    Pinned {
        /// The side to move.
        side: Color,
        /// The type of the pinned piece.
        piece_type: PieceType,
        /// Where it stands.
        from: Square,
        /// The king that it shields.
        king: Square,
    },
}

impl IllegalMove {
    /// The rule as one word, for programs.
    pub const fn kind(&self) -> &'static str {
        match self {
            IllegalMove::NoPiece(_) => "no_piece",
            IllegalMove::NotYourPiece(..) => "not_your_piece",
            IllegalMove::NotInHand(..) => "not_in_hand",
            IllegalMove::Occupied(_) => "occupied",
            IllegalMove::OwnPiece(..) => "own_piece",
            IllegalMove::WrongMovement(..) => "wrong_movement",
            IllegalMove::Blocked { .. } => "blocked",
            IllegalMove::CannotPromote(_) => "cannot_promote",
            IllegalMove::OutsideZone(..) => "outside_zone",
            IllegalMove::MustPromote(..) => "must_promote",
            IllegalMove::NoFurtherMove(..) => "no_further_move",
            IllegalMove::Nifu(..) => "nifu",
            IllegalMove::DropPawnMate(_) => "drop_pawn_mate",
            IllegalMove::StaysInCheck(..) => "stays_in_check",
            IllegalMove::KingIntoCheck(..) => "king_into_check",
            IllegalMove::Pinned { .. } => "pinned",
        }
    }
}

impl Position {
    /// Makes a move that may be illegal: [`Position::do_move`] for moves from outside.
    ///
    /// # Errors
    /// Names the rule that the move breaks; the position is then unchanged.
    pub fn try_do_move(&mut self, mv: Move) -> Result<MoveDelta, IllegalMove> {
        self.check_legal(mv)?;
        Ok(self.do_move(mv))
    }

    /// Whether a move is legal, and if not, why. [`Position::is_legal`] is the quick form.
    ///
    /// # Errors
    /// Names the rule that the move breaks.
    pub fn check_legal(&self, mv: Move) -> Result<(), IllegalMove> {
        match mv.kind() {
            MoveKind::Drop { piece_type, to } => self.check_drop(piece_type, to),
            MoveKind::Board { from, to, promote } => {
                let piece = self.check_movement(from, to)?;
                self.check_promotion(piece, from, to, promote)?;
                self.check_king_safety(piece, from, to)
            }
        }
    }

    fn check_drop(&self, piece_type: PieceType, to: Square) -> Result<(), IllegalMove> {
        let side = self.side_to_move;
        if !self.hand(side).has(piece_type) {
            return Err(IllegalMove::NotInHand(piece_type, side));
        }
        if self.piece_on(to).is_some() {
            return Err(IllegalMove::Occupied(to));
        }
        if to.rank().relative(side) < Self::dead_ranks(piece_type) {
            return Err(IllegalMove::NoFurtherMove(piece_type, to));
        }
        if piece_type == PieceType::Pawn
            && let Some(pawn) = (self.pieces_of(side, PieceType::Pawn) & Bitboard::file(to.file())).first()
        {
            return Err(IllegalMove::Nifu(side, pawn));
        }
        if self.in_check() && !self.interpositions().contains(to) {
            return Err(self.stays_in_check());
        }
        if piece_type == PieceType::Pawn && self.is_drop_pawn_mate(to) {
            return Err(IllegalMove::DropPawnMate(to));
        }
        Ok(())
    }

    /// The piece that is moved, if it moves so.
    fn check_movement(&self, from: Square, to: Square) -> Result<Piece, IllegalMove> {
        let side = self.side_to_move;
        let piece = self.piece_on(from).ok_or(IllegalMove::NoPiece(from))?;
        let piece_type = piece.piece_type();
        if piece.color() != side {
            return Err(IllegalMove::NotYourPiece(piece_type, from, side));
        }
        if !attacks(piece, from, self.occupied()).contains(to) {
            let way = between(from, to) & self.occupied();
            let nearest = way.into_iter().find(|&square| !between(from, square).intersects(way));
            return Err(match nearest.and_then(|by| Some((by, self.piece_on(by)?.piece_type()))) {
                Some((by, blocker)) if attacks_unobstructed(piece, from, to) => {
                    IllegalMove::Blocked { from, to, blocker, by }
                }
                _ => IllegalMove::WrongMovement(piece_type, from, to),
            });
        }
        match self.piece_on(to) {
            Some(own) if own.color() == side => Err(IllegalMove::OwnPiece(own.piece_type(), to, side)),
            _ => Ok(piece),
        }
    }

    fn check_promotion(&self, piece: Piece, from: Square, to: Square, promote: bool) -> Result<(), IllegalMove> {
        let side = self.side_to_move;
        let piece_type = piece.piece_type();
        if promote && !piece_type.can_promote() {
            return Err(IllegalMove::CannotPromote(piece_type));
        }
        if promote && !from.in_promotion_zone(side) && !to.in_promotion_zone(side) {
            return Err(IllegalMove::OutsideZone(from, to));
        }
        if !promote && to.rank().relative(side) < Self::dead_ranks(piece_type) {
            return Err(IllegalMove::MustPromote(piece_type, to));
        }
        Ok(())
    }

    fn check_king_safety(&self, piece: Piece, from: Square, to: Square) -> Result<(), IllegalMove> {
        let side = self.side_to_move;
        let Some(king) = self.king_square(side) else { return Ok(()) };
        if from == king {
            let attackers = self.attackers(!side, to, self.occupied() - Bitboard::from_square(king));
            return match attackers.first() {
                Some(attacker) => Err(IllegalMove::KingIntoCheck(side, to, attacker)),
                None => Ok(()),
            };
        }
        let answers = self.checkers() | self.interpositions();
        if self.in_check() && (self.checkers().has_several() || !answers.contains(to)) {
            return Err(self.stays_in_check());
        }
        if self.blockers(side).contains(from) && !line_through(king, from).contains(to) {
            return Err(IllegalMove::Pinned { side, piece_type: piece.piece_type(), from, king });
        }
        Ok(())
    }

    /// Of a position in check with a king, which every position in check has.
    fn stays_in_check(&self) -> IllegalMove {
        let side = self.side_to_move;
        let checker = self.checkers().first().expect("the king is in check");
        let king = self.king_square(side).expect("a king is in check");
        IllegalMove::StaysInCheck(side, king, checker)
    }
}
