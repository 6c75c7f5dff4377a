//! What the searches say while they run.

use indicatif::ProgressBar;

use super::table::{Line, Place, Style};
use crate::cli::terminal;
use crate::language::Language;
use crate::position::Position;
use crate::records::notation::Notation;
use crate::search::{Bound, SearchInfo};
use crate::types::Square;

/// The line below the progress: the best line so far of the search that has found one last.
pub(super) struct Progress {
    bar: ProgressBar,
    style: Style,
}

impl Progress {
    pub(super) fn new(bar: ProgressBar, notation: Notation, language: Language) -> Progress {
        // The last column stays free: some terminals begin a new line with it.
        let width = terminal::progress_width().map(|width| width.saturating_sub(1));
        Progress { bar, style: Style { width, color: false, notation, language } }
    }

    /// Shows the best line of a position, in which the move before went to `last`.
    pub(super) fn show(&self, position: &Position, last: Option<Square>, info: &SearchInfo) {
        if self.bar.is_hidden() || info.multi_pv != 1 || info.bound != Bound::Exact {
            return;
        }
        let (number, language) = (position.game_ply(), self.style.language);
        let (depth, score) = (info.depth, self.style.score(info.score.outcome()));
        let said = language.choose(
            format!("move {number}: depth {depth}, {score}: "),
            format!("{number}手目: 深さ{depth}、{score}: "),
        );
        let line = Line { board: &position.setup(), moves: &info.pv, last };
        let place = Place { indent: 0, taken: super::table::widest(&said), rows: 1 };
        self.bar.set_message(said + &self.style.line_of_play(&line, place));
    }
}
