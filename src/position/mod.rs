//! The state of a game: board, hands, turn and history.
//!
//! A [`Position`] is always one the rules allow. Moves are made and taken back in place;
//! [`Position::do_move`] returns a [`MoveDelta`], from which an evaluation knows what changed.

mod attackers;
mod declaration;
mod handicap;
mod legality;
mod make;
mod repetition;
mod see;
mod setup;
mod sfen;
mod validate;
mod zobrist;

pub use attackers::CheckInfo;
pub use declaration::{Declaration, EnteringKingRule, Requirement};
pub use handicap::{Handicap, UnknownHandicap};
pub use legality::IllegalMove;
pub use make::MoveDelta;
pub use repetition::{Repetition, SearchRepetition};
pub use see::exchange_value;
pub use setup::Setup;
pub use sfen::{STARTPOS_SFEN, SfenError};

use std::str::FromStr;

use crate::bitboard::Bitboard;
use crate::types::{Color, Hand, Piece, PieceType, Square};
use repetition::RepetitionFilter;
use zobrist::PartKeys;

/// A position with the history that led to it.
#[derive(Clone)]
pub struct Position {
    board: [Option<Piece>; Square::COUNT],
    by_color: [Bitboard; 2],
    by_type: [Bitboard; PieceType::TABLE_LEN],
    kings: [Option<Square>; 2],
    side_to_move: Color,
    game_ply: u32,
    state: StateInfo,
    /// The states before each move made, oldest first.
    history: Vec<StateInfo>,
    /// Shows which boards `history` does not hold.
    repetition_filter: RepetitionFilter,
}

/// What cannot be recomputed when a move is taken back, and what repetition needs of each position.
#[derive(Clone, Copy, Default)]
struct StateInfo {
    /// Pieces on the board and the turn.
    board_key: u64,
    hand_key: u64,
    parts: PartKeys,
    checkers: Bitboard,
    hands: [Hand; 2],
    /// Moves made since the last null move or the start of the history.
    plies_from_null: u32,
    /// For each colour, how many plies lie between now and the last of its moves that gave no check:
    /// twice the length of its present run of checks.
    checking_plies: [u16; 2],
    captured: Option<Piece>,
}

impl Position {
    /// The start of an even game.
    pub fn startpos() -> Position {
        Position::from_sfen(STARTPOS_SFEN).expect("the start position is legal")
    }

    /// Whose turn it is.
    #[inline(always)]
    pub fn side_to_move(&self) -> Color {
        self.side_to_move
    }

    /// The number of the move to be played next, from 1 (or from the SFEN's move number).
    #[inline(always)]
    pub fn game_ply(&self) -> u32 {
        self.game_ply
    }

    /// Moves made on this position since it was set up (null moves included).
    #[inline(always)]
    pub fn moves_made(&self) -> usize {
        self.history.len()
    }

    /// The position as the first of its game.
    pub fn without_history(&self) -> Position {
        let state = StateInfo { plies_from_null: 0, checking_plies: [0; 2], ..self.state };
        Position { state, history: Vec::new(), repetition_filter: RepetitionFilter::new(), ..self.clone() }
    }

    /// The piece on a square.
    #[inline(always)]
    pub fn piece_on(&self, square: Square) -> Option<Piece> {
        self.board[square.index()]
    }

    /// A player's pieces in hand.
    #[inline(always)]
    pub fn hand(&self, color: Color) -> Hand {
        self.state.hands[color.index()]
    }

    /// Where a player's king stands; `None` on a tsume board without it.
    #[inline(always)]
    pub fn king_square(&self, color: Color) -> Option<Square> {
        self.kings[color.index()]
    }

    /// All occupied squares.
    #[inline(always)]
    pub fn occupied(&self) -> Bitboard {
        self.by_color[0] | self.by_color[1]
    }

    /// All squares of a player's pieces.
    #[inline(always)]
    pub fn pieces(&self, color: Color) -> Bitboard {
        self.by_color[color.index()]
    }

