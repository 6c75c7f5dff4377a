//! The languages of the output for people.

use std::str::FromStr;

use crate::types::Color;

/// A language.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(in crate::cli) enum Language {
    /// English
    #[default]
    English,
    /// 日本語
    Japanese,
}

impl Language {
    /// What the environment asks for.
    pub(super) fn of_environment() -> Language {
        let set = ["LC_ALL", "LC_MESSAGES", "LANG"].into_iter().find_map(|name| {
            let value = std::env::var(name).ok()?;
            (!value.is_empty()).then_some(value)
        });
        match set {
            Some(value) if value.starts_with("ja") => Language::Japanese,
            _ => Language::English,
        }
    }

    /// The code of ISO 639.
    pub(super) fn code(self) -> &'static str {
        self.choose("en", "ja")
    }

    /// One of two texts.
    pub(super) fn choose<T>(self, english: T, japanese: T) -> T {
        match self {
            Language::English => english,
            Language::Japanese => japanese,
        }
    }

    /// A side's name; `is_handicap` as for [`Color::japanese`].
    pub(super) fn side(self, color: Color, is_handicap: bool) -> &'static str {
        match color {
            Color::Black => self.choose("Black", color.japanese(is_handicap)),
            Color::White => self.choose("White", color.japanese(is_handicap)),
        }
    }
}

impl FromStr for Language {
    type Err = String;

    fn from_str(text: &str) -> Result<Language, String> {
        match text {
            "en" => Ok(Language::English),
            "ja" => Ok(Language::Japanese),
            _ => Err(format!("no language is called {text:?}: en or ja")),
        }
    }
}

/// A side in JSON and in tables of positions.
pub(super) fn side_name(color: Color) -> &'static str {
    match color {
        Color::Black => "black",
        Color::White => "white",
    }
}
