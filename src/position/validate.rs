//! From a setup to a position: whether the rules allow it, and what follows from its pieces.

use super::repetition::RepetitionFilter;
use super::setup::{MAX_MOVE_NUMBER, Setup};
use super::sfen::SfenError;
use super::{Position, StateInfo, zobrist};
use crate::bitboard::Bitboard;
use crate::types::{Color, File, Piece, PieceType, Square};

impl Position {
    /// The position of a setup, as the first of its game. One king may be missing, as on tsume boards.
    ///
    /// # Errors
    /// Says why the rules do not allow the position.
    pub fn from_setup(setup: &Setup) -> Result<Position, SfenError> {
        let mut position = Position::empty();
        for square in Square::all() {
            let Some(piece) = setup.piece_on(square) else { continue };
            let color = piece.color();
            if piece.piece_type() == PieceType::King && position.kings[color.index()].replace(square).is_some() {
                return Err(SfenError::SeveralKings(color));
            }
            position.put(piece, square);
        }
        for color in Color::ALL {
            for piece_type in PieceType::HAND {
                let (count, set) = (setup.in_hand(color, piece_type), piece_type.count_in_set());
                if count > set {
                    return Err(SfenError::TooManyPieces(piece_type.letter(), count.into(), set.into()));
                }
                (0..count).for_each(|_| position.state.hands[color.index()].add(piece_type));
            }
        }
        if setup.move_number > MAX_MOVE_NUMBER {
            return Err(SfenError::MoveNumber(setup.move_number.to_string()));
        }
        (position.side_to_move, position.game_ply) = (setup.side_to_move, setup.move_number);
        position.validate()?;
        position.set_derived_state();
        Ok(position)
    }

    /// No pieces, which is what a position is built from.
    fn empty() -> Position {
        Position {
            board: [None; Square::COUNT],
            by_color: [Bitboard::EMPTY; 2],
            by_type: [Bitboard::EMPTY; PieceType::TABLE_LEN],
            kings: [None; 2],
            side_to_move: Color::Black,
            game_ply: 1,
            state: StateInfo::default(),
            history: Vec::new(),
            repetition_filter: RepetitionFilter::new(),
        }
    }

    /// Says why the rules do not allow the position.
    fn validate(&self) -> Result<(), SfenError> {
        if self.kings == [None; 2] {
            return Err(SfenError::NoKing);
        }
        for piece_type in PieceType::HAND {
            let mut on_board = self.pieces_of_type(piece_type);
            if piece_type.can_promote() {
                on_board |= self.pieces_of_type(piece_type.promoted());
            }
            let held: u32 = Color::ALL.map(|color| self.hand(color).count(piece_type)).iter().sum();
            let (count, set) = (on_board.count() + held, u32::from(piece_type.count_in_set()));
            if count > set {
                return Err(SfenError::TooManyPieces(piece_type.letter(), count, set));
            }
        }
        for color in Color::ALL {
            let pawns = self.pieces_of(color, PieceType::Pawn);
            if let Some(file) = File::all().find(|&file| (pawns & Bitboard::file(file)).has_several()) {
                return Err(SfenError::Nifu(color, file));
            }
            for piece_type in [PieceType::Pawn, PieceType::Lance, PieceType::Knight] {
                let dead_ranks = Bitboard::far_ranks(color, Position::dead_ranks(piece_type));
                let dead = self.pieces_of(color, piece_type) & dead_ranks;
                if let Some(square) = dead.first() {
                    return Err(SfenError::ImmobilePiece(Piece::new(color, piece_type), square));
                }
            }
        }
        let (us, them) = (self.side_to_move, !self.side_to_move);
        match self.king_square(them) {
            Some(king) if self.is_attacked(us, king, self.occupied()) => Err(SfenError::OpponentInCheck(them)),
            _ => Ok(()),
        }
    }

    /// Sets the keys and the checkers.
    fn set_derived_state(&mut self) {
        let us = self.side_to_move;
        self.state.board_key = if us == Color::White { zobrist::TURN } else { 0 };
        for square in self.occupied() {
            if let Some(piece) = self.piece_on(square) {
                self.toggle_keys(piece, square);
            }
        }
        for color in Color::ALL {
            for (piece_type, count) in self.hand(color).iter() {
                let key = zobrist::in_hand(color, piece_type).wrapping_mul(u64::from(count));
                self.state.hand_key = self.state.hand_key.wrapping_add(key);
            }
        }
        if let Some(king) = self.king_square(us) {
            self.state.checkers = self.attackers(!us, king, self.occupied());
        }
    }
}
