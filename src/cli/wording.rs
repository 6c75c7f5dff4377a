//! The arguments that say in which language and notation a command writes.

use clap::{Args, ValueEnum};

use crate::language::Language;
use crate::records::notation::Notation;
use crate::types::Color;

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
    /// Language of tables, messages and the pages' first view [default: by the environment's LANG; on a Windows console
    /// by the display language]
    #[arg(long, global = true, value_name = "LANGUAGE", value_enum)]
    lang: Option<LanguageCode>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum LanguageCode {
    En,
    Ja,
}

impl LanguageArg {
    pub(in crate::cli) fn language(&self) -> Language {
        match self.lang {
            Some(LanguageCode::En) => Language::English,
            Some(LanguageCode::Ja) => Language::Japanese,
            None => Language::from_environment(),
        }
    }
}

/// A side in JSON and in tables of positions.
pub(in crate::cli) fn side_name(color: Color) -> &'static str {
    match color {
        Color::Black => "black",
        Color::White => "white",
    }
}
