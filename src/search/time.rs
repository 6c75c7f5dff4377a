//! Time management: how much of the clock a move gets, when a search must end, and whether its answer has settled.
//!
//! Functions that depend on the present moment take it as an argument, so that tests can run a clock of their own.

use std::fmt;
use std::sync::{Mutex, OnceLock};
use std::time::{Duration, Instant};

use arrayvec::ArrayVec;
use thiserror::Error;

use crate::search::limits::{Clock, SearchLimits, SearchSettings, TimeSettings};
use crate::search::signals::Signals;
use crate::threads::lock;
use crate::types::{Color, Move, Score};

/// How long a move may and should take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Budget {
    /// Think at least this long.
    minimum: Duration,
    /// The time of an ordinary move.
    optimum: Duration,
    /// Never think longer.
    maximum: Duration,
    /// The time cannot be saved for later moves, so all of it is used.
    use_all: bool,
}

/// Kept back for stopping the threads and writing the answer, in addition to the delays of the options.
const STOP_OVERHEAD: Duration = Duration::from_millis(2);
/// Where the delays leave less than this of a move's time, they are cut to leave so much.
const LEAST_THINKING: Duration = Duration::from_millis(10);
/// Moves that a player is assumed to have left: at least, and at most.
const MOVES_LEFT: (u32, u32) = (25, 60);
/// Length of a long game in plies, from which the number of moves left is estimated.
const GAME_PLIES: u32 = 160;
/// A difficult move may take this many times the optimum.
const MAXIMUM_RATIO: u32 = 5;
/// ... but no more than this share of the clock.
const MAXIMUM_SHARE: f64 = 0.4;
/// Of a time below half a second the default delay takes at most a fifth: such games are played by scripts on one
/// machine, with all options untouched. From there on it may take half, less this.
const SHORT_TIME_SPARED: Duration = Duration::from_millis(150);
/// ... but this much of the shortest times, up to half: where more threads search than there are processors, an answer
/// may be late by some 10 ms.
const SHORTEST_DELAY: Duration = Duration::from_millis(20);
/// From a clock with less than this many byoyomis left, a move may as well use it all.
const BYOYOMI_ALL: f64 = 1.2;

impl Budget {
    /// What the limits give to this player's move; none where they do not limit its time. A time for the move and a
    /// clock hold both.
    fn from_limits(limits: &SearchLimits, settings: &TimeSettings, color: Color, game_ply: u32) -> Option<Budget> {
        if limits.infinite {
            return None;
        }
        let clock = limits.clock.filter(|clock| clock.bounds(color));
        let clock = clock.map(|clock| Budget::from_clock(&clock, limits.first_move, settings, color, game_ply));
        let move_time = limits.move_time.map(Budget::exactly);
        match (clock, move_time) {
            (Some(clock), Some(Budget { maximum: most, .. })) => {
                Some(Budget { minimum: clock.minimum.min(most), maximum: clock.maximum.min(most), ..clock })
            }
            (clock, move_time) => clock.or(move_time),
        }
    }

    /// This much time, neither more nor less.
    fn exactly(time: Duration) -> Budget {
        let time = time.saturating_sub(STOP_OVERHEAD).max(Duration::from_millis(1));
        Budget { minimum: time, optimum: time, maximum: time, use_all: true }
    }

    /// After this time a finished iteration is the last. `effort` stretches the optimum: above 1 where the
    /// position is difficult, below 1 where the answer seems clear. None where all the time is used.
    fn aim(&self, effort: f64) -> Option<Duration> {
        let aim = self.optimum.mul_f64(effort).max(self.minimum).min(self.maximum);
        (!self.use_all).then_some(aim)
    }

