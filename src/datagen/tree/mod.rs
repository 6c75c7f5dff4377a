//! Training positions out of search trees.
//!
//! A search evaluates positions that occur in no game: after a bad move, and after the reply to it. A network that was
//! trained on games alone is worst at these. Besides, a game's positions resemble each other, while those of a tree are
//! as different as its moves.
//!
//! Positions of games are searched; of the positions that the search evaluates, one in `interval` is kept and scored by
//! a search of its own (compare TreeStrap, Veness et al. 2009, which takes the scores of the same search). Few nodes
//! are enough for that, since the transposition table knows much of the tree below. The nodes are shared by the
//! position and the two after it along the best moves: a short search favours the side that makes its last move, which
//! the mean over plies evens out (with 1,500 nodes it explains 36 % of what 10,000 nodes with another network say
//! beyond the static evaluation, one search 30 %). When the line goes on, its searches score the positions along it as
//! well, at a third of the nodes that each would need alone.
//!
//! Positions that are to be scored by something else, such as a large network, need no searches of their own: with
//! `label_nodes` 0 they get their static evaluations, and cost only their share of the tree's nodes.

use rand::RngExt;

use crate::datagen::game::{Game, GameError, ScoredMove};
use crate::datagen::psv::Psv;
use crate::datagen::result::GameResult;
use crate::datagen::selfplay::rng_of_game;
use crate::eval::Evaluation;
use crate::movegen::legal_moves;
use crate::position::Position;
use crate::search::{LocalSearcher, SearchLimits, SearchSettings};
use crate::types::{Color, Move, Score};

/// How positions are taken out of search trees. Scores are in the internal unit, in which a pawn is worth 90.
#[derive(Clone, Debug, PartialEq)]
pub struct TreeSettings {
    /// The seed, which with the number of the game determines the positions that are searched.
    pub seed: u64,
    /// Share of a game's positions that are searched.
    pub share: f64,
    /// Nodes of such a search.
    pub nodes: u64,
    /// One in this many of the positions that it evaluates is kept.
    pub interval: u32,
    /// Nodes of the searches that score a position; with 0 it keeps its static evaluation.
    pub label_nodes: u64,
    /// Positions that are scored below each kept one: it and those after it along the best moves.
    pub plies: usize,
    /// Transposition table, in MiB.
    pub hash_mb: usize,
    /// Positions of games with higher scores are not searched.
    pub max_root_score: i32,
    /// Positions whose static evaluations are farther from the score of their root are left out: only that they are far
    /// off matters, not by how much.
    pub window: i32,
    /// Positions with higher scores are left out.
    pub max_score: i32,
}

impl Default for TreeSettings {
    fn default() -> TreeSettings {
        TreeSettings {
            seed: 1,
            share: 0.15,
            nodes: 20_000,
            interval: 250,
            label_nodes: 1500,
            plies: 1,
            hash_mb: 8,
            max_root_score: 1200,
            window: 500,
            max_score: 2500,
        }
    }
}

/// Positions that a search may keep, about: each holds its whole history in memory.
const MAX_KEPT: u64 = 10_000;
/// Searches that score a position: of it, and of those after it along the best moves.
const LABEL_PLIES: usize = 3;
/// Nodes of the search that tells at little cost whether the best move captures or promotes.
const QUICK_NODES: u64 = 60;

impl TreeSettings {
    /// Whether a search keeps no more positions than memory has room for.
    pub fn is_bounded(&self) -> bool {
        self.nodes / u64::from(self.interval.max(1)) <= MAX_KEPT
    }
}

/// Takes positions out of search trees.
pub struct TreeSampler<'a> {
    settings: &'a TreeSettings,
    searcher: LocalSearcher,
    search_settings: SearchSettings,
}

