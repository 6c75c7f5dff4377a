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

/// Characters that Shift_JIS lacks, and those that stand for them, in the same order: characters that Unicode has
/// twice, marks of the sides, and kanji of names.
const LACKING: &str = "〜‖−¢£¬—¦¥‾–‑•·⋯☗☖⛊⛉𠮷𠮟鷗剝頰塡瘦繫噓";
const SIMILAR: &str = "～∥－￠￡￢―￤￥￣－‐・・…▲△▼▽吉叱鴎剥頬填痩繋嘘";

/// What stands for any other.
const REPLACEMENT: char = '〓';

/// The character itself where an encoding has it, or a similar one.
pub(super) fn similar(encoding: TextEncoding, c: char) -> Option<char> {
    if encoding == TextEncoding::Utf8 || c.is_ascii() {
        return Some(c);
    }
    let found = LACKING.chars().zip(SIMILAR.chars()).find(|&(lacking, _)| lacking == c);
    let own = || {
        let text = c.encode_utf8(&mut [0; 4]).to_owned();
        let (bytes, _, is_replaced) = SHIFT_JIS.encode(&text);
        (!is_replaced && SHIFT_JIS.decode_without_bom_handling(&bytes).0 == text).then_some(c)
    };
    found.map(|(_, similar)| similar).or_else(own).or(c.is_whitespace().then_some(' '))
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
            let is_exact = !is_replaced && !text.contains(|c| LACKING.contains(c));
            if is_exact { bytes } else { Cow::Owned(SHIFT_JIS.encode(&held_by(encoding, text)).0.into_owned()) }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shift_jis_reads_back_what_it_writes() {
        assert_eq!(LACKING.chars().count(), SIMILAR.chars().count());
        for c in ('\u{80}'..=char::MAX).filter(|c| !c.is_control()) {
            let Some(written) = similar(TextEncoding::ShiftJis, c) else { continue };
            let is_twin = LACKING.contains(c) || c.is_whitespace();
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
