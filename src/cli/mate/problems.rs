//! Problems from files.

use std::collections::VecDeque;

use super::report::{ProblemError, item};
use crate::cli::records::inputs::Input;
use crate::cli::resumable::KeptItems;
use crate::position::Position;
use crate::records::{Format, GameRecord, NodeId, Records};
use crate::rules::GameLine;

/// A problem, or why the text in its place is none.
pub(super) struct Problem {
    /// The name of the file that it is from.
    pub(super) file: String,
    /// Its number in the file, from 1; none for a file that cannot be read.
    pub(super) number: Option<usize>,
    /// The line that it stands in; 0 where it has several, or none that can be read.
    pub(super) line: usize,
    /// It is the last position of a game from a start without moves before it.
    pub(super) is_end_of_game: bool,
    /// The position with the game before it, whose repetitions count, or what is wrong with it.
    pub(super) content: String,
    pub(super) position: Result<Position, ProblemError>,
}

impl Problem {
    /// Whether its results are among those kept; then also whether it could not be solved.
    pub(super) fn take_from(&self, kept: &mut KeptItems) -> Option<bool> {
        if kept.is_empty() {
            return None;
        }
        [false, true].into_iter().find(|&is_bad| kept.take(&item(&self.file, &self.content, is_bad)))
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
pub(super) struct Problems {
    inputs: VecDeque<Input>,
    open: Option<OpenFile>,
}

struct OpenFile {
    name: String,
    records: Records,
    number: usize,
}

impl Problems {
    pub(super) fn new(inputs: impl IntoIterator<Item = Input>) -> Problems {
        Problems { inputs: inputs.into_iter().collect(), open: None }
    }

    fn next_of_open_file(&mut self) -> Option<Problem> {
        let OpenFile { name, records, number } = self.open.as_mut()?;
        let record = records.next()?;
        *number += 1;
        let line = record.as_ref().map_or(0, |record| record.node(NodeId::ROOT).source_line as usize);
        // Lines name a position by the moves that lead to it. A diagram's moves are its solution, those from the start
        // of a game are the game.
        let is_line = matches!(records.format(), Format::Sfen | Format::Usi);
        let is_game = |record: &GameRecord| record.handicap().is_some() && !record.legal_moves().is_empty();
        let is_end_of_game = !is_line && record.as_ref().is_ok_and(is_game);
        let position = record.and_then(|record| match record.cut() {
            Some(error) if is_line => Err(error.clone()),
            _ => {
                let moves = if is_line || is_end_of_game { record.legal_moves() } else { Vec::new() };
                record.start().map(|start| GameLine::new(start.clone(), moves)).map_err(Clone::clone)
            }
        });
        let (content, position) = match position {
            Ok(line) => (line.to_string(), Ok(line.end())),
            Err(error) => (error.to_string(), Err(ProblemError::Unread(error))),
        };
        Some(Problem { file: name.clone(), number: Some(*number), line, is_end_of_game, content, position })
    }
}

impl Iterator for Problems {
    type Item = Problem;

    fn next(&mut self) -> Option<Problem> {
        loop {
            if let Some(problem) = self.next_of_open_file() {
                return Some(problem);
            }
            self.open = None;
            let input = self.inputs.pop_front()?;
            let name = input.name();
            // Where an argument names no file, or a folder without any, it stands here itself.
            let is_missing = input.path().is_some_and(|path| path.is_dir() || !path.exists());
            let records =
                if is_missing { Err(ProblemError::Missing) } else { input.records().map_err(ProblemError::Unread) };
            match records {
                Ok(records) => self.open = Some(OpenFile { name, records, number: 0 }),
                Err(error) => {
                    return Some(Problem {
                        file: name,
                        number: None,
                        line: 0,
                        is_end_of_game: false,
                        content: error.to_string(),
                        position: Err(error),
                    });
                }
            }
        }
    }
}
