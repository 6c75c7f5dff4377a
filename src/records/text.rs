//! Bytes into text and back: the encodings of files.

use std::borrow::Cow;
use std::io::{self, BufRead, Read};

use encoding_rs::{EUC_JP, Encoding, ISO_2022_JP, SHIFT_JIS, UTF_8, UTF_16BE, UTF_16LE};

use super::{MAX_WARNINGS, Problem, ReadError, Remedy, Warning};
use crate::types::Phrase;

/// Ctrl-Z, which ends a text of DOS, often more than once.
const END_OF_TEXT: u8 = 0x1a;

/// The text of a whole file in the encoding in which the fewest bytes are no character, its lines ending with line
/// feeds; and the lines, from 1, that hold U+FFFD in place of such bytes, and half a character at the end.
pub(super) fn decode(bytes: &[u8]) -> Result<(String, Vec<Warning>), ReadError> {
    refuse_binary(bytes)?;
    let encoding = encoding(bytes);
    let is_utf16 = encoding == UTF_16LE || encoding == UTF_16BE;
    let end = match bytes.iter().rposition(|&byte| byte != END_OF_TEXT) {
        _ if is_utf16 => bytes.len() & !1,
        last => last.map_or(0, |last| last + 1),
    };
    let (text, is_damaged) = encoding.decode_with_bom_removal(&bytes[..end]);
    // As on old Macintoshes.
    let has_returns = has_carriage_returns_only(text.as_bytes());
    let text = if has_returns { text.replace('\r', "\n") } else { text.into_owned() };
    let warning = |line, remedy| Warning { error: ReadError::new(line, Problem::Encoding(encoding.name())), remedy };
    let mut damage = Vec::new();
    if is_damaged {
        let lines = text.lines().zip(1..).filter(|(line, _)| line.contains(char::REPLACEMENT_CHARACTER));
        damage.extend(lines.map(|(_, line)| warning(line, Remedy::REPLACED)).take(MAX_WARNINGS));
    }
    if is_utf16 && end < bytes.len() {
        damage.push(warning(text.lines().count(), Remedy::LEFT_OUT));
    }
    Ok((text, damage))
}

/// The text of a file's beginning; a character cut off at its end is left out.
pub(super) fn decode_head(bytes: &[u8], is_cut: bool) -> Result<String, ReadError> {
    if bytes.is_empty() {
        return Err(ReadError::new(0, Problem::Empty));
    }
    // A line end never splits a character.
    let line_end = bytes.iter().rposition(|&byte| byte == b'\n').filter(|_| is_cut && !is_utf16(bytes));
    decode(&bytes[..line_end.map_or(bytes.len(), |at| at + 1)]).map(|(text, _)| text)
}

/// The encoding of a text.
fn encoding(bytes: &[u8]) -> &'static Encoding {
    if let Some((encoding, _)) = Encoding::for_bom(bytes) {
        return encoding;
    }
    if let Some(encoding) = utf16_without_mark(bytes) {
        return encoding;
    }
    if bytes.windows(3).any(|escape| escape == b"\x1b$B" || escape == b"\x1b$@") {
        return ISO_2022_JP;
    }
    let declared = declared(bytes);
    let error = match std::str::from_utf8(bytes) {
        // Two half-width katakana of Shift_JIS may be one letter of UTF-8.
        Ok(text) => return declared.filter(|_| text.chars().all(|c| c < '\u{2000}')).unwrap_or(UTF_8),
        Err(error) => error,
    };
    // More than this does not change the choice.
    const SAMPLE: usize = 1 << 20;
    let from = error.valid_up_to().saturating_sub(SAMPLE / 2);
    let bytes = &bytes[from..bytes.len().min(from + SAMPLE)];
    let faults = |encoding: &'static Encoding| {
        let (text, _) = encoding.decode_without_bom_handling(bytes);
        text.chars().filter(|&c| c == char::REPLACEMENT_CHARACTER).count()
    };
    let [utf8, sjis, euc] = [UTF_8, SHIFT_JIS, EUC_JP].map(faults);
    // Hardly any text of the other encodings has Japanese characters when it is read as UTF-8, but damaged UTF-8 may
    // by chance be valid Shift_JIS.
    let wide = String::from_utf8_lossy(bytes).chars().filter(|&c| c >= '\u{2000}').count().saturating_sub(utf8);
    let needed = if sjis.min(euc) == 0 { 2 * utf8 } else { utf8 };
    if wide >= needed {
        UTF_8
    } else if let Some(declared) = declared.filter(|_| euc == sjis) {
        declared
    } else if euc < sjis || (euc == sjis && looks_like_euc_jp(bytes)) {
        EUC_JP
    } else {
        SHIFT_JIS
    }
}

/// The encoding that KIF and CSA name in a remark in their first lines, if it is one of several that a text may be read
/// in. Facts about the game, in which the same words may stand, do not count.
fn declared(bytes: &[u8]) -> Option<&'static Encoding> {
    let mut remarks = bytes.split(|&byte| byte == b'\n').take(3).filter(|line| matches!(line, [b'#' | b'\'', ..]));
    let label = b"encoding=";
    let name = remarks.find_map(|line| {
        let at = line.windows(label.len()).position(|found| found.eq_ignore_ascii_case(label))?;
        Some(&line[at + label.len()..])
    })?;
    Encoding::for_label(name).filter(|&encoding| encoding == SHIFT_JIS || encoding == EUC_JP)
}

