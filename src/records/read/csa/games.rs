//! The games of a CSA file, one after the other: only one of them is held in memory.

use std::io::{BufRead, Read};

use super::{empty_game, read};
use crate::records::error::{Problem, ReadError, Warning};
use crate::records::read::{MAX_GAME, TOO_LARGE, text};
use crate::records::record::GameRecord;

/// Games that lines with a `/` separate.
pub(in crate::records::read) struct CsaGames {
    input: Box<dyn BufRead + Send>,
    /// Lines that were damaged before they were made UTF-8.
    damage: Vec<Warning>,
    /// Lines read so far.
    lines: usize,
    /// Games read so far.
    games: usize,
    is_over: bool,
}

/// The bytes of a game.
struct Part {
    bytes: Vec<u8>,
    /// How many lines they are, the separator among them.
    lines: usize,
    is_too_large: bool,
    /// The file ends here, and no separator follows.
    is_last: bool,
}

impl CsaGames {
    pub(in crate::records::read) fn new(input: impl BufRead + Send + 'static, damage: Vec<Warning>) -> CsaGames {
        CsaGames { input: Box::new(input), damage, lines: 0, games: 0, is_over: false }
    }

    /// Reads up to the next separator. Of a game that is too large the rest is passed over.
    fn next_part(&mut self) -> Result<Part, ReadError> {
        let mut part = Part { bytes: Vec::new(), lines: 0, is_too_large: false, is_last: false };
        loop {
            let start = part.bytes.len();
            let room = (MAX_GAME + 1 - start) as u64;
            let read = self.input.by_ref().take(room).read_until(b'\n', &mut part.bytes);
            if read.map_err(|error| ReadError::new(0, Problem::from(&error)))? == 0 {
                part.is_last = true;
                return Ok(part);
            }
            let line = &part.bytes[start..];
            part.lines += usize::from(line.ends_with(b"\n"));
            let is_separator = line.trim_ascii_end() == b"/" && (start == 0 || part.bytes[start - 1] == b'\n');
            if is_separator {
                part.bytes.truncate(start);
                return Ok(part);
            }
            if part.bytes.len() > MAX_GAME {
                part.is_too_large = true;
                // What comes next may be the rest of this line.
                let is_whole_line = part.bytes.ends_with(b"\n");
                part.bytes.clear();
                part.bytes.push(if is_whole_line { b'\n' } else { b' ' });
            }
        }
    }

    fn read(&self, part: &Part) -> Result<Option<GameRecord>, ReadError> {
        if part.is_too_large {
            return Err(ReadError::new(self.lines + 1, TOO_LARGE));
        }
        let decoded = text::decode(&part.bytes)?;
        let mut record = read(&decoded.text, self.lines + 1)?;
        if let Some(record) = &mut record {
            for Warning { mut error, remedy } in decoded.damage {
                error.line += self.lines;
                record.warn(error, remedy);
            }
            // The last line may have no end.
            let lines = self.lines + 1..=self.lines + part.lines + usize::from(part.is_last);
            let own = self.damage.iter().filter(|warning| lines.contains(&warning.error.line));
            own.for_each(|warning| record.warn(warning.error.clone(), warning.remedy));
        }
        Ok(record)
    }
}

impl Iterator for CsaGames {
    type Item = Result<GameRecord, ReadError>;

    fn next(&mut self) -> Option<Result<GameRecord, ReadError>> {
        if self.is_over {
            return None;
        }
        let part = match self.next_part() {
            Ok(part) => part,
            Err(error) => {
                self.is_over = true;
                return Some(Err(error));
            }
        };
        let record = self.read(&part).transpose();
        self.is_over = part.is_last;
        self.lines += part.lines;
        self.games += 1;
        // A separator behind the last game begins none.
        record.or_else(|| (!part.is_last || self.games == 1).then(|| Ok(empty_game())))
    }
}
