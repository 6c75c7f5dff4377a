//! `bestmove` and `checkmate`, and `gameover`: what is decided, and what came of it.

use std::fmt;

use super::{write_field, write_words};
use crate::types::Move;

/// What the engine decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BestMove {
    /// `bestmove <move> [ponder <move>]`.
    Move {
        /// The move played.
        best: Move,
        /// The reply to think about on the opponent's time.
        ponder: Option<Move>,
    },
    /// `bestmove resign`: the engine resigns, or has no legal move.
    Resign,
    /// `bestmove win`: the engine declares a win by entering king.
    Win,
}

/// What the mate solver found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Checkmate {
    /// `checkmate <move> …`: the moves of the mate.
    Moves(Vec<Move>),
    /// `checkmate nomate`: there is none.
    NoMate,
    /// `checkmate timeout`: the limit was reached before an answer.
    Timeout,
    /// `checkmate notimplemented`: the engine has no solver.
    NotImplemented,
}

/// How a game ended for the engine that is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameOver {
    /// `win`
    Win,
    /// `lose`
    Lose,
    /// `draw`
    Draw,
    /// `unknown` (USI 2.0); also a `gameover` that says nothing, as cshogi sends it.
    Unknown,
}

/// The whole message.
impl fmt::Display for BestMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BestMove::Move { best, ponder } => {
                write!(f, "bestmove {best}")?;
                write_field(f, "ponder", ponder.as_ref())
            }
            BestMove::Resign => f.write_str("bestmove resign"),
            BestMove::Win => f.write_str("bestmove win"),
        }
    }
}

/// The whole message.
impl fmt::Display for Checkmate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("checkmate")?;
        match self {
            Checkmate::Moves(moves) => write_words(f, moves),
            Checkmate::NoMate => f.write_str(" nomate"),
            Checkmate::Timeout => f.write_str(" timeout"),
            Checkmate::NotImplemented => f.write_str(" notimplemented"),
        }
    }
}

/// The word of `gameover`.
impl fmt::Display for GameOver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            GameOver::Win => "win",
            GameOver::Lose => "lose",
            GameOver::Draw => "draw",
            GameOver::Unknown => "unknown",
        })
    }
}
