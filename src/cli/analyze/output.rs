//! The report: entries in the order of the input, and the progress on the terminal.

use std::collections::BTreeMap;
use std::path::PathBuf;

use indicatif::ProgressBar;

use super::files::GameFiles;
use super::input::{BadInput, InputGame, InputPlace, Job};
use super::levels::LevelFinder;
use super::table::Style;
use super::worker::{Analysis, ReportEntry, WorkResult};
use super::{entry_table, json};
use crate::cli::failure::Result;
use crate::cli::records::inputs::Input;
use crate::cli::resumable::{ItemId, ItemOutput};
use crate::records::diagram;
use crate::report::{GameReport, Judgement, PositionAnalysis, Scale};

/// How the report looks.
#[derive(Clone, Copy, Debug)]
pub(super) enum Format {
    /// For people.
    Table(Style),
    /// For people who wait for pages: of each game only what its moves came to.
    Summaries(Style),
    /// For programs: one object a line.
    Json,
}

/// What the report held.
#[derive(Clone, Debug, Default)]
pub(super) struct Counts {
    /// Games, positions that stand alone, and what could not be analysed.
    pub(super) entries: usize,
    pub(super) bad: usize,
    /// The page to open.
    pub(super) page: Option<PathBuf>,
}

/// Writes entries as soon as all before them are written.
pub(super) struct EntryWriter {
    out: ItemOutput,
    format: Format,
    files: GameFiles,
    /// Where levels are asked for.
    finder: Option<LevelFinder>,
    progress: ProgressBar,
    counts: Counts,
    /// A single position gets its board drawn.
    draws_board: bool,
    has_heading: bool,
    /// The positions so far of the game being reported.
    game: Vec<Analysis>,
    /// The input and the number of the game reported last.
    last_game: Option<(Input, usize)>,
}

impl EntryWriter {
    pub(super) fn new(
        out: ItemOutput,
        format: Format,
        files: GameFiles,
        finder: Option<LevelFinder>,
        progress: ProgressBar,
        draws_board: bool,
    ) -> EntryWriter {
        let (counts, game) = (Counts::default(), Vec::new());
        EntryWriter {
            out,
            format,
            files,
            finder,
            progress,
            counts,
            draws_board,
            has_heading: false,
            game,
            last_game: None,
        }
    }

    /// Writes all that is delivered.
    ///
    /// # Errors
    /// When the input could not be read to its end, or the output not be written.
    pub(super) fn write_in_order(mut self, results: impl IntoIterator<Item = WorkResult>) -> Result<Counts> {
        let mut early = BTreeMap::new();
        let mut next = 0;
        for delivery in results {
            let (index, entry) = delivery?;
            if matches!(entry, ReportEntry::Analysis(_)) {
                self.progress.inc(1);
            }
            early.insert(index, entry);
            while let Some(entry) = early.remove(&next) {
                next += 1;
                self.add(entry)?;
            }
        }
        self.progress.finish_and_clear();
        self.counts.page = self.files.finish()?;
        self.out.finish()?;
        Ok(self.counts)
    }

    fn add(&mut self, entry: ReportEntry) -> Result {
        match entry {
            ReportEntry::Analysis(analysis) if analysis.game.record.is_some() => self.game_position(*analysis),
            ReportEntry::Analysis(analysis) => self.position(&analysis),
            ReportEntry::Other(Job::Bad(bad)) => self.bad_input(&bad),
            ReportEntry::Other(Job::GameEnd(game)) => self.game_end(&game),
            ReportEntry::Other(Job::Kept(place, is_bad)) => {
                self.count(&place, is_bad);
                Ok(())
            }
            ReportEntry::Other(Job::Position(..)) => Ok(()),
        }
    }

    /// Counts what is reported. A game that was analysed up to its mistake is counted already when that comes.
    fn count(&mut self, place: &InputPlace, is_bad: bool) {
        let this = (place.input.clone(), place.game);
        let is_counted = is_bad && self.last_game.as_ref() == Some(&this);
        self.counts.entries += usize::from(!is_counted);
        self.counts.bad += usize::from(is_bad);
        if !is_bad {
            self.last_game = Some(this);
        }
    }

