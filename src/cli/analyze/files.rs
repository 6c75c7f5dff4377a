//! The files written with the report: a record and a page for each game, and the list of pages.

use std::path::{Path, PathBuf};
use std::{fs, io};

use super::args::AnalyzeArgs;
use super::drills::Drills;
use super::input::InputGame;
use crate::cli::failure::Result;
use crate::cli::records::files::{
    InputFiles, RecordForm, has_extension, lock_soon, names, naming, write_new, write_whole,
};
use crate::cli::records::inputs::Input;
use crate::cli::terminal::remark;
use crate::datagen::sha256;
use crate::language::{Language, Text, breach, without_variations};
use crate::open_file;
use crate::records::notation::Notation;
use crate::records::{Format, GameRecord};
use crate::report::page::{
    IndexRow, PageOptions, Question, engine_file, game_page, index_page, index_rows, trainer_page, trainer_questions,
    with_engine_beside,
};
use crate::report::{GameReport, PositionAnalysis};
use crate::types::Phrase;

/// Where games are written to.
pub(super) struct GameFiles {
    records: Vec<(RecordForm, PathBuf)>,
    pages: Option<Pages>,
    trainer: Option<Trainer>,
    drills: Option<Drills>,
    /// Of messages.
    language: Language,
}

impl GameFiles {
    /// What the arguments ask for, begun or gone on with. Folders are made.
    pub(super) fn new(args: &AnalyzeArgs, goes_on: bool) -> Result<GameFiles> {
        let records: Vec<_> =
            args.record_folders().into_iter().map(|(form, folder)| (form, folder.to_owned())).collect();
        for folder in records.iter().map(|(_, folder)| folder).chain(&args.html) {
            fs::create_dir_all(folder).map_err(|error| naming(folder, error))?;
        }
        let pages = args.html.as_deref().map(|folder| Pages::new(folder, args)).transpose()?;
        let trainer = Trainer::new(args, goes_on)?;
        let drills = args.drills.as_deref().map(|path| Drills::new(path, args, goes_on)).transpose()?;
        Ok(GameFiles { records, pages, trainer, drills, language: args.language() })
    }

    /// Sees to it that no file is written that is read.
    ///
    /// # Errors
    /// When one of the inputs would be written over.
    pub(super) fn refuse_inputs(args: &AnalyzeArgs, read: &InputFiles) -> Result {
        let records = args.record_folders().into_iter().map(|(form, folder)| (folder, form.extension()));
        for (folder, extension) in records.chain(args.html.as_deref().map(|folder| (folder, "html"))) {
            read.refuse_in_folder(folder, |name| has_extension(name, extension))?;
        }
        [args.drills.clone(), Trainer::path(args)].iter().flatten().try_for_each(|written| read.refuse(written))
    }

    /// Writes all files of a game whose positions are analysed.
    pub(super) fn write(&mut self, game: &InputGame, analyses: &[PositionAnalysis], report: &GameReport) -> Result {
        let Some(record) = &game.record else { return Ok(()) };
        let mark = SourceMark::new(game);
        for &(form, ref folder) in &self.records {
            let format = form.format;
            if format == Format::Csa && record.has_variations() {
                remark(&Text::about(&game.place.input, &without_variations(format)), self.language);
            }
            form.warn_of_unencodable(record, &game.place.input, self.language);
            let mut record = record.clone();
            report.names.opening.into_iter().for_each(|name| record.complete_info("戦型", name.ja));
            let nodes: Vec<_> = record.main_line().take(analyses.len()).collect();
            for (id, analysis) in nodes.into_iter().zip(analyses) {
                record.annotate(id, &analysis.shown_lines(), format);
            }
            let text = mark.put_into_record(&form.text(&record), format);
            write_record(game, form.extension(), folder, &mark, &form.bytes(&text))?;
        }
        // Another process may add its games meanwhile, of the same names as well.
        let _lock = self.pages.as_ref().map(|pages| lock_soon(&pages.folder.join(INDEX))).transpose()?;
        let page = self.pages.as_ref().map(|pages| page_name(game, &pages.folder, &mark));
        if let Some(trainer) = &self.trainer {
            let source = page.clone().unwrap_or_else(|| format!("{} ({})", game.place.input.name(), game.place.game));
            trainer.add(Question::all(&source, record, &game.line, analyses, report), &source, self.pages.as_ref())?;
        }
        if let (Some(pages), Some(name)) = (&mut self.pages, page) {
            let breach = game.breach.as_ref().map(|it| breach(it, Notation::Usi, Notation::Japanese));
            pages.write(name, &mark, record, analyses, report, breach.as_ref().or(game.fault.as_ref()))?;
        }
        self.drills.as_mut().map_or(Ok(()), |drills| drills.add(game, analyses, report))
    }

    /// Ends what grows from game to game; returns the page to open: that of the only game, or the list.
    pub(super) fn finish(self) -> Result<Option<PathBuf>> {
        self.drills.map_or(Ok(()), Drills::finish)?;
        Ok(self.pages.and_then(|pages| {
            let file = if pages.written > 1 { Some(INDEX.to_owned()) } else { pages.last };
            Some(pages.folder.join(file?))
        }))
    }
}

