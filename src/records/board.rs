//! A board on which any move can be made, legal or not: records keep illegal moves and what follows them.

use crate::position::Position;
use crate::types::{Color, Move, MoveKind, Piece, PieceType, Square};

/// Pieces on squares and in hand, and the turn. No rule is checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Board {
    squares: [Option<Piece>; Square::COUNT],
    hands: [[u8; PieceType::TABLE_LEN]; 2],
    turn: Color,
}

impl Board {
    /// No piece anywhere, Black to move.
    pub(super) fn empty() -> Board {
        Board { squares: [None; Square::COUNT], hands: [[0; PieceType::TABLE_LEN]; 2], turn: Color::Black }
    }

    /// The piece on a square.
    pub fn piece_on(&self, square: Square) -> Option<Piece> {
        self.squares[square.index()]
    }

    /// How many pieces of a type a player holds.
    pub fn in_hand(&self, color: Color, piece_type: PieceType) -> u8 {
        self.hands[color.index()][piece_type.index()]
    }

    /// Whose turn it is.
    pub fn side_to_move(&self) -> Color {
        self.turn
    }

    pub(super) fn set_side_to_move(&mut self, color: Color) {
        self.turn = color;
    }

    pub(super) fn put(&mut self, square: Square, piece: Option<Piece>) {
        self.squares[square.index()] = piece;
    }

    pub(super) fn set_hand(&mut self, color: Color, piece_type: PieceType, count: u8) {
        self.hands[color.index()][piece_type.index()] = count;
    }

    /// Gives a player all pieces of the set that are neither on the board nor in hand.
    pub(super) fn give_rest_of_set(&mut self, color: Color) {
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
        let us = self.turn.index();
        let moved = match mv.kind() {
            MoveKind::Drop { piece_type, .. } => {
                let held = &mut self.hands[us][piece_type.index()];
                *held = held.saturating_sub(1);
                Some(Piece::new(self.turn, piece_type))
            }
            MoveKind::Board { from, promote, .. } => {
                let piece = self.squares[from.index()].take();
                if promote { piece.map(Piece::promoted) } else { piece }
            }
        };
        if let Some(moved) = moved
            && let Some(captured) = self.squares[mv.to().index()].replace(moved)
        {
            let held = &mut self.hands[us][captured.piece_type().unpromoted().index()];
            *held = held.saturating_add(1);
        }
        self.turn = !self.turn;
    }

    /// The board and the move number of an SFEN, whatever the rules say to it.
    pub(super) fn from_sfen(sfen: &str) -> Option<(Board, u32)> {
        Position::read_unchecked(sfen).ok().map(|position| (Board::from(&position), position.game_ply()))
    }

    /// The board as SFEN, with this move number.
    pub(super) fn sfen(&self, number: u32) -> String {
        let mut text = String::new();
        for rank in 0..9 {
            if rank > 0 {
                text.push('/');
            }
            let mut empty = 0;
            for file in (0..9).rev() {
                match Square::new(file * 9 + rank).and_then(|square| self.piece_on(square)) {
                    None => empty += 1,
                    Some(piece) => {
                        push_count(&mut text, empty, 1);
                        empty = 0;
                        text.push_str(&piece.to_string());
                    }
                }
            }
            push_count(&mut text, empty, 1);
        }
        text.push_str(&format!(" {} ", self.turn));
        let before = text.len();
        for color in Color::ALL {
            use PieceType::*;
            for piece_type in [Rook, Bishop, Gold, Silver, Knight, Lance, Pawn] {
                let count = self.in_hand(color, piece_type);
                push_count(&mut text, count, 2);
                if count > 0 {
                    text.push_str(&Piece::new(color, piece_type).to_string());
                }
            }
        }
        if text.len() == before {
            text.push('-');
        }
        text.push_str(&format!(" {number}"));
        text
    }
}

/// Appends a count that is at least `smallest`.
fn push_count(text: &mut String, count: u8, smallest: u8) {
    if count >= smallest {
        text.push_str(&count.to_string());
    }
}

impl From<&Position> for Board {
    fn from(position: &Position) -> Board {
        let mut board = Board::empty();
        board.turn = position.side_to_move();
        for square in Square::all() {
            board.put(square, position.piece_on(square));
        }
        for color in Color::ALL {
            for piece_type in PieceType::HAND {
                board.set_hand(color, piece_type, position.hand(color).count(piece_type) as u8);
            }
        }
        board
    }
}
