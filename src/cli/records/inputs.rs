//! What arguments name to read: files, folders, patterns and standard input, and the records in them.

use std::ffi::{OsStr, OsString};
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::{fmt, fs};

use crate::cli::failure;
use crate::cli::terminal::remark;
use crate::language::{Foreign, InJapanese, Language, Text, text};
use crate::open_file;
use crate::records::{GameRecord, ReadError, Records};
use crate::types::Phrase;
use crate::usi::message::UsiMessage;
use crate::usi::parser::parse_one;

/// Something to read records from.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::cli) enum Input {
    /// Standard input.
    Stdin,
    /// A file.
    File(PathBuf),
}

/// What files in a folder must end with to be read; their format is found out by their content.
const EXTENSIONS: [&str; 9] = ["kif", "kifu", "ki2", "ki2u", "csa", "jkf", "json", "sfen", "usi"];

impl Input {
    /// The inputs that an argument names, in order. Of a folder, and of those within it, every file that ends like a
    /// record, sorted by name, with the numbers in names as numbers.
    pub(in crate::cli) fn named(argument: &OsString) -> Vec<Input> {
        let (path, mut inputs) = (Path::new(argument), Vec::new());
        if argument == "-" {
            inputs.push(Input::Stdin);
        } else if path.is_dir() {
            add_folder(path, &mut inputs, 0);
        } else if path.exists() {
            inputs.push(Input::File(path.to_owned()));
        } else if let Some(found) = argument.to_str().and_then(|pattern| glob::glob(pattern).ok()) {
            // Windows leaves patterns to the program.
            inputs.extend(found.filter_map(Result::ok).filter(|path| path.is_file()).map(Input::File));
        }
        inputs
    }

    /// Whether the program's first argument names something to read, and not a USI command: it is there or ends like a
    /// record, or both where it could be such a command.
    pub(in crate::cli) fn is_meant_by(argument: &OsStr) -> bool {
        let path = Path::new(argument);
        match argument.to_str().map(parse_one) {
            None | Some(UsiMessage::Unknown(_)) => path.exists() || ends_like_record(path),
            Some(_) => path.exists() && ends_like_record(path),
        }
    }

    /// What is said of an argument that names no input.
    pub(in crate::cli) const MISSING: Phrase = Phrase::new(
        "no such file, and no record in it if it is a folder",
        "ファイルが見つかりません（フォルダの場合は、棋譜がありません）",
    );

    /// The name, as it is.
    pub(in crate::cli) fn name(&self) -> String {
        match self {
            Input::Stdin => "standard input".to_owned(),
            Input::File(path) => path.display().to_string(),
        }
    }

    /// The name, without an extension, of a file that is made of a game of it, from 1: that of the input, and behind it
    /// the number from the second game on.
    pub(in crate::cli) fn stem(&self, game: usize) -> String {
        let mut stem = match self {
            Input::Stdin => "stdin".to_owned(),
            Input::File(path) => path.file_stem().map_or("game".into(), |stem| stem.to_string_lossy()).into_owned(),
        };
        stem.truncate(stem.floor_char_boundary(MAX_STEM));
        if game > 1 {
            stem += &format!("-{game}");
        }
        stem
    }

    /// The file's path; `None` for standard input.
    pub(in crate::cli) fn path(&self) -> Option<&Path> {
        match self {
            Input::Stdin => None,
            Input::File(path) => Some(path),
        }
    }

    /// Its records.
    ///
    /// # Errors
    /// When it cannot be read or holds no record.
    pub(in crate::cli) fn records(&self) -> Result<Records, ReadError> {
        match self {
            Input::Stdin => {
                if io::stdin().is_terminal() {
                    let waiting = text!(
                        "reading positions and game records from the terminal",
                        "端末から局面と棋譜を読み込みます"
                    );
                    remark(&waiting, Language::from_environment());
                }
                Records::open(io::stdin())
            }
            Input::File(path) => Records::open(open_file::to_read(path)?),
        }
    }
}

/// Systems refuse names of more than 255 bytes; a number, the extension and what a temporary file adds find room.
const MAX_STEM: usize = 200;

impl fmt::Display for Input {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Foreign(&self.name()).fmt(f)
    }
}

impl InJapanese for Input {
    fn in_japanese(&self) -> String {
        match self {
            Input::Stdin => "標準入力".to_owned(),
            Input::File(_) => self.to_string(),
        }
    }
}

/// Links may make circles of folders.
const MAX_DEPTH: usize = 16;

