//! `kurosabi mate --make`: problems from self-play games.

use std::path::PathBuf;

use rayon::prelude::*;
use thiserror::Error;

use crate::cli::datagen::games;
use crate::cli::failure::Result;
use crate::cli::records::inputs::Input;
use crate::datagen::Game;
use crate::language::InJapanese;
use crate::mate::{Attacker, MateError, MateLimits, MateSolver, SilentMateObserver};

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

/// Why no problems can be made.
#[derive(Debug, Error)]
pub(super) enum MakeError {
    /// The attacker makes the first move of a mate and the last one.
    #[error("a mate has an odd number of plies, from 1 to {LONGEST}")]
    Plies,
    /// Games of self-play come in files only.
    #[error("--make needs files of games, as `kurosabi datagen play` writes them, and reads none from standard input")]
    NoFile,
}

impl InJapanese for MakeError {
    fn in_japanese(&self) -> String {
        match self {
            MakeError::Plies => format!("詰みの手数は1から{LONGEST}までの奇数です"),
            MakeError::NoFile => {
                "--makeには `kurosabi datagen play` が書いた対局ファイルが必要です。標準入力からは読み込めません"
                    .to_owned()
            }
        }
    }
}

/// Reads the length of the problems to be made.
///
/// # Errors
/// When no mate is that long.
pub(super) fn parse_plies(text: &str) -> Result<u16, MakeError> {
    text.parse().ok().filter(|plies| plies % 2 == 1 && *plies <= LONGEST).ok_or(MakeError::Plies)
}

/// The files of games among the inputs.
///
/// # Errors
/// When there is standard input among them.
pub(super) fn files(inputs: &[Input]) -> Result<Vec<PathBuf>> {
    let paths = inputs.iter().map(|input| input.path().map(PathBuf::from).ok_or(MakeError::NoFile));
    Ok(paths.collect::<Result<_, _>>()?)
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
        let made = batch.par_iter().map_init(solver, |solver, game| problem(solver, game, plies));
        problems.extend(made.collect::<Result<Vec<_>, _>>()?.into_iter().flatten());
    }
    problems.truncate(count);
    problems.sort_by_key(|&(nodes, _)| nodes);
    let mut text = format!("# {} problems with one solution, easy ones first\n# mate {plies}\n", problems.len());
    problems.iter().for_each(|(_, sfen)| text.extend([sfen, "\n"]));
    Ok(text)
}

/// The last position of a game that has one solution of this length, behind how many were visited to solve it.
fn problem(solver: &mut MateSolver, game: &Game, plies: u16) -> Result<Option<(u64, String)>, MateError> {
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