/// The notation that pages begin with.
fn page_notation(args: &AnalyzeArgs) -> &'static str {
    match args.notation() {
        Notation::Kif => Notation::Japanese.name(),
        notation => notation.name(),
    }
}

/// The pages of games, and the list of them.
struct Pages {
    folder: PathBuf,
    language: &'static str,
    notation: &'static str,
    engine: String,
    /// The name of the last page of this run, and how many it wrote.
    last: Option<String>,
    written: usize,
}

/// The list of games.
pub(super) const INDEX: &str = "index.html";

impl Pages {
    /// Games that the folder has already stay in its list.
    ///
    /// # Errors
    /// When something else has the name of the list.
    fn new(folder: &Path, args: &AnalyzeArgs) -> Result<Pages> {
        let engine = format!("Kurosabi {}, {}", env!("CARGO_PKG_VERSION"), args.limits_in_words());
        let (language, notation) = (args.language().code(), page_notation(args));
        let pages = Pages { folder: folder.to_owned(), language, notation, engine, last: None, written: 0 };
        pages.rows()?;
        Ok(pages)
    }

    /// The games of the list.
    fn rows(&self) -> Result<Vec<IndexRow>> {
        let foreign = Phrase::new(
            "no list of games by Kurosabi; name another folder for --html",
            "Kurosabiの対局一覧ではありません。--htmlに別のフォルダを指定してください",
        );
        held(&self.folder.join(INDEX), index_rows, foreign)
    }

    fn write(
        &mut self,
        name: String,
        mark: &SourceMark,
        record: &GameRecord,
        analyses: &[PositionAnalysis],
        report: &GameReport,
        fault: Option<&Text>,
    ) -> Result {
        let Pages { language, notation, ref engine, .. } = *self;
        let options = PageOptions { language, notation, engine, index: true, fault };
        let mut page = mark.put_into_page(&game_page(record, analyses, report, &options));
        let index = self.folder.join(INDEX);
        let mut rows = self.rows()?;
        rows.retain(|row| row.file != name);
        if let [first, rest @ ..] = &rows[..] {
            page = self.with_engine_beside(&page)?;
            if let Some(alone) = Path::new(&first.file).file_name().filter(|_| rest.is_empty()) {
                self.put_engine_beside(&self.folder.join(alone))?;
            }
        }
        write_whole(&self.folder.join(&name), page.as_bytes())?;
        self.last = Some(name.clone());
        self.written += 1;
        rows.push(IndexRow::new(name, record, report));
        let has_trainer = self.folder.join(TRAINER).is_file();
        write_whole(&index, index_page(rows, self.language, has_trainer).as_bytes())
    }

    /// The page with the engine in a file of the folder, since it has more pages than this one.
    fn with_engine_beside(&self, page: &str) -> Result<String> {
        if let Some(engine) = engine_file() {
            let path = self.folder.join(&engine.name);
            // Its name says what it holds.
            let is_there = fs::metadata(&path).is_ok_and(|metadata| metadata.len() == engine.content.len() as u64);
            if !is_there {
                write_whole(&path, engine.content.as_bytes())?;
            }
        }
        Ok(with_engine_beside(page))
    }

    /// The same for the page that was alone; one that has gone or is of something else stays as it is.
    fn put_engine_beside(&self, path: &Path) -> Result {
        let Ok(page) = open_file::regular(path).and_then(io::read_to_string) else { return Ok(()) };
        let beside = self.with_engine_beside(&page)?;
        if beside == page { Ok(()) } else { write_whole(path, beside.as_bytes()) }
    }
}

/// What a page holds that grows from game to game; there may be none yet.
///
/// # Errors
/// When it cannot be read, or is something else.
fn held<T>(path: &Path, read: impl Fn(&str) -> Option<Vec<T>>, foreign: Phrase) -> Result<Vec<T>> {
    let held = match open_file::regular(path).and_then(io::read_to_string) {
        Ok(page) => read(&page),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Some(Vec::new()),
        Err(error) if error.kind() == io::ErrorKind::InvalidData => None,
        Err(error) => return Err(naming(path, error)),
    };
    held.ok_or_else(|| naming(path, foreign))
}

/// The page that asks for the moves that were missed: in the folder of pages, else beside the file of problems.
struct Trainer {
    path: PathBuf,
    language: &'static str,
    notation: &'static str,
}

/// The name of the page in a folder of pages.
const TRAINER: &str = "trainer.html";

impl Trainer {
    /// Where the page goes. It takes the engine, which not every build has.
    fn path(args: &AnalyzeArgs) -> Option<PathBuf> {
        let beside = || args.drills.as_ref().map(|drills| drills.with_extension("html"));
        let path = args.html.as_ref().map(|folder| folder.join(TRAINER)).or_else(beside);
        path.filter(|path| engine_file().is_some() && args.drills.as_ref() != Some(path))
    }

