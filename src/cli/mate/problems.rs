//! Problems out of files.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};

use crate::position::Position;
use crate::records::{Format, Records};

/// A problem, or why what stands in its place is none.
pub(super) struct Problem {
    /// The file that it is from and its number in it.
    pub(super) name: String,
    pub(super) position: Result<Position, String>,
}

/// How many problems files hold; unknown where standard input is among them or one cannot be read.
pub(super) fn count(files: &[PathBuf]) -> Option<u64> {
    let count = |path: &PathBuf| {
        let is_file = path != Path::new("-") && path.is_file();
        is_file.then(|| open(path).ok()).flatten().map(|records| records.count() as u64)
    };
    files.iter().map(count).sum()
}

/// The problems of several files, one after the other, up to the first file that cannot be opened: behind it the
/// problems would have other numbers, and other lines of the output, than once the file is there.
pub(super) struct Problems {
    files: VecDeque<PathBuf>,
    open: Option<OpenFile>,
}

struct OpenFile {
    name: String,
    records: Records,
    number: usize,
}

impl Problems {
    pub(super) fn new(files: impl IntoIterator<Item = PathBuf>) -> Problems {
        Problems { files: files.into_iter().collect(), open: None }
    }

    fn next_of_open_file(&mut self) -> Option<Problem> {
        let OpenFile { name, records, number } = self.open.as_mut()?;
        // Lines name a position by the moves that lead to it; a diagram's moves are its solution.
        let goes_to_end = matches!(records.format(), Format::Sfen | Format::Usi);
        let record = records.next()?;
        *number += 1;
        let position = record.map_err(|error| error.to_string()).map(|record| {
            let mut position = record.start().clone();
            if goes_to_end {
                record.legal_moves().into_iter().for_each(|mv| {
                    position.do_move(mv);
                });
            }
            position
        });
        Some(Problem { name: format!("{name}:{number}"), position })
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
            let path = self.files.pop_front()?;
            match open(&path) {
                Ok(records) => self.open = Some(OpenFile { name: path.display().to_string(), records, number: 0 }),
                Err(error) => {
                    self.files.clear();
                    return Some(Err(error));
                }
            }
        }
    }
}

fn open(path: &Path) -> io::Result<Records> {
    let records = if path == Path::new("-") {
        if io::stdin().is_terminal() {
            let _ = writeln!(io::stderr(), "kurosabi: reading positions, one a line, from the terminal");
        }
        Records::open(io::stdin())
    } else {
        let file = File::open(path);
        Records::open(file.map_err(|error| io::Error::new(error.kind(), format!("{}: {error}", path.display())))?)
    };
    records.map_err(|error| io::Error::other(format!("{}: {error}", path.display())))
}
