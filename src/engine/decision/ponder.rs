//! Thinking on the opponent's time about all moves that it may play.

use std::time::Duration;

use super::answer::Answer;
use super::watch::Watch;
use crate::engine::Engine;
use crate::position::Position;
use crate::search::{SearchInfo, SearchLimits, SearchObserver, Signals};

impl Engine {
    /// Decides, with `Stochastic_Ponder` in two steps: as long as `control` ponders, the position before
    /// the opponent's expected move is searched, for the opponent, so that the table knows an answer to
    /// whatever it plays; from `ponderhit` on, on the clock, the position of the game.
    pub(super) fn ponder_and_decide(&mut self, limits: &SearchLimits, control: &Signals, watch: &Watch<'_>) -> Answer {
        match self.before_expected_move() {
            Some(before) if control.is_pondering() => {
                self.search_for_opponent(&before, control, watch);
                if control.is_stopped() {
                    return self.glance(limits, watch);
                }
            }
            _ => {}
        }
        self.decide(limits, control, watch)
    }

    /// The position to ponder on in place of the one set up; none where the options do not ask for it
    /// or the game is over.
    fn before_expected_move(&self) -> Option<Position> {
        let expected = self.last_move.filter(|_| self.options.stochastic_ponder)?;
        if Answer::by_rule(&self.position, &self.options).is_some() {
            return None;
        }
        let mut before = self.position.clone();
        before.undo_move(expected);
        Some(before)
    }

    /// Searches until `control` no longer ponders, under no limits but those of the options.
    fn search_for_opponent(&mut self, before: &Position, control: &Signals, watch: &Watch<'_>) {
        // What is found here is no answer, however long this search takes to end.
        let observer = ForOpponent(watch);
        watch.notify(self.provide());
        // The time is up as soon as `ponderhit` starts the clock.
        let limits = SearchLimits { ponder: true, move_time: Some(Duration::ZERO), ..SearchLimits::default() };
        let limits = self.effective_limits(limits);
        let mut settings = self.options.search_settings();
        // A draw is worth to the opponent what it costs us.
        let them = before.side_to_move();
        settings.draw_value[them.index()] = -settings.draw_value[(!them).index()];
        if let Some(resources) = &mut self.resources {
            resources.searcher().search(before, &limits, &settings, control, &observer);
        }
    }

    /// An answer where none is waited for: the opponent has played something else.
    fn glance(&mut self, limits: &SearchLimits, watch: &Watch<'_>) -> Answer {
        let search_moves = limits.search_moves.clone();
        let limits = SearchLimits { depth: Some(1), search_moves, ..SearchLimits::default() };
        self.decide(&limits, &Signals::new(), watch)
    }
}

/// Passes on what a search for the opponent tells: what it finds is no answer, however long it takes to end.
struct ForOpponent<'a>(&'a Watch<'a>);

impl SearchObserver for ForOpponent<'_> {
    fn on_info(&self, info: &SearchInfo) {
        self.0.search_observer().on_info(info);
    }
}
