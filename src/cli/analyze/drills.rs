//! Problems from analysed games: mates and winning moves that a player missed.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

use super::args::AnalyzeArgs;
use super::input::InputGame;
use super::worker::{AnalysisObserver, new_engine};
use crate::cli::failure::Result;
use crate::cli::records::files::naming;
use crate::cli::resumable::{ItemOutput, damage, foreign, read_line};
use crate::engine::Engine;
use crate::language::text;
use crate::mate::{Attacker, MateLimits, MateSolver, SilentMateObserver};
use crate::position::{Position, Repetition};
use crate::report::{GameReport, PositionAnalysis, win_rate};
use crate::rules::GameLine;
use crate::search::{SearchInfo, SearchLimits, Signals};
use crate::types::Move;

/// A winning move keeps at least this win rate, and no other move more than [`OTHERS`].
const WINNING: f64 = 0.95;
/// See [`WINNING`].
const OTHERS: f64 = 0.7;
/// How many times the nodes, or the time, of the analysis a problem is searched with.
const EFFORT: u32 = 8;
/// Positions that the mate solver may visit to make sure that a mate is the shortest.
const MATE_NODES: u64 = 1_000_000;
/// Mates of one move are too easy to be missed by who wants to learn.
const LEAST_PLIES: usize = 3;

/// Writes problems; each is verified before.
pub(super) struct Drills {
    out: ItemOutput,
    /// Those that are written.
    seen: BTreeSet<String>,
    engine: Engine,
    limits: SearchLimits,
    solver: MateSolver,
}

impl Drills {
    /// Begins the file, or goes on with it: problems of games that are analysed already stay.
    pub(super) fn new(path: &Path, args: &AnalyzeArgs, goes_on: bool) -> Result<Drills> {
        let mut settings = args.settings();
        settings.push(("MultiPV".to_owned(), "2".to_owned()));
        let (engine, _) = new_engine(&settings)?;
        let mut limits = args.limits();
        limits.nodes = limits.nodes.map(|nodes| nodes.saturating_mul(EFFORT.into()));
        limits.move_time = limits.move_time.map(|time| time * EFFORT);
        limits.depth = limits.depth.map(|depth| depth + 4);
        let (out, seen) = match goes_on {
            true => ItemOutput::resume(path, FIRST_LINE, earlier)?,
            false => {
                refuse_foreign(path)?;
                (ItemOutput::begin(path, FIRST_LINE)?, BTreeSet::new())
            }
        };
        Ok(Drills { out, seen, engine, limits, solver: MateSolver::new(64) })
    }

    /// Adds the problems of a game.
    pub(super) fn add(&mut self, game: &InputGame, analyses: &[PositionAnalysis], report: &GameReport) -> Result {
        let mut mates = BTreeSet::new();
        for missed in &report.missed_mates {
            mates.insert(missed.moves);
            let position = game.line.position_after(missed.moves);
            if let Some(mate) = self.verified_mate(&position)?.filter(|mate| ends_no_game(&position, mate)) {
                self.write(game, missed.moves, &position, &format!("mate {}", mate.len()), mate[0])?;
            }
        }
        for (made, judgement) in report.judgements.iter().enumerate() {
            let missed = judgement.as_ref().is_some_and(|judgement| judgement.mistake.is_some());
            let Some(analysis) = analyses.get(made).filter(|_| missed && !mates.contains(&made)) else { continue };
            let is_winning = analysis.score().is_some_and(|score| win_rate(score) >= WINNING);
            let position = game.line.position_after(made);
            if let Some(best) = analysis.best_move().filter(|_| is_winning)
                && self.is_only_winning_move(&position, best)?
            {
                self.write(game, made, &position, "winning move", best)?;
            }
        }
        Ok(())
    }

    /// The shortest mate of a problem, which has no game before it, where the solver can show that it is that and long
    /// enough to be worth a problem.
    fn verified_mate(&mut self, position: &Position) -> Result<Option<Vec<Move>>> {
        let limits = MateLimits { nodes: Some(MATE_NODES), ..MateLimits::default() };
        let result =
            self.solver.solve(&position.without_history(), Attacker::SideToMove, &limits, &SilentMateObserver)?;
        let mate = result.mate().filter(|mate| mate.is_shortest && mate.moves.len() >= LEAST_PLIES);
        Ok(mate.map(|mate| mate.moves.clone()))
    }

