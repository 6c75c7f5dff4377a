//! Problems from files.

use std::path::PathBuf;

use rayon::prelude::*;

use crate::cli::datagen::games;
use crate::cli::failure::Result;
use crate::cli::records::inputs::Input;
use crate::cli::resumable::{ItemId, KeptItems};
use crate::datagen::Game;
use crate::language::{Text, text};
use crate::mate::{Attacker, MateError, MateLimits, MateSolver, SilentMateObserver};
use crate::position::Position;
use crate::records::{Format, GameRecord, NodeId, ReadError};
use crate::rules::GameLine;
use crate::types::{Phrase, visible};

/// A problem, or the text in its place.
pub(super) struct Problem {
    /// The name of the file that it is from.
    pub(super) file: String,
    /// Its number in the file, from 1; none for a file that cannot be read.
    pub(super) in_file: Option<usize>,
    /// The line that it stands in; 0 where it has several, or none that can be read.
    pub(super) line: usize,
    /// It is the last position of a game from a start without moves before it.
    pub(super) is_end_of_game: bool,
    /// The position with the game before it, whose repetitions count, or what is wrong with it.
    content: String,
}

/// A problem with its position, or why there is none.
pub(super) type Posed = (Problem, Result<Position, Text>);

impl Problem {
    /// What the problem is, and whether it could be solved.
    pub(super) fn item(&self, is_bad: bool) -> ItemId {
        ItemId::new(&[if is_bad { "error" } else { "problem" }, &self.file, &self.content])
    }

    /// Whether its results are among those kept; then also whether it could not be solved.
    pub(super) fn take_from(&self, kept: &mut KeptItems) -> Option<bool> {
        if kept.is_empty() {
            return None;
        }
        [false, true].into_iter().find(|&is_bad| kept.take(&self.item(is_bad)))
    }

    /// Why no mate can be looked for in the position.
    pub(super) fn unsolved(&self, error: &MateError) -> Text {
        match self.line {
            0 => Text::new(error),
            line => Text::about(&text!("line {line}", "{line}行目"), error),
        }
    }

    /// What a message calls the problem.
    pub(super) fn title(&self) -> Text {
        let file = visible(&self.file);
        match self.in_file {
            None => text!("{file}", "{file}"),
            Some(number) => text!("{file}, problem {number}", "{file} {number}問目"),
        }
    }

    /// What the problem is called: its file and its number in it.
    pub(super) fn name(&self) -> String {
        self.in_file.map_or_else(|| self.file.clone(), |number| format!("{}, problem {number}", self.file))
    }
}

/// How many problems files hold; unknown where standard input is among them.
pub(super) fn count(inputs: &[Input]) -> Option<u64> {
    let count = |input: &Input| {
        let is_file = input.path().is_some_and(|path| path.is_file());
        is_file.then(|| input.records().map_or(1, |records| records.count() as u64))
    };
    inputs.iter().map(count).sum()
}

/// The problems of several files, one after the other. A file that cannot be read stands for one problem.
pub(super) fn problems(inputs: Vec<Input>) -> impl Iterator<Item = Posed> {
    inputs.into_iter().flat_map(|input| -> Box<dyn Iterator<Item = Posed> + Send> {
        let file = input.name();
        // Where an argument names no file, or a folder without any, it stands here itself.
        let is_missing = input.path().is_some_and(|path| path.is_dir() || !path.exists());
        let records = if is_missing {
            Err(Text::new(&Input::MISSING))
        } else {
            input.records().map_err(|error| Text::new(&error))
        };
        match records {
            Ok(records) => {
                let format = records.format();
                Box::new(records.zip(1..).map(move |(record, number)| problem(&file, number, format, record)))
            }
            Err(error) => {
                let content = error.to_string();
                let problem = Problem { file, in_file: None, line: 0, is_end_of_game: false, content };
                Box::new(std::iter::once((problem, Err(error))))
            }
        }
    })
}

