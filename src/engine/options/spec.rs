//! What describes an option: its name, kind and range, and how its value is read and set.

use super::values::Options;

/// A row of the option table.
#[derive(Clone, Copy, Debug)]
pub struct OptionSpec {
    /// The name to show.
    pub name: &'static str,
    /// Other names that are understood.
    pub aliases: &'static [&'static str],
    /// Kind, range and what it sets. The default is what it gets from [`Options::default`].
    pub kind: OptionSetting,
}

/// The kinds of options, each with what reads and sets its value.
#[derive(Clone, Copy, Debug)]
pub enum OptionSetting {
    /// On or off.
    Check {
        /// Reads it.
        get: fn(&Options) -> bool,
        /// Sets it.
        set: fn(&mut Options, bool),
    },
    /// A number.
    Spin {
        /// The smallest allowed.
        min: i64,
        /// The largest allowed.
        max: i64,
        /// Reads it.
        get: fn(&Options) -> i64,
        /// Sets it.
        set: fn(&mut Options, i64),
    },
    /// One of several words.
    Combo {
        /// The words.
        values: &'static [&'static str],
        /// Reads it, as an index of `values`.
        get: fn(&Options) -> usize,
        /// Sets it, by an index of `values`.
        set: fn(&mut Options, usize),
    },
    /// The path of a file.
    File {
        /// Reads it.
        get: fn(&Options) -> &str,
        /// Sets it.
        set: fn(&mut Options, &str),
    },
    /// Any text.
    Text {
        /// Reads it.
        get: fn(&Options) -> &str,
        /// Sets it.
        set: fn(&mut Options, &str),
    },
}

pub(super) const fn check(name: &'static str, get: fn(&Options) -> bool, set: fn(&mut Options, bool)) -> OptionSpec {
    OptionSpec { name, aliases: &[], kind: OptionSetting::Check { get, set } }
}

pub(super) const fn spin(
    name: &'static str,
    (min, max): (i64, i64),
    get: fn(&Options) -> i64,
    set: fn(&mut Options, i64),
) -> OptionSpec {
    OptionSpec { name, aliases: &[], kind: OptionSetting::Spin { min, max, get, set } }
}

pub(super) const fn file(name: &'static str, get: fn(&Options) -> &str, set: fn(&mut Options, &str)) -> OptionSpec {
    OptionSpec { name, aliases: &[], kind: OptionSetting::File { get, set } }
}

pub(super) const fn text(name: &'static str, get: fn(&Options) -> &str, set: fn(&mut Options, &str)) -> OptionSpec {
    OptionSpec { name, aliases: &[], kind: OptionSetting::Text { get, set } }
}

pub(super) const fn also(spec: OptionSpec, aliases: &'static [&'static str]) -> OptionSpec {
    OptionSpec { aliases, ..spec }
}
