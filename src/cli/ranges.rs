//! Numbers as arguments, within ranges.

use std::ops::RangeInclusive;

use thiserror::Error;

use crate::engine::Options;
use crate::language::InJapanese;

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

/// Why an argument is not a share.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("not between 0 and 1")]
pub(super) struct ShareError;

impl InJapanese for ShareError {
    fn in_japanese(&self) -> String {
        "0から1までを指定してください".to_owned()
    }
}

/// A share of a whole, from 0 to 1.
pub(super) fn share(text: &str) -> Result<f64, ShareError> {
    text.parse().ok().filter(|share| (0.0..=1.0).contains(share)).ok_or(ShareError)
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
