//! Who attacks a square, who is pinned, and which moves give check.

use super::Position;
use crate::bitboard::{
    Bitboard, Direction, attacks, attacks_unobstructed, between, bishop_attacks, bishop_rays, direction, gold_attacks,
    king_attacks, knight_attacks, lance_attacks, lance_rays, line_through, neighbourhood, pawn_attacks,
    pawn_set_attacks, ray, rook_attacks, rook_rays, silver_attacks, step_attacks,
};
use crate::types::{Color, Move, Piece, PieceType, Square};

impl Position {
    /// `color`'s pieces that attack a square, with these squares taken as occupied.
    #[inline]
    pub fn attackers(&self, color: Color, square: Square, occupied: Bitboard) -> Bitboard {
        (self.step_attackers(color, square) | self.slide_attackers(color, square, occupied)) & self.pieces(color)
    }

    /// Whether any of `color`'s pieces attacks a square, with these squares taken as occupied.
    #[inline]
    pub fn is_attacked(&self, color: Color, square: Square, occupied: Bitboard) -> bool {
        self.step_attackers(color, square).intersects(self.pieces(color))
            || self.slide_attackers(color, square, occupied).any()
    }

    /// Pieces that reach a square in one step if they are `color`'s.
    #[inline(always)]
    pub(crate) fn step_attackers(&self, color: Color, square: Square) -> Bitboard {
        use PieceType::*;
        // A piece attacks a square from where its mirror image of the other colour would attack it.
        let back = !color;
        (pawn_attacks(back, square) & self.pieces_of_type(Pawn))
            | (knight_attacks(back, square) & self.pieces_of_type(Knight))
            | (silver_attacks(back, square) & self.pieces_of_type(Silver))
            | (gold_attacks(back, square) & self.gold_movers())
            | (king_attacks(square)
                & (self.pieces_of_type(King) | self.pieces_of_type(Horse) | self.pieces_of_type(Dragon)))
    }

    /// `color`'s sliders that reach a square along a line.
    #[inline(always)]
    pub(crate) fn slide_attackers(&self, color: Color, square: Square, occupied: Bitboard) -> Bitboard {
        let pieces = self.pieces(color);
        let mut set = Bitboard::EMPTY;
        // Most squares see no slider even on an empty board; only then is a look at the pieces needed.
        let diagonal = self.diagonal_sliders() & pieces;
        if bishop_rays(square).intersects(diagonal) {
            set |= bishop_attacks(square, occupied) & diagonal;
        }
        let orthogonal = self.orthogonal_sliders() & pieces;
        if rook_rays(square).intersects(orthogonal) {
            set |= rook_attacks(square, occupied) & orthogonal;
        }
        let lances = self.pieces_of_type(PieceType::Lance) & pieces;
        if lance_rays(!color, square).intersects(lances) {
            set |= lance_attacks(!color, square, occupied) & lances;
        }
        set
    }

    /// Pieces of either colour that alone stand between `color`'s king and an enemy slider. Those of
    /// `color` are pinned; the others give a discovered check when they leave the line.
    #[inline]
    pub fn blockers(&self, color: Color) -> Bitboard {
        let Some(king) = self.king_square(color) else { return Bitboard::EMPTY };
        let occupied = self.occupied();
        // What could give check along a line, were nothing between.
        let snipers = ((bishop_rays(king) & self.diagonal_sliders())
            | (rook_rays(king) & self.orthogonal_sliders())
            | (lance_rays(color, king) & self.pieces_of_type(PieceType::Lance)))
            & self.pieces(!color);
        let mut blockers = Bitboard::EMPTY;
        snipers.for_each(|sniper| {
            let pieces = between(king, sniper) & occupied;
            if !pieces.has_several() {
                blockers |= pieces;
            }
        });
        blockers
    }

    /// Whether a piece on `square` would give check to a king on `king`.
    #[inline(always)]
    fn checks_directly(piece: Piece, square: Square, king: Square, occupied: Bitboard) -> bool {
        attacks_unobstructed(piece, square, king) && !between(square, king).intersects(occupied)
    }

    /// `color`'s pieces that check a king on `king` along the line that `vacated` has left.
    #[inline(always)]
    fn discovered_checkers(&self, color: Color, vacated: Square, king: Square, occupied: Bitboard) -> Bitboard {
        let Some(direction) = direction(king, vacated) else { return Bitboard::EMPTY };
        let mut sliders = if direction.is_diagonal() {
            self.diagonal_sliders()
        } else if direction == Direction::forward(!color) {
            self.orthogonal_sliders() | self.pieces_of_type(PieceType::Lance)
        } else {
            self.orthogonal_sliders()
        };
        sliders &= ray(direction, king) & self.pieces(color);
        let mut checkers = Bitboard::EMPTY;
        sliders.for_each(|slider| {
            if !between(king, slider).intersects(occupied) {
                checkers |= Bitboard::from_square(slider);
            }
        });
        checkers
    }

    /// The pieces of `color`, which has just moved `piece` to `to` (from `from`, if not a drop), that
    /// check the enemy king. The board already shows the move.
    #[inline(always)]
    pub(super) fn checkers_after(&self, color: Color, piece: Piece, from: Option<Square>, to: Square) -> Bitboard {
        let Some(king) = self.king_square(!color) else { return Bitboard::EMPTY };
        let occupied = self.occupied();
        let mut checkers = from.map_or(Bitboard::EMPTY, |from| self.discovered_checkers(color, from, king, occupied));
        if Self::checks_directly(piece, to, king, occupied) {
            checkers |= Bitboard::from_square(to);
        }
        checkers
    }

