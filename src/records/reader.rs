//! Reading: the format is recognised by the text, never by the name of the file.

use std::io::{self, BufRead, BufReader, Read};

use super::Format;
use super::error::{Problem, ReadError, Warning, shortened};
use super::record::GameRecord;
use super::text::{self, Decoded};
use crate::records::{csa, jkf, kakinoki, ki2, usi};
use crate::types::Phrase;

/// The longest line of an SFEN or USI file. The longest legal game is far shorter.
const MAX_LINE: usize = 1 << 20;
/// The largest game of another format, and the largest file where the file is read as a whole.
const MAX_GAME: usize = 16 << 20;
/// What is said of one that is larger.
const TOO_LARGE: Problem = Problem::TooLarge(Phrase::new(
    "larger than 16 MiB, which no game record is",
    "棋譜としては大きすぎます（16 MiBを超えています）",
));
/// How much of a file is looked at to find out its format.
pub const HEAD: usize = 64 << 10;

/// The records of a file, in order: the games of a CSA file, or one for each line of SFENs and USI moves. Both are read
/// as they come, so that any number of them fits.
pub struct Records {
    format: Format,
    source: Source,
}

enum Source {
    /// A file that was read as a whole and holds one game.
    Whole(std::vec::IntoIter<Result<GameRecord, ReadError>>),
    /// The games of a CSA file.
    Csa(CsaGames),
    /// Lines still to be read, and the number of the last one.
    Lines(Box<dyn BufRead + Send>, usize),
}

impl Records {
    /// Finds out the format of a file and gets ready to read it.
    ///
    /// # Errors
    /// When the file cannot be read, is no text, or is in none of the formats.
    pub fn open(mut input: impl Read + Send + 'static) -> Result<Records, ReadError> {
        let mut head = Vec::new();
        read_up_to(&mut input, &mut head, HEAD)?;
        let format = Format::detect(&head)?;
        let read_whole_with = |read: fn(&str) -> Result<GameRecord, ReadError>, head, input| {
            read_whole(head, input).map(|decoded| {
                let record = read(&decoded.text).map(|mut record| {
                    decoded.damage.into_iter().for_each(|warning| record.warn(warning.error, warning.remedy));
                    record
                });
                Source::Whole(vec![record].into_iter())
            })
        };
        let source = match format {
            Format::Kif => read_whole_with(|text| kakinoki::read(text, Format::Kif), head, input)?,
            Format::Ki2 => read_whole_with(|text| kakinoki::read(text, Format::Ki2), head, input)?,
            Format::Jkf => read_whole_with(jkf::read, head, input)?,
            Format::Csa => {
                let (lines, damage) = lines_of(head, input)?;
                Source::Csa(CsaGames::new(BufReader::new(lines), damage))
            }
            Format::Sfen | Format::Usi => Source::Lines(Box::new(BufReader::new(decoded_lines(head, input)?)), 0),
        };
        Ok(Records { format, source })
    }

    /// The records of a text in memory.
    ///
    /// # Errors
    /// As [`Records::open`].
    pub fn parse(bytes: impl Into<Vec<u8>>) -> Result<Records, ReadError> {
        Records::open(io::Cursor::new(bytes.into()))
    }

    /// The format that was found.
    pub fn format(&self) -> Format {
        self.format
    }
}

impl Iterator for Records {
    type Item = Result<GameRecord, ReadError>;

    fn next(&mut self) -> Option<Result<GameRecord, ReadError>> {
        let (input, number) = match &mut self.source {
            Source::Whole(records) => return records.next(),
            Source::Csa(games) => return games.next(),
            Source::Lines(input, number) => (input, number),
        };
        loop {
            *number += 1;
            let line = match text::read_line(input, MAX_LINE) {
                Ok(line) => line?,
                Err(problem) => {
                    let error = ReadError::new(*number, problem);
                    if matches!(error.problem, Problem::Io { .. }) {
                        self.source = Source::Whole(Vec::new().into_iter());
                    }
                    return Some(Err(error));
                }
            };
            let line = line.trim_start_matches('\u{feff}').trim();
            if !line.is_empty() && !line.starts_with('#') {
                return Some(usi::read_line(line, *number));
            }
        }
    }
}

