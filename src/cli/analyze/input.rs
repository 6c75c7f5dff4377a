//! Lines of text into positions to be analysed.

use std::collections::VecDeque;
use std::io::{self, Read};
use std::sync::Arc;

use thiserror::Error;

use crate::engine::{Engine, PositionError};
use crate::position::SfenError;
use crate::types::Move;
use crate::usi::lines::{Line, LineReader};
use crate::usi::message::{InitialPosition, PositionSpec, UsiMessage};
use crate::usi::parser::{UsiParseError, parse_strict};

/// A line of the input that is understood: a position and the moves made from it.
#[derive(Debug)]
pub(super) struct GameLine {
    /// Its number, from 1.
    pub(super) number: usize,
    /// Where the moves begin; the even game when `None`.
    pub(super) sfen: Option<String>,
    /// The moves, all legal.
    pub(super) moves: Vec<Move>,
}

/// A line of the input that cannot be analysed, or not to its end.
#[derive(Debug)]
pub(super) struct BadLine {
    /// Its number, from 1.
    pub(super) number: usize,
    /// The line.
    pub(super) text: String,
    /// What is wrong with it.
    pub(super) error: LineError,
}

/// What is wrong with a line.
#[derive(Debug, Error)]
pub(super) enum LineError {
    #[error("cannot read {0:?}")]
    Unreadable(String),
    #[error("a line of more than {0} bytes")]
    TooLong(usize),
    #[error("bad SFEN {text:?}: {error}")]
    Sfen { text: String, error: SfenError },
    #[error("unreadable move {text:?} at number {number}")]
    UnreadableMove { number: usize, text: String },
    #[error("illegal move \"{mv}\" at number {number}")]
    IllegalMove { number: usize, mv: Move },
}

impl LineError {
    /// The kind of mistake, for programs.
    pub(super) fn kind(&self) -> &'static str {
        match self {
            LineError::Unreadable(_) | LineError::TooLong(_) => "unreadable",
            LineError::Sfen { .. } => "bad_sfen",
            LineError::UnreadableMove { .. } => "unreadable_move",
            LineError::IllegalMove { .. } => "illegal_move",
        }
    }
}

impl From<PositionError> for LineError {
    fn from(error: PositionError) -> LineError {
        match error {
            PositionError::Sfen { text, error } => LineError::Sfen { text, error },
            PositionError::UnreadableMove { number, text } => LineError::UnreadableMove { number, text },
            PositionError::IllegalMove { number, mv } => LineError::IllegalMove { number, mv },
        }
    }
}

/// One entry of the report to come.
#[derive(Debug)]
pub(super) enum Job {
    /// The position after so many moves of a line.
    Position(Arc<GameLine>, usize),
    /// Nothing to search.
    Bad(BadLine),
}

/// The jobs that a text gives, in order.
pub(super) struct Jobs<R> {
    input: LineReader<R>,
    line_number: usize,
    /// Analyse the positions before the last one too.
    move_by_move: bool,
    waiting: VecDeque<Job>,
}

impl<R: Read> Jobs<R> {
    pub(super) fn new(input: R, move_by_move: bool) -> Jobs<R> {
        Jobs { input: LineReader::new(input), line_number: 0, move_by_move, waiting: VecDeque::new() }
    }

    /// Adds the jobs of a line.
    fn add_line(&mut self, line: Line) {
        self.line_number += 1;
        match line {
            Line::TooLong { limit } => {
                let (text, error) = (String::new(), LineError::TooLong(limit));
                self.waiting.push_back(Job::Bad(BadLine { number: self.line_number, text, error }));
            }
            Line::Text(text) => match text.trim_start_matches('\u{feff}').trim() {
                text if text.is_empty() || text.starts_with('#') => {}
                text => self.add_jobs(text.to_owned()),
            },
        }
    }

    fn add_jobs(&mut self, text: String) {
        let number = self.line_number;
        let (line, error) = match read_game(number, &text) {
            Ok(game) => game,
            Err(error) => return self.waiting.push_back(Job::Bad(BadLine { number, text, error })),
        };
        if self.move_by_move {
            self.waiting.extend((0..=line.moves.len()).map(|made| Job::Position(line.clone(), made)));
        } else if error.is_none() {
            self.waiting.push_back(Job::Position(line.clone(), line.moves.len()));
        }
        self.waiting.extend(error.map(|error| Job::Bad(BadLine { number, text, error })));
    }
}

impl<R: Read> Iterator for Jobs<R> {
    type Item = io::Result<Job>;

    fn next(&mut self) -> Option<io::Result<Job>> {
        while self.waiting.is_empty() {
            match self.input.next()? {
                Ok(line) => self.add_line(line),
                Err(error) => return Some(Err(error)),
            }
        }
        self.waiting.pop_front().map(Ok)
    }
}

/// The game that a line tells, up to the first move that cannot be made, and what is wrong with that one.
fn read_game(number: usize, text: &str) -> Result<(Arc<GameLine>, Option<LineError>), LineError> {
    let command = match text.split_whitespace().next() {
        Some("position") => text.to_owned(),
        _ => format!("position {text}"),
    };
    let PositionSpec { initial, moves } = match parse_strict(&command).map(|mut messages| messages.pop()) {
        Ok(Some(UsiMessage::Position(spec))) => spec,
        Err(UsiParseError::UnreadableWords { unread, .. }) => return Err(LineError::Unreadable(unread)),
        _ => return Err(LineError::Unreadable(text.to_owned())),
    };
    let sfen = match initial {
        InitialPosition::Startpos => None,
        InitialPosition::Sfen(sfen) => Some(sfen),
    };
    let mut engine = Engine::new();
    let error = match engine.set_position(sfen.as_deref(), moves.iter().cloned()) {
        Ok(()) => None,
        Err(error @ PositionError::Sfen { .. }) => return Err(error.into()),
        Err(error) => Some(error.into()),
    };
    let moves = moves.into_iter().take(engine.position().moves_made()).flatten().collect();
    Ok((Arc::new(GameLine { number, sfen, moves }), error))
}