    /// Whether a legal move of the side to move gives check. For several moves see [`super::CheckInfo`].
    pub fn gives_check(&self, mv: Move) -> bool {
        let us = self.side_to_move();
        let Some(king) = self.king_square(!us) else { return false };
        let to = mv.to();
        let piece = self.moved_piece_after(mv);
        let Some(from) = mv.from() else {
            return Self::checks_directly(piece, to, king, self.occupied());
        };
        let occupied = (self.occupied() - Bitboard::from_square(from)) | Bitboard::from_square(to);
        // The piece that moves cannot be its own discovered checker, hence the mask.
        Self::checks_directly(piece, to, king, occupied)
            || (self.discovered_checkers(us, from, king, occupied)
                - Bitboard::from_square(from)
                - Bitboard::from_square(to))
            .any()
    }

    /// The squares from which a piece of the side to move would check the enemy king.
    pub fn check_squares(&self, piece_type: PieceType) -> Bitboard {
        let us = self.side_to_move();
        match self.king_square(!us) {
            Some(king) => attacks(Piece::new(!us, piece_type), king, self.occupied()),
            None => Bitboard::EMPTY,
        }
    }

    /// Squares the enemy of `color` attacks once `color`'s king has left its square. Complete on
    /// `candidates`, which are neighbours of the king; elsewhere some may be missing.
    #[inline(always)]
    pub(crate) fn attacked_around_king(&self, color: Color, candidates: Bitboard) -> Bitboard {
        use PieceType::*;
        let Some(king) = self.king_square(color) else { return Bitboard::EMPTY };
        let them = !color;
        let enemies = self.pieces(them);
        let occupied = self.occupied() - Bitboard::from_square(king);
        let lances = self.pieces_of_type(Lance) & enemies;
        let pawns = self.pieces_of_type(Pawn) & enemies;

        let mut attacked = pawn_set_attacks(them, pawns);
        let handled_apart = lances | pawns | self.pieces_of_type(Bishop) | self.pieces_of_type(Rook);
        ((enemies & neighbourhood(king)) - handled_apart).for_each(|square| {
            if let Some(piece) = self.piece_on(square) {
                attacked |= step_attacks(them, piece.piece_type(), square);
            }
        });
        (self.diagonal_sliders() & enemies).for_each(|square| {
            if bishop_rays(square).intersects(candidates) {
                attacked |= bishop_attacks(square, occupied);
            }
        });
        (self.orthogonal_sliders() & enemies).for_each(|square| {
            if rook_rays(square).intersects(candidates) {
                attacked |= rook_attacks(square, occupied);
            }
        });
        lances.for_each(|square| {
            if lance_rays(them, square).intersects(candidates) {
                attacked |= lance_attacks(them, square, occupied);
            }
        });
        attacked
    }
}

/// The squares from which the side to move gives check, computed once for several moves. For a single move use
/// [`Position::gives_check`].
pub struct CheckInfo {
    /// The enemy king's square.
    king: Option<Square>,
    /// By piece type, from where such a piece gives check.
    squares: [Bitboard; PieceType::TABLE_LEN],
    /// Pieces of the side to move that give check by leaving the line between a slider of theirs and the king.
    discoverers: Bitboard,
}

impl CheckInfo {
    /// The information for a position.
    pub fn new(position: &Position) -> CheckInfo {
        let us = position.side_to_move();
        let king = position.king_square(!us);
        let squares = king.map_or([Bitboard::EMPTY; PieceType::TABLE_LEN], |king| squares_around(position, king));
        CheckInfo { king, squares, discoverers: position.blockers(!us) & position.pieces(us) }
    }

    /// The squares from which a piece of the side to move checks the enemy king.
    #[inline(always)]
    pub fn squares(&self, piece_type: PieceType) -> Bitboard {
        self.squares[piece_type.index()]
    }

    /// Pieces of the side to move that give check by leaving the line between a slider of theirs and the enemy king.
    #[inline(always)]
    pub fn discoverers(&self) -> Bitboard {
        self.discoverers
    }

    /// Whether a legal move of the side to move gives check in this position, for which `self` must have been made.
    #[inline(always)]
    pub fn gives_check(&self, position: &Position, mv: Move) -> bool {
        let to = mv.to();
        if self.squares(position.moved_piece_after(mv).piece_type()).contains(to) {
            return true;
        }
        mv.from().is_some_and(|from| {
            self.discoverers.contains(from) && self.king.is_some_and(|king| !line_through(king, from).contains(to))
        })
    }
}

/// By piece type, from where a piece of the side to move checks a king.
fn squares_around(position: &Position, king: Square) -> [Bitboard; PieceType::TABLE_LEN] {
    use PieceType::*;
    let mut table = [Bitboard::EMPTY; PieceType::TABLE_LEN];
    let them = !position.side_to_move();
    let occupied = position.occupied();
    let (diagonal, orthogonal) = (bishop_attacks(king, occupied), rook_attacks(king, occupied));
    let gold = gold_attacks(them, king);
    table[Pawn.index()] = pawn_attacks(them, king);
    table[Lance.index()] = orthogonal & lance_rays(them, king);
    table[Knight.index()] = knight_attacks(them, king);
    table[Silver.index()] = silver_attacks(them, king);
    table[Bishop.index()] = diagonal;
    table[Rook.index()] = orthogonal;
    for piece_type in [Gold, ProPawn, ProLance, ProKnight, ProSilver] {
        table[piece_type.index()] = gold;
    }
    table[Horse.index()] = diagonal | king_attacks(king);
    table[Dragon.index()] = orthogonal | king_attacks(king);
    table
}
