//! The time of one search: when it began, and when it must end.
//!
//! Whatever depends on the present moment is given it, so that tests can run a clock of their own.

use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use crate::search::control::budget::Budget;
use crate::search::control::{SearchControl, SearchLimits, SearchSettings, TimeSettings};
use crate::types::Color;

/// How long to search on after a `ponderhit` where neither it nor `go` has set any limit.
const UNLIMITED_AFTER_HIT: Duration = Duration::from_millis(300);

/// The clock of one search, shared by the search itself and by the thread that answers in its stead.
///
/// On the opponent's time (pondering) nothing ends the search. With `ponderhit` its own clock starts, which is
/// settled once, by the thread that sees it first.
pub(crate) struct TimeManager<'a> {
    control: &'a SearchControl,
    limits: &'a SearchLimits,
    settings: &'a SearchSettings,
    color: Color,
    game_ply: u32,
    /// When the search was asked for, on either player's time.
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

/// What a finished iteration says of the answer.
#[derive(Clone, Copy, Debug)]
pub(crate) struct IterationResult {
    /// What share of the usual time the move deserves.
    pub(crate) effort: f64,
    /// The move to play is known, though its score may not be.
    pub(crate) move_is_certain: bool,
    /// No deeper search would change the score, nor the move.
    pub(crate) score_is_certain: bool,
}

/// What pondering has achieved when the search's own clock starts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Pondered {
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
    /// where the limits say when that was, else from now on.
    pub(crate) fn new(
        control: &'a SearchControl,
        limits: &'a SearchLimits,
        settings: &'a SearchSettings,
        color: Color,
        game_ply: u32,
    ) -> TimeManager<'a> {
        let started = limits.asked_at.unwrap_or_else(Instant::now);
        let budget = Budget::from_limits(limits, &settings.time, color, game_ply);
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

    /// Time since the search was asked for, on either player's time.
    pub(crate) fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// Whether the last moment has come.
    pub(crate) fn is_over(&self, now: Instant) -> bool {
        let is_over = |own: &OwnClock| own.budget.is_some_and(|budget| since(own.start, now) >= budget.maximum);
        self.own_clock().is_some_and(is_over)
    }

    /// The last moment; none as long as the search ponders, or where its time is not limited.
    pub(crate) fn deadline(&self) -> Option<Instant> {
        let own = self.own_clock()?;
        own.start.checked_add(own.budget?.maximum)
    }

    /// Whether the time management is content with what a finished iteration has brought. On the opponent's time that
    /// is kept in mind until the own clock starts.
    ///
    /// Only in a game is time saved, where the clock keeps what is not used: elsewhere a score is wanted as much as a
    /// move, and only a score that is certain ends the search before its time.
    pub(crate) fn is_content(&self, result: IterationResult, now: Instant) -> bool {
        let own = self.own_clock();
        let (start, budget) = own.map_or((self.started, self.budget), |own| (own.start, own.budget));
        let saves = self.plays_game() && (self.limits.ponder || budget.is_some_and(|budget| !budget.use_all));
        let certain = result.score_is_certain || saves && result.move_is_certain;
        let effort = if saves { result.effort } else { result.effort.max(1.0) };
        let aim = budget.and_then(|budget| budget.aim(effort));
        let enough = aim.is_some_and(|aim| since(start, now) >= aim);
        match own {
            Some(own) => own.budget.is_some() && (certain || enough),
            None => {
                *self.pondered.lock().unwrap_or_else(PoisonError::into_inner) = match (certain, saves && enough) {
                    (true, _) => Pondered::Certain,
                    (false, true) => Pondered::Enough,
                    (false, false) => Pondered::Unsettled,
                };
                false
            }
        }
    }

    /// Whether the search is for a move in a game, and its score only a means.
    fn plays_game(&self) -> bool {
        let SearchLimits { move_time, search_moves, .. } = self.limits;
        move_time.is_none() && search_moves.is_empty() && !self.settings.consideration_mode
    }

    /// The own clock, once it runs.
    fn own_clock(&self) -> Option<&OwnClock> {
        let is_due = || !self.control.is_pondering();
        self.own.get().or_else(|| is_due().then(|| self.own.get_or_init(|| self.start_own_clock())))
    }

    fn start_own_clock(&self) -> OwnClock {
        let Some(hit) = self.control.ponder_hit_seen() else {
            return OwnClock { start: self.started, budget: self.budget };
        };
        let mut limits = self.limits.clone();
        limits.clock = hit.clock.or(limits.clock);
        let mut budget = Budget::from_limits(&limits, &self.settings.time, self.color, self.game_ply);
        if !limits.infinite && !limits.has_limit(self.color) {
            budget = Some(Budget::exactly(UNLIMITED_AFTER_HIT));
        }
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

fn since(start: Instant, now: Instant) -> Duration {
    now.saturating_duration_since(start)
}

/// The most time that the limits give to this player's move; none where they do not limit it.
pub fn longest_time(limits: &SearchLimits, settings: &TimeSettings, color: Color, game_ply: u32) -> Option<Duration> {
    Budget::from_limits(limits, settings, color, game_ply).map(|budget| budget.maximum)
}

/// What will end a search, in words, for logs.
pub fn plan(limits: &SearchLimits, settings: &TimeSettings, color: Color, game_ply: u32) -> String {
    let mut parts = Vec::new();
    if limits.ponder {
        parts.push("pondering".to_owned());
    }
    if let Some(budget) = Budget::from_limits(limits, settings, color, game_ply) {
        let ms = |time: Duration| time.min(budget.maximum).as_millis();
        let Budget { minimum, optimum, maximum, .. } = budget;
        parts.push(format!("at least {} ms, about {} ms, at most {} ms", ms(minimum), ms(optimum), ms(maximum)));
    }
    parts.extend(limits.depth.map(|depth| format!("depth {depth}")));
    parts.extend(limits.nodes.map(|nodes| format!("{nodes} nodes")));
    parts.extend(limits.soft_nodes.map(|nodes| format!("the iteration that ends after {nodes} nodes")));
    if parts.is_empty() { "until stopped".to_owned() } else { parts.join(", ") }
}

#[cfg(test)]
mod tests;
