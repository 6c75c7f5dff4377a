//! How a game begins in a record: its result, how it ended, and where it starts.

use super::error::{BodyError, RecordError};
use super::packing::bytes::Bytes;
use crate::datagen::game::Game;
use crate::datagen::result::{GameResult, Termination};
use crate::position::Position;
use crate::types::Color;

const HAS_START: u8 = 1 << 7;

/// A game without its moves.
pub(super) struct GameHead {
    result: GameResult,
    termination: Termination,
    start: Option<Box<Position>>,
}

/// Appends a game's head.
///
/// # Errors
/// When its start does not fit.
pub(super) fn encode(game: &Game, bytes: &mut Vec<u8>) -> Result<(), RecordError> {
    let result = match game.result {
        GameResult::Draw => 0,
        GameResult::Win(color) => 1 + color.index() as u8,
    };
    let has_start = if game.start.is_some() { HAS_START } else { 0 };
    bytes.push(result | (game.termination as u8) << 2 | has_start);
    if let Some(start) = &game.start {
        let sfen = start.to_sfen();
        bytes.push(u8::try_from(sfen.len()).map_err(|_| RecordError::TooLong { plies: game.plies() })?);
        bytes.extend(sfen.as_bytes());
    }
    Ok(())
}

/// Takes a game's head from the front.
pub(super) fn decode(bytes: &mut Bytes<'_>) -> Result<GameHead, BodyError> {
    let code = bytes.u8()?;
    let result = match code & 3 {
        0 => GameResult::Draw,
        1 => GameResult::Win(Color::Black),
        2 => GameResult::Win(Color::White),
        other => return Err(BodyError::Result(other)),
    };
    let cause = code >> 2 & 31;
    let termination = *Termination::ALL.get(usize::from(cause)).ok_or(BodyError::Termination(cause))?;
    let start = if code & HAS_START != 0 {
        let length = usize::from(bytes.u8()?);
        let sfen = std::str::from_utf8(bytes.take(length)?).map_err(|_| BodyError::StartText)?;
        Some(Box::new(Position::from_sfen(sfen)?))
    } else {
        None
    };
    Ok(GameHead { result, termination, start })
}

impl GameHead {
    /// The game, still without moves.
    pub(super) fn into_game(self) -> Game {
        let GameHead { result, termination, start } = self;
        Game { start, opening: Vec::new(), moves: Vec::new(), result, termination }
    }
}
