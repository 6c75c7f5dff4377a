//! Texts in the languages of the pages.

use serde::{Deserialize, Serialize};

/// A text in both languages.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Text {
    /// English
    pub en: String,
    /// Japanese
    pub ja: String,
}

impl Text {
    /// A text in English and in Japanese.
    pub fn new(en: impl Into<String>, ja: impl Into<String>) -> Text {
        Text { en: en.into(), ja: ja.into() }
    }

    pub(super) fn same(text: &str) -> Text {
        Text::new(text, text)
    }
}
