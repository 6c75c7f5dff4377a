//! A position and the moves made from it: the one reader of "start + moves".

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use super::SpecialMove;
use crate::position::{IllegalMove, Position, SfenError};
use crate::types::{Move, ParseMoveError};

/// Where a game, or a part of one, began, and the moves since, every one of them legal.
///
/// As text, what USI's `position` takes:
///
/// ```
/// use kurosabi::rules::GameLine;
///
/// let line: GameLine = "startpos moves 7g7f 3c3d 8h2b+ resign".parse()?;
/// assert_eq!(line.moves().len(), 3);
/// assert_eq!(line.end().to_sfen(), "lnsgkgsnl/1r5+B1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/7R1/LNSGKGSNL w B 4");
/// assert_eq!(line.to_string(), "startpos moves 7g7f 3c3d 8h2b+ resign");
///
/// let error = "startpos moves 7g7f 2b7g+".parse::<GameLine>().unwrap_err();
/// assert_eq!(error.to_string(), "illegal move \"2b7g+\" at number 2: the pawn on 3c blocks the way from 2b to 7g");
/// # Ok::<(), kurosabi::rules::LineError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct GameLine {
    /// None for the start of an even game.
    start: Option<Box<Position>>,
    moves: Vec<Move>,
    special_move: Option<SpecialMove>,
}

/// What is wrong with a position and its moves.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum LineError {
    /// Neither a position nor moves.
    #[error("cannot read {0:?}: expected startpos or an SFEN, then the word moves and the moves")]
    Unreadable(String),
    /// The start is no position.
    #[error("bad SFEN {text:?}: {error}")]
    Sfen {
        /// The text.
        text: String,
        /// What is wrong with it.
        error: SfenError,
    },
    /// A move cannot be read.
    #[error("unreadable move {text:?} at number {number}")]
    UnreadableMove {
        /// Its place in the list, from 1.
        number: usize,
        /// The text.
        text: String,
    },
    /// A move breaks a rule.
    #[error("illegal move \"{mv}\" at number {number}: {reason}")]
    IllegalMove {
        /// Its place in the list, from 1.
        number: usize,
        /// The move.
        mv: Move,
        /// The rule.
        reason: IllegalMove,
    },
}

impl LineError {
    /// The kind of mistake as one word, for programs; of an illegal move the rule that it breaks.
    pub fn kind(&self) -> &'static str {
        match self {
            LineError::Unreadable(_) => "unreadable",
            LineError::Sfen { .. } => "bad_sfen",
            LineError::UnreadableMove { .. } => "unreadable_move",
            LineError::IllegalMove { reason, .. } => reason.kind(),
        }
    }
}

impl GameLine {
    /// A start and the moves from it, up to the first that is illegal.
    pub fn new(start: Position, moves: impl IntoIterator<Item = Move>) -> GameLine {
        let mut line = GameLine { start: Some(Box::new(start)), ..GameLine::default() };
        let mut position = line.start();
        for mv in moves {
            if position.try_do_move(mv).is_err() {
                break;
            }
            line.moves.push(mv);
        }
        line
    }

    /// A start (an SFEN, or the even game when `None`) and the moves from it, each as far as it could be read,
    /// up to the first that cannot be made; and what is wrong with that one. Moves beyond the end of a game by
    /// rule are accepted, and a [`SpecialMove`] as the last one.
    ///
    /// # Errors
    /// When the start is no position.
    pub fn read(
        sfen: Option<&str>,
        moves: impl IntoIterator<Item = Result<Move, ParseMoveError>>,
    ) -> Result<(GameLine, Option<LineError>), LineError> {
        let start = sfen.map(Position::from_sfen).transpose();
        let sfen_error = |error| LineError::Sfen { text: sfen.unwrap_or_default().to_owned(), error };
        let start = start.map_err(sfen_error)?.map(Box::new);
        let mut line = GameLine { start, moves: Vec::new(), special_move: None };
        let mut position = line.start();
        for (mv, number) in moves.into_iter().zip(1..) {
            let is_over = line.special_move.is_some();
            let unreadable = |text| Err(LineError::UnreadableMove { number, text });
            let read = match mv {
                Ok(mv) if is_over => unreadable(mv.to_string()),
                Ok(mv) => {
                    let made = position.try_do_move(mv).map(|_| line.moves.push(mv));
                    made.map_err(|reason| LineError::IllegalMove { number, mv, reason })
                }
                Err(ParseMoveError(text)) => match SpecialMove::from_word(&text) {
                    Some(word) if !is_over => {
                        line.special_move = Some(word);
                        Ok(())
                    }
                    _ => unreadable(text),
                },
            };
            if let Err(error) = read {
                return Ok((line, Some(error)));
            }
        }
        Ok((line, None))
    }

    /// The same from text, which may begin with the word `position`.
    ///
    /// # Errors
    /// When there is no start, or it is no position.
    pub fn read_text(text: &str) -> Result<(GameLine, Option<LineError>), LineError> {
        let mut words = text.split_ascii_whitespace().peekable();
        words.next_if_eq(&"position");
        let start: Vec<&str> = std::iter::from_fn(|| words.next_if(|&word| word != "moves")).collect();
        words.next();
        let moves = words.map(str::parse);
        match *start {
            [] => Err(LineError::Unreadable(text.to_owned())),
            ["startpos"] => GameLine::read(None, moves),
            ["startpos", ref rest @ ..] => Err(LineError::Unreadable(rest.join(" "))),
            ["sfen", ref fields @ ..] | ref fields => GameLine::read(Some(&fields.join(" ")), moves),
        }
    }

    /// The position before the first move.
    pub fn start(&self) -> Position {
        self.start.as_deref().cloned().unwrap_or_default()
    }

    /// The moves.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// What ended the game after the last move, if the line says.
    pub fn special_move(&self) -> Option<SpecialMove> {
        self.special_move
    }

    /// The position after this number of moves (all of them where there are fewer), with the history that
    /// repetition needs.
    pub fn position_after(&self, moves: usize) -> Position {
        let mut position = self.start();
        for &mv in self.moves.iter().take(moves) {
            position.do_move(mv);
        }
        position
    }

    /// The line up to this number of moves.
    pub fn up_to(&self, moves: usize) -> GameLine {
        let whole = moves >= self.moves.len();
        GameLine {
            start: self.start.clone(),
            moves: self.moves.iter().take(moves).copied().collect(),
            special_move: self.special_move.filter(|_| whole),
        }
    }

    /// The position after the last move.
    pub fn end(&self) -> Position {
        self.position_after(self.moves.len())
    }
}

impl FromStr for GameLine {
    type Err = LineError;

    fn from_str(text: &str) -> Result<GameLine, LineError> {
        match GameLine::read_text(text)? {
            (line, None) => Ok(line),
            (_, Some(error)) => Err(error),
        }
    }
}

/// `startpos moves 7g7f …` or `sfen … moves …`.
impl fmt::Display for GameLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.start {
            None => f.write_str("startpos")?,
            Some(start) => write!(f, "sfen {}", start.to_sfen())?,
        }
        if !self.moves.is_empty() || self.special_move.is_some() {
            f.write_str(" moves")?;
        }
        self.moves.iter().try_for_each(|mv| write!(f, " {mv}"))?;
        self.special_move.map_or(Ok(()), |word| write!(f, " {word}"))
    }
}
