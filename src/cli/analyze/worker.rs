//! One worker of those that search positions at once.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex, PoisonError};

use super::input::{BadInput, Game, Job, JobQueue, KeptItem};
use super::progress::Progress;
use super::until_stable::UntilStable;
use crate::cli::failure::{Failure, Result};
use crate::cli::terminal::remark;
use crate::engine::{
    Answer, Clamped, Decision, DecisionObserver, Engine, EngineMessage, EvalFileNotice, Notice, OptionError,
    SearchFailure,
};
use crate::language::{Foreign, InJapanese, Language, Text};
use crate::mate::{Attacker, MateError, MateLimits, MateSolver, SilentMateObserver};
use crate::position::Position;
use crate::records::EvaluatedLine;
use crate::report::{FoundMate, PositionAnalysis};
use crate::rules::GameEnd;
use crate::search::{SearchInfo, SearchLimits, SearchObserver, Signals};
use crate::types::{Color, Move, Score};

/// What all workers share.
pub(super) struct Workplace {
    /// The jobs not yet taken.
    pub(super) jobs: Mutex<JobQueue>,
    /// Names and values of the options of each engine.
    pub(super) settings: Vec<(String, String)>,
    /// Its network is that of all engines.
    pub(super) network: Mutex<Engine>,
    /// Limits of each search.
    pub(super) limits: SearchLimits,
    /// Iterations with the same answer after which a search ends.
    pub(super) until_stable: Option<usize>,
    /// Positions that the mate solver may visit for each position of a game.
    pub(super) mate_nodes: u64,
    /// Shows how far the searches are.
    pub(super) progress: Progress,
    /// Ends everything.
    pub(super) stop: Arc<Stop>,
}

/// Ends all searches and the taking of jobs.
pub(super) struct Stop {
    asked: AtomicBool,
    /// Of the search of each worker.
    controls: Vec<Signals>,
}

impl Stop {
    pub(super) fn new(workers: usize) -> Stop {
        Stop { asked: AtomicBool::new(false), controls: (0..workers).map(|_| Signals::new()).collect() }
    }

    pub(super) fn ask(&self) {
        self.asked.store(true, Ordering::SeqCst);
        self.controls.iter().for_each(Signals::stop);
    }

    pub(super) fn is_asked(&self) -> bool {
        self.asked.load(Ordering::SeqCst)
    }
}

/// An entry of the report.
pub(super) enum Entry {
    Analysis(Box<Analysis>),
    GameEnd(Arc<Game>),
    Bad(BadInput),
    Kept(KeptItem),
}

/// What was found out about a position.
pub(super) struct Analysis {
    pub(super) game: Arc<Game>,
    /// Moves made in the game before.
    pub(super) made: usize,
    pub(super) position: Position,
    pub(super) answer: Answer,
    /// What counts for the report of a game.
    pub(super) found: PositionAnalysis,
    /// What the engine had to say besides.
    pub(super) messages: Vec<Text>,
}

impl Analysis {
    /// The move that led to the position.
    pub(super) fn last_move(&self) -> Option<Move> {
        self.made.checked_sub(1).and_then(|at| self.game.line.moves().get(at)).copied()
    }

    /// The move played in it.
    pub(super) fn played(&self) -> Option<Move> {
        self.game.line.moves().get(self.made).copied()
    }

    /// The best line: a mate found by checks where the search found no win.
    pub(super) fn best_line(&self) -> Option<&[Move]> {
        self.found.best_line()
    }

    /// The line of the input that the last move stands in, or the game's start.
    pub(super) fn source_line(&self) -> usize {
        let node = self.game.record.as_ref().and_then(|record| {
            let id = record.main_line_node(self.made)?;
            Some(record.node(id).source_line as usize)
        });
        node.filter(|&line| line > 0).unwrap_or(self.game.place.line)
    }
}

/// An entry and its place in the report, or why no more input can be read.
pub(super) type Delivery = Result<(usize, Entry)>;

