//! The time of one search: when it began, and when it must end.

use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use crate::search::control::budget::Budget;
use crate::search::control::{SearchControl, SearchLimits, TimeSettings};
use crate::types::Color;

/// The clock of one search, shared by the search itself and by whoever answers in its stead.
///
/// On the opponent's time (pondering) nothing ends the search. With `ponderhit` its own clock starts, which is
/// settled once, by whoever sees it first.
pub(crate) struct TimeManager<'a> {
    control: &'a SearchControl,
    limits: &'a SearchLimits,
    settings: &'a TimeSettings,
    color: Color,
    game_ply: u32,
    /// When the search was asked for, on whoever's time.
    started: Instant,
    /// What `go` gave.
    budget: Option<Budget>,
    /// When the search's own clock started, and its budget.
    own: OnceLock<OwnClock>,
    pondered: Mutex<Pondered>,
}

#[derive(Clone, Copy)]
struct OwnClock {
    start: Instant,
    budget: Option<Budget>,
}

/// What pondering has achieved when the search's own clock starts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Pondered {
    /// Nothing yet that would end the search.
    #[default]
    Unsettled,
    /// The move has been thought about long enough.
    Enough,
    /// There is no choice, or nothing better to find.
    Certain,
}

impl<'a> TimeManager<'a> {
    /// The clock of a search under these limits, for the player to move. It runs since the search was asked for
    /// where the limits tell when that was, else from now on.
    pub(crate) fn new(
        control: &'a SearchControl,
        limits: &'a SearchLimits,
        settings: &'a TimeSettings,
        color: Color,
        game_ply: u32,
    ) -> TimeManager<'a> {
        let started = limits.asked_at.unwrap_or_else(Instant::now);
        let budget = Budget::of_limits(limits, settings, color, game_ply);
        TimeManager {
            control,
            limits,
            settings,
            color,
            game_ply,
            started,
            budget,
            own: OnceLock::new(),
            pondered: Mutex::default(),
        }
    }

    /// Time since the search was asked for, on whoever's time.
    pub(crate) fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// Whether the search is still on the opponent's time.
    pub(crate) fn is_pondering(&self) -> bool {
        self.control.is_pondering()
    }

    /// Keeps what pondering has brought so far.
    pub(crate) fn note_pondered(&self, pondered: Pondered) {
        *self.pondered.lock().unwrap_or_else(PoisonError::into_inner) = pondered;
    }

    /// Whether the last moment has come.
    pub(crate) fn is_over(&self) -> bool {
        let is_over = |own: &OwnClock| own.budget.is_some_and(|budget| own.start.elapsed() >= budget.maximum);
        self.own_clock().is_some_and(is_over)
    }

    /// The last moment; none as long as the search ponders, or where its time is not limited.
    pub(crate) fn deadline(&self) -> Option<Instant> {
        let own = self.own_clock()?;
        own.start.checked_add(own.budget?.maximum)
    }

    /// Whether to stop after a finished iteration, by this effort (see [`Budget::aim`]). While the search ponders,
    /// whether it would stop if it had been on its own clock all the time.
    pub(crate) fn is_enough(&self, effort: f64) -> bool {
        let (start, budget) = self.own_clock().map_or((self.started, self.budget), |own| (own.start, own.budget));
        let aim = budget.and_then(|budget| budget.aim(effort));
        aim.is_some_and(|aim| start.elapsed() >= aim)
    }

    /// Whether the search's own clock runs and decides when to stop, so that a certain result may end it early.
    pub(crate) fn is_timed(&self) -> bool {
        self.own_clock().is_some_and(|own| own.budget.is_some())
    }

    /// The own clock, once it runs.
    fn own_clock(&self) -> Option<&OwnClock> {
        self.own.get().or_else(|| (!self.is_pondering()).then(|| self.own.get_or_init(|| self.start_own_clock())))
    }

    fn start_own_clock(&self) -> OwnClock {
        let Some(hit) = self.control.ponder_hit_seen() else {
            return OwnClock { start: self.started, budget: self.budget };
        };
        let mut limits = self.limits.clone();
        limits.clock = hit.clock.or(limits.clock);
        let mut budget = Budget::of_limits(&limits, self.settings, self.color, self.game_ply);
        if let Some(budget) = &mut budget {
            match *self.pondered.lock().unwrap_or_else(PoisonError::into_inner) {
                Pondered::Unsettled => {}
                Pondered::Enough if budget.use_all => {}
                Pondered::Enough => (budget.optimum, budget.maximum) = (budget.minimum, budget.minimum),
                Pondered::Certain => budget.maximum = Duration::ZERO,
            }
        }
        // A hit that was sent ahead of the answer to an earlier `go` does not start the clock before that answer.
        OwnClock { start: hit.at.max(self.started), budget }
    }
}

