//! Lines out of bytes, whatever the bytes are.

use std::io::{BufRead, BufReader, ErrorKind, Read};

/// The longest line that is read: far more than a `position` with the longest game.
const MAX_LINE_BYTES: usize = 1 << 20;

/// What stood between two line ends.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Line {
    /// The text; bytes that are not UTF-8 are replaced.
    Text(String),
    /// More than this many bytes.
    TooLong { limit: usize },
}

/// Reads lines until the input ends or fails.
pub(super) struct LineReader<R> {
    input: BufReader<R>,
    limit: usize,
}

impl<R: Read> LineReader<R> {
    pub(super) fn new(input: R) -> LineReader<R> {
        LineReader { input: BufReader::new(input), limit: MAX_LINE_BYTES }
    }

    /// Reads up to and with a line end; the bytes kept are at most one more than the limit.
    fn read_line(&mut self) -> Option<Vec<u8>> {
        let mut line = Vec::new();
        let mut any = false;
        loop {
            let buffer = match self.input.fill_buf() {
                Ok(buffer) => buffer,
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(error) => {
                    log::warn!("input failed: {error}");
                    &[]
                }
            };
            if buffer.is_empty() {
                return any.then_some(line);
            }
            any = true;
            let end = buffer.iter().position(|&byte| byte == b'\n');
            let part = &buffer[..end.unwrap_or(buffer.len())];
            let room = (self.limit + 1).saturating_sub(line.len());
            line.extend_from_slice(&part[..part.len().min(room)]);
            let used = end.map_or(buffer.len(), |end| end + 1);
            self.input.consume(used);
            if end.is_some() {
                return Some(line);
            }
        }
    }
}

impl<R: Read> Iterator for LineReader<R> {
    type Item = Line;

    fn next(&mut self) -> Option<Line> {
        let line = self.read_line()?;
        if line.len() > self.limit {
            return Some(Line::TooLong { limit: self.limit });
        }
        let text = String::from_utf8_lossy(&line);
        Some(Line::Text(text.trim_end_matches('\r').to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(input: &[u8]) -> Vec<Line> {
        LineReader { input: BufReader::with_capacity(3, input), limit: 8 }.collect()
    }

    #[test]
    fn any_bytes_make_lines() {
        let text = |text: &str| Line::Text(text.to_owned());
        assert_eq!(lines(b"usi\r\nisready\n\nquit"), [text("usi"), text("isready"), text(""), text("quit")]);
        assert_eq!(lines(b"a\x83\x81\nb\n"), [text("a\u{fffd}\u{fffd}"), text("b")]);
        assert_eq!(lines(b"12345678\n"), [text("12345678")]);
        let too_long = || Line::TooLong { limit: 8 };
        assert_eq!(lines(b"123456789\nusi\n1234567890123"), [too_long(), text("usi"), too_long()]);
        assert_eq!(lines(b""), []);
    }
}
