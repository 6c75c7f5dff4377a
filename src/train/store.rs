//! Games in memory, at about five bytes a position, and the samples that are made of them.
//!
//! A run goes through all its positions once an epoch. Kept as rows of the first layer they would take 170 bytes each;
//! so games are kept as moves and scores, and positions are made of them by replaying (0.2 µs each), a game at a time.

use std::sync::mpsc::{Receiver, sync_channel};
use std::thread::Scope;

use rand::rngs::StdRng;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};

use super::sample::{Features, Sample, td_lambda};
use crate::datagen::{Game, GameError, GameResult, ScoredMove};
use crate::position::Position;
use crate::types::Move;
use crate::types::numbers::split_mix;

/// Which positions are fit for training.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Filters {
    /// Leave out positions in check.
    pub checks: bool,
    /// Leave out positions in which the move played captures or promotes: a static evaluation should not foresee such
    /// gains.
    pub tactical: bool,
    /// Leave out higher scores.
    pub max_score: i32,
}

impl Default for Filters {
    fn default() -> Filters {
        Filters { checks: true, tactical: true, max_score: 3000 }
    }
}

impl Filters {
    /// Whether a position is used.
    fn pass(&self, position: &Position, mv: Move, score: i16) -> bool {
        !(self.checks && position.in_check()
            || self.tactical && (mv.is_promotion() || position.piece_on(mv.to()).is_some())
            || i32::from(score).abs() > self.max_score)
    }
}

/// Games with the positions of them that are to be used.
#[derive(Clone, Debug)]
pub struct GameStore {
    filters: Filters,
    lambda: f32,
    games: Vec<StoredGame>,
    /// How many positions there are to be used.
    pub positions: u64,
}

/// A game whose scores take as little room as they need.
#[derive(Clone, Debug)]
struct StoredGame {
    start: Option<Box<Position>>,
    opening: Vec<Move>,
    moves: Vec<(Move, i16)>,
    result: GameResult,
}

impl GameStore {
    /// No games yet; of those to come, the positions that pass these filters are used, with their own scores.
    pub fn new(filters: Filters) -> GameStore {
        GameStore { filters, lambda: 0.0, games: Vec::new(), positions: 0 }
    }

    /// The same, but the scores of games to come are changed by TD(λ): later searches have this share in a position's
    /// score. 0 leaves all scores as they are.
    #[must_use]
    pub fn with_lambda(self, lambda: f32) -> GameStore {
        GameStore { lambda, ..self }
    }

    /// How many games there are.
    pub fn games(&self) -> usize {
        self.games.len()
    }

    /// Adds a game.
    ///
    /// # Errors
    /// Names the first move that is not legal; the game is then left out.
    pub fn push(&mut self, mut game: Game) -> Result<(), GameError> {
        td_lambda(&mut game.moves, self.lambda);
        let score = |scored: ScoredMove| scored.score.value() as i16;
        let mut positions = 0;
        game.replay(|position, scored| positions += u64::from(self.filters.pass(position, scored.mv, score(scored))))?;
        self.positions += positions;
        let moves = game.moves.iter().map(|&scored| (scored.mv, score(scored))).collect();
        self.games.push(StoredGame { start: game.start, opening: game.opening, moves, result: game.result });
        Ok(())
    }

    /// All samples, game by game. For small sets only: a sample is forty times as large as its position in the store.
    pub fn samples(&self, features: &Features) -> Vec<Sample> {
        let mut samples = Vec::new();
        (0..self.games()).for_each(|number| self.append(number, features, &mut samples));
        samples
    }

    /// Appends the samples of a game, whose moves are legal: `push` has checked them.
    pub fn append(&self, number: usize, features: &Features, samples: &mut Vec<Sample>) {
        let StoredGame { start, opening, moves, result } = &self.games[number];
        let mut position = start.as_deref().cloned().unwrap_or_default();
        for &mv in opening {
            position.do_move(mv);
        }
        for &(mv, score) in moves {
            if self.filters.pass(&position, mv, score) {
                samples.push(features.sample(&position, score, result.points(position.side_to_move())));
            }
            position.do_move(mv);
        }
    }
}

