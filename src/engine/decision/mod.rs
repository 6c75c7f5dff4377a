//! From the position and the limits of a search to what the engine does.

mod answer;
pub(super) mod book;
mod observers;
mod pace;
mod sight;
pub(super) mod skill;

pub use answer::{Answer, Decision};
pub use observers::DecisionObserver;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use rand::RngExt;

use crate::engine::{Engine, EngineMessage, GamePhase, SearchFailure, panic_text};
use crate::movegen::legal_moves;
use crate::position::Position;
use crate::search::{CutDelay, SearchLimits, SearchObserver, SearchResult, Signals, plan};
use crate::types::Move;
use answer::{centipawns, declarable_draw};
use observers::{OneAnswerObserver, OtherMovesObserver};
use pace::natural_moment;
use sight::Character;
use skill::Skill;

/// What a number is drawn for.
const PACE: u64 = 4 << 32;

impl Engine {
    /// The limits of a search with those that the options set for every search.
    pub fn effective_limits(&self, limits: SearchLimits) -> SearchLimits {
        let skill_nodes = Skill::from_options(&self.options).map(Skill::nodes);
        SearchLimits {
            depth: limits.depth.into_iter().chain(self.options.depth_limit).min(),
            nodes: limits.nodes.into_iter().chain(self.options.nodes_limit).chain(skill_nodes).min(),
            ..limits
        }
    }

    /// Decides what to do in the present position: declares a win where the rule allows it, else plays a book move,
    /// else searches.
    ///
    /// When the limits ask to ponder or to search without end, this does not return before `control`
    /// says so. The observer learns of a panic of the search, and the answer is the best move seen so far.
    pub fn go(&mut self, limits: &SearchLimits, control: &Signals, client: &dyn DecisionObserver) -> Answer {
        let mut limits = self.effective_limits(self.with_legal_search_moves(limits, client));
        if std::mem::replace(&mut self.game, GamePhase::Playing) != GamePhase::Playing {
            limits.first_move = true;
            self.game_seed = self.dice.0.random();
        }
        self.say_cut_delay(&limits, client);
        let moment = self.natural_moment(&limits, control);
        let least = declarable_draw(&self.position, &self.options).map_or(i32::MIN, centipawns);
        let observer = OneAnswerObserver {
            client,
            lines: self.options.search.multi_pv,
            answers_above: Skill::from_options(&self.options).is_none().then(|| least.max(-self.options.resign_value)),
            answered: Mutex::default(),
        };
        let decided = catch_unwind(AssertUnwindSafe(|| self.ponder_and_decide(&limits, control, &observer)));
        let answer = decided.unwrap_or_else(|panic| {
            client.on_failure(&SearchFailure::Panic(panic_text(panic.as_ref()).to_owned()));
            // Its state is unknown, so a new one is made when it is next needed.
            let searcher = self.resources.take();
            self.answer_by_rule(&limits).unwrap_or_else(|| {
                let lines = searcher.map_or_else(Vec::new, |found| found.searcher.lines_so_far(&self.position));
                Answer::from_search(
                    SearchResult { lines, ..SearchResult::default() },
                    &self.position,
                    &self.options,
                    &limits,
                )
            })
        });
        if let Some(moment) = moment {
            control.wait_for_moment(moment);
        }
        control.wait_until_answerable(limits.infinite);
        let answer = observer.answer(answer);
        let score = answer.lines.first().map(|line| line.score.outcome());
        log::info!("{:?}, score {score:?}", answer.decision);
        answer
    }

    /// Not before when a level answers, where `SkillPace` asks for it and the opponent has not waited for it already.
    fn natural_moment(&self, limits: &SearchLimits, control: &Signals) -> Option<Instant> {
        if !self.options.skill_pace || Skill::from_options(&self.options).is_none() || control.is_pondering() {
            return None;
        }
        let chance = Character::new(self.game_seed).draw(&[self.position.game_ply().into(), PACE]);
        let moment = natural_moment(&self.position, limits, &self.options.search.time, chance)?;
        Some(limits.asked_at.unwrap_or_else(Instant::now) + moment)
    }

    /// Says once in a game that the clock leaves no room for a delay that the options ask for.
    fn say_cut_delay(&mut self, limits: &SearchLimits, observer: &dyn DecisionObserver) {
        if let Some(cut) = CutDelay::find(limits, &self.options.search.time, self.position.side_to_move())
            && !std::mem::replace(&mut self.said_cut_delay, true)
        {
            observer.on_message(&EngineMessage::CutDelay(cut));
        }
    }

    /// Keeps those of the moves to be searched that are legal; when there is none, all moves are searched.
    fn with_legal_search_moves(&self, limits: &SearchLimits, observer: &dyn DecisionObserver) -> SearchLimits {
        let (legal, illegal): (Vec<Move>, Vec<Move>) =
            limits.search_moves.iter().partition(|&&mv| self.position.is_legal(mv));
        if let Some(&mv) = illegal.first() {
            observer.on_message(&EngineMessage::IllegalSearchMove(mv));
        }
        SearchLimits { search_moves: legal, ..limits.clone() }
    }

