//! Encodings of record files.

use std::borrow::Cow;

use encoding_rs::SHIFT_JIS;

/// The encoding of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum TextEncoding {
    /// UTF-8 without a mark.
    #[default]
    Utf8,
    /// Shift_JIS, as `.kif` files of Windows programs have it.
    ShiftJis,
}

/// Characters that Shift_JIS lacks, with those that stand for them: characters that Unicode has twice, marks of the
/// sides, and kanji of names.
const SIMILAR: [(char, char); 28] = [
    ('〜', '～'),
    ('‖', '∥'),
    ('−', '－'),
    ('¢', '￠'),
    ('£', '￡'),
    ('¬', '￢'),
    ('—', '―'),
    ('¦', '￤'),
    ('¥', '￥'),
    ('‾', '￣'),
    ('–', '－'),
    ('‑', '‐'),
    ('•', '・'),
    ('·', '・'),
    ('⋯', '…'),
    ('☗', '▲'),
    ('☖', '△'),
    ('⛊', '▼'),
    ('⛉', '▽'),
    ('𠮷', '吉'),
    ('𠮟', '叱'),
    ('鷗', '鴎'),
    ('剝', '剥'),
    ('頰', '頬'),
    ('塡', '填'),
    ('瘦', '痩'),
    ('繫', '繋'),
    ('噓', '嘘'),
];

/// What stands for any other.
const REPLACEMENT: char = '〓';

/// What stands for a character that Shift_JIS lacks.
fn twin(c: char) -> Option<char> {
    SIMILAR.iter().find(|row| row.0 == c).map(|row| row.1)
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
