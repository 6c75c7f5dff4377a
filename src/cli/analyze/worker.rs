//! One worker of those that search positions at once, when its searches end, and what is shown of them.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex, PoisonError};

use indicatif::ProgressBar;

use super::input::{InputGame, Job, JobQueue};
use super::table::{LineLayout, LineOfPlay, Style};
use crate::cli::failure::{Failure, Result};
use crate::cli::terminal::{self, remark};
use crate::engine::{Answer, Clamped, Decision, DecisionObserver, Engine, EngineMessage, OptionError, SearchFailure};
use crate::language::{Foreign, Language, Text};
use crate::mate::{Attacker, MateError, MateLimits, MateSolver, SilentMateObserver};
use crate::position::Position;
use crate::records::EvaluatedLine;
use crate::records::notation::Notation;
use crate::report::{FoundMate, PositionAnalysis};
use crate::rules::GameEnd;
use crate::search::{Bound, SearchInfo, SearchLimits, SearchObserver, Signals};
use crate::threads::lock;
use crate::types::{Color, Move, Outcome, Score, Square};

/// What all workers share.
pub(super) struct Shared {
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
pub(super) enum ReportEntry {
    Analysis(Box<Analysis>),
    /// What needed no search.
    Other(Job),
}

/// What was found out about a position.
pub(super) struct Analysis {
    pub(super) game: Arc<InputGame>,
    /// Moves made in the game before.
    pub(super) made: usize,
    pub(super) position: Position,
    pub(super) answer: Answer,
    /// What counts for the report of a game.
    pub(super) found: PositionAnalysis,
    /// What else the engine had to say.
    pub(super) messages: Vec<Text>,
}

impl Analysis {
    /// Where the move went that led to the position.
    pub(super) fn last(&self) -> Option<Square> {
        self.made.checked_sub(1).map(|at| self.game.line.moves()[at].to())
    }

    /// The move played in it.
    pub(super) fn played(&self) -> Option<Move> {
        self.game.line.moves().get(self.made).copied()
    }

    /// The line of the input that the last move stands in, or the game's start.
    pub(super) fn source_line(&self) -> usize {
        let record = self.game.record.as_ref();
        let line = record.and_then(|record| Some(record.node(record.main_line_node(self.made)?).source_line as usize));
        line.filter(|&line| line > 0).unwrap_or(self.game.place.line)
    }
}

/// An entry and its place in the report, or why no more input can be read.
pub(super) type WorkResult = Result<(usize, ReportEntry)>;

/// Does jobs until there are none. `number` is the worker's.
pub(super) fn work(shared: &Shared, number: usize, results: &Sender<WorkResult>) {
    // Made for the first job: there may be fewer positions than cores.
    let mut worker = None;
    while !shared.stop.is_asked() {
        let taken = lock(&shared.jobs).take(|| shared.stop.is_asked());
        let Some(taken) = taken else { return };
        let result = match taken {
            Ok((index, Job::Position(game, made))) => {
                let worker = worker.get_or_insert_with(|| Worker::new(shared));
                let analysis = worker.analyze(game, made, shared, &shared.stop.controls[number]);
                // A search that was broken off is not worth keeping.
                if analysis.is_ok() && shared.stop.is_asked() {
                    return;
                }
                analysis.map(|analysis| (index, ReportEntry::Analysis(Box::new(analysis))))
            }
            Ok((index, job)) => Ok((index, ReportEntry::Other(job))),
            Err(failure) => Err(failure),
        };
        let failed = result.is_err();
        if results.send(result).is_err() || failed {
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
            EngineMessage::EvalFile { file, error } => {
                return Err(Failure::about(&Foreign(&format!("EvalFile {file:?}")), error));
            }
            notice => remark(&notice, language),
        }
    }
    let mut network = Engine::new();
    network.share_evaluation(&engine);
    Ok(network)
}

/// A worker: an engine and a mate solver of its own.
struct Worker {
    engine: Engine,
    solver: MateSolver,
}

/// The solver's table; it grows only when it must.
const SOLVER_MIB: usize = 16;

impl Worker {
    fn new(shared: &Shared) -> Worker {
        let (mut engine, _) = new_engine(&shared.settings).expect("the settings were checked before");
        engine.share_evaluation(&lock(&shared.network));
        Worker { engine, solver: MateSolver::new(SOLVER_MIB) }
    }

