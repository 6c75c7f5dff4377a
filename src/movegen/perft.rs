//! Perft: the number of move sequences of a given length, the standard test of a generator.

use super::{MoveList, Selection, count_legal_moves, legal_moves, list_moves};
use crate::position::Position;

/// Sequences of `depth` legal moves. The last ply is counted without listing its moves.
pub fn perft(position: &mut Position, depth: u32) -> u64 {
    perft_with(position, depth, &|leaf| count_legal_moves(leaf) as u64)
}

/// The same count, with every leaf move written to a list first, as a search has to do.
pub fn perft_listing(position: &mut Position, depth: u32) -> u64 {
    perft_with(position, depth, &|leaf| {
        let mut list = MoveList::new();
        list_moves::<true>(leaf, Selection::All, &mut list);
        std::hint::black_box(&list).len() as u64
    })
}

fn perft_with<F: Fn(&Position) -> u64>(position: &mut Position, depth: u32, count_leaf: &F) -> u64 {
    match depth {
        0 => 1,
        1 => count_leaf(position),
        _ => {
            let moves = legal_moves(position);
            let mut nodes = 0;
            for mv in &moves {
                position.do_move(mv);
                nodes += perft_with(position, depth - 1, count_leaf);
                position.undo_move(mv);
            }
            nodes
        }
    }
}
