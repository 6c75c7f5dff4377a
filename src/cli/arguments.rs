//! Arguments that several commands have: numbers within ranges, the language, and how moves are written.

use std::ops::RangeInclusive;
use std::str::FromStr;

use clap::Args;

use crate::engine::Options;
use crate::language::{Language, Text, text};
use crate::records::notation::Notation;
use crate::types::Color;

/// A share of a whole, from 0 to 1.
pub(super) fn share<F: FromStr + PartialOrd + From<u8>>(text: &str) -> Result<F, Text> {
    let number = text.parse().ok().filter(|number| (F::from(0)..=F::from(1)).contains(number));
    number.ok_or_else(|| text!("not between 0 and 1", "0から1までを指定してください"))
}

/// A number above zero.
#[cfg(feature = "train")]
pub(super) fn positive(text: &str) -> Result<f32, Text> {
    let number = text.parse().ok().filter(|number: &f32| *number > 0.0 && number.is_finite());
    number.ok_or_else(|| text!("not a positive number", "正の数を指定してください"))
}

/// A parser of whole numbers in a range.
pub(super) fn number<T: TryFrom<u64>>(
    range: RangeInclusive<u64>,
) -> impl Fn(&str) -> Result<T, Text> + Clone + Send + Sync + 'static {
    move |text| {
        let (min, max) = (range.start(), range.end());
        let number: i128 = text.parse().map_err(|_| text!("not a whole number", "整数を指定してください"))?;
        let number = u64::try_from(number).ok().filter(|number| range.contains(number));
        number.and_then(|number| T::try_from(number).ok()).ok_or_else(|| match *max {
            u64::MAX => text!("at least {min}", "{min}以上を指定してください"),
            _ => text!("from {min} to {max}", "{min}から{max}までを指定してください"),
        })
    }
}

/// A parser of numbers from this one on.
pub(super) fn at_least<T: TryFrom<u64>>(
    least: u64,
) -> impl Fn(&str) -> Result<T, Text> + Clone + Send + Sync + 'static {
    number(least..=u64::MAX)
}

/// Threads, or what is done at once: as many as the engine's option allows.
pub(super) fn threads() -> impl Fn(&str) -> Result<usize, Text> + Clone + Send + Sync + 'static {
    number(1..=Options::MAX_THREADS as u64)
}

/// The same, with 0 for one on each core.
pub(super) fn threads_or_all() -> impl Fn(&str) -> Result<usize, Text> + Clone + Send + Sync + 'static {
    number(0..=Options::MAX_THREADS as u64)
}

/// The size of a table, in MiB.
pub(super) fn hash_mb() -> impl Fn(&str) -> Result<usize, Text> + Clone + Send + Sync + 'static {
    number(1..=Options::MAX_HASH_MB as u64)
}

/// The arguments of commands that report to people.
#[derive(Clone, Copy, Debug, Args)]
pub(in crate::cli) struct Wording {
    /// How moves are written [default: usi; japanese with --lang ja]
    ///
    /// 指し手の表記 [既定値: usi。--lang jaのときはjapanese]
    ///
    /// usi: USIの表記（7g7f、8h2b+、P*5e）
    ///
    /// japanese: 日本語の表記（▲７六歩、△同　銀不成）。KI2と同じ
    ///
    /// western: 英語の表記。マスは数字と英字（P-7f、Bx2b+、S-2c=、P*5e）
    ///
    /// numeric: 英語の表記。マスは数字（P-76、Bx22+、S-23=、P*55）
    ///
    /// kif: KIFの表記（７六歩(77)）。手数と時間は除きます
    #[arg(long, value_name = "NOTATION", value_enum, ignore_case = true)]
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
    ///
    /// 表、メッセージ、ページを最初に開いたときの言語 [既定値: 環境変数LANGの言語。Windowsのコンソールでは表示言語]
    #[arg(long, global = true, value_name = "LANGUAGE", value_enum)]
    lang: Option<Language>,
}

impl LanguageArg {
    pub(in crate::cli) fn language(&self) -> Language {
        self.lang.unwrap_or_else(Language::from_environment)
    }
}

/// A side in JSON and in tables of positions.
pub(in crate::cli) fn side_name(color: Color) -> &'static str {
    match color {
        Color::Black => "black",
        Color::White => "white",
    }
}
