//! Playing one game of the engine against itself, and the openings from which it may start.

use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::game::{Game, GameResult, ScoredMove, Termination, end_by_rule};
use crate::eval::Evaluation;
use crate::movegen::legal_moves;
use crate::open_file::read_text;
use crate::position::Position;
use crate::rules::{GameLine, LineError};
use crate::search::{SearchLimits, SearchResult, SearchSettings, Searcher, SearcherError};
use crate::types::{Color, Move, Score};

/// How games are played. Scores are in the internal unit, in which a pawn is worth 90.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SelfPlaySettings {
    /// The seed, from which with its number every game follows.
    pub seed: u64,
    /// Nodes searched for each move, at most.
    pub nodes: u64,
    /// The iteration that ends with this many nodes or more is a search's last; 0 for none, so that the nodes of each
    /// move are the same.
    #[serde(default)]
    pub soft_nodes: u64,
    /// Transposition table of each player, in MiB.
    pub hash_mb: usize,
    /// Random moves at the start, at least and at most.
    pub random_plies: (u32, u32),
    /// Share of the games that begin with the first moves of a line of the list of openings; fewer
    /// random moves follow.
    pub openings_share: f64,
    /// The list of openings, by its checksum; 0 for none.
    pub openings_crc: u32,
    /// A start is discarded if its first search finds more than this for either side.
    pub max_start_score: i32,
    /// Chance that a move in the first [`SelfPlaySettings::random_until`] plies is a random one.
    pub random_share: f64,
    /// No random moves from this ply on.
    pub random_until: u32,
    /// A game is won when both players agree on at least this score ...
    pub win_score: i32,
    /// ... for this many plies.
    pub win_plies: u32,
    /// Share of the games that are played to their end by the rules.
    pub played_out_share: f64,
    /// A game is drawn when both players see at most this score ...
    pub draw_score: i32,
    /// ... for this many plies ...
    pub draw_plies: u32,
    /// ... after this ply.
    pub draw_from: u32,
    /// A game is drawn when it gets this long.
    pub max_plies: u32,
}

impl Default for SelfPlaySettings {
    fn default() -> SelfPlaySettings {
        SelfPlaySettings {
            seed: 1,
            nodes: 600,
            soft_nodes: 0,
            hash_mb: 2,
            random_plies: (6, 9),
            openings_share: 0.0,
            openings_crc: 0,
            max_start_score: 500,
            random_share: 0.005,
            random_until: 80,
            win_score: 2000,
            win_plies: 6,
            played_out_share: 0.1,
            draw_score: 10,
            draw_plies: 12,
            draw_from: 160,
            max_plies: 320,
        }
    }
}

/// Random moves after a line of the list of openings, at most.
const RANDOM_AFTER_OPENING: u32 = 2;

/// Scores agreed upon for some plies.
#[derive(Default)]
struct Agreement {
    /// The side that is far ahead, and for how many plies.
    ahead: Option<(Color, u32)>,
    /// Plies without an advantage.
    level: u32,
}

impl Agreement {
    fn note(&mut self, us: Color, score: Score, settings: &SelfPlaySettings) {
        self.ahead = (score.value().abs() >= settings.win_score).then(|| {
            let leader = if score > Score::ZERO { us } else { !us };
            let before = self.ahead.filter(|&(color, _)| color == leader).map_or(0, |(_, plies)| plies);
            (leader, before + 1)
        });
        self.level = if score.value().abs() <= settings.draw_score { self.level + 1 } else { 0 };
    }
}

/// Plays games with a searcher of its own.
pub(super) struct Player<'a> {
    settings: &'a SelfPlaySettings,
    openings: &'a Openings,
    searcher: Searcher,
    search_settings: SearchSettings,
    limits: SearchLimits,
    /// Of the present game.
    nodes: u64,
    searches: u64,
}

