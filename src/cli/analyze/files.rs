//! The files written beside the report: a record a game.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::args::AnalyzeArgs;
use super::jobs::Game;
use super::worker::Analysis;
use crate::cli::records::files::{naming, write_whole};
use crate::cli::records::inputs::Input;
use crate::records::{CommentStyle, Format, WriteOptions, write};
use crate::report::GameReport;

/// Where games are written to.
pub(super) struct GameFiles {
    records: Vec<(Format, PathBuf)>,
    names: Names,
}

impl GameFiles {
    /// What the arguments ask for. Folders are made.
    pub(super) fn new(args: &AnalyzeArgs, inputs: &[Input]) -> io::Result<GameFiles> {
        let folders = [(Format::Kif, &args.kif), (Format::Csa, &args.csa)];
        let records: Vec<_> =
            folders.into_iter().filter_map(|(format, folder)| Some((format, folder.clone()?))).collect();
        for (_, folder) in &records {
            fs::create_dir_all(folder).map_err(|error| naming(folder, &error))?;
        }
        Ok(GameFiles { records, names: Names::of(inputs) })
    }

    /// Writes all files of a game whose positions are analysed.
    pub(super) fn write(&mut self, game: &Game, analyses: &[Analysis], _report: &GameReport) -> io::Result<()> {
        let Some(record) = &game.record else { return Ok(()) };
        for (format, folder) in &self.records {
            let mut record = record.clone();
            let nodes: Vec<_> = record.main_line().take(analyses.len()).collect();
            for (id, analysis) in nodes.into_iter().zip(analyses) {
                record.annotate(id, &analysis.found.lines, CommentStyle::of(*format));
            }
            let path = self.names.path(folder, game, format.name());
            write_whole(&path, write(&record, *format, &WriteOptions::default()).as_bytes())?;
        }
        Ok(())
    }
}

/// Names of files that games are written to: that of the file they are from, without its folder where no other file
/// has the same name.
struct Names {
    /// How many inputs have this stem.
    stems: BTreeMap<String, usize>,
}

impl Names {
    fn of(inputs: &[Input]) -> Names {
        let mut stems = BTreeMap::new();
        for input in inputs {
            *stems.entry(input.stem()).or_insert(0) += 1;
        }
        Names { stems }
    }

    fn path(&self, folder: &Path, game: &Game, extension: &str) -> PathBuf {
        let mut stem = game.place.input.stem();
        if self.stems.get(&stem).is_some_and(|&count| count > 1) {
            let name = game.place.input.name();
            stem = name.chars().map(|c| if c.is_alphanumeric() || c == '-' { c } else { '_' }).collect();
        }
        let number = if game.place.game > 1 { format!("-{}", game.place.game) } else { String::new() };
        folder.join(format!("{stem}{number}.{extension}"))
    }
}
