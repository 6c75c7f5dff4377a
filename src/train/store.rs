//! Games in memory, at about four bytes a position, and the samples that are made of them.
//!
//! A run goes through all its positions once an epoch. Kept as rows of the first layer they would take 170 bytes each;
//! so games are kept as moves and scores, and positions are made of them by replaying (0.2 µs each), a game at a time.
//! 300 million positions in games of a hundred moves take 1.5 GB.
//!
//! | bytes | what |
//! |---|---|
//! | u8 | 0 for a draw, 1 or 2 for Black's or White's win |
//! | u8, … | length and text of the start's SFEN; 0 for the start of an even game |
//! | u8 | number of opening moves |
//! | u16 each | the opening moves |
//! | u16, i16 each | the moves played with their scores (to the end) |

use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::Scope;

use rand::rngs::StdRng;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};

use super::sample::{Features, Sample};
use super::scores::td_lambda;
use crate::datagen::{Game, GameError, GameResult, ScoredMove};
use crate::position::Position;
use crate::types::numbers::split_mix;
use crate::types::{Move, Score};

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
    fn pass(&self, position: &Position, scored: ScoredMove) -> bool {
        let mv = scored.mv;
        !(self.checks && position.in_check()
            || self.tactical && (mv.is_promotion() || position.piece_on(mv.to()).is_some())
            || scored.score.value().abs() > self.max_score)
    }
}

/// Games with the positions of them that are to be used.
#[derive(Clone, Debug)]
pub struct GameStore {
    filters: Filters,
    lambda: f32,
    bytes: Vec<u8>,
    /// Where each game begins.
    games: Vec<usize>,
    positions: u64,
}

impl GameStore {
    /// No games yet; of those to come, the positions that pass these filters are used, with their own scores.
    pub fn new(filters: Filters) -> GameStore {
        GameStore { filters, lambda: 0.0, bytes: Vec::new(), games: Vec::new(), positions: 0 }
    }

    /// The same, but the scores of games to come are changed by TD(λ): later searches have this share in a position's
    /// score. 0 leaves all scores as they are.
    #[must_use]
    pub fn with_lambda(self, lambda: f32) -> GameStore {
        GameStore { lambda, ..self }
    }

    /// How many positions there are to be used.
    pub fn positions(&self) -> u64 {
        self.positions
    }

    /// How many games there are.
    pub fn games(&self) -> usize {
        self.games.len()
    }

    /// Adds a game. One with a longer opening than the format of record files has room for is left out, as is one whose
    /// start has no SFEN of 255 bytes.
    ///
    /// # Errors
    /// Names the first move that is not legal; the game is then left out.
    pub fn push(&mut self, mut game: Game) -> Result<(), GameError> {
        let start = game.start.as_ref().map_or_else(String::new, |position| position.to_sfen());
        let (Ok(start_length), Ok(opening)) = (u8::try_from(start.len()), u8::try_from(game.opening.len())) else {
            return Ok(());
        };
        td_lambda(&mut game.moves, self.lambda);
        let mut positions = 0;
        game.replay(|position, scored| positions += u64::from(self.filters.pass(position, scored)))?;
        self.positions += positions;
        self.games.push(self.bytes.len());
        self.bytes.extend([game.result.code(), start_length]);
        self.bytes.extend(start.as_bytes());
        self.bytes.push(opening);
        self.bytes.extend(game.opening.iter().flat_map(|mv| mv.to_bits().to_le_bytes()));
        for ScoredMove { mv, score } in &game.moves {
            self.bytes.extend(mv.to_bits().to_le_bytes());
            self.bytes.extend((score.value() as i16).to_le_bytes());
        }
        Ok(())
    }

    /// Calls `visit` with the positions of a game that are to be used, their scores and the points that their sides to
    /// move got. The moves are legal: `push` has checked them.
    fn replay(&self, number: usize, mut visit: impl FnMut(&Position, i16, f32)) {
        let end = self.games.get(number + 1).copied().unwrap_or(self.bytes.len());
        let bytes = &self.bytes[self.games[number]..end];
        let [result, start, rest @ ..] = bytes else { return };
        let (start, rest) = rest.split_at(usize::from(*start));
        let (opening, rest) = rest.split_first().unwrap_or((&0, &[]));
        let (opening, moves) = rest.split_at(2 * usize::from(*opening));
        // It was written by the same program a while ago.
        let mut position = std::str::from_utf8(start).ok().and_then(|sfen| Position::from_sfen(sfen).ok());
        let position = position.get_or_insert_default();
        let result = GameResult::from_code(*result).unwrap_or(GameResult::Draw);
        let read_move = |bits| Move::from_bits(u16::from_le_bytes(bits));
        for &bits in opening.as_chunks().0 {
            let Some(mv) = read_move(bits) else { return };
            position.do_move(mv);
        }
        for &[a, b, c, d] in moves.as_chunks().0 {
            let (Some(mv), score) = (read_move([a, b]), i16::from_le_bytes([c, d])) else { return };
            let scored = ScoredMove { mv, score: Score::from_value(i32::from(score)) };
            if self.filters.pass(position, scored) {
                visit(position, score, result.points(position.side_to_move()));
            }
            position.do_move(mv);
        }
    }

    /// All samples, game by game. For small sets only: a sample is forty times as large as its position in the store.
    pub fn samples(&self, features: &Features) -> Vec<Sample> {
        let mut samples = Vec::new();
        (0..self.games()).for_each(|number| self.append(number, features, &mut samples));
        samples
    }

    /// Appends the samples of a game.
    pub fn append(&self, number: usize, features: &Features, samples: &mut Vec<Sample>) {
        self.replay(number, |position, score, points| samples.push(features.sample(position, score, points)));
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
    sizes: (usize, usize),
    seed: u64,
) -> Receiver<Vec<Sample>> {
    let (sender, batches) = sync_channel(AHEAD);
    scope.spawn(move || fill(store, features, sizes, seed, &sender));
    batches
}

fn fill(
    store: &GameStore,
    features: &Features,
    (batch, pool_size): (usize, usize),
    seed: u64,
    sender: &SyncSender<Vec<Sample>>,
) {
    let mut rng = StdRng::seed_from_u64(seed);
    let mut order: Vec<u32> = (0..store.games() as u32).collect();
    order.shuffle(&mut rng);
    let mut games = order.into_iter();
    let mut pool = Vec::new();
    loop {
        while pool.len() < pool_size.max(batch) {
            let Some(game) = games.next() else { break };
            store.append(game as usize, features, &mut pool);
        }
        if pool.len() < batch {
            return;
        }
        let mut samples = Vec::with_capacity(batch);
        for _ in 0..batch {
            samples.push(pool.swap_remove(rng.random_range(0..pool.len())));
        }
        if sender.send(samples).is_err() {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use rand::seq::IndexedRandom;

    use super::*;
    use crate::datagen::Termination;
    use crate::movegen::legal_moves;
    use crate::types::Color;

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
        assert_eq!(expected.len() as u64, store.positions());
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
