//! Reading: the format is recognised by the text, never by the name of the file.

use std::io::{self, BufRead, BufReader, Read};

use super::record::GameRecord;
use super::{Format, Problem, ReadError, Warning, shortened, text};
use crate::position::Position;
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
    records: Box<dyn Iterator<Item = Result<GameRecord, ReadError>> + Send>,
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
        let records: Box<dyn Iterator<Item = _> + Send> = match format {
            Format::Kif | Format::Ki2 | Format::Jkf => {
                let (text, damage) = read_whole(head, input)?;
                let record = if format == Format::Jkf { jkf::read(&text) } else { kakinoki::read(&text, format) };
                Box::new(std::iter::once(record.map(|mut record| {
                    record.warn_all(damage);
                    record
                })))
            }
            Format::Csa => {
                let (lines, damage) = lines_of(head, input)?;
                let input = Box::new(BufReader::new(lines));
                Box::new(CsaGames { input, damage, lines: 0, games: 0, is_over: false })
            }
            Format::Sfen | Format::Usi => Box::new(lines(BufReader::new(decoded_lines(head, input)?))),
        };
        Ok(Records { format, records })
    }

    /// The records of a text in memory.
    ///
    /// # Errors
    /// As [`Records::open`].
    pub fn parse(bytes: impl Into<Vec<u8>>) -> Result<Records, ReadError> {
        Records::open(io::Cursor::new(bytes.into()))
    }

    /// The record of a text in KIF. (See [`write_kif`](super::write_kif).)
    pub(crate) fn parse_kif(text: &str) -> Result<GameRecord, ReadError> {
        kakinoki::read(text, Format::Kif)
    }

    /// The format that was found.
    pub fn format(&self) -> Format {
        self.format
    }
}

impl Iterator for Records {
    type Item = Result<GameRecord, ReadError>;

    fn next(&mut self) -> Option<Result<GameRecord, ReadError>> {
        self.records.next()
    }
}

/// Positions and games, one a line.
fn lines(mut input: impl BufRead) -> impl Iterator<Item = Result<GameRecord, ReadError>> {
    let (mut number, mut is_over) = (0, false);
    std::iter::from_fn(move || {
        while !is_over {
            number += 1;
            let line = match text::read_line(&mut input, MAX_LINE) {
                Ok(line) => line?,
                Err(problem) => {
                    is_over = matches!(problem, Problem::Io { .. });
                    return Some(Err(ReadError::new(number, problem)));
                }
            };
            let line = line.trim_start_matches('\u{feff}').trim();
            if !line.is_empty() && !line.starts_with('#') {
                return Some(usi::read_line(line, number));
            }
        }
        None
    })
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

impl CsaGames {
    /// Reads up to the next separator or the end. Of a game that is too large (`None`) the rest is passed over.
    fn next_part(&mut self) -> io::Result<Option<Vec<u8>>> {
        let (mut bytes, mut is_too_large) = (Vec::new(), false);
        loop {
            let start = bytes.len();
            let room = (MAX_GAME + 1 - start) as u64;
            if self.input.by_ref().take(room).read_until(b'\n', &mut bytes)? == 0 {
                self.is_over = true;
                break;
            }
            let line = &bytes[start..];
            self.lines += usize::from(line.ends_with(b"\n"));
            if line.trim_ascii_end() == b"/" && (start == 0 || bytes[start - 1] == b'\n') {
                bytes.truncate(start);
                break;
            }
            if bytes.len() > MAX_GAME {
                is_too_large = true;
                // What comes next may be the rest of this line.
                let is_whole_line = bytes.ends_with(b"\n");
                bytes.clear();
                bytes.push(if is_whole_line { b'\n' } else { b' ' });
            }
        }
        Ok((!is_too_large).then_some(bytes))
    }

    fn next_game(&mut self) -> Result<Option<GameRecord>, ReadError> {
        let first = self.lines + 1;
        let part = self.next_part().inspect_err(|_| self.is_over = true)?;
        self.games += 1;
        let (text, mut damage) = text::decode(&part.ok_or(ReadError::new(first, TOO_LARGE))?)?;
        let Some(mut record) = csa::read(&text, first)? else {
            // A separator behind the last game begins none.
            let stands = !self.is_over || self.games == 1;
            return Ok(stands.then(|| GameRecord::new(Position::startpos())));
        };
        damage.iter_mut().for_each(|warning| warning.error.line += first - 1);
        // The last line may have no end.
        let lines = first..=self.lines + usize::from(self.is_over);
        damage.extend(self.damage.iter().filter(|warning| lines.contains(&warning.error.line)).cloned());
        record.warn_all(damage);
        Ok(Some(record))
    }
}

impl Iterator for CsaGames {
    type Item = Result<GameRecord, ReadError>;

    fn next(&mut self) -> Option<Result<GameRecord, ReadError>> {
        if self.is_over { None } else { self.next_game().transpose() }
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
        let (text, damage) = read_whole(head, input)?;
        return Ok((Box::new(io::Cursor::new(text.into_bytes())), damage));
    }
    Ok((Box::new(io::Cursor::new(head).chain(input)), Vec::new()))
}

/// The text of a file whose beginning was read.
fn read_whole(mut head: Vec<u8>, mut input: impl Read) -> Result<(String, Vec<Warning>), ReadError> {
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