    /// Searches a position with nothing learnt from those before it, so that the result does not depend on them.
    fn analyze(&mut self, game: Arc<InputGame>, made: usize, shared: &Shared, control: &Signals) -> Result<Analysis> {
        self.engine.new_game();
        self.engine.set_line(&game.line.up_to(made));
        control.reset(false);
        if shared.stop.is_asked() {
            control.stop();
        }
        let until_stable = shared.until_stable.map(|iterations| UntilStable::new(iterations, control));
        let position = self.engine.position().clone();
        let last = made.checked_sub(1).map(|at| game.line.moves()[at].to());
        let show = |info: &SearchInfo| shared.progress.show(&position, last, info);
        let observer = AnalysisObserver { until_stable, show: Some(&show), ..AnalysisObserver::default() };
        let end = self.engine.game_end();
        // Search knows nothing of the end at its root, and would score the position as if play went on.
        let decided = end.and_then(|end| decided(&end, position.side_to_move()));
        let answer = match decided {
            Some(score) => {
                let lines = vec![SearchInfo::unsearched(score, Vec::new())];
                Answer { decision: Decision::Resign, lines }
            }
            None => self.engine.go(&shared.limits, control, &observer),
        };
        let messages = observer.messages()?;
        let next = game.line.moves().get(made).copied();
        let looks_for_mate = game.record.is_some() && shared.mate_nodes > 0 && end.is_none();
        let mate = if looks_for_mate { self.find_mate(&position, next, shared.mate_nodes)? } else { None };
        let lines = match decided {
            Some(score) => vec![EvaluatedLine { score: score.outcome(), ..EvaluatedLine::default() }],
            None => answer.lines.iter().map(evaluation).collect(),
        };
        let found = PositionAnalysis { lines, end, mate, found_from_level: None };
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
            match GameEnd::from_position(&after, &Default::default()) {
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

/// What a report keeps of a line of a search.
pub(super) fn evaluation(line: &SearchInfo) -> EvaluatedLine {
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
#[derive(Default)]
pub(super) struct AnalysisObserver<'a> {
    messages: Mutex<Vec<Text>>,
    failure: Mutex<Option<SearchFailure>>,
    until_stable: Option<UntilStable<'a>>,
    show: Option<&'a (dyn Fn(&SearchInfo) + Sync)>,
}

impl AnalysisObserver<'_> {
    /// What was said.
    ///
    /// # Errors
    /// When the search failed: the answer may be any move.
    pub(super) fn messages(self) -> Result<Vec<Text>> {
        if let Some(failure) = self.failure.into_inner().unwrap_or_else(PoisonError::into_inner) {
            Err(failure)?;
        }
        Ok(self.messages.into_inner().unwrap_or_else(PoisonError::into_inner))
    }
}

impl DecisionObserver for AnalysisObserver<'_> {
    fn on_message(&self, message: &EngineMessage) {
        lock(&self.messages).push(Text::new(message));
    }

    fn on_failure(&self, failure: &SearchFailure) {
        *lock(&self.failure) = Some(failure.clone());
    }
}

impl SearchObserver for AnalysisObserver<'_> {
    fn on_info(&self, info: &SearchInfo) {
        self.show.inspect(|show| show(info));
        if let Some(until_stable) = &self.until_stable {
            until_stable.see(info);
        }
    }
}

/// Iterations below this depth say little.
const LEAST_DEPTH: i32 = 8;
/// How far apart the scores may be, in centipawns.
const SPREAD: i32 = 30;

/// Ends a search when the best move has been the same for some iterations, with about the same score.
pub(super) struct UntilStable<'a> {
    iterations: usize,
    control: &'a Signals,
    seen: Mutex<Seen>,
}

#[derive(Default)]
struct Seen {
    depth: i32,
    best: Option<Move>,
    /// Since the best move changed last, or the score did.
    scores: Vec<Outcome>,
}

impl<'a> UntilStable<'a> {
    pub(super) fn new(iterations: usize, control: &'a Signals) -> UntilStable<'a> {
        UntilStable { iterations, control, seen: Mutex::default() }
    }

    /// Looks at a line of the search.
    pub(super) fn see(&self, info: &SearchInfo) {
        if info.multi_pv != 1 || info.bound != Bound::Exact {
            return;
        }
        let mut seen = lock(&self.seen);
        let (best, score) = (info.pv.first().copied(), info.score.outcome());
        if seen.depth == info.depth {
            seen.scores.pop();
        }
        seen.depth = info.depth;
        if seen.best != best || !seen.scores.iter().all(|&earlier| is_close(earlier, score)) {
            seen.scores.clear();
        }
        seen.best = best;
        seen.scores.push(score);
        if info.depth >= LEAST_DEPTH && seen.scores.len() >= self.iterations {
            self.control.stop();
        }
    }
}

fn is_close(a: Outcome, b: Outcome) -> bool {
    match (a, b) {
        (Outcome::Centipawns(a), Outcome::Centipawns(b)) => (a - b).abs() <= SPREAD,
        (a, b) => a == b,
    }
}

/// The line below the progress: the best line so far of the search that has found one last.
pub(super) struct Progress {
    bar: ProgressBar,
    style: Style,
}

impl Progress {
    pub(super) fn new(bar: ProgressBar, notation: Notation, language: Language) -> Progress {
        // The last column stays free: some terminals begin a new line with it.
        let width = terminal::progress_width().map(|width| width.saturating_sub(1));
        Progress { bar, style: Style { width, color: false, notation, language } }
    }