    /// The answer that needs no search, unless moves to be searched are named.
    fn answer_by_rule(&self, limits: &SearchLimits) -> Option<Answer> {
        limits.search_moves.is_empty().then(|| Answer::by_rule(&self.position, &self.options)).flatten()
    }

    /// Decides, with `Stochastic_Ponder` in two steps: as long as `control` ponders, the position before
    /// the opponent's expected move is searched, for the opponent, so that the transposition table has an answer to
    /// each of its moves; from `ponderhit` on, on the clock, the position of the game.
    fn ponder_and_decide(
        &mut self,
        limits: &SearchLimits,
        control: &Signals,
        observer: &OneAnswerObserver<'_>,
    ) -> Answer {
        if control.is_pondering()
            && let Some(before) = self.before_expected_move()
        {
            self.search_for_opponent(&before, control, observer);
            if control.is_stopped() {
                // No answer is waited for: the opponent has played something else.
                let search_moves = limits.search_moves.clone();
                let limits = SearchLimits { depth: Some(1), search_moves, ..SearchLimits::default() };
                return self.decide(&limits, &Signals::new(), observer);
            }
        }
        self.decide(limits, control, observer)
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
    fn search_for_opponent(&mut self, before: &Position, control: &Signals, observer: &OneAnswerObserver<'_>) {
        observer.notify(self.provide());
        // The time is up as soon as `ponderhit` starts the clock.
        let limits = SearchLimits { ponder: true, move_time: Some(Duration::ZERO), ..SearchLimits::default() };
        let limits = self.effective_limits(limits);
        let mut settings = self.options.search_settings();
        // A draw is worth to the opponent what it costs us.
        let them = before.side_to_move();
        settings.draw_value[them.index()] = -settings.draw_value[(!them).index()];
        if let Some(resources) = &mut self.resources {
            // What is found here is no answer, however long this search takes to end.
            resources.searcher.search(before, &limits, &settings, control, observer.client);
        }
    }

    fn decide(&mut self, limits: &SearchLimits, control: &Signals, observer: &OneAnswerObserver<'_>) -> Answer {
        let by_rule = self.answer_by_rule(limits);
        if let Some(answer) = &by_rule
            && !self.wants_other_moves(answer, limits)
        {
            if limits.infinite || control.is_pondering() {
                // It may be held back for long: whoever waits sees it at once.
                answer.lines.iter().for_each(|line| observer.on_info(line));
            }
            return answer.clone();
        }
        observer.notify(self.provide());
        match by_rule {
            Some(answer) => self.search_other_moves(answer, limits, control, observer),
            None => {
                if let Some(answer) = self.answer_from_book(limits, observer) {
                    return answer;
                }
                let result = self.search(limits, control, observer);
                let answer = Answer::from_search(result, &self.position, &self.options, limits);
                if limits.search_moves.is_empty() { answer.or_draw(&self.position, &self.options) } else { answer }
            }
        }
    }

    /// Whether a position that a declaration wins is analysed rather than played: without end, for several lines, or
    /// in `ConsiderationMode`, and with no clock running.
    fn wants_other_moves(&self, by_rule: &Answer, limits: &SearchLimits) -> bool {
        let settings = &self.options.search;
        let analysed = limits.infinite || settings.multi_pv > 1 || settings.consideration_mode;
        analysed && limits.clock.is_none() && by_rule.decision != Decision::Resign
    }

    /// Searches the moves other than a win by rule, at least for one line.
    fn search_other_moves(
        &mut self,
        by_rule: Answer,
        limits: &SearchLimits,
        control: &Signals,
        observer: &OneAnswerObserver<'_>,
    ) -> Answer {
        let Some(win) = by_rule.lines.first() else { return by_rule };
        let winning_move = win.pv.first().copied();
        let search_moves = legal_moves(&self.position).into_iter().filter(|&mv| Some(mv) != winning_move).collect();
        let limits = SearchLimits { search_moves, ..limits.clone() };
        let mut settings = self.options.search_settings();
        settings.multi_pv = (settings.multi_pv - 1).max(1);
        let other_moves = OtherMovesObserver { win, observer: observer.client };
        let Some(resources) = self.resources.as_mut().filter(|_| !limits.search_moves.is_empty()) else {
            return by_rule;
        };
        let found = resources.searcher.search(&self.position, &limits, &settings, control, &other_moves);
        by_rule.followed_by(found.lines)
    }

    /// Searches the present position, as well as `SkillLevel` allows.
    fn search(&mut self, limits: &SearchLimits, control: &Signals, observer: &OneAnswerObserver<'_>) -> SearchResult {
        let settings = self.options.search_settings();
        let position = &self.position;
        let plan = plan(limits, &settings.time, position.side_to_move(), position.game_ply());
        log::info!("search of {}: {limits:?}, {plan:?}", position.to_sfen());
        if let Some(skill) = Skill::from_options(&self.options) {
            return self.search_at(skill, limits, control, observer);
        }
        let Some(resources) = &mut self.resources else { return SearchResult::default() };
        resources.searcher.search(position, limits, &settings, control, observer)
    }
}