    fn from_clock(clock: &Clock, first_move: bool, settings: &TimeSettings, color: Color, game_ply: u32) -> Budget {
        let [main, byoyomi, increment] = available_time(clock, first_move, color);
        let available = main + byoyomi;
        let delay = kept_back(settings.network_delay, available);
        let delay2 = kept_back(settings.network_delay2, available);
        let last_moment = available.saturating_sub(delay2.max(STOP_OVERHEAD)).max(Duration::from_millis(1));

        if main <= byoyomi.mul_f64(BYOYOMI_ALL) {
            let aim = available.saturating_sub(delay.max(STOP_OVERHEAD)).clamp(Duration::from_millis(1), last_moment);
            return Budget { minimum: aim, optimum: aim, maximum: aim, use_all: true };
        }

        let moves_left = clock.moves_to_go.unwrap_or(GAME_PLIES.saturating_sub(game_ply) / 2);
        let moves_left = moves_left.clamp(1, MOVES_LEFT.1).max(clock.moves_to_go.unwrap_or(MOVES_LEFT.0));
        // What comes back after the move can be spent, apart from the delay that it costs every time.
        let income = byoyomi + increment.mul_f64(0.9).min(main / 2);
        let whole = main / moves_left + income;
        let cost = if is_untouched(settings.network_delay) { delay.min(income / 4) } else { delay };
        let share = whole.saturating_sub(cost).max(whole.min(LEAST_THINKING));
        let optimum = share.mul_f64(f64::from(settings.slow_mover) / 100.0).min(last_moment);
        let ceiling = main.mul_f64(MAXIMUM_SHARE) + byoyomi;
        let maximum = (optimum * MAXIMUM_RATIO).min(ceiling).clamp(optimum, last_moment);
        // A minimum of seconds must not ruin a game of seconds.
        let minimum = settings.minimum_thinking_time.min(main / 120 + byoyomi / 2 + increment / 2);
        let mut budget = Budget { minimum: minimum.min(maximum), optimum, maximum, use_all: false };
        // Seconds are used to the full where the clock counts each begun one as a whole.
        if settings.round_up_to_full_second && counts_whole_seconds(clock, color) {
            let round_up = |time: Duration| {
                let seconds = (time + delay).as_millis().div_ceil(1000);
                (Duration::from_millis(seconds as u64 * 1000) - delay).min(last_moment)
            };
            for time in [&mut budget.minimum, &mut budget.optimum, &mut budget.maximum] {
                *time = round_up(*time);
            }
        }
        budget
    }
}

/// The main time, the byoyomi and the increment that a player's clock gives for a move.
fn available_time(clock: &Clock, first_move: bool, color: Color) -> [Duration; 3] {
    let increment = clock.increment[color.index()].unwrap_or(0).max(0);
    let main = main_time(clock.time[color.index()].unwrap_or(0), increment, first_move);
    [main, clock.byoyomi.unwrap_or(0), increment].map(|time| Duration::from_millis(time.max(0) as u64))
}

/// Whether a delay is the default, which nobody has chosen for the game at hand. (Clients send all options, so that a
/// default that was sent is no choice either.)
fn is_untouched(delay: Duration) -> bool {
    delay == TimeSettings::DEFAULT_DELAY
}

/// What a delay keeps back of the time for a move: all that was asked for, as long as any time to think is left; of
/// short times the default takes a part.
fn kept_back(delay: Duration, available: Duration) -> Duration {
    let most = if is_untouched(delay) {
        let half = available / 2;
        half.saturating_sub(SHORT_TIME_SPARED).max(available / 5).max(half.min(SHORTEST_DELAY))
    } else {
        available.saturating_sub(LEAST_THINKING)
    };
    delay.min(most)
}

/// A delay that leaves no time to think, and so is not kept back in full.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error(
    "{option} {} leaves no time to think of {} ms: {} ms are kept back",
    asked.as_millis(), available.as_millis(), kept.as_millis()
)]
pub struct CutDelay {
    /// The name of the option.
    pub option: &'static str,
    /// The delay that it is set to.
    pub asked: Duration,
    /// How much of the delay is kept back.
    pub kept: Duration,
    /// What the clock gives for the move.
    pub available: Duration,
}

