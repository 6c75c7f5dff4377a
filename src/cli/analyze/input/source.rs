//! What is read: lines as they come, or whole records.

use std::io::{self, Cursor, IsTerminal, Read};

use crate::cli::failure::Result;
use crate::cli::records::inputs::{Input, open_input};
use crate::cli::terminal::remark;
use crate::language::{Language, text};
use crate::records::{Format, HEAD, Problem, ReadError, Records, decoded_lines};
use crate::usi::lines::LineReader;

/// An input whose content is known.
pub(super) enum Source {
    /// Positions and games, one a line, which may still be being written.
    Lines(LineReader<Box<dyn Read + Send>>),
    /// Games in another format.
    Records(Records),
}

impl Source {
    /// Finds out what an input holds; with `lines` it is known.
    ///
    /// # Errors
    /// When it cannot be read or holds no record.
    pub(super) fn open(input: &Input, lines: bool) -> Result<Source, ReadError> {
        let mut reader = reader(input)?;
        let (head, is_lines) = if lines { (mark(&mut reader)?, true) } else { look(input, &mut reader)? };
        Ok(match is_lines {
            true => Source::Lines(LineReader::new(decoded_lines(head, reader)?)),
            false => Source::Records(Records::open(Cursor::new(head).chain(reader))?),
        })
    }
}

/// Whether an input holds positions and games, one a line, rather than records. What cannot be read holds no lines.
pub(in crate::cli::analyze) fn holds_lines(input: &Input) -> bool {
    reader(input).and_then(|mut reader| look(input, &mut reader)).is_ok_and(|(_, is_lines)| is_lines)
}

fn reader(input: &Input) -> Result<Box<dyn Read + Send>, ReadError> {
    Ok(match input {
        Input::Stdin => {
            if io::stdin().is_terminal() {
                let waiting =
                    text!("reading positions, one a line, from the terminal", "端末から一行に一局面ずつ読み込みます");
                remark(&waiting, Language::from_environment());
            }
            Box::new(io::stdin())
        }
        Input::File(path) => open_input(path)?,
    })
}

/// Reads a beginning that has the mark of its encoding, if there is one.
fn mark(reader: &mut impl Read) -> Result<Vec<u8>, ReadError> {
    let mut head = Vec::new();
    while head.len() < 2 && read_some(reader, &mut head)? > 0 {}
    Ok(head)
}

/// Reads the beginning, and tells whether it is one of lines.
fn look(input: &Input, reader: &mut impl Read) -> Result<(Vec<u8>, bool), ReadError> {
    let mut head = Vec::new();
    // Not longer than until a line tells: who types, or is another program, waits for the answer.
    while Format::detect_in_lines(&head).is_none() && head.len() < HEAD {
        if read_some(reader, &mut head)? == 0 {
            break;
        }
    }
    let is_lines = match Format::detect(&head) {
        Ok(format) => format.is_lines(),
        // Words typed or piped in are answered line by line, whatever they are.
        Err(error) => *input == Input::Stdin && matches!(error.problem, Problem::UnknownFormat(_) | Problem::Empty),
    };
    Ok((head, is_lines))
}

/// Reads what is there, waiting only where nothing is.
fn read_some(reader: &mut impl Read, head: &mut Vec<u8>) -> io::Result<usize> {
    let mut buffer = [0; 8192];
    loop {
        match reader.read(&mut buffer) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
            Ok(read) => {
                head.extend_from_slice(&buffer[..read]);
                return Ok(read);
            }
        }
    }
}
