//! Words for people, in both languages.

use std::fmt;

/// The same words in both languages. [`Display`](fmt::Display) has the English ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
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