/// A game and what it cost.
pub(super) struct PlayedGame {
    pub(super) game: Game,
    pub(super) nodes: u64,
    pub(super) searches: u64,
}

impl<'a> Player<'a> {
    pub(super) fn new(
        settings: &'a SelfPlaySettings,
        openings: &'a Openings,
        evaluation: &Evaluation,
    ) -> Result<Player<'a>, SearcherError> {
        let draw_value = [Score::ZERO; 2];
        Ok(Player {
            settings,
            openings,
            searcher: Searcher::try_new_local(settings.hash_mb, evaluation.clone())?.without_pv_extension(),
            search_settings: SearchSettings { draw_value, ..SearchSettings::default() },
            limits: SearchLimits {
                nodes: Some(settings.nodes),
                soft_nodes: (settings.soft_nodes > 0).then_some(settings.soft_nodes),
                ..SearchLimits::default()
            },
            nodes: 0,
            searches: 0,
        })
    }

    /// Plays the game with this number; `None` when `stop` is set before its end.
    pub(super) fn play(&mut self, number: u64, stop: &AtomicBool) -> Option<PlayedGame> {
        let mut rng = game_rng(self.settings.seed, number);
        self.searcher.clear();
        (self.nodes, self.searches) = (0, 0);
        let (opening, mut position, first) = loop {
            let (opening, position) = start(&mut rng, self.settings, self.openings);
            if stop.load(Ordering::Relaxed) {
                return None;
            }
            let Some(found) = self.search(&position) else { continue };
            if found.1.value().abs() <= self.settings.max_start_score {
                break (opening, position, found);
            }
        };
        let played_out = rng.random_bool(self.settings.played_out_share);
        let mut moves = Vec::new();
        let mut agreement = Agreement::default();
        let mut first = Some(first);
        let (result, termination) = loop {
            if let Some(end) = end_by_rule(&position) {
                break end;
            }
            if let Some(end) = self.adjudicate(&agreement, opening.len() + moves.len(), played_out) {
                break end;
            }
            if stop.load(Ordering::Relaxed) {
                return None;
            }
            let Some((best, score)) = first.take().or_else(|| self.search(&position)) else {
                unreachable!("a position with legal moves has a best one")
            };
            agreement.note(position.side_to_move(), score, self.settings);
            let ply = (opening.len() + moves.len()) as u32;
            let is_random = ply < self.settings.random_until && rng.random_bool(self.settings.random_share);
            let mv = if is_random { random_move(&mut rng, &position).unwrap_or(best) } else { best };
            moves.push(ScoredMove { mv, score });
            position.do_move(mv);
        };
        let game = Game { start: None, opening, moves, result, termination };
        Some(PlayedGame { game, nodes: self.nodes, searches: self.searches })
    }

    /// The best move and its score for the side to move; `None` where there is no move.
    fn search(&mut self, position: &Position) -> Option<(Move, Score)> {
        let found = self.search_with(&self.limits.clone(), position);
        // Few nodes do not always finish the exchanges of the first move: such a position is searched to depth 1.
        let depth_1 = SearchLimits { depth: Some(1), ..SearchLimits::default() };
        let found = if found.lines.is_empty() { self.search_with(&depth_1, position) } else { found };
        Some((found.best_move()?, found.score()?))
    }

    fn search_with(&mut self, limits: &SearchLimits, position: &Position) -> SearchResult {
        let result = self.searcher.search_to_limit(position, limits, &self.search_settings);
        self.nodes += result.nodes;
        self.searches += 1;
        result
    }

    fn adjudicate(&self, agreement: &Agreement, plies: usize, played_out: bool) -> Option<(GameResult, Termination)> {
        let settings = self.settings;
        let plies = plies as u32;
        if plies >= settings.max_plies {
            return Some((GameResult::Draw, Termination::MoveLimit));
        }
        if played_out {
            return None;
        }
        if agreement.level >= settings.draw_plies && plies >= settings.draw_from {
            return Some((GameResult::Draw, Termination::DrawAdjudication));
        }
        let (leader, agreed) = agreement.ahead?;
        (agreed >= settings.win_plies).then_some((GameResult::Win(leader), Termination::Adjudication))
    }
}

