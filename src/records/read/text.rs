//! Bytes into text.

use std::borrow::Cow;
use std::io::{self, BufRead, Read};

use encoding_rs::{EUC_JP, Encoding, SHIFT_JIS};

use crate::records::error::{Problem, ReadError};
use crate::types::Phrase;

/// Ctrl-Z, which ends a text of DOS, often more than once.
const END_OF_TEXT: u8 = 0x1a;

/// The text of a whole file, whatever its encoding: UTF-8, Shift_JIS, EUC-JP, or UTF-16 with its mark. Its lines end
/// with a line feed.
pub(super) fn decode(bytes: &[u8]) -> Result<String, ReadError> {
    refuse_binary(bytes)?;
    let end = bytes.iter().rposition(|&byte| byte != END_OF_TEXT).map_or(0, |last| last + 1);
    let bytes = if is_utf16(bytes) { bytes } else { &bytes[..end] };
    decoded(bytes).map(with_line_feeds).map_err(|problem| {
        // The line where UTF-8 ends is the best guess where the file is damaged.
        let valid = std::str::from_utf8(bytes).map_or_else(|error| error.valid_up_to(), str::len);
        let line = bytes[..valid].iter().filter(|&&byte| byte == b'\n').count() + 1;
        ReadError::new(line, problem)
    })
}

/// The text of a file's beginning; a character cut off at its end is left out.
pub(super) fn decode_head(bytes: &[u8], is_cut: bool) -> Result<String, ReadError> {
    if bytes.is_empty() {
        return Err(ReadError::new(0, Problem::Empty));
    }
    refuse_binary(bytes)?;
    if !is_cut {
        return decode(bytes);
    }
    // A line end never splits a character. Without one: no character is longer than four bytes, so one of the four ends
    // lies between characters.
    let line_end = bytes.iter().rposition(|&byte| byte == b'\n').map(|at| at + 1);
    let ends = line_end.into_iter().chain((0..4).map(|cut| bytes.len().saturating_sub(cut)));
    ends.filter_map(|end| decoded(&bytes[..end]).ok())
        .next()
        .map(with_line_feeds)
        .ok_or_else(|| ReadError::new(0, Problem::Encoding))
}

fn decoded(bytes: &[u8]) -> Result<String, Problem> {
    if let Some((encoding, mark)) = Encoding::for_bom(bytes) {
        let (text, failed) = encoding.decode_without_bom_handling(&bytes[mark..]);
        return if failed { Err(Problem::Encoding) } else { Ok(text.into_owned()) };
    }
    if let Ok(text) = std::str::from_utf8(bytes) {
        return Ok(text.to_owned());
    }
    let whole = |encoding: &'static Encoding| encoding.decode_without_bom_handling_and_without_replacement(bytes);
    let text = match (whole(SHIFT_JIS), whole(EUC_JP)) {
        (Some(_), Some(euc)) if looks_like_euc_jp(bytes) => Some(euc),
        (sjis, euc) => sjis.or(euc),
    };
    text.map(Cow::into_owned).ok_or(Problem::Encoding)
}

/// Whether bytes that are valid in both encodings are EUC-JP. Nearly all characters of Shift_JIS begin with a byte that
/// EUC-JP does not have, so these are EUC-JP, or else few: a player's name among ASCII.
fn looks_like_euc_jp(bytes: &[u8]) -> bool {
    let is_katakana = |byte: u8| (0xa1..=0xdf).contains(&byte);
    let is_katakana_only = bytes.iter().all(|&byte| byte.is_ascii() || is_katakana(byte));
    let (mut frequent, mut kana, mut all) = (0, 0, 0);
    let mut rest = bytes;
    while let Some((&first, after)) = rest.split_first() {
        let len = match first {
            0..=0x7f => 0,
            0x8f => 2,
            _ => 1,
        };
        rest = after.get(len..).unwrap_or_default();
        all += usize::from(len > 0);
        frequent += usize::from(matches!(first, 0xa1..=0xa8 | 0xb0..=0xcf));
        kana += usize::from(matches!(first, 0xa3..=0xa5));
    }
    // Half-width katakana of Shift_JIS can be any characters of EUC-JP, but hardly ever all of them kana. The kanji of
    // Shift_JIS that are valid in both are rare ones, and would be rare ones in EUC-JP, too.
    if is_katakana_only { kana == all } else { frequent * 2 > all }
}

