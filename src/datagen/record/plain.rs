//! The bodies of games in version 1.

use super::error::BodyError;
use super::head;
use super::packing::bytes::Bytes;
use crate::datagen::game::{Game, ScoredMove};
use crate::types::{Move, Score};

/// The game with this body; all its moves are legal.
pub(super) fn decode(body: &[u8]) -> Result<Game, BodyError> {
    let mut bytes = Bytes(body);
    let mut game = head::decode(&mut bytes)?.into_game();
    for _ in 0..bytes.u8()? {
        game.opening.push(read_move(&mut bytes)?);
    }
    while !bytes.0.is_empty() {
        let mv = read_move(&mut bytes)?;
        let score = Score::from_value(i32::from(bytes.i16()?));
        game.moves.push(ScoredMove { mv, score });
    }
    game.end_position()?;
    Ok(game)
}

fn read_move(bytes: &mut Bytes<'_>) -> Result<Move, BodyError> {
    let bits = bytes.u16()?;
    Move::from_bits(bits).ok_or(BodyError::Move(bits))
}