    fn bad_input(&mut self, bad: &BadInput) -> Result {
        self.count(&bad.place, true);
        let number = self.counts.entries;
        let text = match &self.format {
            Format::Json => json::bad_input(bad),
            Format::Table(style) | Format::Summaries(style) => entry_table::bad_input(number, bad, style),
        };
        self.end_item(&text, || bad.id())
    }

    fn position(&mut self, analysis: &Analysis) -> Result {
        self.count(&analysis.game.place, false);
        let number = self.counts.entries;
        let text = match &self.format {
            Format::Json => json::position(analysis, None),
            Format::Table(style) | Format::Summaries(style) => {
                let mut text = String::new();
                if self.draws_board {
                    let board = &analysis.position;
                    text += &style.language.choose(format!("{}\n\n", board.diagram()), diagram(board) + "\n");
                }
                if !std::mem::replace(&mut self.has_heading, true) {
                    text += &entry_table::heading(style);
                }
                text + &entry_table::position(number, analysis, style)
            }
        };
        self.end_item(&text, || analysis.game.id())
    }

    /// A position of a game is written when the two behind it are known: the next one says what the move played was
    /// worth, and the one after that whether a mate was found there.
    fn game_position(&mut self, analysis: Analysis) -> Result {
        self.game.push(analysis);
        if let Some([before, after]) = self.game.last_chunk_mut::<2>()
            && let Some(played) = before.played()
        {
            before.found.agree_on_mate(played, &mut after.found);
        }
        match (&self.format, &self.game[..]) {
            (Format::Table(style), [analysis]) => {
                let text = entry_table::game_heading(&analysis.game, style) + &entry_table::column_names(style);
                self.write(&text)
            }
            (Format::Summaries(style), [analysis]) => {
                let text = entry_table::game_heading(&analysis.game, style);
                self.write(&text)
            }
            (_, [.., _, _, _]) => {
                let text = self.game_text(self.game.len() - 3);
                self.write(&text)
            }
            _ => Ok(()),
        }
    }

    /// The row of a position of the game. Of a mistake the level that avoids it is found now, since all that it depends
    /// on is known.
    fn game_text(&mut self, index: usize) -> String {
        let (start, analysis) = (&self.game[0], &self.game[index]);
        let scale = Scale::new(&start.position, Some(&start.found), analysis.position.side_to_move());
        let after = self.game.get(index + 1).map(|after| &after.found);
        let judgement = after.and_then(|_| Judgement::new(analysis.played()?, &analysis.found, after, scale));
        if let Some(finder) = &mut self.finder
            && (analysis.found.misses_mate() || judgement.as_ref().is_some_and(|it| it.mistake.is_some()))
        {
            let line = analysis.game.line.up_to(analysis.made);
            let level = finder.lowest_level(&line, analysis.played(), &analysis.found, scale);
            self.game[index].found.found_from_level = Some(level);
        }
        let analysis = &self.game[index];
        match &self.format {
            Format::Json => json::position(analysis, judgement.as_ref()),
            Format::Table(style) => entry_table::game_row(analysis, judgement.as_ref(), style),
            Format::Summaries(_) => String::new(),
        }
    }

    fn game_end(&mut self, game: &InputGame) -> Result {
        let rest = self.game.len().saturating_sub(2)..self.game.len();
        let mut text: String = rest.map(|index| self.game_text(index)).collect();
        let analyses = std::mem::take(&mut self.game);
        if analyses.is_empty() {
            return Ok(());
        }
        self.count(&game.place, false);
        let found: Vec<PositionAnalysis> = analyses.iter().map(|analysis| analysis.found.clone()).collect();
        let report = GameReport::new(&game.line.start(), game.line.moves(), &found);
        text += &match &self.format {
            Format::Json => json::game(game, &report),
            Format::Table(style) | Format::Summaries(style) => entry_table::game_end(game, &report, style),
        };
        // Before the line that says the game is done.
        let files = &mut self.files;
        self.progress.suspend(|| files.write(game, &found, &report))?;
        self.has_heading = false;
        self.end_item(&text, || game.id())
    }

    fn write(&mut self, text: &str) -> Result {
        let out = &mut self.out;
        self.progress.suspend(|| out.write(text))
    }

    fn end_item(&mut self, text: &str, item: impl FnOnce() -> ItemId) -> Result {
        let out = &mut self.out;
        self.progress.suspend(|| out.end_item(text, item))
    }
}
