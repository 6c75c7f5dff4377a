//! The engine: options, the position of the game, and from both to a decision.
//!
//! [`Engine`] is what a session of any protocol drives; it knows none itself. Its calls block;
//! a search under way is commanded through its [`Signals`](crate::search::Signals).

mod bench;
mod decision;
mod options;
mod resources;

pub use bench::{
    BENCH_POSITIONS, BenchEntry, BenchSettings, BenchTotal, MAX_PERFT_DEPTH, bench, perft_divide, perft_total,
};
pub use decision::{Answer, Decision, DecisionObserver};
pub use options::{Clamped, Expected, FULL_STRENGTH, Number, OptionError, OptionSetting, OptionSpec, Options};
pub use resources::SearcherSize;

use std::any::Any;
use std::hash::{BuildHasher, Hasher, RandomState};

use decision::book::ChosenBook;
use rand::SeedableRng;
use rand::rngs::StdRng;
use resources::{ChosenEvaluation, Resources};
use thiserror::Error;

use crate::book::{BookError, ChoiceRemark};
use crate::eval::nnue::{NnueError, NnueWarning};
use crate::eval::{EvalReport, Evaluation};
use crate::mate::{Attacker, MateError, MateLimits, MateObserver, MateResult, MateSolver};
use crate::position::Position;
use crate::rules::{GameEnd, GameLine, LineError};
use crate::search::CutDelay;
#[cfg(feature = "tuning")]
use crate::search::PARAMETERS;
use crate::types::{Move, ParseMoveError};

/// Plays: holds the options, the position, and the transposition table and histories of the searches.
#[derive(Default)]
pub struct Engine {
    options: Options,
    position: Position,
    /// The move that led to the position, if one did.
    last_move: Option<Move>,
    /// The move before that, of the side to move.
    own_last_move: Option<Move>,
    resources: Option<Resources>,
    evaluation: ChosenEvaluation,
    book: ChosenBook,
    dice: Dice,
    /// What the choices of a level are drawn from in this game.
    game_seed: u64,
    game: GamePhase,
    /// It was said in this game that the clock has no room for a delay.
    said_cut_delay: bool,
}

/// What the random choices are drawn from, seeded differently in each engine.
struct Dice(StdRng);

impl Default for Dice {
    fn default() -> Dice {
        Dice(StdRng::seed_from_u64(RandomState::new().build_hasher().finish()))
    }
}

/// The state of the game, and so of the transposition table and the histories.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum GamePhase {
    /// No search has been made, and the tables are empty.
    #[default]
    New,
    /// Searches have been made.
    Playing,
    /// The game is over: the tables are cleared before the next one.
    Over,
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
        self.said_cut_delay = false;
        self.options.set(name, value)
    }

    /// Seeds the random choices: which moves of a book are played, and the player at a `SkillLevel` below full
    /// strength, another in each game. With one thread, the same options, positions and past searches then give the
    /// same moves. Without a seed every engine plays differently.
    pub fn set_seed(&mut self, seed: u64) {
        self.dice = Dice(StdRng::seed_from_u64(seed));
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
        let mut back = line.moves().iter().rev().copied();
        (self.last_move, self.own_last_move) = (back.next(), back.next());
    }

    /// What the rules say when the present position ends the game.
    pub fn game_end(&self) -> Option<GameEnd> {
        GameEnd::from_position(&self.position, self.options.rules())
    }

    /// Allocates and reads what the options ask for. May take a while; cheap when nothing changed.
    ///
    /// Returns what is not available. The engine is ready all the same, with less memory or fewer threads, or without
    /// the file.
    pub fn prepare(&mut self) -> Vec<EngineMessage> {
        self.evaluation.retry();
        self.book.retry();
        let messages = self.provide();
        if self.game == GamePhase::Over {
            self.new_game();
        }
        messages
    }

    /// Whether the transposition table lies on large pages, as far as the system says; see
    /// [`Searcher::is_on_large_pages`](crate::search::Searcher::is_on_large_pages).
    pub fn is_on_large_pages(&self) -> bool {
        self.resources.as_ref().is_some_and(|resources| resources.searcher.is_on_large_pages())
    }

    fn provide(&mut self) -> Vec<EngineMessage> {
        let mut messages = self.evaluation.follow(&self.options);
        let (resources, shortage) = Resources::fit(self.resources.take(), &self.options, self.evaluation.get());
        self.resources = resources;
        messages.extend(shortage);
        messages.extend(self.book.follow(&self.options));
        messages
    }

    /// The evaluation in use since the options were last followed.
    pub fn evaluation(&self) -> &Evaluation {
        self.evaluation.get()
    }

    /// Takes over the network of another engine, so that it is read and kept once where the options of both name the
    /// same one.
    pub fn share_evaluation(&mut self, other: &Engine) {
        self.evaluation = other.evaluation.clone();
    }

    /// Evaluates the present position; returns also what could not be had for it.
    pub fn evaluate(&mut self) -> (EvalReport, Vec<EngineMessage>) {
        let messages = self.evaluation.follow(&self.options);
        (self.evaluation.get().report(&self.position), messages)
    }

    /// Looks for a mate by the side to move, with the threads of the option `Threads` and a table of at most the size
    /// of the option `USI_Hash`, as far as there is memory for it next to the searcher.
    ///
    /// # Errors
    /// When the opponent has no king, or the system refuses a thread.
    pub fn solve_mate(&self, limits: &MateLimits, observer: &dyn MateObserver) -> Result<MateResult, MateError> {
        let SearcherSize { threads, hash_mb } = SearcherSize::asked_for(&self.options).that_fits(1);
        MateSolver::with_threads(hash_mb, threads).solve(&self.position, Attacker::SideToMove, limits, observer)
    }

    /// A new game begins: the transposition table and the histories are cleared.
    pub fn new_game(&mut self) {
        let game = std::mem::take(&mut self.game);
        self.said_cut_delay = false;
        if let Some(resources) = &mut self.resources
            && game != GamePhase::New
        {
            resources.searcher.clear();
        }
    }

    /// The game is over. The transposition table and the histories are cleared when the engine is next made ready,
    /// which is before the clock of the next game runs.
    pub fn game_over(&mut self) {
        if self.game == GamePhase::Playing {
            self.game = GamePhase::Over;
        }
    }
}

