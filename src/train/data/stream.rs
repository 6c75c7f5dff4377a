//! An epoch's samples in a random order, in bounded memory.
//!
//! Games are taken in a random order; their samples go into a pool of fixed size, from which each next one is drawn at
//! random. Samples of one game so lie millions of others apart, and never more than the pool is in memory. A thread
//! makes them while others train; the order follows from the seed alone.

use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::Scope;

use rand::rngs::StdRng;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};

use super::sample::{Features, Sample};
use super::store::GameStore;

/// Samples of a batch that wait to be trained on.
const AHEAD: usize = 4;

/// How many samples the pool holds: 180 MB.
pub(in crate::train) const POOL: usize = 1 << 20;

/// Where an epoch's samples come out.
pub(in crate::train) struct Stream {
    batches: Receiver<Vec<Sample>>,
}

impl Stream {
    /// Begins an epoch of batches of this size; samples that are too few for another batch are left out. The thread
    /// ends with the epoch, or when the stream is dropped.
    pub(in crate::train) fn start<'scope, 'env>(
        scope: &'scope Scope<'scope, 'env>,
        store: &'env GameStore,
        features: &'env Features,
        (batch, pool): (usize, usize),
        seed: u64,
    ) -> Stream {
        let (sender, batches) = sync_channel(AHEAD);
        scope.spawn(move || fill(store, features, (batch, pool), seed, &sender));
        Stream { batches }
    }

    /// The next batch; `None` at the epoch's end.
    pub(in crate::train) fn next(&mut self) -> Option<Vec<Sample>> {
        self.batches.recv().ok()
    }
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
    use super::*;
    use crate::datagen::{Game, GameResult, ScoredMove, Termination};
    use crate::movegen::legal_moves;
    use crate::position::Position;
    use crate::train::Filters;
    use crate::types::{Color, Score};
    use rand::seq::IndexedRandom;

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

    /// All positions come once an epoch, in an order of its own, well mixed.
    #[test]
    fn every_position_comes_once() {
        let all = Filters { checks: false, tactical: false, max_score: i32::MAX, ..Filters::default() };
        let mut store = GameStore::new(all);
        (0..100).for_each(|number| store.push(random_game(number)).unwrap());
        let features = Features::new();
        let expected = store.samples(&features);
        assert_eq!(expected.len() as u64, store.positions());
        let scores = |seed: u64| {
            let mut scores = Vec::new();
            std::thread::scope(|scope| {
                let mut stream = Stream::start(scope, &store, &features, (10, 1000), seed);
                while let Some(batch) = stream.next() {
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
        std::thread::scope(|scope| drop(Stream::start(scope, &store, &features, (10, 1000), 1)));
    }
}