/// Games with neighbouring numbers must have nothing in common, nor those of neighbouring seeds.
fn game_rng(seed: u64, number: u64) -> StdRng {
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    bytes[8..16].copy_from_slice(&number.to_le_bytes());
    StdRng::from_seed(bytes)
}

/// A start of a game: moves that lead to a position in which the game goes on.
fn start(rng: &mut StdRng, settings: &SelfPlaySettings, openings: &Openings) -> (Vec<Move>, Position) {
    loop {
        let line = if rng.random_bool(settings.openings_share) { openings.draw(rng) } else { None };
        let (least, most) = settings.random_plies;
        let random = match line {
            Some(_) => rng.random_range(0..=RANDOM_AFTER_OPENING),
            None => rng.random_range(least..=most),
        };
        let mut opening = line.unwrap_or_default();
        let mut position = Position::startpos();
        for &mv in &opening {
            position.do_move(mv);
        }
        for _ in 0..random {
            let Some(mv) = random_move(rng, &position) else { break };
            opening.push(mv);
            position.do_move(mv);
        }
        if end_by_rule(&position).is_none() {
            return (opening, position);
        }
    }
}

fn random_move(rng: &mut StdRng, position: &Position) -> Option<Move> {
    legal_moves(position).choose(rng).copied()
}

/// The largest list of openings, in bytes: room for a million openings of fifty moves.
const MAX_OPENINGS: u64 = 256 << 20;

/// Lines of moves from the start of an even game.
#[derive(Clone, Debug, Default)]
pub struct Openings {
    lines: Vec<Vec<Move>>,
    /// The checksum of the list; 0 for the empty one.
    pub crc: u32,
}

/// Why a list of openings cannot be used.
#[derive(Debug, Error)]
pub enum OpeningsError {
    /// The system says so.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// It is larger than any list of openings.
    #[error("larger than {} MiB, which no list of openings is", MAX_OPENINGS >> 20)]
    TooLarge,
    /// A line, by its number from 1, cannot be read, or holds an illegal move.
    #[error("line {0}: {1}")]
    Line(usize, LineError),
    /// A line begins elsewhere than with the even game.
    #[error("line {0}: {1:?} does not begin with \"startpos\"")]
    Start(usize, String),
    /// There are no lines in it.
    #[error("no opening in it")]
    Empty,
}

impl Openings {
    /// Reads a file with a line `startpos moves …` for each opening; empty lines and `#` comments are skipped.
    ///
    /// # Errors
    /// Names the line that is not an opening.
    pub fn load(path: impl AsRef<Path>) -> Result<Openings, OpeningsError> {
        let text = read_text(path.as_ref(), MAX_OPENINGS)?.ok_or(OpeningsError::TooLarge)?;
        let mut lines = Vec::new();
        for (number, text) in (1..).zip(text.lines().map(str::trim)) {
            if text.is_empty() || text.starts_with('#') {
                continue;
            }
            let opening: GameLine = text.parse().map_err(|error| OpeningsError::Line(number, error))?;
            if opening.start() != Position::startpos() {
                return Err(OpeningsError::Start(number, text.to_owned()));
            }
            lines.push(opening.moves().to_vec());
        }
        if lines.is_empty() {
            return Err(OpeningsError::Empty);
        }
        Ok(Openings { lines, crc: crc32fast::hash(text.as_bytes()) })
    }

    /// The first moves of one of the lines, at least a quarter of it. `None` where there are no lines.
    fn draw(&self, rng: &mut StdRng) -> Option<Vec<Move>> {
        let line = self.lines.choose(rng)?;
        let length = rng.random_range(line.len() / 4..=line.len());
        Some(line[..length].to_vec())
    }
}
