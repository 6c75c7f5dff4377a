//! `option`.

use std::fmt;
use std::ops::RangeInclusive;

use super::{or_empty_marker, write_field};

/// An option that the engine offers.
///
/// ```
/// use kurosabi::usi::message::OptionDecl;
///
/// let hash = OptionDecl::spin("USI_Hash", 256, 1..=33_554_432);
/// assert_eq!(hash.to_string(), "option name USI_Hash type spin default 256 min 1 max 33554432");
/// let book = OptionDecl::filename("BookFile", "");
/// assert_eq!(book.to_string(), "option name BookFile type filename default <empty>");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OptionDecl {
    /// What `setoption` calls it, never empty. Some GUIs drop options with a blank in the name.
    pub name: String,
    /// Its kind, with default and range.
    pub kind: OptionKind,
}

/// The kinds of options. An engine should give every default and range; not all do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OptionKind {
    /// On or off.
    Check {
        /// Its value at the start.
        default: Option<bool>,
    },
    /// A number.
    Spin {
        /// Its value at the start.
        default: Option<i64>,
        /// The smallest value allowed.
        min: Option<i64>,
        /// The largest value allowed.
        max: Option<i64>,
    },
    /// One of several texts.
    Combo {
        /// Its value at the start.
        default: Option<String>,
        /// The texts allowed.
        vars: Vec<String>,
    },
    /// A button, which has no value.
    Button,
    /// Any text.
    String {
        /// Its value at the start.
        default: Option<String>,
    },
    /// The path of a file.
    Filename {
        /// Its value at the start.
        default: Option<String>,
    },
}

impl OptionDecl {
    /// An option that is on or off.
    pub fn check(name: &str, default: bool) -> OptionDecl {
        OptionDecl { name: name.into(), kind: OptionKind::Check { default: Some(default) } }
    }

    /// A number within a range.
    pub fn spin(name: &str, default: i64, range: RangeInclusive<i64>) -> OptionDecl {
        let kind = OptionKind::Spin { default: Some(default), min: Some(*range.start()), max: Some(*range.end()) };
        OptionDecl { name: name.into(), kind }
    }

    /// A choice among texts.
    pub fn combo(name: &str, default: &str, vars: &[&str]) -> OptionDecl {
        let vars = vars.iter().map(|&var| var.into()).collect();
        OptionDecl { name: name.into(), kind: OptionKind::Combo { default: Some(default.into()), vars } }
    }

    /// A button, which has no value.
    pub fn button(name: &str) -> OptionDecl {
        OptionDecl { name: name.into(), kind: OptionKind::Button }
    }

    /// Any text.
    pub fn string(name: &str, default: &str) -> OptionDecl {
        OptionDecl { name: name.into(), kind: OptionKind::String { default: Some(default.into()) } }
    }

    /// The path of a file.
    pub fn filename(name: &str, default: &str) -> OptionDecl {
        OptionDecl { name: name.into(), kind: OptionKind::Filename { default: Some(default.into()) } }
    }
}

/// The whole message.
impl fmt::Display for OptionDecl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "option name {} type ", self.name)?;
        match &self.kind {
            OptionKind::Check { default } => {
                f.write_str("check")?;
                write_field(f, "default", *default)
            }
            OptionKind::Spin { default, min, max } => {
                f.write_str("spin")?;
                write_field(f, "default", *default)?;
                write_field(f, "min", *min)?;
                write_field(f, "max", *max)
            }
            OptionKind::Combo { default, vars } => {
                f.write_str("combo")?;
                write_field(f, "default", default.as_deref().map(or_empty_marker))?;
                vars.iter().try_for_each(|var| write_field(f, "var", Some(or_empty_marker(var))))
            }
            OptionKind::Button => f.write_str("button"),
            OptionKind::String { default } | OptionKind::Filename { default } => {
                f.write_str(if let OptionKind::String { .. } = self.kind { "string" } else { "filename" })?;
                write_field(f, "default", default.as_deref().map(or_empty_marker))
            }
        }
    }
}
