//! What users set once for all searches.

use std::time::Duration;

use crate::rules::Rules;
use crate::types::Score;

/// How searches behave, apart from their limits. The engine's options fill it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchSettings {
    /// How many best lines to find; at least 1.
    pub multi_pv: usize,
    /// The rules of the game.
    pub rules: Rules,
    /// What a draw is worth when Black, or White, is to move at the root; by color index of that side.
    pub draw_value: [Score; 2],
    /// Generate also the non-promotions that are hardly ever useful. Those of the position to be searched that
    /// can avoid or enforce a drop-pawn mate are generated in any case.
    pub generate_all_legal_moves: bool,
    /// Least time between two reports of lines; fail-high and fail-low reports are not counted.
    pub pv_interval: Duration,
    /// For analysis: only exact scores are shown, as without `report_bounds`. The search itself, and so the move, is
    /// the same.
    pub consideration_mode: bool,
    /// Report fail-highs and fail-lows. The last lines of a search are always exact.
    pub report_bounds: bool,
    /// From which time of a search on they are reported: users begin to wait for a report.
    pub report_bounds_after: Duration,
    /// How many positions the mate solver may visit at most to look for mates at the root, both sides' together; 0
    /// for none. Until a mate is known it visits no more than one for 64 nodes of the search.
    pub root_mate_nodes: u64,
    /// How to use the clock.
    pub time: TimeSettings,
}

impl SearchSettings {
    /// Whether bounds are shown at this time of a search.
    pub(super) fn shows_bounds(&self, elapsed: Duration) -> bool {
        self.report_bounds && !self.consideration_mode && elapsed > self.report_bounds_after
    }
}

impl Default for SearchSettings {
    fn default() -> SearchSettings {
        SearchSettings {
            multi_pv: 1,
            rules: Rules::default(),
            draw_value: [Score::from_eval(-2); 2],
            generate_all_legal_moves: false,
            pv_interval: Duration::from_millis(300),
            consideration_mode: false,
            report_bounds: true,
            report_bounds_after: Duration::from_secs(3),
            root_mate_nodes: 1_000_000,
            time: TimeSettings::default(),
        }
    }
}

/// How to use the clock. Meanings are those of YaneuraOu's options of the same names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeSettings {
    /// Taken off the time a move aims at, for the way to the GUI and back. Kept back in full as long as 10 ms to think
    /// are left; the default takes at most a fifth of a time below half a second, since nobody chose it for such games.
    pub network_delay: Duration,
    /// Taken off the time at which a move would lose on time. Limited likewise.
    pub network_delay2: Duration,
    /// Think at least this long when the clock allows.
    pub minimum_thinking_time: Duration,
    /// Share of the usual time to use, in percent.
    pub slow_mover: u32,
    /// Use whole seconds, as clocks that count only those ask for.
    pub round_up_to_full_second: bool,
}

impl TimeSettings {
    /// The default of both delays.
    pub const DEFAULT_DELAY: Duration = Duration::from_millis(120);
}

impl Default for TimeSettings {
    fn default() -> TimeSettings {
        TimeSettings {
            network_delay: TimeSettings::DEFAULT_DELAY,
            network_delay2: TimeSettings::DEFAULT_DELAY,
            minimum_thinking_time: Duration::from_millis(2000),
            slow_mover: 100,
            round_up_to_full_second: true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_are_shown_after_three_seconds_but_never_in_consideration_mode() {
        let settings = SearchSettings::default();
        let shown = |settings: &SearchSettings| [2, 4, 9999].map(|at| settings.shows_bounds(Duration::from_secs(at)));
        assert_eq!(shown(&settings), [false, true, true]);
        assert_eq!(shown(&SearchSettings { consideration_mode: true, ..settings.clone() }), [false; 3]);
        assert_eq!(shown(&SearchSettings { report_bounds: false, ..settings }), [false; 3]);
    }
}
