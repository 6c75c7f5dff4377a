//! A finished game with the scores that its players saw.

use std::fmt;

use thiserror::Error;

use super::result::{GameResult, Termination, end_by_rule};
use crate::position::Position;
use crate::types::{Move, Score};

/// A move and what the mover's search thought of its position, from the mover's view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScoredMove {
    /// The move played.
    pub mv: Move,
    /// The search's score in the internal unit; a random move bears the score of the best one.
    pub score: Score,
}

/// A game from its start to its result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    /// Where it starts; `None` for the start of an even game.
    pub start: Option<Box<Position>>,
    /// Moves of the opening, which nobody searched.
    pub opening: Vec<Move>,
    /// The moves played after it.
    pub moves: Vec<ScoredMove>,
    /// The result.
    pub result: GameResult,
    /// How it came to it.
    pub termination: Termination,
}

/// Moves that a game put together from single positions may have: a file's game has room for more.
const MAX_JOINED: usize = 512;

/// A game that the rules do not allow.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum GameError {
    /// A move is not legal where it is played.
    #[error("move {ply}, {mv}, is not legal in {sfen}")]
    IllegalMove {
        /// Number of the move, from 1.
        ply: usize,
        /// The move.
        mv: Move,
        /// The position.
        sfen: String,
    },
    /// The last position is not one in which a game ends that way.
    #[error("{result} by {termination} does not follow from {sfen}")]
    Result {
        /// The result that the record claims.
        result: GameResult,
        /// The cause that it claims.
        termination: Termination,
        /// The last position.
        sfen: String,
    },
}

impl Game {
    /// The position before the first move.
    pub fn start_position(&self) -> Position {
        self.start.as_deref().cloned().unwrap_or_default()
    }

    /// Plies in all, the opening included.
    pub fn plies(&self) -> usize {
        self.opening.len() + self.moves.len()
    }

    /// The position after the last move.
    ///
    /// # Errors
    /// Names the first move that is not legal.
    pub fn end_position(&self) -> Result<Position, GameError> {
        self.replay(|_, _| {})
    }

    /// Whether another game begins where this one ends, with the same result.
    pub fn continues_with(&self, next: &Game) -> bool {
        next.opening.is_empty()
            && next.result == self.result
            && self.moves.len() < MAX_JOINED
            && self.end_position().is_ok_and(|end| end == next.start_position())
    }

    /// Calls `visit` with each position that was searched and the move played in it, and gives the position after
    /// the last move.
    ///
    /// # Errors
    /// Names the first move that is not legal; `visit` has then seen the positions before it.
    pub fn replay(&self, mut visit: impl FnMut(&Position, ScoredMove)) -> Result<Position, GameError> {
        let mut position = self.start_position();
        for (index, &mv) in self.opening.iter().enumerate() {
            play(&mut position, mv, index)?;
        }
        for (index, &scored) in self.moves.iter().enumerate() {
            check(&position, scored.mv, self.opening.len() + index)?;
            visit(&position, scored);
            position.do_move(scored.mv);
        }
        Ok(position)
    }

    /// Checks every move, and the result where the rules tell it.
    ///
    /// # Errors
    /// Names the first move that is not legal, or the result that does not follow.
    pub fn verify(&self) -> Result<(), GameError> {
        let position = self.end_position()?;
        let verdict = end_by_rule(&position);
        let claimed = (self.result, self.termination);
        let agrees = match self.termination {
            Termination::Mate | Termination::Repetition | Termination::PerpetualCheck | Termination::Declaration => {
                verdict == Some(claimed)
            }
            Termination::Adjudication => verdict.is_none() && self.result != GameResult::Draw,
            Termination::DrawAdjudication | Termination::MoveLimit => {
                verdict.is_none() && self.result == GameResult::Draw
            }
            Termination::Unknown => true,
        };
        if agrees {
            return Ok(());
        }
        let (result, termination) = claimed;
        Err(GameError::Result { result, termination, sfen: position.to_sfen() })
    }
}

fn check(position: &Position, mv: Move, index: usize) -> Result<(), GameError> {
    match position.is_legal(mv) {
        true => Ok(()),
        false => Err(GameError::IllegalMove { ply: index + 1, mv, sfen: position.to_sfen() }),
    }
}

fn play(position: &mut Position, mv: Move, index: usize) -> Result<(), GameError> {
    check(position, mv, index)?;
    position.do_move(mv);
    Ok(())
}

/// `startpos moves 7g7f 3c3d | 2g2f 35 4a3b -28 … | black wins by mate`: the start, the opening, the
/// moves played with their scores, the result.
impl fmt::Display for Game {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.start {
            None => f.write_str("startpos moves")?,
            Some(position) => write!(f, "sfen {} moves", position.to_sfen())?,
        }
        for mv in &self.opening {
            write!(f, " {mv}")?;
        }
        f.write_str(" |")?;
        for ScoredMove { mv, score } in &self.moves {
            write!(f, " {mv} {}", score.value())?;
        }
        write!(f, " | {} by {}", self.result, self.termination)
    }
}
