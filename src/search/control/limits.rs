//! What bounds a search.

use std::time::{Duration, Instant};

use crate::types::{Color, Depth, Move};

/// The clocks of a game, in milliseconds as `go` gives them; they may be zero or negative.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Clock {
    /// Time left on each player's clock, by [`Color::index`]; `None` when it was not told.
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

/// What bounds a search; all that are given apply together.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct SearchLimits {
    /// The game's clocks.
    pub clock: Option<Clock>,
    /// Use this much time, neither more nor less (unless the result is certain).
    pub move_time: Option<Duration>,
    /// Deepest iteration.
    pub depth: Option<Depth>,
    /// Nodes of all threads together.
    pub nodes: Option<u64>,
    /// An iteration that ends with so many nodes or more, of all threads together, is the last. Its score stands for
    /// every move, while an iteration that is cut short knows only some of them.
    pub soft_nodes: Option<u64>,
    /// Search until told to stop, whatever is found.
    pub infinite: bool,
    /// Search on the opponent's time: no result before `ponderhit` or `stop`.
    pub ponder: bool,
    /// Only these root moves; all when empty.
    pub search_moves: Vec<Move>,
    /// It is the player's first move of the game, so that no increment has been added to the clock yet.
    pub first_move: bool,
    /// When the search was asked for, where its time has run since then; where not told, the time runs from
    /// the moment the search begins.
    pub asked_at: Option<Instant>,
}

impl SearchLimits {
    /// Whether the search ends by itself for this player, once it does not ponder.
    pub fn is_bounded(&self, color: Color) -> bool {
        !self.infinite
            && (self.depth.is_some()
                || self.nodes.is_some()
                || self.soft_nodes.is_some()
                || self.move_time.is_some()
                || self.clock.is_some_and(|clock| clock.bounds(color)))
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
        assert!(!SearchLimits { ponder: true, first_move: true, ..SearchLimits::default() }.is_bounded(Color::Black));
    }
}
