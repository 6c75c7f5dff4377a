//! Minimax over a book: scores are propagated from the ends of its lines to the start.
//!
//! The book is a graph: lines meet again, and some go round in circles. A position is worth its best move; a move is
//! worth minus the position that it leads to where the book has that one (either way round), else its own score. This
//! is solved by iteration from the ends, like retrograde analysis: at first every position with moves into the book
//! counts as a draw, and each sweep makes the scores right for lines that are one ply longer. A position whose score is
//! still that of a draw at the end, since neither side gains by leaving a cycle, is a draw by repetition. A draw need
//! not be worth the same to both players: Black's moves are then valued with Black's view of a draw, and White's with
//! White's. A position that is found turned around has the players exchanged: Black here is White there.

use std::collections::{BTreeSet, HashMap};

use super::key;
use super::moves::BookMove;
use super::table::BookTable;
use crate::position::Setup;
use crate::types::Color;

/// What a draw is worth to each player, by [`Color::index`], in centipawns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DrawValues(pub [i32; 2]);

/// What [`BookTable::minimax`] did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Minimaxed {
    /// Moves that lead to another position of the book.
    pub inner_moves: usize,
    /// Moves whose score changed.
    pub changed: usize,
    /// Moves after which best play repeats positions.
    pub repetitions: usize,
    /// Sweeps until nothing changed.
    pub sweeps: usize,
}

/// The depth that YaneuraOu's book maker writes where a line ends in a repetition.
const REPETITION_DEPTH: u32 = 999;
/// More than any line of a book has plies: what is not settled by then is a repetition.
const MAX_SWEEPS: usize = 2000;

/// A position that a move leads to.
#[derive(Clone, Copy)]
struct Child {
    index: u32,
    /// Whether the book has it turned around, with the players exchanged.
    is_rotated: bool,
}

/// A move of the graph.
#[derive(Clone, Copy)]
struct BookEdge {
    /// The position it leads to, if the book has it.
    child: Option<Child>,
    /// Its own score and depth; none where it was not searched.
    own: Option<i32>,
    depth: u32,
}

/// A position of the graph.
struct BookNode {
    side: Color,
    edges: Vec<BookEdge>,
}

impl BookTable {
    /// Gives every move the score of the line that best play makes of it, and its depth in all. Moves that lead to
    /// nothing that was searched keep what they have.
    pub fn minimax(&mut self, draws: DrawValues) -> Minimaxed {
        let graph = BookGraph::new(self);
        let mut done = Minimaxed {
            inner_moves: graph.nodes.iter().flat_map(|node| &node.edges).filter(|edge| edge.child.is_some()).count(),
            ..Minimaxed::default()
        };
        for draw in BTreeSet::from(draws.0) {
            let (values, sweeps) = graph.solve(draw);
            let depths = graph.depths(&values);
            done.sweeps = done.sweeps.max(sweeps);
            let has_this_view = |node: &BookNode| draws.0[node.side.index()] == draw;
            for (entry, node) in self.entries.values_mut().zip(&graph.nodes).filter(|(_, node)| has_this_view(node)) {
                let side = node.side;
                for (book_move, edge) in entry.moves.iter_mut().zip(&node.edges) {
                    let Some(child) = edge.child else { continue };
                    let Some(value) = child.number(&values, side) else { continue };
                    let depth = match child.number(&depths, side) {
                        Some(depth) => depth.saturating_add(1).min(REPETITION_DEPTH - 1),
                        None => REPETITION_DEPTH,
                    };
                    let score = for_the_other_side(value);
                    let depth = BookMove::searched_depth(score, depth);
                    done.changed += usize::from(book_move.score != score || book_move.depth != depth);
                    done.repetitions += usize::from(depth == REPETITION_DEPTH);
                    book_move.score = score;
                    book_move.depth = depth;
                }
            }
        }
        done
    }
}

/// A number for each position that has one, for either viewer, by [`Color::index`]: the player with whose view of draws
/// all positions are valued.
type NodeNumbers<T> = [Vec<Option<T>>; 2];

impl Child {
    /// The position's number for a viewer who has this colour before the move: turned around, it is the other colour.
    fn number<T: Copy>(self, numbers: &NodeNumbers<T>, viewer: Color) -> Option<T> {
        let viewer = if self.is_rotated { !viewer } else { viewer };
        numbers[viewer.index()][self.index as usize]
    }
}

impl BookEdge {
    /// What the move is worth to the side that makes it.
    fn worth(&self, values: &NodeNumbers<i32>, viewer: Color) -> Option<i32> {
        let below = self.child.and_then(|child| child.number(values, viewer));
        below.map(for_the_other_side).or(self.own)
    }
}

