//! Positions with one piece less.

use super::Position;
use crate::types::{Piece, PieceType, Square};

impl Position {
    /// The position as it would be if the side that waits held a piece instead: one that stands on a square or, without
    /// a square, one in a hand. It is the first of its game, with move number 1.
    ///
    /// `None` when the piece is not there, is a king, or leaves a position that the rules do not allow.
    ///
    /// ```
    /// use kurosabi::position::Position;
    /// use kurosabi::types::{Color, Piece, PieceType};
    ///
    /// let position = Position::from_sfen("4k4/9/4P4/9/9/9/9/9/9 b G 5")?;
    /// let pawn = Piece::new(Color::Black, PieceType::Pawn);
    /// let without = position.without(pawn, Some("5c".parse()?)).unwrap();
    /// assert_eq!(without.to_sfen(), "4k4/9/9/9/9/9/9/9/9 b Gp 1");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn without(&self, piece: Piece, square: Option<Square>) -> Option<Position> {
        let Position { board, by_color, by_type, kings, side_to_move, .. } = *self;
        let mut position = Position { board, by_color, by_type, kings, side_to_move, ..Position::empty() };
        let held = piece.piece_type().unpromoted();
        let mut hands = self.state.hands;
        match square {
            _ if held == PieceType::King => return None,
            Some(square) if self.piece_on(square) == Some(piece) => position.take(piece, square),
            None if hands[piece.color().index()].has(piece.piece_type()) => hands[piece.color().index()].remove(held),
            _ => return None,
        }
        hands[(!side_to_move).index()].add(held);
        position.state.hands = hands;
        position.validate().ok()?;
        position.set_derived_state();
        Some(position)
    }
}
