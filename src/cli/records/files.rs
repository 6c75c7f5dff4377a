//! Files that commands write: their format and encoding, their locks, and errors that name them.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use std::{fs, thread};

use clap::{Args, ValueEnum};

use super::inputs::warn;
use crate::atomic_file::{self, FileLock};
use crate::cli::failure::{Failure, Result};
use crate::language::{Foreign, InJapanese, Language, text};
use crate::records::{Format, GameRecord, TextEncoding, WriteOptions, encode, unencodable, write};

/// The file that an argument names to write to; none for standard output, which `-` stands for.
pub(in crate::cli) fn output_file(argument: Option<&PathBuf>) -> Option<&Path> {
    argument.map(PathBuf::as_path).filter(|&path| path != Path::new("-"))
}

/// An error that names its file.
pub(in crate::cli) fn naming(path: &Path, error: impl Into<Failure>) -> Failure {
    Failure::about(&Foreign(&path.to_string_lossy()), error)
}

/// Writes a file, which is there whole or not at all.
pub(in crate::cli) fn write_whole(path: &Path, bytes: &[u8]) -> Result {
    let written: io::Result<()> = atomic_file::replace(path, |file| file.write_all(bytes));
    written.map_err(|error| naming(path, error))
}

/// Takes the lock of a file that is worked on for long.
///
/// # Errors
/// When another process has it.
pub(in crate::cli) fn lock(path: &Path) -> Result<FileLock> {
    let lock = FileLock::take(path).map_err(|error| naming(path, error))?;
    lock.ok_or_else(|| {
        let held = text!(
            "another process is working on this file: wait until it has ended, or name another file",
            "ほかのプロセスがこのファイルを処理中です。終了を待つか、別のファイルを指定してください"
        );
        naming(path, held)
    })
}

/// Takes the lock of a file that is worked on for moments only, waiting for others that do so.
///
/// # Errors
/// When another process keeps it.
pub(in crate::cli) fn lock_soon(path: &Path) -> Result<FileLock> {
    const PATIENCE: Duration = Duration::from_secs(10);
    let begin = Instant::now();
    loop {
        match lock(path) {
            Err(_) if begin.elapsed() < PATIENCE => thread::sleep(Duration::from_millis(10)),
            locked => return locked,
        }
    }
}

/// The files that a command reads, and so must not write.
pub(in crate::cli) struct InputFiles(BTreeSet<FileId>);

impl InputFiles {
    pub(in crate::cli) fn new<'a>(inputs: impl IntoIterator<Item = &'a Path>) -> InputFiles {
        InputFiles(inputs.into_iter().filter_map(file_id).collect())
    }

    /// Sees to it that an output is none of them, under this or another name.
    ///
    /// # Errors
    /// When it is one.
    pub(in crate::cli) fn refuse(&self, output: &Path) -> Result {
        // A device, such as a terminal, may be both.
        if output.is_file() && file_id(output).is_some_and(|id| self.0.contains(&id)) {
            let both = text!("cannot be both input and output", "入力と出力に同じファイルは指定できません");
            return Err(naming(output, both));
        }
        Ok(())
    }

    /// Sees to it that none of them stands in a folder under a name that is going to be written there.
    ///
    /// # Errors
    /// When one does, or the folder cannot be read; there may be no folder yet.
    pub(in crate::cli) fn refuse_in_folder(&self, folder: &Path, is_written: impl Fn(&str) -> bool) -> Result {
        if !folder.is_dir() {
            return Ok(());
        }
        for entry in fs::read_dir(folder).map_err(|error| naming(folder, error))? {
            let entry = entry.map_err(|error| naming(folder, error))?;
            if is_written(&entry.file_name().to_string_lossy()) {
                self.refuse(&folder.join(entry.file_name()))?;
            }
        }
        Ok(())
    }
}

/// Whether a file's name has this extension, in capitals or small letters.
pub(in crate::cli) fn has_extension(name: &str, extension: &str) -> bool {
    name.to_lowercase().strip_suffix(extension).is_some_and(|stem| stem.ends_with('.'))
}

/// The identity of a file, which may have several names: the device and the number there.
#[cfg(unix)]
type FileId = (u64, u64);

#[cfg(unix)]
fn file_id(path: &Path) -> Option<FileId> {
    use std::os::unix::fs::MetadataExt;
    fs::metadata(path).ok().map(|metadata| (metadata.dev(), metadata.ino()))
}

/// The identity of a file: the path without links.
#[cfg(not(unix))]
type FileId = std::path::PathBuf;

#[cfg(not(unix))]
fn file_id(path: &Path) -> Option<FileId> {
    path.canonicalize().ok()
}

/// The argument for the encoding.
#[derive(Clone, Copy, Debug, Args)]
pub(in crate::cli) struct EncodingArg {
    /// Encoding of written records [default: sjis for .kif and .ki2, else utf8]
    ///
    /// 書き込む棋譜の文字コード [既定値: .kifと.ki2ではsjis、ほかはutf8]
    ///
    /// utf8: UTF-8（BOMなし）
    ///
    /// sjis: Shift_JIS（Windowsのソフトの.kifファイルの文字コード）
    #[arg(long, value_enum)]
    encoding: Option<TextEncoding>,
}

impl EncodingArg {
    /// What was given.
    pub(in crate::cli) fn name(self) -> Option<String> {
        let value = self.encoding?.to_possible_value()?;
        Some(value.get_name().to_owned())
    }
}

/// A format with an encoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::cli) struct RecordForm {
    pub(in crate::cli) format: Format,
    encoding: TextEncoding,
}

impl RecordForm {
    /// For files that are named by the program. By custom `.kif` and `.ki2` are Shift_JIS, `.kifu` and `.ki2u` UTF-8.
    pub(in crate::cli) fn for_files(format: Format, encoding: EncodingArg) -> RecordForm {
        let is_shift_jis = matches!(format, Format::Kif | Format::Ki2);
        RecordForm::new(format, encoding, if is_shift_jis { TextEncoding::ShiftJis } else { TextEncoding::Utf8 })
    }

    /// For one file, or for standard output.
    pub(in crate::cli) fn for_file(format: Format, path: Option<&Path>, encoding: EncodingArg) -> RecordForm {
        let extension = path.and_then(Path::extension).unwrap_or_default();
        match extension.eq_ignore_ascii_case(format.name()) {
            true => RecordForm::for_files(format, encoding),
            false => RecordForm::new(format, encoding, TextEncoding::Utf8),
        }
    }

    fn new(format: Format, encoding: EncodingArg, custom: TextEncoding) -> RecordForm {
        // JSON is UTF-8.
        let chosen = encoding.encoding.filter(|_| format != Format::Jkf);
        RecordForm { format, encoding: chosen.unwrap_or(custom) }
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