/// The same value as the opponent sees it. The least number of an `i32`, which a book may hold as well, has no
/// opposite: it becomes the greatest.
fn for_the_other_side(value: i32) -> i32 {
    value.saturating_neg()
}

struct BookGraph {
    nodes: Vec<BookNode>,
}

impl BookGraph {
    fn new(table: &BookTable) -> BookGraph {
        let index: HashMap<&str, u32> =
            table.entries.keys().zip(0..).map(|(sfen, index)| (sfen.as_str(), index)).collect();
        let mut nodes = Vec::with_capacity(table.entries.len());
        for (sfen, entry) in &table.entries {
            let Ok(setup) = Setup::from_sfen(sfen) else {
                nodes.push(BookNode { side: Color::Black, edges: Vec::new() });
                continue;
            };
            let edge = |book_move: &BookMove| {
                let mut after = setup.clone();
                after.do_move(book_move.mv);
                let find = |setup: &Setup, is_rotated| {
                    index.get(key(setup).as_str()).map(|&index| Child { index, is_rotated })
                };
                let child = find(&after, false).or_else(|| find(&after.rotated(), true));
                let own = book_move.is_scored().then_some(book_move.score);
                BookEdge { child, own, depth: book_move.depth }
            };
            nodes.push(BookNode { side: setup.side_to_move(), edges: entry.moves.iter().map(edge).collect() });
        }
        BookGraph { nodes }
    }

    /// For either player as the viewer: the value of every position for its side to move, when a draw is worth `draw`
    /// to the viewer; and the sweeps it took. None for a position from which nothing searched can be reached.
    fn solve(&self, draw: i32) -> (NodeNumbers<i32>, usize) {
        let known = self.searched();
        let mut values = Color::ALL.map(|viewer| {
            self.each(&known, |node| match node.edges.iter().any(|edge| edge.child.is_some()) {
                true => Some(if node.side == viewer { draw } else { for_the_other_side(draw) }),
                false => node.edges.iter().filter_map(|edge| edge.own).max(),
            })
        });
        for sweep in 1..=MAX_SWEEPS {
            let next = Color::ALL.map(|viewer| {
                self.each(&known, |node| node.edges.iter().filter_map(|edge| edge.worth(&values, viewer)).max())
            });
            if next == values {
                return (values, sweep);
            }
            values = next;
        }
        (values, MAX_SWEEPS)
    }

    /// A value for every position that is known, none for the others.
    fn each(&self, known: &[bool], value: impl Fn(&BookNode) -> Option<i32>) -> Vec<Option<i32>> {
        self.nodes.iter().zip(known).map(|(node, &known)| if known { value(node) } else { None }).collect()
    }

    /// Which positions have a searched move below them, at any distance.
    fn searched(&self) -> Vec<bool> {
        let mut known: Vec<bool> =
            self.nodes.iter().map(|node| node.edges.iter().any(|edge| edge.own.is_some())).collect();
        loop {
            let before = known.iter().filter(|&&known| known).count();
            for (index, node) in self.nodes.iter().enumerate() {
                if !known[index] {
                    known[index] =
                        node.edges.iter().any(|edge| edge.child.is_some_and(|child| known[child.index as usize]));
                }
            }
            if known.iter().filter(|&&known| known).count() == before {
                return known;
            }
        }
    }

    /// For either player as the viewer: the number of plies for which best play from a position stays within the book,
    /// plus the depth of the search at their end. Of equal moves the one that ends soonest counts, so that only a
    /// position from which all best play repeats has none.
    fn depths(&self, values: &NodeNumbers<i32>) -> NodeNumbers<u32> {
        let mut depths: NodeNumbers<u32> = Color::ALL.map(|_| vec![None; self.nodes.len()]);
        let mut changed = true;
        while std::mem::take(&mut changed) {
            for viewer in Color::ALL {
                for (index, node) in self.nodes.iter().enumerate() {
                    let value = values[viewer.index()][index];
                    let best = node.edges.iter().filter(|edge| value.is_some() && edge.worth(values, viewer) == value);
                    let ends = best.filter_map(|edge| match edge.child {
                        Some(child) if child.number(values, viewer).is_some() => {
                            child.number(&depths, viewer).map(|depth| depth.saturating_add(1))
                        }
                        _ => Some(edge.depth),
                    });
                    let depth = ends.min();
                    changed |= depth != depths[viewer.index()][index];
                    depths[viewer.index()][index] = depth;
                }
            }
        }
        depths
    }
}
