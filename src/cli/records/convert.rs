//! `kurosabi convert`.

use std::ffi::OsString;
use std::fs;
use std::io::Write;
use std::path::PathBuf;

use clap::Args;

use super::files::{EncodingArg, InputFiles, RecordForm, WrittenNames, has_extension, naming, output_file};
use super::inputs::{Input, Starts, for_each_record, inputs_of, warn};
use crate::atomic_file::AtomicFile;
use crate::cli::arguments::LanguageArg;
use crate::cli::failure::Result;
use crate::cli::terminal;
use crate::language::{InJapanese, Language, Text, contradiction, misnamed, text, without_variations};
use crate::records::notation::Notation;
use crate::records::{Format, GameRecord, Legality, loses_variations};
use crate::types::Phrase;

/// Convert game records between KIF, KI2, CSA, JKF, USI and SFEN; the format of a file is recognised by its content
///
/// 棋譜をKIF、KI2、CSA、JKF、USI、SFENの間で変換します。ファイルの形式は内容から判断します
#[derive(Debug, Args)]
pub(in crate::cli) struct ConvertArgs {
    /// Files, folders or patterns; - for standard input
    ///
    /// ファイル、フォルダ、またはパターン。- は標準入力
    #[arg(value_name = "IN", required = true)]
    inputs: Vec<OsString>,
    /// Format to write
    ///
    /// 書き込む形式
    ///
    /// sfen: 対局のすべての局面、一行に一局面のSFEN
    ///
    /// usi: 一行に一局。startpos moves … または sfen … moves …
    ///
    /// kif: 移動元のある柿木形式
    ///
    /// ki2: 人が読むための柿木形式（▲７六歩）
    ///
    /// csa: CSA標準棋譜ファイル形式（バージョン2.xと3）
    ///
    /// jkf: JSON棋譜フォーマット
    #[arg(long, value_name = "FORMAT", value_enum, ignore_case = true)]
    to: Format,
    /// File or folder to write to instead of standard output; a folder gets a file for each game, and
    /// keeps those it has
    ///
    /// 標準出力の代わりに書き込むファイルかフォルダ。フォルダには対局ごとにファイルを作り、元からあるファイルは残します
    #[arg(short, long, value_name = "PATH")]
    output: Option<PathBuf>,
    #[command(flatten)]
    lang: LanguageArg,
    #[command(flatten)]
    encoding: EncodingArg,
}

/// Converts, and fails at the end where some games could not be.
pub(in crate::cli) fn run(args: &ConvertArgs) -> Result {
    let language = args.lang.language();
    let (inputs, missing) = inputs_of(&args.inputs, language);
    let mut output = Output::new(args, &inputs)?;
    let mut failures = for_each_record(&inputs, language, Starts::Any, |input, number, record| {
        warn_of_faults(input, record, args.to, language);
        output.form.warn_of_unencodable(record, input, language);
        output.write(input, record, number)
    })?;
    output.finish()?;
    failures.unread += missing;
    failures.check(Phrase::new("converted", "変換でき"))
}

/// Warns of what is wrong with a record, and of what the format cannot hold.
fn warn_of_faults(input: &Input, record: &GameRecord, format: Format, language: Language) {
    let warn = |what: &Text| warn(input, what, language);
    for id in record.illegal_moves() {
        let node = record.node(id);
        let (Some(mv), Some(reason)) = (node.played(), node.breach()) else { continue };
        let (number, board) = (node.ply(), record.board_before(id));
        let place = match node.source_line {
            0 => text!("", ""),
            line => text!("line {line}: ", "{line}行目: "),
        };
        let what = match node.legality {
            Legality::Illegal(illegal) => {
                let (why, japanese) = (illegal.in_japanese(), Notation::Japanese.write(&board, mv, None));
                text!("illegal move {mv} at number {number}: {reason}", "{number}手目の{japanese}は反則です: {why}")
            }
            _ => misnamed(number as usize, mv, &board),
        };
        warn(&Text { en: place.en + &what.en, ja: place.ja + &what.ja });
    }
    for found in &record.remarks {
        warn(&contradiction(found, record.is_handicap()));
    }
    if record.has_variations() && matches!(format, Format::Csa | Format::Usi | Format::Sfen) {
        warn(&without_variations(format));
    }
    if format == Format::Jkf && loses_variations(record) {
        warn(&text!("variations nested more than 30 deep are left out", "30段より深い変化は書けないため、省きました"));
    }
}

/// Where the converted games go.
struct Output {
    form: RecordForm,
    target: Target,
    games: usize,
}

enum Target {
    /// One text after another.
    Stdout(terminal::Output),
    File(AtomicFile, PathBuf),
    /// A file for each game.
    Folder(PathBuf, WrittenNames),
}

impl Output {
    fn new(args: &ConvertArgs, inputs: &[Input]) -> Result<Output> {
        let Some(path) = output_file(args.output.as_ref()) else {
            let form = RecordForm::for_file(args.to, None, args.encoding);
            return Ok(Output { form, target: Target::Stdout(terminal::Output::data()), games: 0 });
        };
        let read = InputFiles::new(inputs);
        let ends_like_a_folder = path.to_string_lossy().ends_with(['/', std::path::MAIN_SEPARATOR]);
        let several_files = inputs.len() > 1 && !args.to.is_lines() && path.extension().is_none();
        let (form, target) = if path.is_dir() || ends_like_a_folder || several_files {
            let form = RecordForm::for_files(args.to, args.encoding);
            read.refuse_in_folder(path, |name| has_extension(name, form.extension()))?;
            fs::create_dir_all(path).map_err(|error| naming(path, error))?;
            (form, Target::Folder(path.to_owned(), WrittenNames::default()))
        } else {
            read.refuse(path)?;
            let file = AtomicFile::create(path).map_err(|error| naming(path, error))?;
            (RecordForm::for_file(args.to, Some(path), args.encoding), Target::File(file, path.to_owned()))
        };
        Ok(Output { form, target, games: 0 })
    }

    fn write(&mut self, input: &Input, record: &GameRecord, number: usize) -> Result {
        let (format, is_first) = (self.form.format, self.games == 0);
        self.games += 1;
        let text = self.form.text(record);
        let bytes = self.form.bytes(&text);
        if let Target::Folder(path, names) = &mut self.target {
            return names.write(path, &input.stem(number), self.form.extension(), &bytes);
        }
        if !is_first && matches!(format, Format::Kif | Format::Ki2) {
            Err(text!(
                "a {format} file holds one game: name a folder for several (--output FOLDER/)",
                "{format}のファイルには一局しか書けません。フォルダを指定してください（--output フォルダ/）"
            ))?;
        }
        let separator: &[u8] = if !is_first && format == Format::Csa { b"/\n" } else { b"" };
        let parts = [separator, &bytes];
        match &mut self.target {
            Target::File(file, path) => {
                parts.iter().try_for_each(|part| file.write_all(part)).map_err(|error| naming(path, error))
            }
            Target::Stdout(out) => Ok(parts.iter().try_for_each(|part| out.write_all(part))?),
            Target::Folder(..) => Ok(()),
        }
    }

    /// Without a single game a file that was there stays as it was.
    fn finish(self) -> Result {
        match self.target {
            Target::File(file, path) if self.games > 0 => file.commit().map_err(|error| naming(&path, error)),
            Target::Stdout(mut out) => Ok(out.flush()?),
            _ => Ok(()),
        }
    }
}
