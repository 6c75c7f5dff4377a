//! What bounds a search, and what users set once for all searches.

use std::time::{Duration, Instant};

use crate::rules::Rules;
use crate::types::{Color, Depth, MAX_PLY, Move, Score};

/// The clocks of a game, in milliseconds as `go` gives them; they may be zero or negative.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Clock {
    /// Time left on each player's clock, by [`Color::index`]; `None` when `go` does not give it.
    pub time: [Option<i64>; 2],
    /// Increment a move for each player.
    pub increment: [Option<i64>; 2],
    /// Time for each move after the clock has run out.
    pub byoyomi: Option<i64>,
    /// Moves to the next time control, where the game has one.
    pub moves_to_go: Option<u32>,
}

impl Clock {
    /// Whether anything here limits `color`'s thinking.
    pub fn bounds(&self, color: Color) -> bool {
        self.time[color.index()].is_some()
            || self.increment[color.index()].is_some_and(|increment| increment > 0)
            || self.byoyomi.is_some_and(|byoyomi| byoyomi > 0)
    }
}

/// What bounds a search. Any set of limits may be given: all of them hold, and the one that is reached first ends the
/// search. Each means the same in any combination.
///
/// | limit | words of `go` | meaning |
/// |---|---|---|
/// | [`depth`](Self::depth) | `depth` | no deeper iteration |
/// | [`nodes`](Self::nodes) | `nodes` | no more nodes |
/// | [`soft_nodes`](Self::soft_nodes) | | no further iteration after this many nodes |
/// | [`move_time`](Self::move_time) | `movetime`, `rtime` | no more time; of both words, the shorter time |
/// | [`clock`](Self::clock) | `btime`, `wtime`, `binc`, `winc` | no more time than the player's clock gives (1) |
/// | | `byoyomi`, `movestogo` | parts of the clock |
/// | [`search_moves`](Self::search_moves) | `searchmoves` | these moves alone, and no book or declaration |
/// | [`ponder`](Self::ponder) | `ponder` | no answer and no limit of time before `ponderhit` (2) |
/// | [`infinite`](Self::infinite) | `infinite` | no answer before `stop`, and no limit of time at all (3) |
/// | none | | no end before `stop` |
/// | | `mate` | a search for a mate, which all limits bound as well (4) |
///
/// 1. Less the delays of the options. The search ends sooner where the clock is better saved for later moves. A side of
///    which nothing was sent has the other's time.
/// 2. Time counts from there, by the clocks that come with it or else by those of `go`. Without any limit the answer
///    comes soon after it.
/// 3. A search that has reached its depth or nodes waits for `stop`.
/// 4. `depth` bounds the length of the mate, `nodes` the positions. The answer comes when it is known, also with
///    `infinite`. `searchmoves` and `ponder` have no meaning for it, which is said.
///
/// `stop` ends everything at once. The options `DepthLimit`, `NodesLimit` and `SkillLevel` are further limits of depth
/// and nodes for every search but that for a mate.
///
/// Only a game saves time: with a clock that keeps what is not used (main time or an increment, or after `ponder`), but
/// neither with `move_time` or `search_moves` nor in `ConsiderationMode`, the only legal move and a proven mate are
/// played at once, and clear moves sooner. Elsewhere a score is wanted: the limits are used up, unless a mate was found
/// that is proved to be the shortest, or so short that no deeper search can change it. A book answers where a move to
/// play is asked for (neither `infinite`, `depth` or `search_moves` nor `ConsiderationMode`).
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct SearchLimits {
    /// The game's clocks.
    pub clock: Option<Clock>,
    /// Use this much time, neither more nor less unless another limit ends the search (or a mate is certain).
    pub move_time: Option<Duration>,
    /// Deepest iteration.
    pub depth: Option<Depth>,
    /// Nodes of all threads together.
    pub nodes: Option<u64>,
    /// An iteration that ends with this many nodes or more, of all threads together, is the last. Its score stands for
    /// every move, while an iteration that is cut short knows only some of them.
    pub soft_nodes: Option<u64>,
    /// Search until stopped, however certain the result.
    pub infinite: bool,
    /// Search on the opponent's time: no result before `ponderhit` or `stop`.
    pub ponder: bool,
    /// Only these root moves; all when empty.
    pub search_moves: Vec<Move>,
    /// It is the player's first move of the game, so that no increment has been added to the clock yet.
    pub first_move: bool,
    /// When the search was asked for, where its time has run since then; where not given, the time runs from
    /// the moment the search begins.
    pub asked_at: Option<Instant>,
}