/// The message of a panic.
pub(crate) fn panic_text(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("unknown")
}

// What the engine has to say to people.

/// MiB that a search thread keeps of its own, rounded up.
const THREAD_MIB: u64 = 37;

/// What is not available as the options ask for it, and what is odd about a search.
#[derive(Debug, Error)]
pub enum EngineMessage {
    /// Not enough memory for the table.
    #[error("not enough memory for USI_Hash {asked}: using {used} MiB")]
    Hash {
        /// MiB asked for.
        asked: usize,
        /// MiB used instead.
        used: usize,
    },
    /// Not enough memory for the threads, or the system does not start that many.
    #[error("not enough memory for {asked} threads ({THREAD_MIB} MiB each): using {used}")]
    Threads {
        /// Threads asked for.
        asked: usize,
        /// Threads used instead.
        used: usize,
    },
    /// Not even the smallest searcher can be made.
    #[error("not enough memory to search")]
    NoMemory,
    /// The network cannot be used; the built-in evaluation is.
    #[error("EvalFile \"{file}\": {error}; the built-in evaluation is used")]
    EvalFile {
        /// The option's value.
        file: String,
        /// What is wrong.
        error: NnueError,
    },
    /// The network is used, though something is odd about it.
    #[error("EvalFile \"{file}\": {warning}")]
    OddEvalFile {
        /// The option's value.
        file: String,
        /// What is odd.
        warning: NnueWarning,
    },
    /// The book cannot be used. The engine plays on without one.
    #[error("BookFile \"{file}\": {error}; no book is used")]
    Book {
        /// The option's value.
        file: String,
        /// What is wrong.
        error: BookError,
    },
    /// The clock leaves no room for a delay.
    #[error(transparent)]
    CutDelay(CutDelay),
    /// A move to be searched that is not legal.
    #[error("illegal search move \"{0}\" is ignored")]
    IllegalSearchMove(Move),
    /// What is odd about the book's answer.
    #[error(transparent)]
    Choice(ChoiceRemark),
    /// There is an answer only because there must be one.
    #[error("{0}: any legal move is played")]
    Failure(SearchFailure),
}

/// Why an answer is worth nothing but that it is legal.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SearchFailure {
    /// There is too little memory.
    #[error("not enough memory to search")]
    NoMemory,
    /// A defect.
    #[error("internal error in the search: {0}")]
    Panic(String),
}

impl EngineMessage {
    /// Why a file that the options name cannot be used, if the message is about one. A player can go on without it; a
    /// caller that asks for its content cannot.
    pub fn failure(&self) -> Option<String> {
        match self {
            EngineMessage::EvalFile { file, error } => Some(format!("EvalFile \"{file}\": {error}")),
            EngineMessage::Book { file, error } => Some(format!("BookFile \"{file}\": {error}")),
            _ => None,
        }
    }
}