    /// All pieces of a type, of both players.
    #[inline(always)]
    pub fn pieces_of_type(&self, piece_type: PieceType) -> Bitboard {
        self.by_type[piece_type.index()]
    }

    /// A player's pieces of a type.
    #[inline(always)]
    pub fn pieces_of(&self, color: Color, piece_type: PieceType) -> Bitboard {
        self.by_type[piece_type.index()] & self.by_color[color.index()]
    }

    /// Golds and all pieces that move like them, of both players.
    #[inline(always)]
    pub fn gold_movers(&self) -> Bitboard {
        use PieceType::*;
        self.pieces_of_type(Gold)
            | self.pieces_of_type(ProPawn)
            | self.pieces_of_type(ProLance)
            | self.pieces_of_type(ProKnight)
            | self.pieces_of_type(ProSilver)
    }

    /// Bishops and horses of both players.
    #[inline(always)]
    pub fn diagonal_sliders(&self) -> Bitboard {
        self.pieces_of_type(PieceType::Bishop) | self.pieces_of_type(PieceType::Horse)
    }

    /// Rooks and dragons of both players.
    #[inline(always)]
    pub fn orthogonal_sliders(&self) -> Bitboard {
        self.pieces_of_type(PieceType::Rook) | self.pieces_of_type(PieceType::Dragon)
    }

    /// The pieces that give check to the side to move.
    #[inline(always)]
    pub fn checkers(&self) -> Bitboard {
        self.state.checkers
    }

    /// Whether the side to move is in check.
    #[inline(always)]
    pub fn in_check(&self) -> bool {
        self.state.checkers.any()
    }

    /// The Zobrist key of board, hands and turn.
    #[inline(always)]
    pub fn key(&self) -> u64 {
        self.state.board_key.wrapping_add(self.state.hand_key)
    }

    /// The Zobrist key of board and turn, without the hands.
    #[inline(always)]
    pub fn board_key(&self) -> u64 {
        self.state.board_key
    }

    /// The Zobrist key of both hands.
    #[inline(always)]
    pub fn hand_key(&self) -> u64 {
        self.state.hand_key
    }

    /// The Zobrist key of both sides' unpromoted pawns.
    #[inline(always)]
    pub fn pawn_key(&self) -> u64 {
        self.state.parts.0[zobrist::PAWN]
    }

    /// The Zobrist key of both sides' pieces worth more than a pawn and less than a bishop.
    #[inline(always)]
    pub fn minor_key(&self) -> u64 {
        self.state.parts.0[zobrist::MINOR]
    }

    /// The Zobrist key of one side's king and pieces other than unpromoted pawns.
    #[inline(always)]
    pub fn non_pawn_key(&self, color: Color) -> u64 {
        self.state.parts.0[zobrist::NON_PAWN + color.index()]
    }

    #[inline(always)]
    fn put(&mut self, piece: Piece, square: Square) {
        let set = Bitboard::from_square(square);
        self.board[square.index()] = Some(piece);
        self.by_color[piece.color().index()] ^= set;
        self.by_type[piece.piece_type().index()] ^= set;
    }

    #[inline(always)]
    fn take(&mut self, piece: Piece, square: Square) {
        let set = Bitboard::from_square(square);
        self.board[square.index()] = None;
        self.by_color[piece.color().index()] ^= set;
        self.by_type[piece.piece_type().index()] ^= set;
    }
}

impl Default for Position {
    fn default() -> Position {
        Position::startpos()
    }
}

impl FromStr for Position {
    type Err = SfenError;

    /// Reads an SFEN, as [`Position::from_sfen`] does, or `startpos`.
    fn from_str(text: &str) -> Result<Position, SfenError> {
        if text.trim() == "startpos" { Ok(Position::startpos()) } else { Position::from_sfen(text) }
    }
}

/// Equal when board, hands, turn and move number are; the histories may differ.
impl PartialEq for Position {
    fn eq(&self, other: &Position) -> bool {
        self.board == other.board
            && self.state.hands == other.state.hands
            && self.side_to_move == other.side_to_move
            && self.game_ply == other.game_ply
    }
}

impl Eq for Position {}
