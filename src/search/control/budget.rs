//! How much time a move gets from its player's clock.

use std::fmt;
use std::time::Duration;

use crate::search::control::{Clock, SearchLimits, TimeSettings};
use crate::types::Color;

/// How long a move may and should take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Budget {
    /// Think at least this long.
    pub(crate) minimum: Duration,
    /// What an ordinary move gets.
    pub(crate) optimum: Duration,
    /// Never think longer.
    pub(crate) maximum: Duration,
    /// The time cannot be saved for later moves, so all of it is used.
    pub(crate) use_all: bool,
}

/// Kept back for stopping the threads and writing the answer, whatever delays the options allow for.
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
    pub(crate) fn from_limits(
        limits: &SearchLimits,
        settings: &TimeSettings,
        color: Color,
        game_ply: u32,
    ) -> Option<Budget> {
        if limits.infinite {
            return None;
        }
        let clock = limits.clock.filter(|clock| clock.bounds(color));
        let clock = clock.map(|clock| Budget::from_clock(&clock, limits.first_move, settings, color, game_ply));
        let move_time = limits.move_time.map(Budget::exactly);
        match (clock, move_time) {
            (Some(clock), Some(move_time)) => Some(clock.capped(move_time.maximum)),
            (clock, move_time) => clock.or(move_time),
        }
    }

    /// This much time, neither more nor less.
    pub(crate) fn exactly(time: Duration) -> Budget {
        let time = time.saturating_sub(STOP_OVERHEAD).max(Duration::from_millis(1));
        Budget { minimum: time, optimum: time, maximum: time, use_all: true }
    }

    /// The same, but no more time than this.
    fn capped(self, most: Duration) -> Budget {
        Budget { minimum: self.minimum.min(most), maximum: self.maximum.min(most), ..self }
    }

    /// After this time a finished iteration is the last. `effort` stretches the optimum: above 1 where the
    /// position is difficult, below 1 where the answer seems clear. None where all the time is used.
    pub(crate) fn aim(&self, effort: f64) -> Option<Duration> {
        let aim = self.optimum.mul_f64(effort).max(self.minimum).min(self.maximum);
        (!self.use_all).then_some(aim)
    }

    fn from_clock(clock: &Clock, first_move: bool, settings: &TimeSettings, color: Color, game_ply: u32) -> Budget {
        let AvailableTime { main, byoyomi, increment } = AvailableTime::new(clock, first_move, color);
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
        if settings.round_up_to_full_second && counts_whole_seconds(clock, color) {
            budget.round_up(delay, last_moment);
        }
        budget
    }

    /// Uses seconds to the full where the clock counts each begun one as a whole.
    fn round_up(&mut self, delay: Duration, last_moment: Duration) {
        let round = |time: Duration| {
            let seconds = (time + delay).as_millis().div_ceil(1000);
            (Duration::from_millis(seconds as u64 * 1000) - delay).min(last_moment)
        };
        self.minimum = round(self.minimum);
        self.optimum = round(self.optimum);
        self.maximum = round(self.maximum);
    }
}

/// The time that a player's clock gives for a move.
struct AvailableTime {
    main: Duration,
    byoyomi: Duration,
    increment: Duration,
}

impl AvailableTime {
    fn new(clock: &Clock, first_move: bool, color: Color) -> AvailableTime {
        let increment = clock.increment[color.index()].unwrap_or(0).max(0);
        let time = clock.time[color.index()].unwrap_or(0);
        AvailableTime {
            main: millis(main_time(time, increment, first_move)),
            byoyomi: millis(clock.byoyomi.unwrap_or(0)),
            increment: millis(increment),
        }
    }
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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CutDelay {
    /// The option.
    pub option: &'static str,
    /// What it is set to.
    pub asked: Duration,
    /// What is kept back.
    pub kept: Duration,
    /// What the clock gives for the move.
    pub available: Duration,
}

impl CutDelay {
    /// The delay that is cut under these limits, for this player's move; none where each is kept back as it was set.
    /// The default means a part of short times, so that it is never cut.
    pub fn find(limits: &SearchLimits, settings: &TimeSettings, color: Color) -> Option<CutDelay> {
        let clock = limits.clock.filter(|clock| !limits.infinite && clock.bounds(color))?;
        let AvailableTime { main, byoyomi, .. } = AvailableTime::new(&clock, limits.first_move, color);
        let available = main + byoyomi;
        [("NetworkDelay2", settings.network_delay2), ("NetworkDelay", settings.network_delay)]
            .map(|(option, asked)| CutDelay { option, asked, kept: kept_back(asked, available), available })
            .into_iter()
            .find(|delay| delay.kept < delay.asked && !is_untouched(delay.asked))
    }
}

impl fmt::Display for CutDelay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let CutDelay { option, asked, kept, available } = self;
        let [asked, kept, available] = [asked, kept, available].map(Duration::as_millis);
        write!(f, "{option} {asked} leaves no time to think of {available} ms: {kept} ms are kept back")
    }
}

fn millis(value: i64) -> Duration {
    Duration::from_millis(value.max(0) as u64)
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

#[cfg(test)]
mod tests;