/// Games that lines with a `/` separate.
struct CsaGames {
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
    fn new(input: impl BufRead + Send + 'static, damage: Vec<Warning>) -> CsaGames {
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
        let mut record = csa::read(&decoded.text, self.lines + 1)?;
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
        record.or_else(|| (!part.is_last || self.games == 1).then(|| Ok(csa::empty_game())))
    }
}

impl Format {
    /// The format of a text, by its beginning.
    ///
    /// # Errors
    /// When it is no text, or in none of the formats.
    pub fn detect(head: &[u8]) -> Result<Format, ReadError> {
        let text = text::decode_head(head, head.len() >= HEAD)?;
        let mut first = None;
        for line in text.lines().map(|line| line.trim_matches([' ', '\t', '\u{3000}'])).filter(|line| !line.is_empty())
        {
            if line.starts_with("#KIF") {
                return Ok(if line.contains("KI2") { Format::Ki2 } else { Format::Kif });
            }
            if let Some(format) = detect_line(line) {
                return Ok(format);
            }
            if first.is_none() && !line.starts_with('#') {
                first = Some(line.to_owned());
            }
        }
        match first {
            // Nothing but a header: both 柿木 formats have it.
            Some(line) if kakinoki::is_header(&line) => Ok(Format::Kif),
            // Lines of moves may have lines before them that are wrong.
            Some(line) => Err(ReadError::new(0, Problem::UnknownFormat(shortened(&line)))),
            None => Err(ReadError::new(0, Problem::Empty)),
        }
    }

    /// The format of a text that is still being written, by its whole lines; `None` while none of them shows it.
    pub fn detect_in_lines(head: &[u8]) -> Option<Format> {
        let end = head.iter().rposition(|&byte| byte == b'\n')?;
        Format::detect(&head[..=end]).ok()
    }

    /// Whether it holds one position or game a line.
    pub fn is_lines(self) -> bool {
        matches!(self, Format::Sfen | Format::Usi)
    }
}

/// A file to be read line by line, whose beginning was read. Where lines do not end with a byte of their own (UTF-16)
/// or with another one (carriage returns), the file is read and decoded as a whole.
///
/// # Errors
/// When such a file cannot be read, is too large, or is broken.
pub(crate) fn decoded_lines(
    head: Vec<u8>,
    input: impl Read + Send + 'static,
) -> Result<Box<dyn Read + Send>, ReadError> {
    lines_of(head, input).map(|(lines, _)| lines)
}

/// The same, and the lines that were damaged, where they were decoded.
fn lines_of(
    head: Vec<u8>,
    input: impl Read + Send + 'static,
) -> Result<(Box<dyn Read + Send>, Vec<Warning>), ReadError> {
    if text::is_utf16(&head) || text::has_carriage_returns_only(&head) {
        let decoded = read_whole(head, input)?;
        return Ok((Box::new(io::Cursor::new(decoded.text.into_bytes())), decoded.damage));
    }
    Ok((Box::new(io::Cursor::new(head).chain(input)), Vec::new()))
}

/// The text of a file whose beginning was read.
fn read_whole(mut head: Vec<u8>, mut input: impl Read) -> Result<Decoded, ReadError> {
    read_up_to(&mut input, &mut head, MAX_GAME + 1)?;
    if head.len() > MAX_GAME {
        return Err(ReadError::new(0, TOO_LARGE));
    }
    text::decode(&head)
}

fn read_up_to(input: &mut impl Read, bytes: &mut Vec<u8>, limit: usize) -> Result<(), ReadError> {
    let missing = limit.saturating_sub(bytes.len()) as u64;
    let read = input.take(missing).read_to_end(bytes);
    read.map(|_| ()).map_err(ReadError::from)
}

/// The format that a line shows; none for the header that KIF and KI2 have in common.
pub(super) fn detect_line(line: &str) -> Option<Format> {
    if line.starts_with('{') {
        return Some(Format::Jkf);
    }
    if csa::is_line(line) {
        return Some(Format::Csa);
    }
    if usi::is_position(line) {
        return Some(Format::Sfen);
    }
    if usi::is_game(line) {
        return Some(Format::Usi);
    }
    kakinoki::shows_kif(line).then_some(Format::Kif).or(ki2::is_moves(line).then_some(Format::Ki2))
}
