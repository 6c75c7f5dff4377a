//! Arguments that several commands have: numbers within ranges, the language, and how moves are written.

use std::ops::RangeInclusive;
use std::str::FromStr;

use clap::{Args, ValueEnum};
use thiserror::Error;

use crate::engine::Options;
use crate::language::{InJapanese, Language};
use crate::records::notation::Notation;
use crate::types::Color;

/// Why an argument is not the number asked for.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub(super) enum NumberError {
    /// It is none.
    #[error("not a whole number")]
    NotANumber,
    /// It is below or above the range.
    #[error("{}", if *.max == u64::MAX { format!("at least {min}") } else { format!("from {min} to {max}") })]
    OutOfRange {
        /// The smallest allowed.
        min: u64,
        /// The largest allowed.
        max: u64,
    },
}

impl InJapanese for NumberError {
    fn in_japanese(&self) -> String {
        match self {
            NumberError::NotANumber => "整数を指定してください".to_owned(),
            NumberError::OutOfRange { min, max: u64::MAX } => format!("{min}以上を指定してください"),
            NumberError::OutOfRange { min, max } => format!("{min}から{max}までを指定してください"),
        }
    }
}

/// Why an argument is not the number asked for, which need not be a whole one.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub(super) enum FractionError {
    /// It is no share of a whole.
    #[error("not between 0 and {0}")]
    NotAShare(String),
    /// It is not above zero.
    #[cfg(feature = "train")]
    #[error("not a positive number")]
    NotPositive,
}

impl InJapanese for FractionError {
    fn in_japanese(&self) -> String {
        match self {
            FractionError::NotAShare(most) => format!("0から{most}までを指定してください"),
            #[cfg(feature = "train")]
            FractionError::NotPositive => "正の数を指定してください".to_owned(),
        }
    }
}

/// A share of a whole, from 0 to 1.
pub(super) fn share<F: FromStr + PartialOrd + From<u8>>(text: &str) -> Result<F, FractionError> {
    let number = text.parse().ok().filter(|number| (F::from(0)..=F::from(1)).contains(number));
    number.ok_or_else(|| FractionError::NotAShare("1".to_owned()))
}

/// A parser of shares that are not the whole.
#[cfg(feature = "train")]
pub(super) fn share_up_to(most: f32) -> impl Fn(&str) -> Result<f32, FractionError> + Clone + Send + Sync + 'static {
    move |text| {
        let share = share(text).ok().filter(|share| *share <= most);
        share.ok_or_else(|| FractionError::NotAShare(most.to_string()))
    }
}

/// A number above zero.
#[cfg(feature = "train")]
pub(super) fn positive(text: &str) -> Result<f32, FractionError> {
    let number = text.parse().ok().filter(|number: &f32| *number > 0.0 && number.is_finite());
    number.ok_or(FractionError::NotPositive)
}

/// A parser of whole numbers in a range.
pub(super) fn number<T: TryFrom<u64>>(
    range: RangeInclusive<u64>,
) -> impl Fn(&str) -> Result<T, NumberError> + Clone + Send + Sync + 'static {
    move |text| {
        let (min, max) = (*range.start(), *range.end());
        let out_of_range = || NumberError::OutOfRange { min, max };
        let number: i128 = text.parse().map_err(|_| NumberError::NotANumber)?;
        let number = u64::try_from(number).ok().filter(|number| range.contains(number)).ok_or_else(out_of_range)?;
        T::try_from(number).map_err(|_| out_of_range())
    }
}

/// A parser of numbers from this one on.
pub(super) fn at_least<T: TryFrom<u64>>(
    least: u64,
) -> impl Fn(&str) -> Result<T, NumberError> + Clone + Send + Sync + 'static {
    number(least..=u64::MAX)
}

/// Threads, or what is done at once: as many as the engine's option allows.
pub(super) fn threads() -> impl Fn(&str) -> Result<usize, NumberError> + Clone + Send + Sync + 'static {
    number(1..=Options::MAX_THREADS as u64)
}

/// The same, with 0 for one on each core.
pub(super) fn threads_or_all() -> impl Fn(&str) -> Result<usize, NumberError> + Clone + Send + Sync + 'static {
    number(0..=Options::MAX_THREADS as u64)
}

/// The size of a table, in MiB.
pub(super) fn hash_mb() -> impl Fn(&str) -> Result<usize, NumberError> + Clone + Send + Sync + 'static {
    number(1..=Options::MAX_HASH_MB as u64)
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