/// What will end a search, in words, for logs.
pub fn plan(limits: &SearchLimits, settings: &TimeSettings, color: Color, game_ply: u32) -> String {
    let mut parts = Vec::new();
    if limits.ponder {
        parts.push("pondering".to_owned());
    }
    if let Some(budget) = Budget::of_limits(limits, settings, color, game_ply) {
        let ms = |time: Duration| time.as_millis();
        let Budget { minimum, optimum, maximum, .. } = budget;
        parts.push(format!("at least {} ms, about {} ms, at most {} ms", ms(minimum), ms(optimum), ms(maximum)));
    }
    parts.extend(limits.depth.map(|depth| format!("depth {depth}")));
    parts.extend(limits.nodes.map(|nodes| format!("{nodes} nodes")));
    parts.extend(limits.soft_nodes.map(|nodes| format!("the iteration that ends after {nodes} nodes")));
    if parts.is_empty() { "until stopped".to_owned() } else { parts.join(", ") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::control::Clock;

    const MOVE_TIME: Duration = Duration::from_secs(60);

    fn limits(ponder: bool, asked_at: Option<Instant>) -> SearchLimits {
        SearchLimits { move_time: Some(MOVE_TIME), ponder, asked_at, ..SearchLimits::default() }
    }

    fn ago(time: Duration) -> Option<Instant> {
        Instant::now().checked_sub(time)
    }

    #[test]
    fn time_runs_from_when_the_search_was_asked_for() {
        let (control, settings) = (SearchControl::new(), TimeSettings::default());
        let is_over =
            |asked_at| TimeManager::new(&control, &limits(false, asked_at), &settings, Color::Black, 1).is_over();
        assert!(!is_over(None));
        assert!(!is_over(ago(MOVE_TIME / 2)));
        assert!(is_over(ago(MOVE_TIME)));
    }

    #[test]
    fn enough_time_is_that_which_the_effort_asks_for() {
        let (control, settings) = (SearchControl::new(), TimeSettings::default());
        let clock = Some(Clock { time: [Some(600_000), None], ..Clock::default() });
        let is_enough = |asked_at, effort| {
            let limits = SearchLimits { clock, asked_at, ..SearchLimits::default() };
            TimeManager::new(&control, &limits, &settings, Color::Black, 1).is_enough(effort)
        };
        let limits = SearchLimits { clock, ..SearchLimits::default() };
        let optimum = Budget::of_limits(&limits, &settings, Color::Black, 1).unwrap().optimum;
        assert!(!is_enough(None, 1.0) && !is_enough(ago(optimum / 2), 1.0));
        assert!(is_enough(ago(optimum), 1.0) && !is_enough(ago(optimum), 2.0));
        let limits = SearchLimits { depth: Some(3), ..SearchLimits::default() };
        assert!(!TimeManager::new(&control, &limits, &settings, Color::Black, 1).is_enough(1.0), "no clock");
    }

    #[test]
    fn the_own_clock_starts_with_the_ponder_hit() {
        let (control, settings) = (SearchControl::new(), TimeSettings::default());
        control.reset(true);
        let limits = limits(true, ago(2 * MOVE_TIME));
        let time = TimeManager::new(&control, &limits, &settings, Color::Black, 1);
        assert!(!time.is_over() && !time.is_timed() && time.deadline().is_none());
        control.ponder_hit(None);
        assert!(!time.is_over() && time.is_timed());
        assert!(time.deadline().is_some_and(|deadline| deadline > Instant::now() + MOVE_TIME / 2));
    }

    #[test]
    fn a_ponder_hit_before_the_search_does_not_start_the_clock() {
        let (control, settings) = (SearchControl::new(), TimeSettings::default());
        control.reset(true);
        control.ponder_hit(None);
        let asked_at = Instant::now() + MOVE_TIME;
        let limits = limits(true, Some(asked_at));
        let time = TimeManager::new(&control, &limits, &settings, Color::Black, 1);
        assert!(time.deadline().is_some_and(|deadline| deadline > asked_at + MOVE_TIME / 2));
    }

    #[test]
    fn what_was_pondered_shortens_the_own_clock() {
        let settings = TimeSettings::default();
        let deadline = |pondered| {
            let control = SearchControl::new();
            control.reset(true);
            let clock = Clock { time: [Some(600_000), None], ..Clock::default() };
            let limits = SearchLimits { clock: Some(clock), ponder: true, ..SearchLimits::default() };
            let time = TimeManager::new(&control, &limits, &settings, Color::Black, 1);
            time.note_pondered(pondered);
            control.ponder_hit(None);
            time.deadline().unwrap().saturating_duration_since(Instant::now())
        };
        let [unsettled, enough, certain] = [Pondered::Unsettled, Pondered::Enough, Pondered::Certain].map(deadline);
        assert!(unsettled > enough && enough > certain && certain.is_zero(), "{unsettled:?} {enough:?} {certain:?}");
    }

    #[test]
    fn the_plan_tells_what_will_end_the_search() {
        let settings = TimeSettings::default();
        let told = |limits: &SearchLimits| plan(limits, &settings, Color::Black, 1);
        let free = SearchLimits::default();
        assert_eq!(told(&free), "until stopped");
        assert_eq!(told(&SearchLimits { depth: Some(9), nodes: Some(500), ..free.clone() }), "depth 9, 500 nodes");
        assert_eq!(told(&SearchLimits { ponder: true, depth: Some(9), ..free.clone() }), "pondering, depth 9");
        let move_time = Some(Duration::from_millis(1000));
        let timed = told(&SearchLimits { move_time, ..free });
        assert_eq!(timed, "at least 998 ms, about 998 ms, at most 998 ms");
    }
}
