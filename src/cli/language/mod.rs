//! The languages of the output for people.

mod positions;
pub(in crate::cli) mod records;
pub(in crate::cli) mod verdicts;

use std::fmt::Display;
#[cfg(windows)]
use std::io::IsTerminal;
use std::str::FromStr;

use clap::Args;

use crate::records::notation::Notation;
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
    /// What the environment asks for, or else Windows.
    fn of_environment() -> Language {
        let set = ["LC_ALL", "LC_MESSAGES", "LANG"].into_iter().find_map(|name| {
            let value = std::env::var(name).ok()?;
            (!value.is_empty()).then_some(value)
        });
        match set.or_else(display_language) {
            Some(value) if value.starts_with("ja") => Language::Japanese,
            _ => Language::English,
        }
    }

    /// The code of ISO 639.
    pub(in crate::cli) fn code(self) -> &'static str {
        self.choose("en", "ja")
    }

    /// One of two texts.
    pub(in crate::cli) fn choose<T>(self, english: T, japanese: T) -> T {
        match self {
            Language::English => english,
            Language::Japanese => japanese,
        }
    }

    /// A side's name; `is_handicap` as for [`Color::japanese`].
    pub(in crate::cli) fn side(self, color: Color, is_handicap: bool) -> &'static str {
        match color {
            Color::Black => self.choose("Black", color.japanese(is_handicap)),
            Color::White => self.choose("White", color.japanese(is_handicap)),
        }
    }

    /// A message.
    pub(in crate::cli) fn tell(self, message: &impl InJapanese) -> String {
        match self {
            Language::English => message.to_string(),
            Language::Japanese => message.in_japanese(),
        }
    }
}

/// A count with an English noun: `1 move`, `2 moves`.
pub(in crate::cli) fn counted(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

/// The display language of Windows, where a person reads what is written. What goes into a file or through a pipe stays
/// English: programs there may take it for text in the console's code page, which is not UTF-8.
#[cfg(windows)]
fn display_language() -> Option<String> {
    let is_read = std::io::stdout().is_terminal() && std::io::stderr().is_terminal();
    is_read.then(sys_locale::get_locale).flatten()
}

#[cfg(not(windows))]
fn display_language() -> Option<String> {
    None
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

/// A message whose English text is that of [`Display`].
pub(in crate::cli) trait InJapanese: Display {
    /// The same in Japanese.
    fn in_japanese(&self) -> String;
}

/// The arguments of commands that report to people.
#[derive(Clone, Copy, Debug, Args)]
pub(in crate::cli) struct Wording {
    /// How moves are written: usi, japanese, western, numeric, kif or ki2 [default: usi; japanese with --lang ja]
    #[arg(long, value_name = "NOTATION")]
    notation: Option<Notation>,
    #[command(flatten)]
    lang: LanguageArg,
}

impl Wording {
    pub(in crate::cli) fn language(&self) -> Language {
        self.lang.language()
    }

    pub(in crate::cli) fn notation(&self) -> Notation {
        self.notation.unwrap_or(self.language().choose(Notation::Usi, Notation::Japanese))
    }
}

/// The argument of commands that have messages only.
#[derive(Clone, Copy, Debug, Args)]
pub(in crate::cli) struct LanguageArg {
    /// Language of tables, messages and the pages' first view: en or ja [default: by the environment's LANG; on a
    /// Windows console by the display language]
    #[arg(long, value_name = "LANGUAGE")]
    lang: Option<Language>,
}

impl LanguageArg {
    pub(in crate::cli) fn language(&self) -> Language {
        self.lang.unwrap_or_else(Language::of_environment)
    }
}

/// A side in JSON and in tables of positions.
pub(in crate::cli) fn side_name(color: Color) -> &'static str {
    match color {
        Color::Black => "black",
        Color::White => "white",
    }
}
