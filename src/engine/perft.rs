//! Perft over all cores, which can be stopped.

use rayon::ThreadPool;
use rayon::prelude::*;

use crate::movegen::{self, legal_moves};
use crate::position::Position;
use crate::search::Signals;
use crate::types::{MAX_PLY, Move};

/// The deepest perft: far beyond what any machine counts, and safe for the stack.
pub const MAX_PERFT_DEPTH: u32 = MAX_PLY as u32;

/// Subtrees of this depth are counted in one go, without looking whether to stop.
const UNINTERRUPTED_DEPTH: u32 = 3;

/// Leaves below each legal move of a position, in generation order, on `threads` threads (0: one for each core), or on
/// the caller's own where the system refuses them. Depths above [`MAX_PERFT_DEPTH`] count as that one. `None` when
/// stopped before the end.
pub fn perft_divide(position: &Position, depth: u32, threads: usize, control: &Signals) -> Option<Vec<(Move, u64)>> {
    let depth = depth.min(MAX_PERFT_DEPTH);
    if depth == 0 {
        return Some(Vec::new());
    }
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    divide_on(pool.ok().as_ref(), position, depth, control)
}

/// Without a pool no parallel iterator may be run: it would make rayon's global pool, and panic where that fails too.
fn divide_on(
    pool: Option<&ThreadPool>,
    position: &Position,
    depth: u32,
    control: &Signals,
) -> Option<Vec<(Move, u64)>> {
    let moves = legal_moves(position);
    let below = |&mv: &Move| {
        let mut position = position.clone();
        position.do_move(mv);
        Some((mv, count(&mut position, depth - 1, control)?))
    };
    match pool {
        Some(pool) => pool.install(|| moves.par_iter().with_max_len(1).map(below).collect()),
        None => moves.iter().map(below).collect(),
    }
}

/// The sum over what [`perft_divide`] gives for a depth.
pub fn perft_total(depth: u32, divided: &[(Move, u64)]) -> u64 {
    if depth == 0 { 1 } else { divided.iter().map(|(_, nodes)| nodes).sum() }
}

fn count(position: &mut Position, depth: u32, control: &Signals) -> Option<u64> {
    if control.is_stopped() {
        return None;
    }
    if depth <= UNINTERRUPTED_DEPTH {
        return Some(movegen::perft(position, depth));
    }
    let mut nodes = 0;
    for mv in &legal_moves(position) {
        position.do_move(mv);
        let below = count(position, depth - 1, control);
        position.undo_move(mv);
        nodes += below?;
    }
    Some(nodes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn perft_on_threads_counts_like_the_plain_recursion() {
        let mut position = Position::startpos();
        for (depth, nodes) in [(0, 1), (1, 30), (2, 900), (3, 25_470), (4, 719_731), (5, 19_861_490)] {
            let divided = perft_divide(&position, depth, 2, &Signals::new()).unwrap();
            assert_eq!(perft_total(depth, &divided), nodes);
            if (1..5).contains(&depth) {
                assert_eq!(divided, movegen::divide(&mut position, depth));
            }
        }
    }

    #[test]
    fn perft_counts_the_same_without_threads() {
        let control = Signals::new();
        let mut position = Position::startpos();
        for depth in 1..5 {
            let divided = divide_on(None, &position, depth, &control).unwrap();
            assert_eq!(divided, movegen::divide(&mut position, depth));
        }
        control.stop();
        assert_eq!(divide_on(None, &position, 5, &control), None);
    }

    #[test]
    fn perft_stops_on_request() {
        let control = Signals::new();
        std::thread::scope(|scope| {
            let counting = scope.spawn(|| perft_divide(&Position::startpos(), u32::MAX, 2, &control));
            std::thread::sleep(std::time::Duration::from_millis(50));
            control.stop();
            assert_eq!(counting.join().unwrap(), None);
        });
    }
}