    /// Whether a longer search of the problem, which has no game before it, still finds that this move wins and no
    /// other.
    fn is_only_winning_move(&mut self, position: &Position, best: Move) -> Result<bool> {
        self.engine.new_game();
        self.engine.set_line(&GameLine::new(position.without_history(), []));
        let control = Signals::new();
        let observer = AnalysisObserver::default();
        let answer = self.engine.go(&self.limits, &control, &observer);
        observer.messages()?;
        let [first, second, ..] = &answer.lines[..] else { return Ok(false) };
        let rate = |line: &SearchInfo| win_rate(line.score.outcome());
        Ok(first.pv.first() == Some(&best) && rate(first) >= WINNING && rate(second) <= OTHERS)
    }

    fn write(&mut self, game: &InputGame, made: usize, position: &Position, kind: &str, best: Move) -> Result {
        let sfen = position.to_sfen();
        if !self.seen.insert(sfen.clone()) {
            return Ok(());
        }
        let played = game.line.moves().get(made).map(|mv| format!(", {mv} was played")).unwrap_or_default();
        let (file, number) = (game.place.input.name(), position.game_ply());
        let remark = format!("# {kind}: {best} ({file}, game {}, move {number}{played})", game.place.game);
        self.out.end_text(&format!("{remark}\n{sfen}\n"))
    }

    /// Ends the file.
    pub(super) fn finish(mut self) -> Result {
        // Without any problem it has its first line.
        self.out.end_text("")?;
        self.out.finish()
    }
}

/// Whether the moves, of which the last one mates, bring no position for the fourth time in the game.
fn ends_no_game(position: &Position, moves: &[Move]) -> bool {
    let mut position = position.clone();
    moves.iter().all(|&mv| {
        position.do_move(mv);
        position.repetition() == Repetition::None
    })
}

/// What makes such files.
const MADE_BY: &str = "kurosabi analyze --drills";

/// What the file begins with.
const FIRST_LINE: &str = "# Mates and winning moves that were missed, made by kurosabi analyze\n";

/// Sees to it that no other file is replaced than one of an earlier run.
///
/// # Errors
/// When a file with content begins otherwise, or cannot be read.
fn refuse_foreign(path: &Path) -> Result {
    // A device is written to, and a pipe might never answer.
    if !path.is_file() {
        return Ok(());
    }
    let file = File::open(path).map_err(|error| naming(path, error))?;
    let first = read_line(&mut BufReader::new(file)).map_err(|error| naming(path, error))?;
    match first.is_empty() || first == FIRST_LINE.as_bytes() {
        true => Ok(()),
        false => {
            let other = text!(
                "{MADE_BY} did not write this file, so it stays as it is: name another file",
                "{MADE_BY} で作ったファイルではないため、上書きしません。別のファイルを指定してください"
            );
            Err(naming(path, other))
        }
    }
}

/// The problems of an earlier run, each a remark and a position, and where they end.
///
/// # Errors
/// When the file has other lines.
fn earlier(mut reader: impl BufRead) -> Result<(BTreeSet<String>, u64)> {
    let (mut seen, mut end, mut at) = (BTreeSet::new(), 0, 0);
    let mut has_remark = false;
    for number in 1.. {
        let line = read_line(&mut reader)?;
        at += line.len() as u64;
        let Some(text) = line.strip_suffix(b"\n") else { break };
        let text = str::from_utf8(text).unwrap_or_default();
        let is_remark = text.starts_with('#');
        if number == 1 {
            if line != FIRST_LINE.as_bytes() {
                Err(foreign(MADE_BY))?;
            }
        } else if is_remark == has_remark || !is_remark && Position::from_sfen(text).is_err() {
            Err(damage(&[(number, number)]))?;
        } else {
            has_remark = is_remark;
            seen.extend((!is_remark).then(|| text.to_owned()));
        }
        if !has_remark {
            end = at;
        }
    }
    Ok((seen, end))
}
