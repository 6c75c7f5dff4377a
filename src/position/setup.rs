//! A board that no rule was asked about: what records, books and packed positions are read into.

use super::Position;
use crate::types::{Color, Move, MoveKind, Piece, PieceType, Square};

/// Far above any game's length, far below what a counter of plies holds.
pub(super) const MAX_MOVE_NUMBER: u32 = 1_000_000;

/// Pieces on squares and in hand, the turn and the move number, of which no rule is checked: any move can be made,
/// legal or not. [`Position::from_setup`] makes a position of it where the rules allow that.
///
/// ```
/// use kurosabi::position::{Position, Setup};
/// use kurosabi::types::{Color, Piece, PieceType};
///
/// let mut setup = Setup::empty();
/// setup.put("5a".parse()?, Some(Piece::new(Color::White, PieceType::King)));
/// setup.put("5c".parse()?, Some(Piece::new(Color::Black, PieceType::Pawn)));
/// setup.set_hand(Color::Black, PieceType::Gold, 1);
/// assert_eq!(Position::from_setup(&setup)?.to_sfen(), "4k4/9/4P4/9/9/9/9/9/9 b G 1");
/// assert_eq!(setup.rotated().to_sfen(), "9/9/9/9/9/9/4p4/9/4K4 w g 1");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup {
    squares: [Option<Piece>; Square::COUNT],
    /// By colour and piece type.
    hands: [[u8; 8]; 2],
    pub(super) side_to_move: Color,
    /// The number of the move to be made next.
    pub move_number: u32,
}

impl Setup {
    /// No piece anywhere, Black to make the first move.
    pub fn empty() -> Setup {
        Setup { squares: [None; Square::COUNT], hands: [[0; 8]; 2], side_to_move: Color::Black, move_number: 1 }
    }

    /// The piece on a square.
    pub fn piece_on(&self, square: Square) -> Option<Piece> {
        self.squares[square.index()]
    }

    /// Puts a piece on a square, or empties it.
    pub fn put(&mut self, square: Square, piece: Option<Piece>) {
        self.squares[square.index()] = piece;
    }

    /// How many pieces of a type a player holds; 0 for types that are never held.
    pub fn in_hand(&self, color: Color, piece_type: PieceType) -> u8 {
        self.hands[color.index()].get(piece_type.index()).copied().unwrap_or(0)
    }

    /// Sets how many pieces of a type a player holds, unless it is one that is never held.
    pub fn set_hand(&mut self, color: Color, piece_type: PieceType, count: u8) {
        if let Some(held) = self.hands[color.index()].get_mut(piece_type.index()) {
            *held = count;
        }
    }

    /// Whose turn it is.
    pub fn side_to_move(&self) -> Color {
        self.side_to_move
    }

    /// Gives the turn to a player.
    pub fn set_side_to_move(&mut self, color: Color) {
        self.side_to_move = color;
    }

    /// Gives a player all pieces of the set that are neither on the board nor in hand.
    pub(crate) fn give_rest_of_set(&mut self, color: Color) {
        for piece_type in PieceType::HAND {
            let is_of_type =
                |piece: &Option<Piece>| piece.is_some_and(|piece| piece.piece_type().unpromoted() == piece_type);
            let standing = self.squares.iter().filter(|piece| is_of_type(piece)).count() as u8;
            let held = self.in_hand(color, piece_type);
            let all = standing + held + self.in_hand(!color, piece_type);
            self.set_hand(color, piece_type, held + piece_type.count_in_set().saturating_sub(all));
        }
    }

    /// The type of piece that a move moves or drops; `None` where its origin is empty.
    pub fn moved_type(&self, mv: Move) -> Option<PieceType> {
        match mv.kind() {
            MoveKind::Drop { piece_type, .. } => Some(piece_type),
            MoveKind::Board { from, .. } => self.piece_on(from).map(Piece::piece_type),
        }
    }

    /// Makes any move.
    pub fn do_move(&mut self, mv: Move) {
        let us = self.side_to_move;
        let moved = match mv.kind() {
            MoveKind::Drop { piece_type, .. } => {
                self.set_hand(us, piece_type, self.in_hand(us, piece_type).saturating_sub(1));
                Some(Piece::new(us, piece_type))
            }
            MoveKind::Board { from, promote, .. } => {
                let piece = self.squares[from.index()].take();
                if promote { piece.map(Piece::promoted) } else { piece }
            }
        };
        if let Some(moved) = moved
            && let Some(captured) = self.squares[mv.to().index()].replace(moved)
        {
            let piece_type = captured.piece_type().unpromoted();
            self.set_hand(us, piece_type, self.in_hand(us, piece_type).saturating_add(1));
        }
        self.side_to_move = !us;
        self.move_number = self.move_number.saturating_add(1);
    }

    /// The board turned around and the players exchanged: what holds for one holds for the other.
    #[must_use]
    pub fn rotated(&self) -> Setup {
        let exchanged = |piece: Piece| Piece::new(!piece.color(), piece.piece_type());
        let mut squares = self.squares.map(|piece| piece.map(exchanged));
        squares.reverse();
        let [black, white] = self.hands;
        Setup { squares, hands: [white, black], side_to_move: !self.side_to_move, move_number: self.move_number }
    }
}

impl Position {
    /// Board, hands, turn and move number of the position, which can then be changed. The number stays at the largest
    /// that is read back.
    pub fn setup(&self) -> Setup {
        let mut setup = Setup { squares: self.board, ..Setup::empty() };
        for color in Color::ALL {
            self.hand(color).iter().for_each(|(piece_type, count)| setup.set_hand(color, piece_type, count as u8));
        }
        (setup.side_to_move, setup.move_number) = (self.side_to_move, self.game_ply.min(MAX_MOVE_NUMBER));
        setup
    }

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
        let mut setup = self.setup();
        let (owner, held) = (piece.color(), piece.piece_type().unpromoted());
        match square {
            _ if held == PieceType::King => return None,
            Some(square) if self.piece_on(square) == Some(piece) => setup.put(square, None),
            None if setup.in_hand(owner, piece.piece_type()) > 0 => {
                setup.set_hand(owner, held, setup.in_hand(owner, held) - 1);
            }
            _ => return None,
        }
        let waiting = !self.side_to_move;
        setup.set_hand(waiting, held, setup.in_hand(waiting, held) + 1);
        setup.move_number = 1;
        Position::from_setup(&setup).ok()
    }
}
