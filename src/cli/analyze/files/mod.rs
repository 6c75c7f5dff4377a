//! The files written beside the report: a record and a page for each game, and the list of pages.

mod drills;

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::args::AnalyzeArgs;
use super::input::Game;
use crate::cli::records::files::{InputFiles, Stems, naming, write_whole};
use crate::cli::records::inputs::Input;
use crate::records::notation::Notation;
use crate::records::{CommentStyle, Format, GameRecord, WriteOptions, write};
use crate::report::page::{IndexRow, PageOptions, game_page, index_page, index_rows};
use crate::report::{GameReport, PositionAnalysis};
use drills::Drills;

/// Where games are written to.
pub(super) struct GameFiles {
    records: Vec<(Format, PathBuf)>,
    pages: Option<Pages>,
    drills: Option<Drills>,
    names: Names,
}

impl GameFiles {
    /// What the arguments ask for, begun or gone on with. Folders are made.
    pub(super) fn new(args: &AnalyzeArgs, inputs: &[Input], goes_on: bool) -> io::Result<GameFiles> {
        let folders = [(Format::Kif, &args.kif), (Format::Csa, &args.csa)];
        let records: Vec<_> =
            folders.into_iter().filter_map(|(format, folder)| Some((format, folder.clone()?))).collect();
        for folder in records.iter().map(|(_, folder)| folder).chain(&args.html) {
            fs::create_dir_all(folder).map_err(|error| naming(folder, &error))?;
        }
        let pages = args.html.as_deref().map(|folder| Pages::new(folder, args));
        let drills = args.drills.as_deref().map(|path| Drills::new(path, args, goes_on)).transpose()?;
        Ok(GameFiles { records, pages, drills, names: Names::of(inputs) })
    }

    /// Sees to it that no file is written that is read.
    ///
    /// # Errors
    /// When one of the inputs would be written over.
    pub(super) fn refuse_inputs(args: &AnalyzeArgs, inputs: &[Input], read: &InputFiles) -> io::Result<()> {
        let names = Names::of(inputs);
        for (folder, extension) in [(&args.kif, "kif"), (&args.csa, "csa"), (&args.html, "html")] {
            let Some(folder) = folder else { continue };
            let stems = Stems::new(inputs.iter().map(|input| names.stem(input, extension)));
            let is_index = |name: &str| extension == "html" && name == INDEX;
            read.refuse_in_folder(folder, |name| is_index(name) || stems.may_name(name, extension))?;
        }
        args.drills.as_deref().map_or(Ok(()), |drills| read.refuse(drills))
    }

    /// Writes all files of a game whose positions are analysed.
    pub(super) fn write(&mut self, game: &Game, analyses: &[PositionAnalysis], report: &GameReport) -> io::Result<()> {
        let Some(record) = &game.record else { return Ok(()) };
        for (format, folder) in &self.records {
            let mut record = record.clone();
            let nodes: Vec<_> = record.main_line().take(analyses.len()).collect();
            for (id, analysis) in nodes.into_iter().zip(analyses) {
                record.annotate(id, &analysis.shown_lines(), CommentStyle::of(*format));
            }
            let path = folder.join(self.names.name(game, format.name()));
            write_whole(&path, write(&record, *format, &WriteOptions::default()).as_bytes())?;
        }
        if let Some(pages) = &mut self.pages {
            pages.write(self.names.name(game, "html"), record, analyses, report)?;
        }
        self.drills.as_mut().map_or(Ok(()), |drills| drills.add(game, analyses, report))
    }

    /// Ends what grows from game to game.
    pub(super) fn finish(self) -> io::Result<()> {
        self.drills.map_or(Ok(()), Drills::finish)
    }
}

/// The pages of games, and the list of them.
struct Pages {
    folder: PathBuf,
    rows: Vec<IndexRow>,
    language: &'static str,
    notation: &'static str,
    engine: String,
}

const INDEX: &str = "index.html";

impl Pages {
    /// Games that the folder has already stay in its list.
    fn new(folder: &Path, args: &AnalyzeArgs) -> Pages {
        let rows = fs::read_to_string(folder.join(INDEX)).map_or(Vec::new(), |page| index_rows(&page));
        let notation = match args.notation() {
            Notation::Kif => Notation::Japanese,
            notation => notation,
        };
        let engine = format!("Kurosabi {}, {}", env!("CARGO_PKG_VERSION"), args.limits_in_words());
        let (language, notation) = (args.language().code(), notation.name());
        Pages { folder: folder.to_owned(), rows, language, notation, engine }
    }

    fn write(
        &mut self,
        name: String,
        record: &GameRecord,
        analyses: &[PositionAnalysis],
        report: &GameReport,
    ) -> io::Result<()> {
        let options =
            PageOptions { language: self.language, notation: self.notation, engine: &self.engine, index: true };
        let page = game_page(record, analyses, report, &options)?;
        write_whole(&self.folder.join(&name), page.as_bytes())?;
        self.rows.retain(|row| row.file != name);
        self.rows.push(IndexRow::new(name, record, report));
        let index = index_page(self.rows.clone(), self.language)?;
        write_whole(&self.folder.join(INDEX), index.as_bytes())
    }
}

/// Names of files that games are written to: that of the file they are from, without its folder where no other file
/// has the same name.
struct Names {
    /// How many inputs have this stem, in lower case: Windows and macOS do not tell capitals from small letters.
    stems: BTreeMap<String, usize>,
}

impl Names {
    fn of(inputs: &[Input]) -> Names {
        let mut stems = BTreeMap::new();
        for input in inputs {
            *stems.entry(input.stem().to_lowercase()).or_insert(0) += 1;
        }
        Names { stems }
    }

    /// Whether a game of another input may have this name: of an input with the same stem, or, for "game-2", the second
    /// game of one called "game".
    fn is_shared(&self, stem: &str) -> bool {
        let stem = stem.to_lowercase();
        let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        let numbered = stem.rsplit_once('-').filter(|(_, number)| is_number(number));
        self.stems.get(&stem).is_some_and(|&count| count > 1)
            || numbered.is_some_and(|(first, _)| self.stems.contains_key(first))
    }

    /// The name for the first game of an input, without the extension.
    fn stem(&self, input: &Input, extension: &str) -> String {
        let stem = input.stem();
        if format!("{stem}.{extension}") != INDEX && !self.is_shared(&stem) {
            return stem;
        }
        input.name().chars().map(|c| if c.is_alphanumeric() || c == '-' { c } else { '_' }).collect()
    }

    fn name(&self, game: &Game, extension: &str) -> String {
        let stem = self.stem(&game.place.input, extension);
        let number = if game.place.game > 1 { format!("-{}", game.place.game) } else { String::new() };
        format!("{stem}{number}.{extension}")
    }
}
