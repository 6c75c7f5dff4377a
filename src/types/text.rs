//! Text for people: what came from outside made safe to show, and phrases in both languages.

use std::borrow::Cow;
use std::fmt;

/// The text with all that a terminal would obey made visible: `\u{1b}` for an escape. These are control characters, C1
/// among them, the marks that change the direction of writing, which can show a text in another order than it has, and
/// characters without width, which hide. A line end is one of them: the text stays on its line.
pub(crate) fn visible(text: &str) -> Cow<'_, str> {
    escaped(text, is_obeyed)
}

/// The same for a text of several lines, whose ends and tabs stay.
pub(crate) fn visible_lines(text: &str) -> Cow<'_, str> {
    let is_shown = |c| !matches!(c, '\n' | '\t') && is_obeyed(c);
    if text.contains("\r\n") {
        Cow::Owned(escaped(&text.replace("\r\n", "\n"), is_shown).into_owned())
    } else {
        escaped(text, is_shown)
    }
}

fn escaped(text: &str, is_escaped: impl Fn(char) -> bool) -> Cow<'_, str> {
    if !text.contains(&is_escaped) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        if is_escaped(c) { shown.extend(c.escape_default()) } else { shown.push(c) }
    }
    Cow::Owned(shown)
}

/// Control characters (Cc), and of the invisible ones (Cf) the marks of direction, the separators of lines and the
/// tags, which no text here needs.
fn is_obeyed(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
            | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

/// The same words in both languages. [`Display`](fmt::Display) has the English ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "records", derive(serde::Serialize))]
pub struct Phrase {
    /// English
    pub en: &'static str,
    /// 日本語
    pub ja: &'static str,
}

impl Phrase {
    /// The words in English and in Japanese.
    pub const fn new(en: &'static str, ja: &'static str) -> Phrase {
        Phrase { en, ja }
    }
}

impl fmt::Display for Phrase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.en)
    }
}

impl From<Phrase> for Text {
    fn from(phrase: Phrase) -> Text {
        Text::pair(phrase.en, phrase.ja)
    }
}

/// A text in both languages. [`Display`](fmt::Display) has the English one.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "records", derive(serde::Serialize, serde::Deserialize))]
pub struct Text {
    /// English
    pub en: String,
    /// 日本語
    pub ja: String,
}

impl Text {
    /// A text in English and in Japanese.
    pub fn pair(en: impl Into<String>, ja: impl Into<String>) -> Text {
        Text { en: en.into(), ja: ja.into() }
    }
}

impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.en)
    }
}

impl std::error::Error for Text {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_escaped() {
        assert_eq!(visible("\x1b[2J山田\u{9b}31m"), "\\u{1b}[2J山田\\u{9b}31m");
        assert_eq!(visible("a\u{202e}b\nc\td\u{200b}"), "a\\u{202e}b\\nc\\td\\u{200b}");
        assert_eq!(visible_lines("a\r\nb\t\rc\x07"), "a\nb\t\\rc\\u{7}");
    }

    #[test]
    fn ordinary_text_stays_as_it_is() {
        let text = "▲７六歩 \u{3000}羽生善治 “naïve” \u{1f600} ｶﾞ か\u{3099}";
        assert!(matches!(visible(text), Cow::Borrowed(same) if same == text));
    }
}
