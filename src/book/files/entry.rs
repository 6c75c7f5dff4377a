//! The lines of YaneuraOu's text book (DB2016).
//!
//! The first line is `#YANEURAOU-DB2016 1.00`. A line `sfen …` names a position, with its move number; the lines behind
//! it are its moves: the move, the expected answer or `none`, and as far as they are known the score, the depth and how
//! often it was played. Lines that begin with `#` or `//` are comments.

use crate::book::BookMove;
use crate::types::Move;

/// The first line of a text book.
pub(in crate::book) const HEADER: &str = "#YANEURAOU-DB2016 1.00";

/// What a line is.
pub(super) enum Line<'a> {
    /// A position: its SFEN without the move number, and the move number where there is one.
    Position(&'a [u8], Option<u32>),
    /// A move of the position before it.
    Move(&'a [u8]),
    /// Nothing that counts.
    Comment,
}

/// What a line is. The byte order mark that some editors put before the first line does not count.
pub(super) fn line(text: &[u8]) -> Line<'_> {
    let text = text.strip_prefix("\u{feff}".as_bytes()).unwrap_or(text).trim_ascii();
    match text {
        [] | [b'#', ..] | [b'/', b'/', ..] => Line::Comment,
        _ => match text.strip_prefix(b"sfen ") {
            Some(sfen) => {
                let (key, ply) = without_number(sfen.trim_ascii());
                Line::Position(key, ply)
            }
            None => Line::Move(text),
        },
    }
}

/// An SFEN without the move number at its end, and that number.
fn without_number(sfen: &[u8]) -> (&[u8], Option<u32>) {
    let Some(blank) = sfen.iter().rposition(|&byte| byte == b' ') else { return (sfen, None) };
    let ply = std::str::from_utf8(&sfen[blank + 1..]).ok().and_then(|text| text.parse().ok());
    if ply.is_some() { (sfen[..blank].trim_ascii_end(), ply) } else { (sfen, None) }
}

/// Reads a move's line; `Ok(None)` where it says that there is no move.
///
/// # Errors
/// With the text that is no move.
pub(super) fn book_move(line: &[u8]) -> Result<Option<BookMove>, String> {
    let text = String::from_utf8_lossy(line);
    let mut words = text.split_ascii_whitespace().take_while(|word| !word.starts_with(['#', '/']));
    let first = words.next().unwrap_or_default();
    if is_none(first) {
        return Ok(None);
    }
    let mv: Move = first.parse().map_err(|_| text.trim().chars().take(60).collect::<String>())?;
    let ponder = words.next().filter(|word| !is_none(word)).and_then(|word| word.parse().ok());
    let mut number = |default: i64| words.next().and_then(|word| word.parse::<i64>().ok()).unwrap_or(default);
    let score = number(0).clamp(i32::MIN.into(), i32::MAX.into()) as i32;
    let depth = number(0).clamp(0, u32::MAX.into()) as u32;
    let count = number(1).max(0) as u64;
    Ok(Some(BookMove { mv, ponder, score, depth, count }))
}

fn is_none(word: &str) -> bool {
    ["none", "None", "resign"].contains(&word)
}