impl SearchLimits {
    /// Whether the search ends by itself for this player, once it does not ponder.
    pub fn is_bounded(&self, color: Color) -> bool {
        !self.infinite && (self.ponder || self.has_limit(color))
    }

    /// Whether anything but a command limits the search.
    pub(super) fn has_limit(&self, color: Color) -> bool {
        self.depth.is_some()
            || self.nodes.is_some()
            || self.soft_nodes.is_some()
            || self.move_time.is_some()
            || self.clock.is_some_and(|clock| clock.bounds(color))
    }

    /// The last iteration.
    pub(super) fn deepest(&self) -> Depth {
        self.depth.unwrap_or(MAX_PLY as Depth).clamp(1, MAX_PLY as Depth)
    }
}

// What users set once for all searches.

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

    const SIDES: [Color; 2] = [Color::Black, Color::White];

    #[test]
    fn a_clock_bounds_the_players_that_have_time_on_it() {
        let bounds = |clock: Clock| SIDES.map(|color| clock.bounds(color));
        assert_eq!(bounds(Clock::default()), [false, false]);
        assert_eq!(bounds(Clock { time: [None, Some(0)], ..Clock::default() }), [false, true], "an empty clock is one");
        assert_eq!(bounds(Clock { increment: [Some(1), Some(0)], ..Clock::default() }), [true, false]);
        assert_eq!(bounds(Clock { byoyomi: Some(1), ..Clock::default() }), [true, true]);
        assert_eq!(bounds(Clock { byoyomi: Some(0), ..Clock::default() }), [false, false]);
        assert_eq!(bounds(Clock { moves_to_go: Some(9), ..Clock::default() }), [false, false]);
    }

    #[test]
    fn every_limit_bounds_a_search_that_is_not_infinite() {
        let clock = Some(Clock { time: [Some(1000), None], ..Clock::default() });
        let all = [
            SearchLimits { depth: Some(1), ..SearchLimits::default() },
            SearchLimits { nodes: Some(1), ..SearchLimits::default() },
            SearchLimits { soft_nodes: Some(1), ..SearchLimits::default() },
            SearchLimits { move_time: Some(Duration::from_millis(1)), ..SearchLimits::default() },
            SearchLimits { clock, ..SearchLimits::default() },
        ];
        assert!(all.iter().all(|limits| limits.is_bounded(Color::Black)));
        assert_eq!(all.clone().map(|limits| limits.is_bounded(Color::White)), [true, true, true, true, false]);
        for limits in all.into_iter().chain([SearchLimits::default()]) {
            assert!(!SearchLimits { infinite: true, ..limits }.is_bounded(Color::Black));
        }
        let pondering = SearchLimits { ponder: true, ..SearchLimits::default() };
        assert!(pondering.is_bounded(Color::Black), "the answer comes soon after the hit");
        assert!(!SearchLimits { first_move: true, ..SearchLimits::default() }.is_bounded(Color::Black));
    }

    #[test]
    fn bounds_are_shown_after_three_seconds_but_never_in_consideration_mode() {
        let settings = SearchSettings::default();
        let shown = |settings: &SearchSettings| [2, 4, 9999].map(|at| settings.shows_bounds(Duration::from_secs(at)));
        assert_eq!(shown(&settings), [false, true, true]);
        assert_eq!(shown(&SearchSettings { consideration_mode: true, ..settings.clone() }), [false; 3]);
        assert_eq!(shown(&SearchSettings { report_bounds: false, ..settings }), [false; 3]);
    }
}
