//! The 40-byte training positions that shogi trainers exchange ("PackedSfenValue", files `*.bin` or `*.psv`).
//!
//! | bytes | what |
//! |---|---|
//! | 32 | the position, see [`packed`] |
//! | i16 | score for the side to move |
//! | u16 | move: bits 0–6 to, 7–13 from or the piece type dropped, 14 drop, 15 promotion |
//! | u16 | number of the move in its game |
//! | i8 | 1 where the side to move won the game, −1 where it lost, 0 for a draw |
//! | u8 | 0 |

pub mod packed;

use std::io::{self, Read};

use thiserror::Error;

use packed::{PackError, PackedSfen, pack, unpack};

use super::game::{Game, ScoredMove};
use super::result::{GameResult, Termination};
use crate::position::Position;
use crate::types::{Color, Move, PieceType, Score, Square};

/// Bytes of a position.
pub const PSV_BYTES: usize = 40;

/// One training position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Psv {
    /// The position.
    pub position: PackedSfen,
    /// The score for the side to move, in the unit in which a pawn is worth 90.
    pub score: i16,
    /// The move played, in the field's coding.
    pub move16: u16,
    /// Number of the move in its game.
    pub ply: u16,
    /// 1 where the side to move won, −1 where it lost.
    pub result: i8,
}

/// Why a training position cannot be used.
#[derive(Debug, Error)]
pub enum PsvError {
    /// The file cannot be read.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The file does not end with a whole position.
    #[error("the last {0} bytes are not a whole position of {PSV_BYTES} bytes")]
    Truncated(usize),
    /// The position is not legal.
    #[error("position {number}: {error}")]
    Position {
        /// Its number, from 1.
        number: u64,
        /// What is wrong.
        error: PackError,
    },
    /// The move's code means nothing, or the move is not legal.
    #[error("position {number}: {move16:#06x} is not a legal move in {sfen}")]
    Move {
        /// Its number, from 1.
        number: u64,
        /// The move's code.
        move16: u16,
        /// The position.
        sfen: String,
    },
}

/// A move in the field's coding.
pub fn move_to_field(mv: Move) -> u16 {
    let to = mv.to().index() as u16;
    match (mv.from(), mv.dropped()) {
        (Some(from), _) => to | (from.index() as u16) << 7 | u16::from(mv.is_promotion()) << 15,
        (None, piece_type) => to | (piece_type.map_or(0, PieceType::index) as u16) << 7 | 1 << 14,
    }
}

/// The move with this code; `None` where there is none.
pub fn move_from_field(code: u16) -> Option<Move> {
    let to = Square::new((code & 0x7f) as u8)?;
    let origin = (code >> 7 & 0x7f) as u8;
    if code >> 14 & 1 == 1 {
        let piece_type = PieceType::new(origin).filter(|piece_type| PieceType::HAND.contains(piece_type))?;
        return Some(Move::drop(piece_type, to));
    }
    let from = Square::new(origin).filter(|&from| from != to)?;
    Some(Move::board(from, to, code >> 15 == 1))
}

impl Psv {
    /// The training position of a position of a game.
    ///
    /// # Errors
    /// When pieces are missing from the set.
    pub fn new(position: &Position, scored: ScoredMove, result: GameResult) -> Result<Psv, PackError> {
        let result = match result {
            GameResult::Draw => 0,
            GameResult::Win(winner) if winner == position.side_to_move() => 1,
            GameResult::Win(_) => -1,
        };
        Ok(Psv {
            position: pack(position)?,
            score: scored.score.value() as i16,
            move16: move_to_field(scored.mv),
            ply: position.game_ply().min(u32::from(u16::MAX)) as u16,
            result,
        })
    }

    /// The 40 bytes.
    pub fn to_bytes(&self) -> [u8; PSV_BYTES] {
        let mut bytes = [0; PSV_BYTES];
        bytes[..32].copy_from_slice(&self.position);
        bytes[32..34].copy_from_slice(&self.score.to_le_bytes());
        bytes[34..36].copy_from_slice(&self.move16.to_le_bytes());
        bytes[36..38].copy_from_slice(&self.ply.to_le_bytes());
        bytes[38] = self.result as u8;
        bytes
    }

    /// What 40 bytes say; nothing is checked yet.
    pub fn from_bytes(bytes: &[u8; PSV_BYTES]) -> Psv {
        let pair = |at: usize| [bytes[at], bytes[at + 1]];
        let mut position = [0; 32];
        position.copy_from_slice(&bytes[..32]);
        Psv {
            position,
            score: i16::from_le_bytes(pair(32)),
            move16: u16::from_le_bytes(pair(34)),
            ply: u16::from_le_bytes(pair(36)),
            result: bytes[38] as i8,
        }
    }

    /// The position as a game of one move. `number` is for the error's text.
    ///
    /// # Errors
    /// When the position or the move is not legal.
    pub fn to_game(&self, number: u64) -> Result<Game, PsvError> {
        let position =
            unpack(&self.position, u32::from(self.ply)).map_err(|error| PsvError::Position { number, error })?;
        let mv = move_from_field(self.move16).filter(|&mv| position.is_legal(mv));
        let mv = mv.ok_or_else(|| PsvError::Move { number, move16: self.move16, sfen: position.to_sfen() })?;
        let us = position.side_to_move();
        let won = |color: Color| GameResult::Win(color);
        let result = match self.result.signum() {
            1 => won(us),
            -1 => won(!us),
            _ => GameResult::Draw,
        };
        let moves = vec![ScoredMove { mv, score: Score::from_value(i32::from(self.score)) }];
        Ok(Game {
            start: Some(Box::new(position)),
            opening: Vec::new(),
            moves,
            result,
            termination: Termination::Unknown,
        })
    }
}

/// Reads training positions one after another.
pub struct PsvReader<R> {
    reader: R,
    ended: bool,
}

impl<R: Read> PsvReader<R> {
    /// Reads from here; give it something buffered.
    pub fn new(reader: R) -> PsvReader<R> {
        PsvReader { reader, ended: false }
    }

    fn read(&mut self) -> Result<Option<Psv>, PsvError> {
        let mut bytes = [0; PSV_BYTES];
        let mut filled = 0;
        while filled < PSV_BYTES {
            match self.reader.read(&mut bytes[filled..]) {
                Ok(0) if filled == 0 => return Ok(None),
                Ok(0) => return Err(PsvError::Truncated(filled)),
                Ok(count) => filled += count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error.into()),
            }
        }
        Ok(Some(Psv::from_bytes(&bytes)))
    }
}

impl<R: Read> Iterator for PsvReader<R> {
    type Item = Result<Psv, PsvError>;

    fn next(&mut self) -> Option<Result<Psv, PsvError>> {
        if self.ended {
            return None;
        }
        let item = self.read().transpose();
        self.ended = !matches!(item, Some(Ok(_)));
        item
    }
}
