//! Special moves (特殊な指し手): the words that stand in a list of moves in place of a move.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// What ended a game other than a move, as programs write it behind the last move of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SpecialMove {
    /// `resign`: the side to move resigned.
    Resign,
    /// `win`: the side to move declared a win.
    Win,
    /// `lose`: the side to move has lost.
    Lose,
    /// `draw`: by agreement, declaration or length.
    Draw,
    /// `rep_draw`: the fourth occurrence of a position.
    RepetitionDraw,
    /// `rep_win`: the fourth occurrence, by perpetual check of the opponent.
    RepetitionWin,
    /// `rep_lose`: the fourth occurrence, by perpetual check of the side to move.
    RepetitionLose,
    /// `mate`: the side to move is mated.
    Mate,
    /// `timeout`: the side to move overstepped its time.
    Timeout,
    /// `illegal`: an illegal move was played.
    Illegal,
    /// `abort`, `break`, `interrupt`: the game was not played to its end.
    Abort,
}

/// Each word with its meaning; the first of a meaning is the one that is written.
const WORDS: [(&str, SpecialMove); 13] = [
    ("resign", SpecialMove::Resign),
    ("win", SpecialMove::Win),
    ("lose", SpecialMove::Lose),
    ("draw", SpecialMove::Draw),
    ("rep_draw", SpecialMove::RepetitionDraw),
    ("rep_win", SpecialMove::RepetitionWin),
    ("rep_lose", SpecialMove::RepetitionLose),
    ("mate", SpecialMove::Mate),
    ("timeout", SpecialMove::Timeout),
    ("illegal", SpecialMove::Illegal),
    ("abort", SpecialMove::Abort),
    ("break", SpecialMove::Abort),
    ("interrupt", SpecialMove::Abort),
];

impl fmt::Display for SpecialMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = WORDS.iter().find(|(_, meaning)| meaning == self).map_or("", |(word, _)| word);
        f.write_str(word)
    }
}

/// The text is none of the words that may end a line of moves.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0:?} does not end a game")]
pub struct ParseSpecialMoveError(pub String);

impl FromStr for SpecialMove {
    type Err = ParseSpecialMoveError;

    fn from_str(text: &str) -> Result<SpecialMove, ParseSpecialMoveError> {
        let known = WORDS.iter().find(|(word, _)| *word == text).map(|(_, meaning)| *meaning);
        known.ok_or_else(|| ParseSpecialMoveError(text.to_owned()))
    }
}