/// UTF-16 without its mark, by the zero bytes of its ASCII characters, line ends among them.
fn utf16_without_mark(bytes: &[u8]) -> Option<&'static Encoding> {
    let sample = &bytes[..bytes.len().min(4096)];
    if !sample.contains(&0) {
        return None;
    }
    let zeros = |at: usize| sample.iter().skip(at).step_by(2).filter(|&&byte| byte == 0).count();
    let has = |pair: [u8; 2]| sample.chunks_exact(2).any(|found| found == pair);
    match (zeros(0), zeros(1)) {
        (0, odd) if odd * 16 >= sample.len() && has([b'\n', 0]) => Some(UTF_16LE),
        (even, 0) if even * 16 >= sample.len() && has([0, b'\n']) => Some(UTF_16BE),
        _ => None,
    }
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
const SIGNATURES: [(&[u8], Phrase); 4] = [
    (b"PK\x03\x04", Phrase::new("a ZIP archive", "ZIPファイル")),
    (b"PK\x05\x06", Phrase::new("a ZIP archive", "ZIPファイル")),
    (b"\x1f\x8b", Phrase::new("a gzip file", "gzipファイル")),
    (b"%PDF", Phrase::new("a PDF document", "PDF文書")),
];

/// Whether lines end with carriage returns alone. One at the very end may be followed by a line feed.
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

/// Whether a text is one of UTF-16.
pub(super) fn is_utf16(bytes: &[u8]) -> bool {
    bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff") || utf16_without_mark(bytes).is_some()
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

/// The encoding of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
pub enum TextEncoding {
    /// UTF-8 without a mark
    #[default]
    #[cfg_attr(feature = "cli", value(alias = "utf-8"))]
    Utf8,
    /// Shift_JIS, as .kif files of Windows programs have it
    #[cfg_attr(feature = "cli", value(name = "sjis", alias = "shift_jis", alias = "shift-jis"))]
    ShiftJis,
}

/// Characters that Shift_JIS lacks, each with the one that stands for it: characters that Unicode has twice, marks of
/// the sides, and kanji of names.
const SIMILAR: &str =
    "〜～ ‖∥ −－ ¢￠ £￡ ¬￢ —― ¦￤ ¥￥ ‾￣ –－ ‑‐ •・ ·・ ⋯… ☗▲ ☖△ ⛊▼ ⛉▽ 𠮷吉 𠮟叱 鷗鴎 剝剥 頰頬 塡填 瘦痩 繫繋 噓嘘";

/// What stands for any other.
const REPLACEMENT: char = '〓';

/// What stands for a character that Shift_JIS lacks.
fn twin(c: char) -> Option<char> {
    SIMILAR.split(' ').find_map(|pair| pair.strip_prefix(c)?.chars().next())
}

/// The character itself where an encoding has it, or a similar one.
pub(super) fn similar(encoding: TextEncoding, c: char) -> Option<char> {
    if encoding == TextEncoding::Utf8 || c.is_ascii() {
        return Some(c);
    }
    let own = || {
        let mut buffer = [0; 4];
        let text = &*c.encode_utf8(&mut buffer);
        let (bytes, _, is_replaced) = SHIFT_JIS.encode(text);
        (!is_replaced && SHIFT_JIS.decode_without_bom_handling(&bytes).0 == text).then_some(c)
    };
    twin(c).or_else(own).or(c.is_whitespace().then_some(' '))
}

/// The text in the characters of an encoding.
pub(super) fn held_by(encoding: TextEncoding, text: &str) -> String {
    text.chars().map(|c| similar(encoding, c).unwrap_or(REPLACEMENT)).collect()
}

/// The text in an encoding. A character that it lacks becomes a similar one (〜 as ～) or 〓.
pub fn encode(text: &str, encoding: TextEncoding) -> Cow<'_, [u8]> {
    match encoding {
        TextEncoding::Utf8 => Cow::Borrowed(text.as_bytes()),
        TextEncoding::ShiftJis => {
            let (bytes, _, is_replaced) = SHIFT_JIS.encode(text);
            let is_exact = !is_replaced && !text.contains(|c| twin(c).is_some());
            if is_exact { bytes } else { Cow::Owned(SHIFT_JIS.encode(&held_by(encoding, text)).0.into_owned()) }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shift_jis_reads_back_what_it_writes() {
        for c in ('\u{80}'..=char::MAX).filter(|c| !c.is_control()) {
            let Some(written) = similar(TextEncoding::ShiftJis, c) else { continue };
            let is_twin = twin(c).is_some() || c.is_whitespace();
            assert!(written == c || is_twin, "{c}");
            let text = written.to_string();
            let bytes = encode(&text, TextEncoding::ShiftJis);
            assert_eq!(SHIFT_JIS.decode_without_bom_handling(&bytes).0, text, "{c}");
        }
        let text = "甲〜乙 − ‖ ¢£¬— ☗☖ 𠮷田 é 😀";
        let bytes = encode(text, TextEncoding::ShiftJis);
        assert_eq!(SHIFT_JIS.decode(&bytes).0, "甲～乙 － ∥ ￠￡￢― ▲△ 吉田 〓 〓");
    }
}