impl<'a> TreeSampler<'a> {
    /// A sampler that searches with this evaluation, on a thread with a stack of [`crate::search::STACK_SIZE`].
    pub fn new(settings: &'a TreeSettings, evaluation: &Evaluation) -> TreeSampler<'a> {
        TreeSampler {
            settings,
            searcher: LocalSearcher::sampling(settings.hash_mb, evaluation),
            search_settings: SearchSettings { draw_value: [Score::ZERO; 2], ..SearchSettings::default() },
        }
    }

    /// Positions of the trees below some positions of a game, with the best moves and scores of searches; the games'
    /// results say nothing about them and are left out (0). They follow from the settings, the evaluation, the game and
    /// its number.
    ///
    /// Left out are positions in check, those whose best move captures or promotes, and decided ones: no evaluation is
    /// to foresee them. With `label_nodes` 0 nobody knows the best moves: those whose best move captures or promotes
    /// stay in, with their static evaluations and a legal move, where there is one a quiet one.
    ///
    /// # Errors
    /// Names the first move of the game that is not legal.
    pub fn sample(&mut self, game: &Game, number: u64) -> Result<Vec<Psv>, GameError> {
        let mut rng = rng_of_game(self.settings.seed, number);
        let mut roots = Vec::new();
        game.replay(|position, scored| {
            let is_searched = rng.random_bool(self.settings.share);
            if is_searched && scored.score.value().abs() <= self.settings.max_root_score {
                roots.push(position.clone());
            }
        })?;
        self.searcher.clear();
        Ok(roots.iter().flat_map(|root| self.below(root)).collect())
    }

    /// Positions of the tree below a root.
    fn below(&mut self, root: &Position) -> Vec<Psv> {
        self.searcher.sample_every(self.settings.interval);
        let root_score = self.search(root, self.settings.nodes).map(|found| found.1);
        let samples = self.searcher.sample_every(0);
        let Some(root_score) = root_score else { return Vec::new() };
        let seen_by = |color: Color| if color == root.side_to_move() { root_score } else { -root_score };
        let near = |position: &Position, eval: Score| {
            (eval.value() - seen_by(position.side_to_move()).value()).abs() <= self.settings.window
        };
        let samples: Vec<_> = samples.into_iter().filter(|(position, eval)| near(position, *eval)).collect();
        if self.settings.label_nodes == 0 {
            return samples.iter().filter_map(|(position, eval)| self.unsearched(position, *eval)).collect();
        }
        samples.iter().flat_map(|(position, _)| self.label(position)).collect()
    }

    /// A position with its static evaluation and some legal move, of which quiet ones come first; `None` in check and
    /// where it is decided.
    fn unsearched(&self, position: &Position, eval: Score) -> Option<Psv> {
        if position.in_check() || eval.value().abs() > self.settings.max_score {
            return None;
        }
        let moves = legal_moves(position);
        let quiet = moves.iter().find(|&&mv| is_quiet(position, mv));
        let &mv = quiet.or(moves.iter().next())?;
        Psv::new(position, ScoredMove { mv, score: eval }, GameResult::Draw).ok()
    }

    /// A position and those after it along the best moves, as searches of their own score them, without those that are
    /// to be left out. The line ends where a position is decided; a kept position that is left out itself has no line.
    fn label(&mut self, position: &Position) -> Vec<Psv> {
        let is_kept =
            !position.in_check() && self.undecided(position, QUICK_NODES).is_some_and(|(mv, _)| is_quiet(position, mv));
        let mut line = position.clone();
        let mut scored = Vec::new();
        while is_kept && scored.len() < self.settings.plies.saturating_add(LABEL_PLIES - 1) {
            let Some((mv, score)) = self.undecided(&line, self.settings.label_nodes.div_ceil(LABEL_PLIES as u64))
            else {
                break;
            };
            if scored.is_empty() && !is_quiet(&line, mv) {
                break;
            }
            scored.push((line.clone(), mv, score));
            line.do_move(mv);
        }
        scored.windows(LABEL_PLIES).filter_map(labelled).collect()
    }

    /// The best move and its score, where the game goes on and is not decided.
    fn undecided(&mut self, position: &Position, nodes: u64) -> Option<(Move, Score)> {
        self.search(position, nodes).filter(|(_, score)| score.value().abs() <= self.settings.max_score)
    }

    fn search(&mut self, position: &Position, nodes: u64) -> Option<(Move, Score)> {
        let limits = SearchLimits { nodes: Some(nodes), ..SearchLimits::default() };
        let result = self.searcher.search(position, &limits, &self.search_settings);
        Some((result.best_move()?, result.score()?))
    }
}

/// The first of some positions along the best moves with the mean of their scores, from its side; `None` where no
/// evaluation is to foresee it.
fn labelled(scored: &[(Position, Move, Score)]) -> Option<Psv> {
    let (position, mv, _) = scored.first()?;
    if position.in_check() || !is_quiet(position, *mv) {
        return None;
    }
    let sign = |ply: usize| if ply.is_multiple_of(2) { 1 } else { -1 };
    let total: i32 = scored.iter().enumerate().map(|(ply, (_, _, score))| sign(ply) * score.value()).sum();
    let score = Score::from_value(total / scored.len() as i32);
    // Positions without all forty pieces have no place in the format.
    Psv::new(position, ScoredMove { mv: *mv, score }, GameResult::Draw).ok()
}

/// Whether a move neither captures nor promotes.
fn is_quiet(position: &Position, mv: Move) -> bool {
    !mv.is_promotion() && position.piece_on(mv.to()).is_none()
}
