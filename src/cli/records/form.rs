//! In which format and encoding commands write records.

use std::borrow::Cow;
use std::path::Path;

use clap::{Args, ValueEnum};

use super::reading::warn;
use crate::language::{InJapanese, Language, text};
use crate::records::{Format, GameRecord, TextEncoding, WriteOptions, encode, unencodable, write};

/// The argument for the encoding.
#[derive(Clone, Copy, Debug, Args)]
pub(in crate::cli) struct EncodingArg {
    /// Encoding of written records [default: sjis for .kif and .ki2, else utf8]
    #[arg(long, value_enum)]
    encoding: Option<EncodingName>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum EncodingName {
    #[value(alias = "utf-8")]
    Utf8,
    #[value(alias = "shift_jis", alias = "shift-jis")]
    Sjis,
}

impl EncodingArg {
    /// What was given.
    pub(in crate::cli) fn name(self) -> Option<String> {
        let value = self.encoding?.to_possible_value()?;
        Some(value.get_name().to_owned())
    }

    fn chosen(self) -> Option<TextEncoding> {
        self.encoding.map(|name| match name {
            EncodingName::Utf8 => TextEncoding::Utf8,
            EncodingName::Sjis => TextEncoding::ShiftJis,
        })
    }
}

/// A format with an encoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::cli) struct RecordForm {
    pub(in crate::cli) format: Format,
    encoding: TextEncoding,
}

impl RecordForm {
    /// Of files that are named by the program. By custom `.kif` and `.ki2` are Shift_JIS, `.kifu` and `.ki2u` UTF-8.
    pub(in crate::cli) fn of_files(format: Format, encoding: EncodingArg) -> RecordForm {
        let is_shift_jis = matches!(format, Format::Kif | Format::Ki2);
        let custom = if is_shift_jis { TextEncoding::ShiftJis } else { TextEncoding::Utf8 };
        RecordForm { format, encoding: encoding.chosen().unwrap_or(custom) }
    }

    /// Of one file, or of standard output.
    pub(in crate::cli) fn of_file(format: Format, path: Option<&Path>, encoding: EncodingArg) -> RecordForm {
        let extension = path.and_then(Path::extension).unwrap_or_default();
        if extension.eq_ignore_ascii_case(format.name()) {
            return RecordForm::of_files(format, encoding);
        }
        RecordForm { format, encoding: encoding.chosen().unwrap_or_default() }
    }

    /// The usual ending of a file's name.
    pub(in crate::cli) fn extension(self) -> &'static str {
        match (self.format, self.encoding) {
            (Format::Kif, TextEncoding::Utf8) => "kifu",
            (Format::Ki2, TextEncoding::Utf8) => "ki2u",
            (format, _) => format.name(),
        }
    }

    /// The text of a record.
    pub(in crate::cli) fn text(self, record: &GameRecord) -> String {
        write(record, self.format, &WriteOptions { encoding: self.encoding })
    }

    /// The text as it is stored.
    pub(in crate::cli) fn bytes(self, text: &str) -> Cow<'_, [u8]> {
        encode(text, self.encoding)
    }

    /// Warns of characters that the encoding lacks.
    pub(in crate::cli) fn warn_of_unencodable(self, record: &GameRecord, name: &impl InJapanese, language: Language) {
        const SHOWN: usize = 20;
        if !matches!(self.format, Format::Kif | Format::Ki2 | Format::Csa) {
            return;
        }
        let lacking = unencodable(record, self.encoding);
        let lacking = match lacking.char_indices().nth(SHOWN) {
            Some((end, _)) => format!("{}…", &lacking[..end]),
            None if lacking.is_empty() => return,
            None => lacking,
        };
        let warning = text!(
            "characters that Shift_JIS does not have are written as 〓: {lacking}",
            "Shift_JISにない文字を〓に置き換えました: {lacking}"
        );
        warn(name, &warning, language);
    }
}