    /// Shows the best line of a position, in which the move before went to `last`.
    pub(super) fn show(&self, position: &Position, last: Option<Square>, info: &SearchInfo) {
        if self.bar.is_hidden() || info.multi_pv != 1 || info.bound != Bound::Exact {
            return;
        }
        let (number, language) = (position.game_ply(), self.style.language);
        let (depth, score) = (info.depth, self.style.score(info.score.outcome()));
        let said = language.choose(
            format!("move {number}: depth {depth}, {score}: "),
            format!("{number}手目: 深さ{depth}、{score}: "),
        );
        let line = LineOfPlay { board: &position.setup(), moves: &info.pv, last };
        let shared = LineLayout { indent: 0, taken: super::table::widest(&said), rows: 1 };
        self.bar.set_message(said + &self.style.line_of_play(&line, shared));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::Score;

    fn line(depth: i32, mv: &str, centipawns: i32) -> SearchInfo {
        let score = Score::from_centipawns(centipawns);
        SearchInfo { depth, bound: Bound::Exact, ..SearchInfo::unsearched(score, vec![mv.parse().unwrap()]) }
    }

    /// The depth of the line with which a search is stopped that is to be stable for three iterations.
    fn stopped_at(lines: &[SearchInfo]) -> Option<i32> {
        let control = Signals::new();
        let until_stable = UntilStable::new(3, &control);
        let stops = |line: &&SearchInfo| {
            until_stable.see(line);
            control.is_stopped()
        };
        lines.iter().find(stops).map(|line| line.depth)
    }

    #[test]
    fn a_stable_search_ends_at_the_least_depth_or_beyond() {
        let same =
            |depths: std::ops::RangeInclusive<i32>| depths.map(|depth| line(depth, "7g7f", 40)).collect::<Vec<_>>();
        assert_eq!(stopped_at(&same(1..=LEAST_DEPTH - 1)), None);
        assert_eq!(stopped_at(&same(1..=20)), Some(LEAST_DEPTH));
        assert_eq!(stopped_at(&same(LEAST_DEPTH + 1..=20)), Some(LEAST_DEPTH + 3));
    }

    #[test]
    fn a_new_best_move_restarts_the_count_of_stable_iterations() {
        let lines = [("7g7f", 8), ("7g7f", 9), ("2g2f", 10), ("7g7f", 11), ("7g7f", 12), ("7g7f", 13)];
        assert_eq!(stopped_at(&lines.map(|(mv, depth)| line(depth, mv, 40))), Some(13));
    }

    #[test]
    fn a_distant_score_restarts_the_count_of_stable_iterations() {
        let scores = |scores: [i32; 3]| {
            let lines: Vec<_> = (8..).zip(scores).map(|(depth, score)| line(depth, "7g7f", score)).collect();
            stopped_at(&lines)
        };
        // Scores are rounded to their unit and back.
        assert_eq!(scores([0, SPREAD - 1, 0]), Some(10));
        assert_eq!(scores([0, SPREAD + 2, SPREAD + 2]), None);
        let mate = |depth| SearchInfo { score: Score::mate_in(5), ..line(depth, "7g7f", 0) };
        assert_eq!(stopped_at(&[mate(8), mate(9), line(10, "7g7f", 2000)]), None);
        assert_eq!(stopped_at(&[mate(8), mate(9), mate(10)]), Some(10));
    }

    #[test]
    fn the_last_exact_score_of_the_first_line_counts_for_an_iteration() {
        let [first, again] = [line(9, "7g7f", 500), line(9, "7g7f", 40)];
        assert_eq!(
            stopped_at(&[line(8, "7g7f", 40), first, again.clone(), line(10, "7g7f", 40), line(11, "7g7f", 40)]),
            Some(11)
        );
        let bound = SearchInfo { bound: Bound::Lower, ..line(9, "2g2f", 500) };
        let second = SearchInfo { multi_pv: 2, ..line(9, "2g2f", 500) };
        assert_eq!(stopped_at(&[line(8, "7g7f", 40), bound, second, again, line(10, "7g7f", 40)]), Some(10));
    }
}
