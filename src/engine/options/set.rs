//! Setting an option by its name, from text.

use std::fmt;

use thiserror::Error;

use super::spec::{OptionSetting, OptionSpec};
use super::values::Options;

impl Options {
    /// Sets an option by its name or alias, in any case. A number out of range becomes the nearest allowed one, which
    /// is then returned.
    ///
    /// # Errors
    /// Changes nothing when there is no such option or the value is not one of its kind.
    pub fn set(&mut self, name: &str, value: Option<&str>) -> Result<Option<Clamped>, OptionError> {
        let spec = OptionSpec::find(name).ok_or_else(|| OptionError::Unknown(name.to_owned()))?;
        let value = value.ok_or(OptionError::NoValue(spec.name))?;
        let refused = |expected: Expected| OptionError::BadValue { name: spec.name, value: value.to_owned(), expected };
        match spec.kind {
            OptionSetting::Check { set, .. } => match value.to_ascii_lowercase().as_str() {
                // XBoard's adapter uci2wb switches pondering by numbers.
                "true" | "1" => set(self, true),
                "false" | "0" => set(self, false),
                _ => return Err(refused(Expected::TrueOrFalse)),
            },
            OptionSetting::Spin { min, max, set, .. } => {
                let asked: i128 = value.parse().map_err(|_| refused(Expected::Number { min, max }))?;
                let used = asked.clamp(min.into(), max.into()) as i64;
                set(self, used);
                if i128::from(used) != asked {
                    return Ok(Some(Clamped { name: spec.name, asked, used }));
                }
            }
            OptionSetting::Combo { values, set, .. } => {
                let index = values.iter().position(|known| known.eq_ignore_ascii_case(value));
                set(self, index.ok_or_else(|| refused(Expected::OneOf(values)))?);
            }
            OptionSetting::File { set, .. } | OptionSetting::Text { set, .. } => set(self, value),
        }
        Ok(None)
    }
}

/// Sets a parameter of the search through the option of its name.
#[cfg(feature = "tuning")]
pub(in crate::engine) fn set_parameter(
    parameter: &'static crate::search::Parameter,
    value: Option<&str>,
) -> Result<Option<Clamped>, OptionError> {
    let value = value.ok_or(OptionError::NoValue(parameter.name))?;
    let expected = || Expected::Number { min: parameter.min.into(), max: parameter.max.into() };
    let refused = |_| OptionError::BadValue { name: parameter.name, value: value.to_owned(), expected: expected() };
    let asked: i32 = value.parse().map_err(refused)?;
    parameter.set(asked);
    let used = parameter.value();
    Ok((used != asked).then(|| Clamped { name: parameter.name, asked: asked.into(), used: used.into() }))
}

/// What the value of an option has to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expected {
    /// `true` or `false`.
    TrueOrFalse,
    /// A whole number.
    Number {
        /// The smallest.
        min: i64,
        /// The largest.
        max: i64,
    },
    /// One of these words.
    OneOf(&'static [&'static str]),
}

impl fmt::Display for Expected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Expected::TrueOrFalse => f.write_str("true or false"),
            Expected::Number { min, max } => write!(f, "a number from {min} to {max}"),
            Expected::OneOf(words) => write!(f, "one of {}", words.join(", ")),
        }
    }
}

/// A number that was out of range.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("option {name}: {asked} is out of range, {used} is used")]
pub struct Clamped {
    /// The option.
    pub name: &'static str,
    /// What was asked for.
    pub asked: i128,
    /// What was set.
    pub used: i64,
}

/// Why an option was not set.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum OptionError {
    /// No option has this name.
    #[error("no option is called \"{0}\"")]
    Unknown(String),
    /// The option needs a value.
    #[error("option {0} needs a value")]
    NoValue(&'static str),
    /// The value cannot be read.
    #[error("option {name}: \"{value}\" is not {expected}")]
    BadValue {
        /// The option.
        name: &'static str,
        /// What was given.
        value: String,
        /// What would have been understood.
        expected: Expected,
    },
}