    /// Questions that the page has already stay where the run goes on, and in a folder of pages.
    ///
    /// # Errors
    /// When something else has the name of the page.
    fn new(args: &AnalyzeArgs, goes_on: bool) -> Result<Option<Trainer>> {
        let Some(path) = Trainer::path(args) else { return Ok(None) };
        let trainer = Trainer { path, language: args.language().code(), notation: page_notation(args) };
        if !trainer.questions()?.is_empty() && !goes_on && args.html.is_none() {
            fs::remove_file(&trainer.path).map_err(|error| naming(&trainer.path, error))?;
        }
        Ok(Some(trainer))
    }

    fn questions(&self) -> Result<Vec<Question>> {
        let foreign = Phrase::new(
            "no page of questions by Kurosabi; name another file or folder",
            "Kurosabiの問題のページではありません。別のファイルかフォルダを指定してください",
        );
        held(&self.path, trainer_questions, foreign)
    }

    /// Puts the questions of a game in the place of those it had.
    fn add(&self, new: Vec<Question>, source: &str, pages: Option<&Pages>) -> Result {
        let _lock = lock_soon(&self.path)?;
        let mut questions = self.questions()?;
        let before = questions.clone();
        questions.retain(|question| question.source != source);
        questions.extend(new);
        if questions == before {
            return Ok(());
        }
        let Trainer { language, notation, .. } = *self;
        let options = PageOptions { language, notation, engine: "", index: pages.is_some(), fault: None };
        let page = trainer_page(&questions, &options);
        let page = pages.map_or(Ok(page.clone()), |pages| pages.with_engine_beside(&page))?;
        write_whole(&self.path, page.as_bytes())
    }
}

/// Writes the record of a game into a folder, under a name that no file has, or in the place of one with the same mark,
/// which an earlier run wrote of the same game. Other files stay.
fn write_record(game: &InputGame, extension: &str, folder: &Path, mark: &SourceMark, bytes: &[u8]) -> Result {
    for name in names(&stem(game), extension) {
        let path = folder.join(name);
        if mark.is_in(&path) {
            return write_whole(&path, bytes);
        }
        if write_new(&path, bytes)? {
            break;
        }
    }
    Ok(())
}

fn stem(game: &InputGame) -> String {
    game.place.input.stem(game.place.game)
}

/// The name for the page of a game in a folder: one that no file has, or that a file has with the same mark, which an
/// earlier run wrote of the same game. Other files stay.
fn page_name(game: &InputGame, folder: &Path, mark: &SourceMark) -> String {
    let is_for_game = |name: &String| {
        let path = folder.join(name);
        // A link that leads nowhere is there as well.
        name != INDEX && name != TRAINER && (path.symlink_metadata().is_err() || mark.is_in(&path))
    };
    names(&stem(game), "html").find(is_for_game).expect("there are more names than files")
}

/// No page or record that is written has more bytes.
const MAX_BYTES: u64 = 256 << 20;

/// A mark in a written file that says which game it is of: a digest, since a path says much about its owner.
pub(super) struct SourceMark(String);

impl SourceMark {
    /// Of a file the path and the game's number in it, so that a record which was changed is still the same; of
    /// standard input, the game.
    pub(super) fn new(game: &InputGame) -> SourceMark {
        let source = match &game.place.input {
            Input::Stdin => game.line.to_string(),
            Input::File(path) => path.canonicalize().unwrap_or_else(|_| path.clone()).display().to_string(),
        };
        let digest = sha256(format!("{source}\n{}", game.place.game).as_bytes());
        SourceMark(format!("kurosabi analyze {}", &digest[..32]))
    }

    /// Whether a file has it where it is put: elsewhere it may be a comment of the record that was read.
    fn is_in(&self, path: &Path) -> bool {
        // A pipe might never answer, and what is larger than any page would only fill memory.
        let may_be_own = fs::metadata(path).is_ok_and(|metadata| metadata.is_file() && metadata.len() <= MAX_BYTES);
        let text = may_be_own.then(|| fs::read(path).ok()).flatten().unwrap_or_default();
        let text = String::from_utf8_lossy(&text);
        text.lines().take(3).chain(text.lines().last()).any(|line| line.contains(&self.0))
    }

    /// The record with the mark in a line that its format has for such notes, behind the lines that name the format.
    pub(super) fn put_into_record(&self, text: &str, format: Format) -> String {
        let (sign, begins) = if format == Format::Csa { ("'", "V") } else { ("# ", "#KIF") };
        let head = text.match_indices('\n').map(|(at, _)| at + 1).scan(0, |begin, end| {
            let line = &text[std::mem::replace(begin, end)..end];
            Some((end, line.starts_with(begins)))
        });
        let at = head.take(2).find(|&(_, is_format)| is_format).map_or(0, |(end, _)| end);
        format!("{}{sign}{}\n{}", &text[..at], self.0, &text[at..])
    }

    /// The page with the mark.
    pub(super) fn put_into_page(&self, page: &str) -> String {
        format!("{page}<!-- {} -->\n", self.0)
    }
}
