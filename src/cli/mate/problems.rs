//! Problems from files.

use thiserror::Error;

use crate::cli::records::inputs::Input;
use crate::cli::resumable::{ItemId, KeptItems};
use crate::language::InJapanese;
use crate::mate::MateError;
use crate::position::Position;
use crate::records::{Format, GameRecord, NodeId, ReadError};
use crate::rules::GameLine;

/// A problem, or the text in its place.
pub(super) struct Problem {
    /// The name of the file that it is from.
    pub(super) file: String,
    /// Its number in the file, from 1; none for a file that cannot be read.
    pub(super) in_file: Option<usize>,
    /// The line that it stands in; 0 where it has several, or none that can be read.
    pub(super) line: usize,
    /// It is the last position of a game from a start without moves before it.
    pub(super) is_end_of_game: bool,
    /// The position with the game before it, whose repetitions count, or what is wrong with it.
    content: String,
}

/// A problem with its position, or why there is none.
pub(super) type Posed = (Problem, Result<Position, ProblemError>);

impl Problem {
    /// What the problem is, and whether it could be solved.
    pub(super) fn item(&self, is_bad: bool) -> ItemId {
        ItemId::new(&[if is_bad { "error" } else { "problem" }, &self.file, &self.content])
    }

    /// Whether its results are among those kept; then also whether it could not be solved.
    pub(super) fn take_from(&self, kept: &mut KeptItems) -> Option<bool> {
        if kept.is_empty() {
            return None;
        }
        [false, true].into_iter().find(|&is_bad| kept.take(&self.item(is_bad)))
    }

    /// What the problem is called: its file and its number in it.
    pub(super) fn name(&self) -> String {
        self.in_file.map_or_else(|| self.file.clone(), |number| format!("{}, problem {number}", self.file))
    }
}

/// Why a problem cannot be solved.
#[derive(Debug, Error)]
pub(super) enum ProblemError {
    /// An argument names no file.
    #[error("{}", Input::MISSING)]
    Missing,
    /// There is no position.
    #[error(transparent)]
    Unread(ReadError),
    /// No mate can be looked for in the position, which stands in this line (0 where it has several).
    #[error("{}{error}", if *.line > 0 { format!("line {line}: ") } else { String::new() })]
    Unsolved {
        /// The line.
        line: usize,
        /// Why.
        error: MateError,
    },
}

impl InJapanese for ProblemError {
    fn in_japanese(&self) -> String {
        match self {
            ProblemError::Missing => Input::MISSING.in_japanese(),
            ProblemError::Unread(error) => error.in_japanese(),
            ProblemError::Unsolved { line: 0, error } => error.in_japanese(),
            ProblemError::Unsolved { line, error } => format!("{line}行目: {}", error.in_japanese()),
        }
    }
}

/// How many problems files hold; unknown where standard input is among them.
pub(super) fn count(inputs: &[Input]) -> Option<u64> {
    let count = |input: &Input| {
        let is_file = input.path().is_some_and(|path| path.is_file());
        is_file.then(|| input.records().map_or(1, |records| records.count() as u64))
    };
    inputs.iter().map(count).sum()
}

/// The problems of several files, one after the other. A file that cannot be read stands for one problem.
pub(super) fn problems(inputs: Vec<Input>) -> impl Iterator<Item = Posed> {
    inputs.into_iter().flat_map(|input| -> Box<dyn Iterator<Item = Posed> + Send> {
        let file = input.name();
        // Where an argument names no file, or a folder without any, it stands here itself.
        let is_missing = input.path().is_some_and(|path| path.is_dir() || !path.exists());
        let records =
            if is_missing { Err(ProblemError::Missing) } else { input.records().map_err(ProblemError::Unread) };
        match records {
            Ok(records) => {
                let format = records.format();
                Box::new(records.zip(1..).map(move |(record, number)| problem(&file, number, format, record)))
            }
            Err(error) => {
                let content = error.to_string();
                let problem = Problem { file, in_file: None, line: 0, is_end_of_game: false, content };
                Box::new(std::iter::once((problem, Err(error))))
            }
        }
    })
}

fn problem(file: &str, number: usize, format: Format, record: Result<GameRecord, ReadError>) -> Posed {
    let line = record.as_ref().map_or(0, |record| record.node(NodeId::ROOT).source_line as usize);
    // Lines name a position by the moves that lead to it. A diagram's moves are its solution, those from the start of a
    // game are the game.
    let is_line = format.is_lines();
    let is_game = |record: &GameRecord| record.handicap().is_some() && !record.legal_moves().is_empty();
    let is_end_of_game = !is_line && record.as_ref().is_ok_and(is_game);
    let game = record.and_then(|record| match record.cut() {
        Some(error) if is_line => Err(error.clone()),
        _ => {
            let moves = if is_line || is_end_of_game { record.legal_moves() } else { Vec::new() };
            record.start().map(|start| GameLine::new(start.clone(), moves)).map_err(Clone::clone)
        }
    });
    let content = game.as_ref().map_or_else(ToString::to_string, ToString::to_string);
    let problem = Problem { file: file.to_owned(), in_file: Some(number), line, is_end_of_game, content };
    (problem, game.map(|game| game.end()).map_err(ProblemError::Unread))
}
