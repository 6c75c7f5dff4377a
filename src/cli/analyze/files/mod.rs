//! The files written beside the report: a record and a page for each game, and the list of pages.

mod drills;
mod names;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::args::AnalyzeArgs;
use super::input::Game;
use crate::cli::failure::Result;
use crate::cli::records::files::{InputFiles, RecordForm, Stems, lock_soon, naming, write_whole};
use crate::cli::records::inputs::Input;
use crate::cli::terminal::remark;
use crate::language::{InWords, Language, Text, text, without_variations};
use crate::open_file;
use crate::records::notation::Notation;
use crate::records::{CommentStyle, Format, GameRecord};
use crate::report::page::{self, IndexRow, PageOptions, game_page, index_page, index_rows};
use crate::report::{Breach, GameReport, PositionAnalysis};
use drills::Drills;
use names::{Names, SourceMark};

/// Where games are written to.
pub(super) struct GameFiles {
    records: Vec<(RecordForm, PathBuf)>,
    pages: Option<Pages>,
    drills: Option<Drills>,
    names: Names,
    /// Of messages.
    language: Language,
}

impl GameFiles {
    /// What the arguments ask for, begun or gone on with. Folders are made.
    pub(super) fn new(args: &AnalyzeArgs, inputs: &[Input], goes_on: bool) -> Result<GameFiles> {
        let records: Vec<_> =
            args.record_folders().into_iter().map(|(form, folder)| (form, folder.to_owned())).collect();
        for folder in records.iter().map(|(_, folder)| folder).chain(&args.html) {
            fs::create_dir_all(folder).map_err(|error| naming(folder, error))?;
        }
        let pages = args.html.as_deref().map(|folder| Pages::new(folder, args)).transpose()?;
        let drills = args.drills.as_deref().map(|path| Drills::new(path, args, goes_on)).transpose()?;
        Ok(GameFiles { records, pages, drills, names: Names::of(inputs), language: args.language() })
    }

    /// Sees to it that no file is written that is read.
    ///
    /// # Errors
    /// When one of the inputs would be written over.
    pub(super) fn refuse_inputs(args: &AnalyzeArgs, inputs: &[Input], read: &InputFiles) -> Result {
        let names = Names::of(inputs);
        let records = args.record_folders().into_iter().map(|(form, folder)| (folder, form.extension()));
        for (folder, extension) in records.chain(args.html.as_deref().map(|folder| (folder, "html"))) {
            let stems = Stems::new(inputs.iter().map(|input| names.stem(input, extension)));
            let is_index = |name: &str| extension == "html" && name == INDEX;
            read.refuse_in_folder(folder, |name| is_index(name) || stems.may_name(name, extension))?;
        }
        args.drills.as_deref().map_or(Ok(()), |drills| read.refuse(drills))
    }

    /// Writes all files of a game whose positions are analysed.
    pub(super) fn write(&mut self, game: &Game, analyses: &[PositionAnalysis], report: &GameReport) -> Result {
        let Some(record) = &game.record else { return Ok(()) };
        let mark = SourceMark::of(game);
        for &(form, ref folder) in &self.records {
            let format = form.format;
            if format == Format::Csa && record.has_variations() {
                remark(&Text::about(&game.place.input, &without_variations(format)), self.language);
            }
            form.warn_of_unencodable(record, &game.place.input, self.language);
            let mut record = record.clone();
            let nodes: Vec<_> = record.main_line().take(analyses.len()).collect();
            for (id, analysis) in nodes.into_iter().zip(analyses) {
                record.annotate(id, &analysis.shown_lines(), CommentStyle::for_format(format));
            }
            let text = mark.put_into_record(&form.text(&record), format);
            let name = self.names.name(game, form.extension(), folder, &mark);
            write_whole(&folder.join(name), &form.bytes(&text))?;
        }
        if let Some(pages) = &self.pages {
            let name = self.names.name(game, "html", &pages.folder, &mark);
            let breach = game.breach.as_ref().map(in_words);
            pages.write(name, &mark, record, analyses, report, breach.as_ref())?;
        }
        self.drills.as_mut().map_or(Ok(()), |drills| drills.add(game, analyses, report))
    }

    /// Ends what grows from game to game.
    pub(super) fn finish(self) -> Result {
        self.drills.map_or(Ok(()), Drills::finish)
    }
}

/// An illegal move as pages name it.
fn in_words(breach: &Breach) -> page::Text {
    let Text { en, ja } = breach.in_words(Notation::Usi, Notation::Japanese);
    page::Text::new(en, ja)
}

/// The pages of games, and the list of them.
struct Pages {
    folder: PathBuf,
    language: &'static str,
    notation: &'static str,
    engine: String,
}

const INDEX: &str = "index.html";

impl Pages {
    /// Games that the folder has already stay in its list.
    ///
    /// # Errors
    /// When something else has the name of the list.
    fn new(folder: &Path, args: &AnalyzeArgs) -> Result<Pages> {
        let notation = match args.notation() {
            Notation::Kif => Notation::Japanese,
            notation => notation,
        };
        let engine = format!("Kurosabi {}, {}", env!("CARGO_PKG_VERSION"), args.limits_in_words());
        let (language, notation) = (args.language().code(), notation.name());
        let pages = Pages { folder: folder.to_owned(), language, notation, engine };
        pages.rows()?;
        Ok(pages)
    }

    /// The games of the list.
    fn rows(&self) -> Result<Vec<IndexRow>> {
        let index = self.folder.join(INDEX);
        let rows = match open_file::regular(&index).and_then(io::read_to_string) {
            Ok(page) => index_rows(&page),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Some(Vec::new()),
            Err(error) if error.kind() == io::ErrorKind::InvalidData => None,
            Err(error) => return Err(naming(&index, error)),
        };
        let foreign = || {
            let text = text!(
                "no list of games by Kurosabi; name another folder for --html",
                "Kurosabiの対局一覧ではありません。--htmlに別のフォルダを指定してください"
            );
            naming(&index, text)
        };
        rows.ok_or_else(foreign)
    }

    fn write(
        &self,
        name: String,
        mark: &SourceMark,
        record: &GameRecord,
        analyses: &[PositionAnalysis],
        report: &GameReport,
        breach: Option<&page::Text>,
    ) -> Result {
        let Pages { language, notation, ref engine, .. } = *self;
        let options = PageOptions { language, notation, engine, index: true, breach };
        let page = mark.put_into_page(&game_page(record, analyses, report, &options)?);
        write_whole(&self.folder.join(&name), page.as_bytes())?;
        let index = self.folder.join(INDEX);
        // Another process may add its games meanwhile.
        let _lock = lock_soon(&index)?;
        let mut rows = self.rows()?;
        rows.retain(|row| row.file != name);
        rows.push(IndexRow::new(name, record, report));
        write_whole(&index, index_page(rows, self.language)?.as_bytes())
    }
}
