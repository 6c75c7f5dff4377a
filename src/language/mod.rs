//! English and Japanese: what the program says to people, in the language of its reader.
//!
//! A message stands in the source once, with both languages side by side: as a [`Phrase`] where
//! it is fixed, as a [`text!`] where it has data. Errors of the layers below are types, and [`InJapanese`] makes their
//! Japanese from the type. So no message can be without its translation.

mod engine;
mod positions;
mod records;
mod system;

pub(crate) use records::{breach, contradiction, ground, mate_in, mate_within, misnamed, result, without_variations};

pub(crate) use crate::types::Text;

use std::fmt::{self, Display};
#[cfg(windows)]
use std::io::IsTerminal;

use crate::types::{Color, Phrase, visible};

/// A language.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
pub(crate) enum Language {
    #[default]
    #[cfg_attr(feature = "cli", value(name = "en"))]
    English,
    #[cfg_attr(feature = "cli", value(name = "ja"))]
    Japanese,
}

impl Language {
    /// The language of this code of ISO 639, where there is one.
    pub(crate) fn from_code(code: &str) -> Option<Language> {
        [Language::English, Language::Japanese].into_iter().find(|language| language.code() == code)
    }

    /// What the environment asks for, or else Windows.
    pub(crate) fn from_environment() -> Language {
        let set = ["LC_ALL", "LC_MESSAGES", "LANG"].into_iter().find_map(|name| {
            let value = std::env::var(name).ok()?;
            (!value.is_empty()).then_some(value)
        });
        match set.or_else(display_language) {
            Some(value) if value.starts_with("ja") => Language::Japanese,
            _ => Language::English,
        }
    }

    /// What an argument `--lang` of the process asks for, else the environment: the language of what is said before the
    /// arguments are read.
    pub(crate) fn from_arguments() -> Language {
        let arguments: Vec<_> = std::env::args_os().skip(1).map(|it| it.to_string_lossy().into_owned()).collect();
        let mut given = arguments.iter().enumerate().filter(|(_, argument)| argument.starts_with("--lang"));
        let code = given.find_map(|(at, argument)| match argument.strip_prefix("--lang")? {
            "" => arguments.get(at + 1).map(String::as_str),
            value => value.strip_prefix('='),
        });
        code.and_then(Language::from_code).unwrap_or_else(Language::from_environment)
    }

    /// The code of ISO 639.
    pub(crate) fn code(self) -> &'static str {
        self.choose("en", "ja")
    }

    /// One of two texts.
    pub(crate) fn choose<T>(self, english: T, japanese: T) -> T {
        match self {
            Language::English => english,
            Language::Japanese => japanese,
        }
    }

    /// A side's name; `is_handicap` as for [`Color::japanese`].
    pub(crate) fn side(self, color: Color, is_handicap: bool) -> &'static str {
        match color {
            Color::Black => self.choose("Black", color.japanese(is_handicap)),
            Color::White => self.choose("White", color.japanese(is_handicap)),
        }
    }

    /// A message in this language.
    pub(crate) fn say(self, message: &impl InJapanese) -> String {
        match self {
            Language::English => message.to_string(),
            Language::Japanese => message.in_japanese(),
        }
    }
}

/// A count with an English noun: `1 move`, `2 moves`.
pub(crate) fn counted(count: usize, noun: &str) -> String {
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

/// A message whose English text is that of [`Display`].
pub(crate) trait InJapanese: Display {
    /// The same in Japanese.
    fn in_japanese(&self) -> String;
}

/// A [`Text`]: the English and the Japanese format string, with the data named in the braces.
macro_rules! text {
    ($en:literal, $ja:literal $(,)?) => {
        $crate::language::Text { en: format!($en), ja: format!($ja) }
    };
}

pub(crate) use text;

impl Text {
    /// A message in both languages.
    pub(crate) fn new(message: &impl InJapanese) -> Text {
        Text { en: message.to_string(), ja: message.in_japanese() }
    }

    /// What an error says of something that a name stands for.
    pub(crate) fn about(name: &impl InJapanese, error: &impl InJapanese) -> Text {
        Text { en: format!("{name}: {error}"), ja: format!("{}: {}", name.in_japanese(), error.in_japanese()) }
    }
}

impl InJapanese for Text {
    fn in_japanese(&self) -> String {
        self.ja.clone()
    }
}

impl InJapanese for Phrase {
    fn in_japanese(&self) -> String {
        self.ja.to_owned()
    }
}

/// A name or other text from outside within a message: the same in every language, and [`visible`].
pub(crate) struct Foreign<'a>(pub(crate) &'a str);

impl Display for Foreign<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&visible(self.0))
    }
}

impl InJapanese for Foreign<'_> {
    fn in_japanese(&self) -> String {
        self.to_string()
    }
}