impl CutDelay {
    /// The delay that is cut under these limits, for this player's move; none where each is kept back as it was set.
    /// The default means a part of short times, so that it is never cut.
    pub fn find(limits: &SearchLimits, settings: &TimeSettings, color: Color) -> Option<CutDelay> {
        let clock = limits.clock.filter(|clock| !limits.infinite && clock.bounds(color))?;
        let [main, byoyomi, _] = available_time(&clock, limits.first_move, color);
        let available = main + byoyomi;
        [("NetworkDelay2", settings.network_delay2), ("NetworkDelay", settings.network_delay)]
            .map(|(option, asked)| CutDelay { option, asked, kept: kept_back(asked, available), available })
            .into_iter()
            .find(|delay| delay.kept < delay.asked && !is_untouched(delay.asked))
    }
}

/// The main time that is really there, under all readings of `btime` that clients have.
///
/// Some send the clock without the coming increment (even below zero), others with it; on a player's first
/// move nothing has been added yet.
fn main_time(time: i64, increment: i64, first_move: bool) -> i64 {
    if time < 0 {
        time.saturating_add(increment)
    } else if time < increment && !first_move {
        increment
    } else {
        time
    }
}

/// Whether all times are whole seconds, as on clocks that round up what a move used.
fn counts_whole_seconds(clock: &Clock, color: Color) -> bool {
    let times = [clock.time[color.index()], clock.increment[color.index()], clock.byoyomi];
    times.iter().flatten().all(|time| time % 1000 == 0)
}

/// How long to search on after a `ponderhit` where neither it nor `go` has set any limit.
const UNLIMITED_AFTER_HIT: Duration = Duration::from_millis(300);

