//! The report: entries in the order of the input, and the progress on the terminal.

use std::collections::BTreeMap;
use std::io::{self, IsTerminal, Write};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

use super::worker::{Delivery, Entry};
use super::{json, table};

/// How the report looks.
#[derive(Clone, Copy, Debug)]
pub(super) enum Format {
    /// For people; lines are cut to the width, when there is one.
    Table { width: Option<usize> },
    /// For programs: one object a line.
    Json,
}

/// What the report held.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Counts {
    pub(super) entries: usize,
    pub(super) bad_lines: usize,
}

/// Writes entries as soon as all before them are written.
pub(super) struct Report {
    out: Box<dyn Write>,
    format: Format,
    progress: ProgressBar,
    counts: Counts,
}

impl Report {
    /// A report of so many entries, if that is known.
    pub(super) fn new(out: Box<dyn Write>, format: Format, entries: Option<u64>) -> Report {
        Report { out, format, progress: progress_bar(entries), counts: Counts::default() }
    }

    /// Writes all that is delivered.
    ///
    /// # Errors
    /// When the input could not be read to its end, or the output not be written.
    pub(super) fn write_in_order(mut self, results: impl IntoIterator<Item = Delivery>) -> io::Result<Counts> {
        let mut early = BTreeMap::new();
        for delivery in results {
            let (index, entry) = delivery?;
            early.insert(index, entry);
            self.progress.inc(1);
            while let Some(entry) = early.remove(&self.counts.entries) {
                self.write(&entry)?;
            }
        }
        self.progress.finish_and_clear();
        Ok(self.counts)
    }

    fn write(&mut self, entry: &Entry) -> io::Result<()> {
        let number = self.counts.entries + 1;
        let text = match self.format {
            Format::Json => json::record(entry)?,
            Format::Table { width } => {
                let heading = if number == 1 { table::heading() } else { String::new() };
                heading + &table::rows(number, entry, width)
            }
        };
        self.counts.entries = number;
        self.counts.bad_lines += usize::from(matches!(entry, Entry::Bad(_)));
        let out = &mut self.out;
        self.progress.suspend(|| out.write_all(text.as_bytes()).and_then(|()| out.flush()))
    }
}

fn progress_bar(entries: Option<u64>) -> ProgressBar {
    if !io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let (bar, template) = match entries {
        Some(entries) => {
            (ProgressBar::new(entries), "{elapsed_precise} {wide_bar} {pos}/{len} positions, {eta_precise} left")
        }
        None => (ProgressBar::no_length(), "{elapsed_precise} {spinner} {pos} positions"),
    };
    bar.set_style(ProgressStyle::with_template(template).expect("the template is well formed"));
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}
