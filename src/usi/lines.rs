//! Splitting any bytes into lines of text.

use std::io::{self, BufRead, BufReader, Read};

use crate::records::decode_line;

/// The longest line that is read: far more than a `position` with the longest game.
pub(crate) const MAX_LINE_BYTES: usize = 1 << 20;

/// What stood between two line ends.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum InputLine {
    /// The text, of UTF-8 or else Shift_JIS; bytes that mean nothing are replaced.
    Text(String),
    /// More than this many bytes.
    TooLong { limit: usize },
}

/// Reads lines until the input ends, or fails, which ends it.
pub(crate) struct LineReader<R> {
    input: BufReader<R>,
    limit: usize,
    /// The rest of a line that was too long is still to be read.
    in_long_line: bool,
}

impl<R: Read> LineReader<R> {
    pub(crate) fn new(input: R) -> LineReader<R> {
        LineReader { input: BufReader::new(input), limit: MAX_LINE_BYTES, in_long_line: false }
    }
}

impl<R: Read> Iterator for LineReader<R> {
    type Item = io::Result<InputLine>;

    fn next(&mut self) -> Option<io::Result<InputLine>> {
        loop {
            let mut line = Vec::new();
            // A line and its end, or one byte more than there may be, which is said at once: the line may have no end.
            match self.input.by_ref().take(self.limit as u64 + 1).read_until(b'\n', &mut line) {
                Ok(0) => return None,
                Ok(_) => {}
                Err(error) => return Some(Err(error)),
            }
            let has_end = line.pop_if(|byte| *byte == b'\n').is_some();
            let is_too_long = line.len() > self.limit;
            let is_rest = self.in_long_line;
            self.in_long_line = !has_end && (is_rest || is_too_long);
            if is_too_long && !is_rest {
                return Some(Ok(InputLine::TooLong { limit: self.limit }));
            }
            if !is_rest {
                return Some(Ok(InputLine::Text(decode_line(line))));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(input: &[u8]) -> Vec<InputLine> {
        LineReader { input: BufReader::with_capacity(3, input), limit: 8, in_long_line: false }
            .map(Result::unwrap)
            .collect()
    }

    #[test]
    fn an_endless_line_is_reported_and_not_kept() {
        let mut lines = LineReader { input: BufReader::new(io::repeat(0)), limit: 1000, in_long_line: false };
        assert_eq!(lines.next().unwrap().unwrap(), InputLine::TooLong { limit: 1000 });
    }

    #[test]
    fn any_bytes_are_read_as_lines() {
        let text = |text: &str| InputLine::Text(text.to_owned());
        assert_eq!(lines(b"usi\r\nisready\n\nquit"), [text("usi"), text("isready"), text(""), text("quit")]);
        assert_eq!(lines(b"a\xff\xff\nb\n"), [text("a\u{fffd}\u{fffd}"), text("b")]);
        assert_eq!(lines(b"\x92\xe8\x90\xd5\x5c\x95\x5c\n\xe8\xa1\xa8\n"), [text("定跡\\表"), text("表")]);
        assert_eq!(lines(b"12345678\n"), [text("12345678")]);
        let too_long = || InputLine::TooLong { limit: 8 };
        assert_eq!(lines(b"123456789\nusi\n1234567890123"), [too_long(), text("usi"), too_long()]);
        assert_eq!(lines(b"12345678901234567\n\n1234567\r\n"), [too_long(), text(""), text("1234567")]);
        assert_eq!(lines(b""), []);
    }
}