fn problem(file: &str, number: usize, format: Format, record: Result<GameRecord, ReadError>) -> Posed {
    let line = record.as_ref().map_or(0, |record| record.node(NodeId::ROOT).source_line as usize);
    // Lines name a position by the moves that lead to it. A diagram's moves are its solution, those from the start of a
    // game are the game.
    let is_line = format.is_lines();
    let is_game = |record: &GameRecord| record.handicap().is_some() && !record.legal_moves().is_empty();
    let is_end_of_game = !is_line && record.as_ref().is_ok_and(is_game);
    let game = record.and_then(|record| match record.cut() {
        Some(error) if is_line => Err(error.clone()),
        _ => {
            let moves = if is_line || is_end_of_game { record.legal_moves() } else { Vec::new() };
            record.start().map(|start| GameLine::new(start.clone(), moves)).map_err(Clone::clone)
        }
    });
    let content = game.as_ref().map_or_else(ToString::to_string, ToString::to_string);
    let problem = Problem { file: file.to_owned(), in_file: Some(number), line, is_end_of_game, content };
    (problem, game.map(|game| game.end()).map_err(|error| Text::new(&error)))
}

// `kurosabi mate --make`: problems from self-play games.

/// Positions visited at most to solve what may become a problem: most positions hold no mate.
const NODES: u64 = 20_000;
/// How many games are looked at together.
const BATCH: usize = 64;
/// Table of each core.
const TABLE_MIB: usize = 16;
/// Mates are to be found near the end of a game.
const LAST_PLIES: usize = 40;

/// The longest problems made.
const LONGEST: u16 = 99;

/// Reads the length of the problems to be made.
///
/// # Errors
/// When no mate is that long.
pub(super) fn parse_plies(text: &str) -> Result<u16, Text> {
    // The attacker makes the first move of a mate and the last one.
    let plies = text.parse().ok().filter(|plies| plies % 2 == 1 && *plies <= LONGEST);
    plies.ok_or_else(|| {
        text!("a mate has an odd number of plies, from 1 to {LONGEST}", "詰みの手数は1から{LONGEST}までの奇数です")
    })
}

/// Games of self-play come in files only.
const NO_FILES: Phrase = Phrase::new(
    "--make needs files of games, as `kurosabi datagen play` writes them, and reads none from standard input",
    "--makeには `kurosabi datagen play` が書いた対局ファイルが必要です。標準入力からは読み込めません",
);

/// The files of games among the inputs.
///
/// # Errors
/// When there is standard input among them.
pub(super) fn made_from(inputs: &[Input]) -> Result<Vec<PathBuf>> {
    let path = |input: &Input| input.path().map(PathBuf::from);
    Ok(inputs.iter().map(path).collect::<Option<_>>().ok_or(NO_FILES)?)
}

/// `count` problems of this length, at most one a game, easy ones first.
pub(super) fn make(files: &[PathBuf], plies: u16, count: usize) -> Result<String> {
    let mut problems: Vec<(u64, String)> = Vec::new();
    let mut games = games(files);
    while problems.len() < count {
        let batch: Vec<Game> = games.by_ref().take(BATCH).collect::<Result<_, _>>()?;
        if batch.is_empty() {
            break;
        }
        let solver = || MateSolver::new(TABLE_MIB);
        let made = batch.par_iter().map_init(solver, |solver, game| problem_of_game(solver, game, plies));
        problems.extend(made.collect::<Result<Vec<_>, _>>()?.into_iter().flatten());
    }
    problems.truncate(count);
    problems.sort_by_key(|&(nodes, _)| nodes);
    let mut text = format!("# {} problems with one solution, easy ones first\n# mate {plies}\n", problems.len());
    problems.iter().for_each(|(_, sfen)| text.extend([sfen, "\n"]));
    Ok(text)
}

/// The last position of a game that has one solution of this length, behind how many were visited to solve it.
fn problem_of_game(solver: &mut MateSolver, game: &Game, plies: u16) -> Result<Option<(u64, String)>, MateError> {
    let mut positions = Vec::new();
    // Of a game with an illegal move the positions before it serve. A problem has no game before it.
    let _ = game.replay(|position, _| positions.push(position.without_history()));
    positions.retain(|position| position.king_square(!position.side_to_move()).is_some());
    let limits = MateLimits { nodes: Some(NODES), without_futile: true, ..MateLimits::default() };
    for position in positions.iter().rev().take(LAST_PLIES) {
        let result = solver.solve(position, Attacker::SideToMove, &limits, &SilentMateObserver)?;
        let mate = result.mate().filter(|mate| mate.is_shortest && mate.plies() == usize::from(plies));
        let Some(mate) = mate else { continue };
        let found = solver.examine(position, mate, &limits, &SilentMateObserver)?;
        if found.unanswered == 0 && found.cooks.iter().all(|cook| cook.is_minor) {
            return Ok(Some((result.progress.nodes, position.to_sfen())));
        }
    }
    Ok(None)
}