/// Does jobs until there are none. `number` is the worker's.
pub(super) fn work(place: &Workplace, number: usize, results: &Sender<Delivery>) {
    // Made for the first job: there may be fewer positions than cores.
    let mut tools = None;
    while !place.stop.is_asked() {
        let taken = place.jobs.lock().unwrap_or_else(PoisonError::into_inner).take(|| place.stop.is_asked());
        let Some(taken) = taken else { return };
        let delivery = taken.map_or_else(
            |failure| Some(Err(failure)),
            |(index, job)| match job {
                Job::Bad(bad) => Some(Ok((index, Entry::Bad(bad)))),
                Job::Kept(kept) => Some(Ok((index, Entry::Kept(kept)))),
                Job::GameEnd(game) => Some(Ok((index, Entry::GameEnd(game)))),
                Job::Position(game, made) => {
                    let tools = tools.get_or_insert_with(|| Tools::new(place));
                    match tools.analyze(game, made, place, &place.stop.controls[number]) {
                        // A search that was broken off is not worth keeping.
                        Ok(_) if place.stop.is_asked() => None,
                        Ok(analysis) => Some(Ok((index, Entry::Analysis(Box::new(analysis))))),
                        Err(failure) => Some(Err(failure)),
                    }
                }
            },
        );
        let Some(delivery) = delivery else { return };
        let failed = delivery.is_err();
        if results.send(delivery).is_err() || failed {
            return;
        }
    }
}

/// An engine with these settings, and those of them that were out of range.
pub(super) fn new_engine(settings: &[(String, String)]) -> Result<(Engine, Vec<Clamped>), OptionError> {
    let mut engine = Engine::new();
    // Analysis never plays from a book.
    engine.set_option("USI_OwnBook", Some("false"))?;
    let mut clamped = Vec::new();
    for (name, value) in settings {
        clamped.extend(engine.set_option(name, Some(value))?);
    }
    Ok((engine, clamped))
}

/// Whether engines can be had with these settings: one that has read the network, and what there is to say about it, or
/// why not.
pub(super) fn check(settings: &[(String, String)], language: Language) -> Result<Engine> {
    let (mut engine, clamped) = new_engine(settings)?;
    clamped.iter().for_each(|clamped| remark(clamped, language));
    for notice in engine.prepare() {
        match notice {
            Notice::EvalFile(EvalFileNotice::Unusable { file, error }) => {
                return Err(Failure::about(&Foreign(&format!("EvalFile {file:?}")), error));
            }
            notice => remark(&notice, language),
        }
    }
    let mut network = Engine::new();
    network.share_evaluation(&engine);
    Ok(network)
}

/// What a worker works with.
struct Tools {
    engine: Engine,
    solver: MateSolver,
}

/// The solver's table; it grows only when it must.
const SOLVER_MIB: usize = 16;

impl Tools {
    fn new(place: &Workplace) -> Tools {
        let (mut engine, _) = new_engine(&place.settings).expect("the settings were checked before");
        engine.share_evaluation(&place.network.lock().unwrap_or_else(PoisonError::into_inner));
        Tools { engine, solver: MateSolver::new(SOLVER_MIB) }
    }

    /// Searches a position with nothing learnt from those before it, so that the result does not depend on them.
    fn analyze(&mut self, game: Arc<Game>, made: usize, place: &Workplace, control: &Signals) -> Result<Analysis> {
        self.engine.new_game();
        self.engine.set_line(&game.line.up_to(made));
        control.reset(false);
        if place.stop.is_asked() {
            control.stop();
        }
        let until_stable = place.until_stable.map(|iterations| UntilStable::new(iterations, control));
        let position = self.engine.position().clone();
        let last = made.checked_sub(1).and_then(|at| game.line.moves().get(at)).map(|mv| mv.to());
        let show = |info: &SearchInfo| place.progress.show(&position, last, info);
        let listener = Listener { messages: Mutex::default(), failure: Mutex::default(), until_stable, show: &show };
        let end = self.engine.game_end();
        // Search knows nothing of the end at its root, and would score the position as if play went on.
        let decided = end.and_then(|end| decided(&end, position.side_to_move()));
        let answer = match decided {
            Some(score) => {
                let lines = vec![SearchInfo::unsearched(score, Vec::new())];
                Answer { decision: Decision::Resign, lines }
            }
            None => self.engine.go(&place.limits, control, &listener),
        };
        if let Some(failure) = listener.failure.into_inner().unwrap_or_else(PoisonError::into_inner) {
            // The answer may be any move.
            Err(failure)?;
        }
        let next = game.line.moves().get(made).copied();
        let looks_for_mate = game.record.is_some() && place.mate_nodes > 0 && end.is_none();
        let mate = if looks_for_mate { self.find_mate(&position, next, place.mate_nodes)? } else { None };
        let lines = match decided {
            Some(score) => vec![EvaluatedLine { score: score.outcome(), ..EvaluatedLine::default() }],
            None => answer.lines.iter().map(evaluation).collect(),
        };
        let found = PositionAnalysis { lines, end, mate };
        let messages = listener.messages.into_inner().unwrap_or_else(PoisonError::into_inner);
        Ok(Analysis { game, made, position, answer, found, messages })
    }