/// The clock of one search, shared by the search itself and by the watchdog.
///
/// On the opponent's time (pondering) nothing ends the search. With `ponderhit` its own clock starts, which is
/// settled once, by the thread that sees it first.
pub(super) struct TimeManager<'a> {
    signals: &'a Signals,
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
pub(super) struct IterationResult {
    /// What share of the usual time the move deserves.
    pub(super) effort: f64,
    /// The move to play is known, though its score may not be.
    pub(super) move_is_certain: bool,
    /// No deeper search would change the score, nor the move.
    pub(super) score_is_certain: bool,
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
    pub(super) fn new(
        signals: &'a Signals,
        limits: &'a SearchLimits,
        settings: &'a SearchSettings,
        color: Color,
        game_ply: u32,
    ) -> TimeManager<'a> {
        let started = limits.asked_at.unwrap_or_else(Instant::now);
        let budget = Budget::from_limits(limits, &settings.time, color, game_ply);
        TimeManager {
            signals,
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
    pub(super) fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// Whether the last moment has come.
    pub(super) fn is_over(&self, now: Instant) -> bool {
        let is_over = |own: &OwnClock| {
            own.budget.is_some_and(|budget| now.saturating_duration_since(own.start) >= budget.maximum)
        };
        self.own_clock().is_some_and(is_over)
    }

    /// The last moment; none as long as the search ponders, or where its time is not limited.
    pub(super) fn deadline(&self) -> Option<Instant> {
        let own = self.own_clock()?;
        own.start.checked_add(own.budget?.maximum)
    }

    /// Whether the time management is content with what a finished iteration has brought. On the opponent's time that
    /// is kept in mind until the own clock starts.
    ///
    /// Only in a game is time saved, where the clock keeps what is not used: elsewhere a score is wanted as much as a
    /// move, and only a score that is certain ends the search before its time.
    pub(super) fn is_content(&self, result: IterationResult, now: Instant) -> bool {
        let own = self.own_clock();
        let (start, budget) = own.map_or((self.started, self.budget), |own| (own.start, own.budget));
        let saves = self.plays_game() && (self.limits.ponder || budget.is_some_and(|budget| !budget.use_all));
        let certain = result.score_is_certain || saves && result.move_is_certain;
        let effort = if saves { result.effort } else { result.effort.max(1.0) };
        let aim = budget.and_then(|budget| budget.aim(effort));
        let enough = aim.is_some_and(|aim| now.saturating_duration_since(start) >= aim);
        match own {
            Some(own) => own.budget.is_some() && (certain || enough),
            None => {
                *lock(&self.pondered) = match (certain, saves && enough) {
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
        let is_due = || !self.signals.is_pondering();
        self.own.get().or_else(|| is_due().then(|| self.own.get_or_init(|| self.start_own_clock())))
    }

    fn start_own_clock(&self) -> OwnClock {
        let Some(hit) = self.signals.ponder_hit_seen() else {
            return OwnClock { start: self.started, budget: self.budget };
        };
        let mut limits = self.limits.clone();
        limits.clock = hit.clock.or(limits.clock);
        let mut budget = Budget::from_limits(&limits, &self.settings.time, self.color, self.game_ply);
        if !limits.infinite && !limits.has_limit(self.color) {
            budget = Some(Budget::exactly(UNLIMITED_AFTER_HIT));
        }
        if let Some(budget) = &mut budget {
            match *lock(&self.pondered) {
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

/// The most time that the limits give to this player's move; none where they do not limit it.
pub fn longest_time(limits: &SearchLimits, settings: &TimeSettings, color: Color, game_ply: u32) -> Option<Duration> {
    Budget::from_limits(limits, settings, color, game_ply).map(|budget| budget.maximum)
}

/// The time that the limits give to this player's move, for logs.
pub fn plan(limits: &SearchLimits, settings: &TimeSettings, color: Color, game_ply: u32) -> impl fmt::Debug {
    Budget::from_limits(limits, settings, color, game_ply)
}

/// The score is compared with that of the last iteration, and with the one this many iterations back.
const FAR: usize = 4;
/// Score units, both falls together, that double the time.
const DOUBLING_FALL: f64 = 333.0;

/// The best move's part of the nodes with which it deserves neither more nor less time.
const USUAL_NODE_SHARE: f64 = 0.75;
/// How strongly the time depends on that part: 1.5 was better than none and 2.5 no worse than 1.5 in games on the
/// clock.
const NODE_SHARE_WEIGHT: f64 = 2.0;

/// How stable the answer is over the finished iterations of the main thread.
#[derive(Default)]
pub(super) struct Stability {
    best: Option<Move>,
    /// Iterations since the best move last changed.
    unchanged: u32,
    /// The scores of the last iterations, the newest last.
    scores: ArrayVec<Score, { FAR + 1 }>,
}

impl Stability {
    /// Takes the result of a finished iteration.
    pub(super) fn update(&mut self, best: Move, score: Score) {
        self.unchanged = if self.best == Some(best) { self.unchanged + 1 } else { 0 };
        self.best = Some(best);
        if self.scores.is_full() {
            self.scores.remove(0);
        }
        self.scores.push(score);
    }

    /// What share of the usual time the move deserves.
    ///
    /// Less where the best move has long been the same, and where it takes most of the nodes (`node_share`, of 1, if
    /// known), since the others are then refuted with little work; more where the score falls.
    pub(super) fn effort(&self, node_share: Option<f64>) -> f64 {
        let unsettled = 1.4 - 0.12 * f64::from(self.unchanged.min(6));
        let falling = (1.0 + f64::from(self.fall(1) + self.fall(FAR)) / DOUBLING_FALL).clamp(0.7, 1.8);
        let contested = node_share.map_or(1.0, |share| 1.0 + NODE_SHARE_WEIGHT * (USUAL_NODE_SHARE - share));
        unsettled * falling * contested
    }

    /// By how much the score has fallen over this many iterations, in score units; 0 where there were fewer.
    fn fall(&self, iterations: usize) -> i32 {
        let before = self.scores.iter().rev().nth(iterations);
        before.zip(self.scores.last()).map_or(0, |(&before, &now)| before - now)
    }
}

#[cfg(test)]
#[path = "time_tests.rs"]
mod tests;