/// Files people take for records by mistake, by their first bytes.
const SIGNATURES: [(&[u8], Phrase); 8] = [
    (b"PK\x03\x04", Phrase::new("a ZIP archive", "ZIPファイル")),
    (b"PK\x05\x06", Phrase::new("a ZIP archive", "ZIPファイル")),
    (b"\x1f\x8b", Phrase::new("a gzip file", "gzipファイル")),
    (b"7z\xbc\xaf\x27\x1c", Phrase::new("a 7-Zip archive", "7-Zipファイル")),
    (b"\x28\xb5\x2f\xfd", Phrase::new("a Zstandard file", "Zstandardファイル")),
    (b"\x89PNG", Phrase::new("a picture", "画像")),
    (b"%PDF", Phrase::new("a PDF document", "PDF文書")),
    (b"\x7fELF", Phrase::new("a program", "実行ファイル")),
];

/// A text whose lines end with carriage returns alone, as on old Macintoshes, with line feeds instead.
fn with_line_feeds(text: String) -> String {
    if has_carriage_returns_only(text.as_bytes()) { text.replace('\r', "\n") } else { text }
}

/// Whether lines end with carriage returns alone. One at the very end tells nothing of what may follow.
pub(super) fn has_carriage_returns_only(bytes: &[u8]) -> bool {
    let before_last = bytes.split_last().map_or(bytes, |(_, before)| before);
    before_last.contains(&b'\r') && !bytes.contains(&b'\n')
}

/// A line of UTF-8 or else Shift_JIS, which Windows programs such as ShogiGUI and Shogidokoro write: the system's code
/// page in Japan. Bytes that mean nothing are replaced; what ends a line or the whole text is left out.
pub(crate) fn decode_line(mut bytes: Vec<u8>) -> String {
    while bytes.last().is_some_and(|byte| [b'\r', b'\n', END_OF_TEXT].contains(byte)) {
        bytes.pop();
    }
    String::from_utf8(bytes).unwrap_or_else(|error| {
        let (text, _) = SHIFT_JIS.decode_without_bom_handling(error.as_bytes());
        text.into_owned()
    })
}

/// Whether a text begins with the mark of UTF-16.
pub(super) fn is_utf16(bytes: &[u8]) -> bool {
    bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff")
}

fn refuse_binary(bytes: &[u8]) -> Result<(), ReadError> {
    let found = SIGNATURES.iter().find(|(signature, _)| bytes.starts_with(signature)).map(|&(_, name)| name);
    let found = found.or_else(|| {
        (!is_utf16(bytes) && bytes.contains(&0)).then_some(Phrase::new("a binary file", "バイナリファイル"))
    });
    found.map_or(Ok(()), |name| Err(ReadError::new(0, Problem::NotText(name))))
}

/// Reads a line without its end; `None` at the end of the input. A line over the limit is passed over to its end,
/// but not kept.
pub(super) fn read_line(input: &mut impl BufRead, limit: usize) -> Result<Option<String>, Problem> {
    let io_problem = |error: io::Error| Problem::from(&error);
    let mut bytes = Vec::new();
    let read = input.by_ref().take(limit as u64).read_until(b'\n', &mut bytes).map_err(io_problem)?;
    if read == 0 {
        return Ok(None);
    }
    if read == limit && !bytes.ends_with(b"\n") {
        input.skip_until(b'\n').map_err(io_problem)?;
        return Err(Problem::TooLarge(Phrase::new("the line is longer than 1 MiB", "1 MiBより長い行があります")));
    }
    Ok(Some(decode_line(bytes)))
}

/// Splits `name：value`.
pub(super) fn key_value(line: &str) -> Option<(&str, &str)> {
    let (name, value) = line.split_once('：').or_else(|| line.split_once(':'))?;
    let name = name.trim_matches([' ', '\u{3000}']);
    let is_name = !name.is_empty() && name.chars().count() <= 40 && !name.contains([' ', '\t']);
    is_name.then(|| (name, value.trim_matches([' ', '\u{3000}', '\t'])))
}
