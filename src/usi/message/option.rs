//! `option`.

use std::fmt;

use super::{or_empty_marker, write_field};

/// An option that the engine offers.
///
/// ```
/// use kurosabi::usi::message::{OptionDecl, OptionKind};
///
/// let kind = OptionKind::Spin { default: Some(256), min: Some(1), max: Some(33_554_432) };
/// let hash = OptionDecl { name: "USI_Hash".to_owned(), kind };
/// assert_eq!(hash.to_string(), "option name USI_Hash type spin default 256 min 1 max 33554432");
/// let kind = OptionKind::Filename { default: Some(String::new()) };
/// let book = OptionDecl { name: "BookFile".to_owned(), kind };
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
