//! Problems from files.

use std::collections::VecDeque;
use std::io;

use crate::cli::language::Language;
use crate::cli::records::inputs::Input;
use crate::position::Position;
use crate::records::{Format, NodeId, ReadError, Records};

/// A problem, or why the text in its place is none.
pub(super) struct Problem {
    /// The file that it is from and its number in it.
    pub(super) name: String,
    /// The line that it stands in; 0 where it has several, or none that can be read.
    pub(super) line: usize,
    pub(super) position: Result<Position, ReadError>,
}

/// How many problems files hold; unknown where standard input is among them or one cannot be read.
pub(super) fn count(inputs: &[Input]) -> Option<u64> {
    let count = |input: &Input| {
        let is_file = input.path().is_some_and(|path| path.is_file());
        is_file.then(|| input.records().ok()).flatten().map(|records| records.count() as u64)
    };
    inputs.iter().map(count).sum()
}

/// The problems of several files, one after the other, up to the first file that cannot be opened: behind it the
/// problems would have other numbers, and other lines of the output, than once the file is there.
pub(super) struct Problems {
    inputs: VecDeque<Input>,
    open: Option<OpenFile>,
    /// Of errors.
    language: Language,
}

struct OpenFile {
    name: String,
    records: Records,
    number: usize,
}

impl Problems {
    pub(super) fn new(inputs: impl IntoIterator<Item = Input>, language: Language) -> Problems {
        Problems { inputs: inputs.into_iter().collect(), open: None, language }
    }

    fn next_of_open_file(&mut self) -> Option<Problem> {
        let OpenFile { name, records, number } = self.open.as_mut()?;
        // Lines name a position by the moves that lead to it; a diagram's moves are its solution.
        let goes_to_end = matches!(records.format(), Format::Sfen | Format::Usi);
        let record = records.next()?;
        *number += 1;
        let line = record.as_ref().map_or(0, |record| record.node(NodeId::ROOT).source_line as usize);
        let position = record.map(|record| {
            let mut position = record.start().clone();
            if goes_to_end {
                record.legal_moves().into_iter().for_each(|mv| {
                    position.do_move(mv);
                });
            }
            position
        });
        Some(Problem { name: format!("{name}, problem {number}"), line, position })
    }
}

impl Iterator for Problems {
    type Item = io::Result<Problem>;

    fn next(&mut self) -> Option<io::Result<Problem>> {
        loop {
            if let Some(problem) = self.next_of_open_file() {
                return Some(Ok(problem));
            }
            self.open = None;
            let input = self.inputs.pop_front()?;
            let name = input.name();
            match input.records() {
                Ok(records) => self.open = Some(OpenFile { name, records, number: 0 }),
                Err(error) => {
                    self.inputs.clear();
                    return Some(Err(io::Error::other(format!("{name}: {}", self.language.tell(&error)))));
                }
            }
        }
    }
}
