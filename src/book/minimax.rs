//! Minimax over a book: scores are propagated from the ends of its lines to the start.
//!
//! The book is a graph: lines meet again, and some go round in circles. A position is worth its best move; a move is
//! worth minus the position that it leads to where the book has that one (either way round), else its own score. This
//! is solved by iteration from the ends, like retrograde analysis: at first every position with moves into the book
//! counts as a draw, and each sweep makes the scores right for lines that are one ply longer. A position whose score is
//! still that of a draw at the end, since neither side gains by leaving a cycle, is a draw by repetition.

use std::collections::HashMap;

use super::key;
use super::moves::BookMove;
use super::table::BookTable;
use crate::position::Setup;

/// What [`BookTable::minimax`] did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Minimaxed {
    /// Moves that lead to another position of the book.
    pub inner_moves: usize,
    /// Moves whose score changed.
    pub changed: usize,
    /// Moves after which best play repeats positions.
    pub repetitions: usize,
}

/// The depth that YaneuraOu's book maker writes where a line ends in a repetition.
const REPETITION_DEPTH: u32 = 999;
/// More than any line of a book has plies: what is not settled by then is a repetition.
const MAX_SWEEPS: usize = 2000;

/// A move of the graph.
struct BookEdge {
    /// The number of the position it leads to, if the book has it.
    child: Option<usize>,
    /// Its own score and depth; none where it was not searched.
    own: Option<i32>,
    depth: u32,
}

impl BookEdge {
    /// What the move is worth to the side that makes it, given what positions are worth. The least number of an `i32`,
    /// which a book may hold as well, has no opposite: it becomes the greatest.
    fn worth(&self, values: &[Option<i32>]) -> Option<i32> {
        self.child.and_then(|child| values[child]).map(i32::saturating_neg).or(self.own)
    }
}

impl BookTable {
    /// Gives every move the score of the line that best play makes of it, and its depth in all. Moves that lead to
    /// nothing that was searched keep what they have.
    pub fn minimax(&mut self) -> Minimaxed {
        let graph = BookGraph::new(self);
        let values = graph.values();
        let depths = graph.depths(&values);
        let mut done = Minimaxed::default();
        for (entry, edges) in self.entries.values_mut().zip(&graph.0) {
            for (book_move, edge) in entry.moves.iter_mut().zip(edges) {
                let Some(child) = edge.child else { continue };
                done.inner_moves += 1;
                let Some(score) = values[child].map(i32::saturating_neg) else { continue };
                let depth = depths[child].map(|depth| depth.saturating_add(1).min(REPETITION_DEPTH - 1));
                let depth = BookMove::searched_depth(score, depth.unwrap_or(REPETITION_DEPTH));
                done.changed += usize::from((book_move.score, book_move.depth) != (score, depth));
                done.repetitions += usize::from(depth == REPETITION_DEPTH);
                (book_move.score, book_move.depth) = (score, depth);
            }
        }
        done
    }
}

/// The moves of each position.
struct BookGraph(Vec<Vec<BookEdge>>);

impl BookGraph {
    fn new(table: &BookTable) -> BookGraph {
        let index: HashMap<&str, usize> = table.entries.keys().map(String::as_str).zip(0..).collect();
        let find = |setup: &Setup| index.get(key(setup).as_str()).copied();
        let edges = table.entries().map(|(sfen, entry)| {
            let Ok(setup) = Setup::from_sfen(sfen) else { return Vec::new() };
            let edge = |book_move: &BookMove| {
                let mut after = setup.clone();
                after.do_move(book_move.mv);
                BookEdge {
                    child: find(&after).or_else(|| find(&after.rotated())),
                    own: book_move.is_scored().then_some(book_move.score),
                    depth: book_move.depth,
                }
            };
            entry.moves.iter().map(edge).collect()
        });
        BookGraph(edges.collect())
    }

    /// What each position is worth to its side to move; none where nothing searched can be reached.
    fn values(&self) -> Vec<Option<i32>> {
        let known = self.searched();
        let each = |value: &dyn Fn(&[BookEdge]) -> Option<i32>| -> Vec<Option<i32>> {
            self.0.iter().zip(&known).map(|(edges, &known)| if known { value(edges) } else { None }).collect()
        };
        let mut values = each(&|edges| match edges.iter().any(|edge| edge.child.is_some()) {
            true => Some(0),
            false => edges.iter().filter_map(|edge| edge.own).max(),
        });
        for _ in 0..MAX_SWEEPS {
            let next = each(&|edges| edges.iter().filter_map(|edge| edge.worth(&values)).max());
            if next == values {
                break;
            }
            values = next;
        }
        values
    }

    /// Which positions have a searched move below them, at any distance.
    fn searched(&self) -> Vec<bool> {
        let mut known = vec![false; self.0.len()];
        let mut changed = true;
        while std::mem::take(&mut changed) {
            for (index, edges) in self.0.iter().enumerate().rev() {
                let leads = |edge: &BookEdge| edge.own.is_some() || edge.child.is_some_and(|child| known[child]);
                if !known[index] && edges.iter().any(leads) {
                    (known[index], changed) = (true, true);
                }
            }
        }
        known
    }

    /// The number of plies for which best play from a position stays within the book, plus the depth of the search at
    /// their end. Of equal moves the one that ends soonest counts, so that only a position from which all best play
    /// repeats has none.
    fn depths(&self, values: &[Option<i32>]) -> Vec<Option<u32>> {
        let mut depths: Vec<Option<u32>> = vec![None; self.0.len()];
        let mut changed = true;
        while std::mem::take(&mut changed) {
            for (index, edges) in self.0.iter().enumerate() {
                let value = values[index];
                let best = edges.iter().filter(|edge| value.is_some() && edge.worth(values) == value);
                let ends = best.filter_map(|edge| match edge.child.filter(|&child| values[child].is_some()) {
                    Some(child) => depths[child].map(|depth| depth.saturating_add(1)),
                    None => Some(edge.depth),
                });
                let depth = ends.min();
                changed |= depth != depths[index];
                depths[index] = depth;
            }
        }
        depths
    }
}
