//! What a book says about a move.

use super::flip::flipped_move;
use crate::types::Move;

/// A move that a book knows in a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BookMove {
    /// The move.
    pub mv: Move,
    /// The answer that the book expects.
    pub ponder: Option<Move>,
    /// The score after the move, from the view of the side that makes it. Books keep the number that the engine of
    /// their maker gave; it is shown as centipawns.
    pub score: i32,
    /// How deep the score was searched.
    pub depth: u32,
    /// How often the move was played in the games that the book was made from; 0 where the format does not tell.
    pub count: u64,
}

impl BookMove {
    /// The depth that stands for a move taken from games without a search, as YaneuraOu's own tools write it: it passes
    /// the usual `BookDepthLimit`.
    pub const UNSEARCHED_DEPTH: u32 = 32;

    /// A move without a score.
    pub fn unscored(mv: Move, count: u64) -> BookMove {
        BookMove { mv, ponder: None, score: 0, depth: BookMove::UNSEARCHED_DEPTH, count }
    }

    /// The depth of a searched score: one ply less where the two would stand for a move without a score.
    pub(super) fn searched_depth(score: i32, depth: u32) -> u32 {
        if (score, depth) == (0, BookMove::UNSEARCHED_DEPTH) { depth - 1 } else { depth }
    }

    /// Whether the score was searched.
    pub fn is_scored(&self) -> bool {
        (self.score, self.depth) != (0, BookMove::UNSEARCHED_DEPTH)
    }

    /// The same move for the other player on the board turned around.
    pub fn flipped(self) -> BookMove {
        BookMove { mv: flipped_move(self.mv), ponder: self.ponder.map(flipped_move), ..self }
    }

    /// Sorts moves as YaneuraOu does: the most played first, and of equally played ones the best.
    pub fn sort(moves: &mut [BookMove]) {
        moves.sort_by_key(|book_move| (std::cmp::Reverse(book_move.count), std::cmp::Reverse(book_move.score)));
    }
}
