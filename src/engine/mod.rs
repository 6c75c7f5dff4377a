//! The engine: options, the position of the game, and from both to a decision.
//!
//! [`Engine`] is what a session of any protocol drives; it knows none itself. Its calls block;
//! a search under way is commanded through its [`SearchControl`].

mod answer;
mod bench;
mod book;
mod evaluation;
mod mate;
mod options;
mod perft;
mod ponder;
mod resources;
mod skill;
mod watch;

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use thiserror::Error;

pub use answer::{Answer, Decision};
pub use bench::{BENCH_POSITIONS, BenchEntry, BenchSettings, BenchTotal, bench};
pub use book::BookNotice;
pub use evaluation::EvalFileNotice;
pub use options::{Clamped, OptionError, OptionSetting, OptionSpec, Options};
pub use perft::{MAX_PERFT_DEPTH, perft_divide, perft_total};
pub use resources::{ResourceError, SearcherSize};
pub use watch::DecisionObserver;

use crate::eval::{EvalReport, Evaluation};
use crate::movegen::legal_moves;
use crate::position::Position;
use crate::rules::{GameEnd, GameLine, LineError};
#[cfg(feature = "tuning")]
use crate::search::PARAMETERS;
use crate::search::{SearchControl, SearchInfo, SearchLimits, SearchObserver, SearchResult, plan};
use crate::types::{Move, ParseMoveError};
use book::ChosenBook;
use evaluation::ChosenEvaluation;
use resources::Resources;
use skill::{Skill, SkillSeed};
use watch::{BehindWin, Watch};

/// Plays: holds the options, the position, and the transposition table and histories of the searches.
#[derive(Default)]
pub struct Engine {
    options: Options,
    position: Position,
    /// The move that led to the position, if one did.
    last_move: Option<Move>,
    resources: Option<Resources>,
    evaluation: ChosenEvaluation,
    book: ChosenBook,
    skill_seed: SkillSeed,
    game: Game,
}

/// How far the game is, for what searches remember of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Game {
    /// No search has been made for it, and nothing is remembered.
    #[default]
    New,
    /// There were searches.
    Playing,
    /// There were, and there will be none.
    Over,
}

/// Something the options ask for that could not be had as asked.
#[derive(Debug, Error)]
pub enum Notice {
    /// Memory or threads.
    #[error(transparent)]
    Resource(ResourceError),
    /// The evaluation.
    #[error(transparent)]
    EvalFile(EvalFileNotice),
    /// The opening book.
    #[error(transparent)]
    Book(BookNotice),
}

impl Engine {
    /// An engine at the start of an even game, with default options and nothing allocated yet.
    pub fn new() -> Engine {
        Engine::default()
    }

    /// The present options.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// The present position.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// Sets an option; see [`Options::set`]. Memory and threads follow with [`Engine::prepare`].
    ///
    /// # Errors
    /// Changes nothing when there is no such option or the value is not one of its kind.
    pub fn set_option(&mut self, name: &str, value: Option<&str>) -> Result<Option<Clamped>, OptionError> {
        #[cfg(feature = "tuning")]
        if let Some(parameter) = PARAMETERS.iter().find(|parameter| parameter.name == name) {
            return options::set_parameter(parameter, value);
        }
        self.options.set(name, value)
    }

    /// Fixes what chance decides: which moves of a book are played, and what happens at a `SkillLevel` below full
    /// strength. With one thread, the same options, positions and past searches then give the same moves. Without,
    /// every engine plays differently.
    pub fn set_seed(&mut self, seed: u64) {
        self.skill_seed = SkillSeed(seed);
        self.book.set_seed(seed);
    }

    /// Sets up a position: an SFEN (the even game when `None`) and the moves made since, each as far
    /// as it could be read. Moves beyond the end of a game by rule are accepted.
    ///
    /// # Errors
    /// Names what was wrong. With a bad SFEN the engine keeps the position it had; with a bad move it has the
    /// position before that one.
    pub fn set_position(
        &mut self,
        sfen: Option<&str>,
        moves: impl IntoIterator<Item = Result<Move, ParseMoveError>>,
    ) -> Result<(), LineError> {
        let (line, error) = GameLine::read(sfen, moves)?;
        self.set_line(&line);
        error.map_or(Ok(()), Err)
    }

    /// Sets up the position after the moves of a line.
    pub fn set_line(&mut self, line: &GameLine) {
        self.position = line.end();
        self.last_move = line.moves().last().copied();
    }