/// A number that follows from the moves of a game.
pub(super) fn identity(game: &Game) -> u64 {
    let start = game.start.as_ref().map_or(0, |position| position.key());
    let moves = game.opening.iter().copied().chain(game.moves.iter().map(|scored| scored.mv));
    moves.fold(start, |hash, mv| split_mix(hash.wrapping_add(u64::from(mv.to_bits()))))
}

/// A number hashed to one between 0 and 1, uniformly distributed.
pub(super) fn uniform(number: u64) -> f64 {
    split_mix(number) as f64 / u64::MAX as f64
}

/// Samples of a batch that wait to be trained on.
const AHEAD: usize = 4;

/// How many samples the pool holds: 180 MB.
pub(super) const POOL: usize = 1 << 20;

/// An epoch's samples in a random order, in bounded memory: batches of this size; samples that are too few for another
/// batch are left out.
///
/// Games are taken in a random order; their samples go into a pool of fixed size, from which each next one is drawn at
/// random. Samples of one game so lie millions of others apart, and never more than the pool is in memory. A thread
/// makes them while others train, and ends with the epoch, or when the receiver is dropped; the order follows from the
/// seed alone.
pub(super) fn stream<'scope, 'env>(
    scope: &'scope Scope<'scope, 'env>,
    store: &'env GameStore,
    features: &'env Features,
    (batch, pool_size): (usize, usize),
    seed: u64,
) -> Receiver<Vec<Sample>> {
    let (sender, batches) = sync_channel(AHEAD);
    scope.spawn(move || {
        let mut rng = StdRng::seed_from_u64(seed);
        let mut order: Vec<usize> = (0..store.games()).collect();
        order.shuffle(&mut rng);
        let mut games = order.into_iter();
        let mut pool = Vec::new();
        loop {
            while pool.len() < pool_size.max(batch) {
                let Some(game) = games.next() else { break };
                store.append(game, features, &mut pool);
            }
            if pool.len() < batch {
                return;
            }
            let samples = (0..batch).map(|_| pool.swap_remove(rng.random_range(0..pool.len())));
            if sender.send(samples.collect()).is_err() {
                return;
            }
        }
    });
    batches
}

#[cfg(test)]
mod tests {
    use rand::seq::IndexedRandom;

    use super::*;
    use crate::datagen::Termination;
    use crate::movegen::legal_moves;
    use crate::types::{Color, Score};

    fn random_game(number: u64) -> Game {
        let mut rng = StdRng::seed_from_u64(number);
        let mut position = Position::startpos();
        let mut moves = Vec::new();
        for ply in 0..60 {
            let Some(&mv) = legal_moves(&position).choose(&mut rng) else { break };
            moves.push(ScoredMove { mv, score: Score::from_value(number as i32 * 100 + ply) });
            position.do_move(mv);
        }
        let opening = moves.drain(..3).map(|scored| scored.mv).collect();
        let result = GameResult::Win(Color::Black);
        Game { start: None, opening, moves, result, termination: Termination::Unknown }
    }

    #[test]
    fn an_epoch_has_every_position_once_well_mixed() {
        let all = Filters { checks: false, tactical: false, max_score: i32::MAX };
        let mut store = GameStore::new(all);
        (0..100).for_each(|number| store.push(random_game(number)).unwrap());
        let features = Features::new();
        let expected = store.samples(&features);
        assert_eq!(expected.len() as u64, store.positions);
        let scores = |seed: u64| {
            let mut scores = Vec::new();
            std::thread::scope(|scope| {
                for batch in stream(scope, &store, &features, (10, 1000), seed) {
                    scores.extend(batch.iter().map(|sample| sample.score));
                }
            });
            scores
        };
        let one = scores(1);
        assert_eq!(one, scores(1));
        assert_ne!(one, scores(2));
        assert!(one.len() + 10 > expected.len());
        let mut sorted = one.clone();
        sorted.sort_unstable();
        sorted.dedup();
        assert_eq!(sorted.len(), one.len());
        // Neighbours are hardly ever of one game, and the first thousand come from a third of the games or so.
        let neighbours = one.windows(2).filter(|pair| pair[0] / 100 == pair[1] / 100).count();
        assert!(neighbours < one.len() / 10, "{neighbours} of {}", one.len());
        // Who stops listening stops the thread.
        std::thread::scope(|scope| drop(stream(scope, &store, &features, (10, 1000), 1)));
    }
}