fn add_folder(folder: &Path, inputs: &mut Vec<Input>, depth: usize) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    let mut paths: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.sort_by_cached_key(|path| (natural_key(path), path.clone()));
    for path in paths {
        if path.is_dir() && depth < MAX_DEPTH {
            add_folder(&path, inputs, depth + 1);
        } else if ends_like_record(&path) {
            inputs.push(Input::File(path));
        }
    }
}

fn ends_like_record(path: &Path) -> bool {
    let extension = path.extension().map(|extension| extension.to_string_lossy().to_lowercase());
    extension.is_some_and(|extension| EXTENSIONS.contains(&extension.as_str()))
}

/// What a file's name is sorted by in natural order: `game.kif`, `game-2.kif`, `game-10.kif`. The extension comes
/// last, so that a name stands before those that it begins. Each run of digits is a number, of which the longer is the
/// larger.
fn natural_key(path: &Path) -> Vec<(bool, usize, String)> {
    let name = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    let runs = name.as_bytes().chunk_by(|a, b| a.is_ascii_digit() == b.is_ascii_digit());
    let key = runs.map(|run| {
        let run = String::from_utf8_lossy(run);
        let is_text = !run.starts_with(|c: char| c.is_ascii_digit());
        let digits = run.trim_start_matches('0');
        if is_text { (true, 0, run.into_owned()) } else { (false, digits.len(), digits.to_owned()) }
    });
    key.collect()
}

/// Warns of something that is wrong with an input.
pub(in crate::cli) fn warn(name: &impl InJapanese, problem: &impl InJapanese, language: Language) {
    remark(&Text::about(name, problem), language);
}

/// The inputs that arguments name, in order, and how many arguments name none.
pub(in crate::cli) fn inputs_of(arguments: &[OsString], language: Language) -> (Vec<Input>, usize) {
    let named: Vec<Vec<Input>> = arguments.iter().map(Input::named).collect();
    let missing: Vec<_> = arguments.iter().zip(&named).filter(|(_, named)| named.is_empty()).collect();
    for (argument, _) in &missing {
        warn(&Foreign(&argument.to_string_lossy()), &Input::MISSING, language);
    }
    (named.concat(), missing.len())
}

/// Which starts of games a command can do something with.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::cli) enum Starts {
    /// Those that the rules allow.
    Allowed,
    /// Any board.
    Any,
}

/// How many inputs and records could not be read.
#[derive(Default)]
pub(in crate::cli) struct Failures {
    pub(super) unread: usize,
    /// Of these the main line could not be read to its end.
    cut: usize,
}

/// Handles the records of some inputs, each with its number in its input, from 1, and warns of faults in them.
///
/// # Errors
/// When a record cannot be handled.
pub(in crate::cli) fn for_each_record(
    inputs: &[Input],
    language: Language,
    starts: Starts,
    mut handle: impl FnMut(&Input, usize, &GameRecord) -> failure::Result,
) -> failure::Result<Failures> {
    let mut failures = Failures::default();
    for input in inputs {
        let records = match input.records() {
            Ok(records) => records,
            Err(error) => {
                warn(input, &error, language);
                failures.unread += 1;
                continue;
            }
        };
        for (record, number) in records.zip(1..) {
            let record = record.and_then(|record| match record.start() {
                Err(error) if starts == Starts::Allowed => Err(error.clone()),
                _ => Ok(record),
            });
            match record {
                Ok(record) => {
                    record.warnings().iter().for_each(|warning| warn(input, warning, language));
                    failures.cut += usize::from(record.cut().is_some());
                    handle(input, number, &record)?;
                }
                Err(error) => {
                    warn(input, &error, language);
                    failures.unread += 1;
                }
            }
        }
    }
    Ok(failures)
}

impl Failures {
    /// Fails where games could not be `done`, such as `converted` and `変換でき`, or only in part.
    ///
    /// # Errors
    /// Says how many.
    pub(in crate::cli) fn check(&self, done: Phrase) -> failure::Result {
        let Phrase { en, ja } = done;
        let games = |count: usize| if count == 1 { "one game".to_owned() } else { format!("{count} games") };
        let (unread, cut) = (games(self.unread), games(self.cut));
        Err(match (self.unread, self.cut) {
            (0, 0) => return Ok(()),
            (ja_unread, 0) => text!("{unread} could not be {en}", "{ja_unread}局は{ja}ませんでした"),
            (0, ja_cut) => text!("{cut} could be {en} in part only", "{ja_cut}局は途中までしか{ja}ませんでした"),
            (ja_unread, ja_cut) => text!(
                "{unread} could not be {en}, {cut} in part only",
                "{ja_unread}局は{ja}ませんでした（ほかに{ja_cut}局は途中まで）"
            ),
        })?
    }
}