    /// What the rules say when the present position ends the game.
    pub fn game_end(&self) -> Option<GameEnd> {
        GameEnd::of(&self.position, self.options.rules())
    }

    /// Allocates and reads what the options ask for. May take a while; cheap when nothing changed.
    ///
    /// Returns what could not be had. The engine is ready all the same, with less or by other means.
    pub fn prepare(&mut self) -> Vec<Notice> {
        self.evaluation.retry();
        self.book.retry();
        let notices = self.provide();
        if self.game == Game::Over {
            self.new_game();
        }
        notices
    }

    fn provide(&mut self) -> Vec<Notice> {
        let mut notices: Vec<Notice> =
            self.evaluation.follow(&self.options).into_iter().map(Notice::EvalFile).collect();
        let (resources, shortage) = Resources::fit(self.resources.take(), &self.options, self.evaluation.get());
        notices.extend(shortage.into_iter().map(Notice::Resource));
        notices.extend(self.book.follow(&self.options).map(Notice::Book));
        self.resources = resources;
        notices
    }

    /// What evaluates positions, as far as the options were followed.
    pub fn evaluation(&self) -> &Evaluation {
        self.evaluation.get()
    }

    /// Evaluates the present position, and tells what could not be had for it.
    pub fn evaluate(&mut self) -> (EvalReport, Vec<Notice>) {
        let notices = self.evaluation.follow(&self.options).into_iter().map(Notice::EvalFile).collect();
        (self.evaluation.get().report(&self.position), notices)
    }

    /// A new game begins: the transposition table and the histories are cleared.
    pub fn new_game(&mut self) {
        let game = std::mem::take(&mut self.game);
        if let Some(resources) = &mut self.resources
            && game != Game::New
        {
            resources.searcher().clear();
        }
    }

    /// The game is over. The transposition table and the histories are cleared when the engine is next made ready,
    /// which is before the clock of the next game runs.
    pub fn game_over(&mut self) {
        if self.game == Game::Playing {
            self.game = Game::Over;
        }
    }

    /// The limits of a search with those that the options set for every search.
    fn effective_limits(&self, limits: SearchLimits) -> SearchLimits {
        let skill_nodes = Skill::of(&self.options).map(Skill::nodes);
        SearchLimits {
            depth: limits.depth.into_iter().chain(self.options.depth_limit).min(),
            nodes: limits.nodes.into_iter().chain(self.options.nodes_limit).chain(skill_nodes).min(),
            ..limits
        }
    }

    /// Decides what to do in the present position: declares a win when the rule allows it, else plays the book's move,
    /// else searches.
    ///
    /// When the limits ask to ponder or to search without end, this does not return before `control`
    /// says so. A panic of the search is told to the observer, and the answer is the best move seen so far.
    pub fn go(&mut self, limits: &SearchLimits, control: &SearchControl, observer: &dyn DecisionObserver) -> Answer {
        let mut limits = self.effective_limits(self.with_legal_search_moves(limits, observer));
        limits.first_move |= std::mem::replace(&mut self.game, Game::Playing) != Game::Playing;
        observer.on_begin(&limits);
        let lines = self.options.search_settings().multi_pv;
        let least_answered = Watch::least_answered(&self.position, &self.options);
        let answers_above = Skill::of(&self.options).is_none().then_some(least_answered);
        let watch = Watch::new(observer, lines, answers_above);
        let decided = catch_unwind(AssertUnwindSafe(|| self.ponder_and_decide(&limits, control, &watch)));
        let answer = decided.unwrap_or_else(|panic| {
            observer.on_message(&format!("internal error in the search: {}", panic_text(panic.as_ref())));
            // Its state is unknown: it is made anew when next needed.
            let searcher = self.resources.take();
            self.answer_by_rule(&limits).unwrap_or_else(|| {
                let lines = searcher.map_or_else(Vec::new, |mut found| found.searcher().lines_so_far(&self.position));
                let result = SearchResult { lines, nodes: 0, time: Duration::ZERO };
                Answer::of(result, &self.position, &self.options, &limits)
            })
        });
        control.wait_until_answerable(limits.infinite);
        let answer = watch.answer(answer);
        log_decision(&answer);
        answer
    }

    /// Keeps those of the moves to be searched that are legal; when there is none, all moves are searched.
    fn with_legal_search_moves(&self, limits: &SearchLimits, observer: &dyn DecisionObserver) -> SearchLimits {
        let (legal, illegal): (Vec<Move>, Vec<Move>) =
            limits.search_moves.iter().partition(|&&mv| self.position.is_legal(mv));
        if let Some(mv) = illegal.first() {
            observer.on_message(&format!("illegal search move \"{mv}\" is ignored"));
        }
        SearchLimits { search_moves: legal, ..limits.clone() }
    }

