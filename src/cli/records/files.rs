//! Files that commands write: their format and encoding, their locks, and errors that name them.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use std::{fs, iter, thread};

use clap::{Args, ValueEnum};

use super::inputs::{Input, warn};
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

/// Writes a file where none has this name, whole or not at all; whether it did.
pub(in crate::cli) fn write_new(path: &Path, bytes: &[u8]) -> Result<bool> {
    // The empty file keeps the name from other processes.
    match File::create_new(path) {
        Ok(_) => {}
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => return Ok(false),
        Err(error) => return Err(naming(path, error)),
    }
    let written = write_whole(path, bytes);
    if written.is_err() {
        let _ = fs::remove_file(path);
    }
    written.map(|()| true)
}

/// Names for a file, to be tried in turn: `stem.extension`, `stem_2.extension` and so on.
pub(in crate::cli) fn names(stem: &str, extension: &str) -> impl Iterator<Item = String> {
    let numbered = (2..).map(move |number| format!("{stem}_{number}.{extension}"));
    iter::once(format!("{stem}.{extension}")).chain(numbered)
}

/// The names of the files that a command writes into a folder, in lower case: Windows and macOS do not distinguish
/// capitals from small letters.
#[derive(Default)]
pub(in crate::cli) struct WrittenNames(BTreeSet<String>);

impl WrittenNames {
    /// Writes a file under the first of the [`names`] that no other has. Files that were there before stay; one with
    /// the same content is taken for this one.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(in crate::cli) fn write(&mut self, folder: &Path, stem: &str, extension: &str, bytes: &[u8]) -> Result {
        for name in names(stem, extension) {
            let path = folder.join(&name);
            if !self.0.contains(&name.to_lowercase()) && (has_content(&path, bytes) || write_new(&path, bytes)?) {
                self.0.insert(name.to_lowercase());
                break;
            }
        }
        Ok(())
    }
}

fn has_content(path: &Path, bytes: &[u8]) -> bool {
    // A pipe might never answer.
    let is_as_long =
        fs::metadata(path).is_ok_and(|metadata| metadata.is_file() && metadata.len() == bytes.len() as u64);
    is_as_long && fs::read(path).is_ok_and(|content| content == bytes)
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
    pub(in crate::cli) fn new(inputs: &[Input]) -> InputFiles {
        let ids = inputs.iter().filter_map(|input| match input {
            Input::Stdin => stdin_id(),
            Input::File(path) => file_id(path),
        });
        InputFiles(ids.collect())
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
    fs::metadata(path).ok().map(id_in)
}

#[cfg(unix)]
fn stdin_id() -> Option<FileId> {
    use std::os::fd::AsFd;
    let stdin = File::from(io::stdin().as_fd().try_clone_to_owned().ok()?);
    stdin.metadata().ok().map(id_in)
}

#[cfg(unix)]
fn id_in(metadata: fs::Metadata) -> FileId {
    use std::os::unix::fs::MetadataExt;
    (metadata.dev(), metadata.ino())
}

/// The identity of a file: the path without links.
#[cfg(not(unix))]
type FileId = std::path::PathBuf;

#[cfg(not(unix))]
fn file_id(path: &Path) -> Option<FileId> {
    path.canonicalize().ok()
}

#[cfg(not(unix))]
fn stdin_id() -> Option<FileId> {
    None
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
