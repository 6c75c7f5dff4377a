//! What a book says of a position: its moves, with what is known of each.

use std::cmp::Reverse;

use super::BookRemark;
use crate::movegen::MAX_MOVES;
use crate::position::Position;
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
    /// How often the move was played in the games that the book was made from; 0 where the format has no such number.
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
    #[must_use]
    pub fn rotated(self) -> BookMove {
        BookMove { mv: self.mv.rotated(), ponder: self.ponder.map(Move::rotated), ..self }
    }

    /// Sorts moves as YaneuraOu does: the most played first, and of equally played ones the best.
    pub fn sort(moves: &mut [BookMove]) {
        moves.sort_by_key(|book_move| (Reverse(book_move.count), Reverse(book_move.score)));
    }
}

/// What a book says of a position.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BookEntry {
    /// Its moves.
    pub moves: Vec<BookMove>,
    /// Texts in the place of a move that are no moves, or illegal ones.
    pub unreadable: Vec<String>,
}

impl BookEntry {
    /// Adds moves that were read, or texts that are none.
    pub(super) fn extend(&mut self, read: impl IntoIterator<Item = Result<BookMove, String>>) {
        read.into_iter().for_each(|read| self.add(read));
    }

    /// Adds a move that was read, or the text that is none.
    pub(super) fn add(&mut self, read: Result<BookMove, String>) {
        // A damaged file must not fill the memory: entries beyond the number of moves of any position are dropped.
        if self.moves.len() + self.unreadable.len() <= MAX_MOVES {
            match read {
                Ok(book_move) if self.moves.iter().all(|known| known.mv != book_move.mv) => self.moves.push(book_move),
                Ok(_) => {}
                Err(text) => self.unreadable.push(text),
            }
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.moves.is_empty() && self.unreadable.is_empty()
    }

    /// Keeps the moves that are legal in a position.
    pub(super) fn checked(mut self, position: &Position) -> BookEntry {
        let unreadable = &mut self.unreadable;
        self.moves.retain(|book_move| {
            let legal = position.is_legal(book_move.mv);
            if !legal {
                unreadable.push(book_move.mv.to_string());
            }
            legal
        });
        BookMove::sort(&mut self.moves);
        self
    }

    /// The entry of the position turned around.
    pub(super) fn rotated(mut self) -> BookEntry {
        self.moves.iter_mut().for_each(|book_move| *book_move = book_move.rotated());
        self
    }
}

/// Called with each position of a book, whose move number is the book's or 1, and what the book says of it, unchecked;
/// or with a part of the file that is no position.
pub(super) type Visitor<'a> = &'a mut dyn FnMut(Result<(&Position, BookEntry), BookRemark>);
