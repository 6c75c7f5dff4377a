//! The first line of results, and why a file is not continued.

use std::io;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use thiserror::Error;

use crate::language::InJapanese;

/// The version of the form of the file.
const VERSION: u32 = 1;

/// What the first line says.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(in crate::cli) struct Heading {
    format: String,
    version: u32,
    /// Everything but the inputs that the results depend on.
    pub(super) settings: Map<String, Value>,
    /// As the arguments name them.
    pub(super) inputs: Vec<String>,
}

impl Heading {
    pub(in crate::cli) fn new(command: &str, settings: Value, inputs: Vec<String>) -> Heading {
        let mut settings = if let Value::Object(settings) = settings { settings } else { Map::new() };
        settings.insert("program".to_owned(), env!("CARGO_PKG_VERSION").into());
        Heading { format: format!("kurosabi {command}"), version: VERSION, settings, inputs }
    }

    pub(super) fn line(&self) -> Result<String, ResumeError> {
        Ok(serde_json::to_string(self).map_err(io::Error::from)? + "\n")
    }

    /// Whether a file with this first line may be continued: more inputs may have come.
    pub(super) fn check(&self, first: &[u8]) -> Result<(), ResumeError> {
        let found: Value = serde_json::from_slice(first).unwrap_or_default();
        if !first.ends_with(b"\n") || found.get("format") != Some(&Value::from(self.format.as_str())) {
            return Err(ResumeError::Foreign { format: self.format.clone() });
        }
        if found.get("version") != Some(&VERSION.into()) {
            return Err(ResumeError::Version);
        }
        let foreign = |_| ResumeError::Foreign { format: self.format.clone() };
        let found: Heading = serde_json::from_value(found).map_err(foreign)?;
        if found.settings != self.settings {
            let names =
                found.settings.keys().chain(self.settings.keys().filter(|&key| !found.settings.contains_key(key)));
            let [before, now] = [&found.settings, &self.settings]
                .map(|settings| move |name: &str| settings.get(name).unwrap_or(&Value::Null).to_string());
            let differences = names.filter(|name| found.settings.get(*name) != self.settings.get(*name));
            let differences = differences.map(|name| [name.clone(), before(name), now(name)]).collect();
            return Err(ResumeError::Settings(differences));
        }
        match found.inputs.into_iter().find(|input| !self.inputs.contains(input)) {
            Some(missing) => Err(ResumeError::Inputs { missing }),
            None => Ok(()),
        }
    }
}

/// Why a file is not continued. It stays as it is.
#[derive(Debug, Error)]
pub(in crate::cli) enum ResumeError {
    /// It cannot be read.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// It is something else.
    #[error("it has no first line of results of `{format}`, so --resume leaves it as it is: name another file")]
    Foreign {
        /// What it should be.
        format: String,
    },
    /// Another version of this program wrote it.
    #[error("another version of Kurosabi wrote it, which must continue it")]
    Version,
    /// Its results were found in another way.
    #[error("it was written with other settings ({}): give the same ones, or name another file", listed(.0, "was", "is now"))]
    Settings(Vec<[String; 3]>),
    /// Its results are of something else.
    #[error("it was written with the input {missing:?}, which is not given now: give it too, or name another file")]
    Inputs {
        /// The argument.
        missing: String,
    },
    /// Lines are not what was written.
    #[error("damaged in {}; it was left as it is. Without these lines it can be continued, and what they held is done again", lines(.0, "line", "lines", ", "))]
    Damaged(Vec<(usize, usize)>),
}

impl InJapanese for ResumeError {
    fn in_japanese(&self) -> String {
        match self {
            ResumeError::Io(error) => error.in_japanese(),
            ResumeError::Foreign { format } => format!(
                "`{format}` の結果を示す1行目がないため、--resume では続けられません（ファイルは変更していません）。\
                 別のファイルを指定してください"
            ),
            ResumeError::Version => {
                "別のバージョンのKurosabiが書いたファイルです。そのバージョンで続けてください".to_owned()
            }
            ResumeError::Settings(differences) => format!(
                "別の設定で書かれたファイルです（{}）。同じ設定にするか、別のファイルを指定してください",
                listed(differences, "以前は", "今回は")
            ),
            ResumeError::Inputs { missing } => format!(
                "このファイルの入力「{missing}」が指定されていません。それも指定するか、別のファイルを指定してください"
            ),
            ResumeError::Damaged(damaged) => format!(
                "{}が壊れています（ファイルは変更していません）。その行を取り除くと続けられ、該当する結果は作り直されます",
                lines(damaged, "行", "行", "、")
            ),
        }
    }
}

fn listed(differences: &[[String; 3]], before: &str, now: &str) -> String {
    let words = differences.iter().map(|[name, old, new]| format!("{name} {before} {old}, {now} {new}"));
    words.collect::<Vec<_>>().join("; ")
}

/// Numbers of lines in words, the first ones where there are many.
fn lines(ranges: &[(usize, usize)], one: &str, many: &str, comma: &str) -> String {
    let range =
        |&(first, last): &(usize, usize)| if first == last { first.to_string() } else { format!("{first}-{last}") };
    let numbers = ranges.iter().take(10).map(range).collect::<Vec<_>>().join(comma);
    let more = if ranges.len() > 10 { ", …" } else { "" };
    let unit = if matches!(ranges, [(first, last)] if first == last) { one } else { many };
    if one == many { format!("{numbers}{more}{unit}") } else { format!("{unit} {numbers}{more}") }
}