    /// The answer that needs no search, unless moves to be searched are named.
    fn answer_by_rule(&self, limits: &SearchLimits) -> Option<Answer> {
        limits.search_moves.is_empty().then(|| Answer::by_rule(&self.position, &self.options)).flatten()
    }

    fn decide(&mut self, limits: &SearchLimits, control: &SearchControl, watch: &Watch<'_>) -> Answer {
        let by_rule = self.answer_by_rule(limits);
        if let Some(answer) = &by_rule
            && !self.wants_other_moves(answer, limits)
        {
            if limits.infinite || control.is_pondering() {
                // It may be held back for long: whoever waits sees it at once.
                answer.lines.iter().for_each(|line| watch.on_info(line));
            }
            return answer.clone();
        }
        for notice in self.provide() {
            watch.on_message(&notice.to_string());
        }
        match by_rule {
            Some(answer) => self.search_other_moves(answer, limits, control, watch),
            None => {
                if let Some(answer) = self.answer_from_book(limits, watch) {
                    return answer;
                }
                let result = self.search(limits, control, watch);
                let answer = Answer::of(result, &self.position, &self.options, limits);
                if limits.search_moves.is_empty() { answer.or_draw(&self.position, &self.options) } else { answer }
            }
        }
    }

    /// Whether a position that a declaration wins is analysed rather than played: without end, for several lines, or
    /// in `ConsiderationMode`, and with no clock running.
    fn wants_other_moves(&self, by_rule: &Answer, limits: &SearchLimits) -> bool {
        let settings = self.options.search_settings();
        let analysed = limits.infinite || settings.multi_pv > 1 || settings.consideration_mode;
        analysed && limits.clock.is_none() && by_rule.decision != Decision::Resign
    }

    /// Searches the moves beside a win by rule, at least for one line.
    fn search_other_moves(
        &mut self,
        by_rule: Answer,
        limits: &SearchLimits,
        control: &SearchControl,
        watch: &Watch<'_>,
    ) -> Answer {
        let Some(win) = by_rule.lines.first() else { return by_rule };
        let winning_move = win.pv.first().copied();
        let search_moves = legal_moves(&self.position).into_iter().filter(|&mv| Some(mv) != winning_move).collect();
        let limits = SearchLimits { search_moves, ..limits.clone() };
        let mut settings = self.options.search_settings();
        settings.multi_pv = (settings.multi_pv - 1).max(1);
        let observer = BehindWin { win, observer: watch.search_observer() };
        let Some(resources) = self.resources.as_mut().filter(|_| !limits.search_moves.is_empty()) else {
            return by_rule;
        };
        let found = resources.searcher().search(&self.position, &limits, &settings, control, &observer);
        by_rule.before(found.lines)
    }

    /// Searches the present position, as well as `SkillLevel` allows.
    fn search(&mut self, limits: &SearchLimits, control: &SearchControl, watch: &Watch<'_>) -> SearchResult {
        let mut settings = self.options.search_settings();
        let asked = settings.multi_pv;
        let skill = Skill::of(&self.options);
        if let Some(skill) = skill {
            settings.multi_pv = asked.max(skill.lines());
            settings.root_mate_nodes = 0;
        }
        let position = &self.position;
        log::info!(
            "search of {}: {}",
            position.to_sfen(),
            plan(limits, &settings.time, position.side_to_move(), position.game_ply())
        );
        let Some(resources) = &mut self.resources else {
            return SearchResult { lines: Vec::new(), nodes: 0, time: Duration::ZERO };
        };
        let mut result = resources.searcher().search(position, limits, &settings, control, watch);
        if let Some(skill) = skill {
            let rng = &mut self.skill_seed.rng(position);
            skill.choose(&mut result.lines, asked, self.options.resign_value, rng);
        }
        result
    }
}

fn log_decision(answer: &Answer) {
    let Some(SearchInfo { score, depth, nodes, time, .. }) = answer.lines.first() else { return };
    let (score, decision) = (score.outcome(), answer.decision);
    log::info!("{decision}: score {score}, depth {depth}, {nodes} nodes, {} ms", time.as_millis());
}

/// What a panic said.
pub(crate) fn panic_text(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("unknown")
}