    /// A mate by checks, and whether the move played keeps one.
    fn find_mate(
        &mut self,
        position: &Position,
        played: Option<Move>,
        nodes: u64,
    ) -> Result<Option<FoundMate>, MateError> {
        if position.king_square(!position.side_to_move()).is_none() {
            return Ok(None);
        }
        let limits = MateLimits { nodes: Some(nodes), ..MateLimits::default() };
        let solve = |solver: &mut MateSolver, position: &Position, attacker| {
            solver.solve(position, attacker, &limits, &SilentMateObserver)
        };
        let result = solve(&mut self.solver, position, Attacker::SideToMove)?;
        let Some(mate) = result.mate() else { return Ok(None) };
        let mut keeps = |played| {
            if mate.moves.first() == Some(&played) {
                return Ok(Some(true));
            }
            let mut after = position.clone();
            after.do_move(played);
            match GameEnd::of(&after, &Default::default()) {
                Some(GameEnd::Mate(_) | GameEnd::NoLegalMove(_)) => return Ok(Some(true)),
                // By a repetition, without mate.
                Some(GameEnd::RepetitionDraw | GameEnd::PerpetualCheck(_)) => return Ok(Some(false)),
                _ if !after.in_check() => return Ok(Some(false)),
                _ => {}
            }
            use crate::mate::MateOutcome::{Mate, NoMate, NoMateWithin, Unknown};
            Ok(match solve(&mut self.solver, &after, Attacker::Opponent)?.outcome {
                Mate(_) => Some(true),
                NoMate { .. } | NoMateWithin(_) => Some(false),
                Unknown => None,
            })
        };
        let kept = played.map_or(Ok(None), &mut keeps)?;
        Ok(Some(FoundMate { moves: mate.moves.clone(), is_shortest: mate.is_shortest, kept }))
    }
}

/// The score for the side to move of a game that the rules have ended though there are legal moves.
fn decided(end: &GameEnd, side_to_move: Color) -> Option<Score> {
    if matches!(end, GameEnd::Mate(_) | GameEnd::NoLegalMove(_) | GameEnd::Declaration(..)) {
        return None;
    }
    Some(match end.winner() {
        None => Score::ZERO,
        Some(winner) if winner == side_to_move => Score::win_in(0),
        Some(_) => Score::loss_in(0),
    })
}

fn evaluation(line: &SearchInfo) -> EvaluatedLine {
    EvaluatedLine {
        score: line.score.outcome(),
        pv: line.pv.clone(),
        depth: u32::try_from(line.depth).ok(),
        selective_depth: u32::try_from(line.selective_depth).ok(),
        nodes: Some(line.nodes),
        // The same run writes the same files.
        time: None,
    }
}

/// Keeps what is said in words, and why the answer is worth nothing; the lines come with the answer.
struct Listener<'a> {
    messages: Mutex<Vec<Text>>,
    failure: Mutex<Option<SearchFailure>>,
    until_stable: Option<UntilStable<'a>>,
    show: &'a (dyn Fn(&SearchInfo) + Sync),
}

impl DecisionObserver for Listener<'_> {
    fn on_message(&self, message: &EngineMessage) {
        let message = Text { en: message.to_string(), ja: message.in_japanese() };
        self.messages.lock().unwrap_or_else(PoisonError::into_inner).push(message);
    }

    fn on_failure(&self, failure: &SearchFailure) {
        *self.failure.lock().unwrap_or_else(PoisonError::into_inner) = Some(failure.clone());
    }
}

impl SearchObserver for Listener<'_> {
    fn on_info(&self, info: &SearchInfo) {
        (self.show)(info);
        if let Some(until_stable) = &self.until_stable {
            until_stable.see(info);
        }
    }
}
