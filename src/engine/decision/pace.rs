//! When a level answers: with the option `SkillPace` after a moment such as people take, as far as the clock allows.

use std::time::Duration;

use crate::movegen::count_legal_moves;
use crate::position::Position;
use crate::search::{SearchLimits, TimeSettings};

/// Fewer legal moves than this need no thought.
const FEW_MOVES: usize = 5;
/// Up to this move number people play what they know.
const OPENING: u32 = 20;

/// How long people would think here, at a chance from 0 to 1; none where no clock of a game runs. It takes a sixtieth
/// of the time left and half of what each move is given, at most, less the delays of the options.
pub(super) fn natural_moment(
    position: &Position,
    limits: &SearchLimits,
    time: &TimeSettings,
    chance: f64,
) -> Option<Duration> {
    let is_game = limits.move_time.is_none() && !limits.infinite && limits.search_moves.is_empty();
    let clock = limits.clock.filter(|_| is_game)?;
    let us = position.side_to_move().index();
    let milliseconds = |time: Option<i64>| time.unwrap_or(0).max(0) as u64;
    let left = milliseconds(clock.time[us].or(clock.time[1 - us])) / 60;
    let given = (milliseconds(clock.increment[us]) + milliseconds(clock.byoyomi)) / 2;
    let most = Duration::from_millis(left + given).saturating_sub(time.network_delay.max(time.network_delay2));
    let usual = if count_legal_moves(position) < FEW_MOVES {
        0.7
    } else if position.game_ply() <= OPENING {
        1.5
    } else {
        3.0
    };
    // From half to twice the usual.
    Some(Duration::from_secs_f64(usual * 4f64.powf(chance - 0.5)).min(most))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Clock;

    const MIDDLEGAME: &str = "l6kl/1r2gbs2/3p1gnp1/p1psppp1p/1n5P1/P1PSPPP1P/2NP1SN2/3GGBR2/LK6L b Pp 61";

    fn moment(sfen: &str, limits: &SearchLimits, chance: f64) -> Option<u128> {
        let time = natural_moment(&sfen.parse().unwrap(), limits, &TimeSettings::default(), chance);
        time.map(|time| time.as_millis())
    }

    fn on_clock(time: i64, byoyomi: i64) -> SearchLimits {
        let clock = Clock { time: [Some(time); 2], byoyomi: Some(byoyomi), ..Clock::default() };
        SearchLimits { clock: Some(clock), ..SearchLimits::default() }
    }

    #[test]
    fn a_moment_is_longer_after_the_opening_and_varies() {
        let limits = on_clock(600_000, 0);
        assert_eq!(moment(MIDDLEGAME, &limits, 0.5), Some(3000));
        assert_eq!([0.0, 1.0].map(|chance| moment("startpos", &limits, chance)), [Some(750), Some(3000)]);
    }

    #[test]
    fn a_moment_never_endangers_the_clock() {
        for (time, byoyomi, most) in [(60_000, 0, 880), (0, 1000, 380), (600, 0, 0), (0, 0, 0), (-5, 200, 0)] {
            assert_eq!(moment(MIDDLEGAME, &on_clock(time, byoyomi), 1.0), Some(most), "{time} {byoyomi}");
        }
    }

    #[test]
    fn without_a_clock_there_is_no_moment() {
        let analysis = SearchLimits { infinite: true, ..on_clock(600_000, 0) };
        let fixed = SearchLimits { move_time: Some(Duration::from_secs(9)), ..SearchLimits::default() };
        for limits in [SearchLimits::default(), analysis, fixed] {
            assert_eq!(moment(MIDDLEGAME, &limits, 0.5), None);
        }
    }
}
