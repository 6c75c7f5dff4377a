//! Scores carried up from the ends of a book to its beginning.
//!
//! The book is a graph: lines meet again, and some go round in circles. A position is worth its best move; a move is
//! worth minus the position that it leads to where the book has that one (either way round), else its own score. This
//! is solved by iteration from the ends, like retrograde analysis: at first every position with moves into the book
//! counts as a draw, and each sweep makes the scores right for lines that are one ply longer. What is then still worth
//! a draw because neither side can leave a circle to its advantage is the draw by repetition. Draws may be worth
//! something else to Black than minus what they are worth to White: then Black's moves are valued with Black's view of
//! a draw, and White's with White's.

use std::collections::HashMap;

use super::BookTable;
use crate::position::Position;
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
    /// Moves on which best play goes round in a circle.
    pub repetitions: usize,
    /// Sweeps until nothing changed.
    pub sweeps: usize,
}

/// The depth that YaneuraOu's book maker writes where a line ends in a repetition.
const REPETITION_DEPTH: u32 = 999;
/// More than any line of a book has plies: what is not settled by then goes round and round.
const MAX_SWEEPS: usize = 2000;

/// A move of the graph.
#[derive(Clone, Copy)]
struct Edge {
    /// The position it leads to, if the book has it.
    child: Option<u32>,
    /// Its own score and depth; none where it was not searched.
    own: Option<i32>,
    depth: u32,
}

struct Node {
    side: Color,
    /// The view on the board: a child that was found turned around has the players exchanged.
    edges: Vec<Edge>,
}

impl BookTable {
    /// Gives every move the score of the line that best play makes of it, and its depth in all. Moves that lead to
    /// nothing that was searched keep what they have.
    pub fn minimax(&mut self, draws: DrawValues) -> Minimaxed {
        let graph = Graph::of(self);
        let mut done = Minimaxed {
            inner_moves: graph.nodes.iter().flat_map(|node| &node.edges).filter(|edge| edge.child.is_some()).count(),
            ..Minimaxed::default()
        };
        let solved: Vec<Vec<Option<i32>>> = Color::ALL
            .into_iter()
            .map(|viewer| {
                let value = draws.0[viewer.index()];
                let (values, sweeps) = graph.solve(viewer, value);
                done.sweeps = done.sweeps.max(sweeps);
                values
            })
            .collect();
        for (index, entry) in self.entries.values_mut().enumerate() {
            let node = &graph.nodes[index];
            let values = &solved[node.side.index()];
            for (book_move, edge) in entry.moves.iter_mut().zip(&node.edges) {
                let Some(child) = edge.child else { continue };
                let Some(value) = values[child as usize] else { continue };
                let depth = graph.depth(child as usize, values);
                done.changed += usize::from(book_move.score != -value || book_move.depth != depth);
                done.repetitions += usize::from(depth == REPETITION_DEPTH);
                book_move.score = -value;
                book_move.depth = depth;
            }
        }
        done
    }
}

struct Graph {
    nodes: Vec<Node>,
}

impl Graph {
    fn of(table: &BookTable) -> Graph {
        let index: HashMap<&str, u32> =
            table.entries.keys().zip(0..).map(|(sfen, index)| (sfen.as_str(), index)).collect();
        let mut nodes = Vec::with_capacity(table.entries.len());
        for (sfen, entry) in &table.entries {
            let Ok(position) = Position::from_sfen(sfen) else {
                nodes.push(Node { side: Color::Black, edges: Vec::new() });
                continue;
            };
            let edge = |book_move: &super::BookMove| {
                let mut after = position.clone();
                after.do_move(book_move.mv);
                let text = after.to_sfen();
                let child = index.get(super::key(&text)).or_else(|| index.get(super::key(&super::flipped_sfen(&text))));
                let own = book_move.is_scored().then_some(book_move.score);
                Edge { child: child.copied(), own, depth: book_move.depth }
            };
            nodes.push(Node { side: position.side_to_move(), edges: entry.moves.iter().map(edge).collect() });
        }
        Graph { nodes }
    }

    /// The value of every position for its side to move, when a draw is worth so much to the viewer; and the sweeps it
    /// took. None for a position from which nothing searched can be reached.
    fn solve(&self, viewer: Color, draw: i32) -> (Vec<Option<i32>>, usize) {
        let drawn = |node: &Node| if node.side == viewer { draw } else { -draw };
        // Searched or drawn; a position without any searched move below it stays unknown until a draw is all there is.
        let mut values: Vec<Option<i32>> = self
            .nodes
            .iter()
            .map(|node| node.edges.iter().any(|edge| edge.child.is_some()).then(|| drawn(node)))
            .collect();
        let known = self.searched();
        for sweep in 1..=MAX_SWEEPS {
            let next: Vec<Option<i32>> = self
                .nodes
                .iter()
                .enumerate()
                .map(|(index, node)| {
                    let worth = |edge: &Edge| match edge.child {
                        Some(child) if known[child as usize] => values[child as usize].map(|value| -value),
                        _ => edge.own,
                    };
                    known[index].then(|| node.edges.iter().filter_map(worth).max()).flatten()
                })
                .collect();
            if next == values {
                return (values, sweep);
            }
            values = next;
        }
        (values, MAX_SWEEPS)
    }

    /// Which positions have a searched move below them, at any distance.
    fn searched(&self) -> Vec<bool> {
        let mut known: Vec<bool> =
            self.nodes.iter().map(|node| node.edges.iter().any(|edge| edge.own.is_some())).collect();
        loop {
            let before = known.iter().filter(|&&known| known).count();
            for (index, node) in self.nodes.iter().enumerate() {
                if !known[index] {
                    known[index] = node.edges.iter().any(|edge| edge.child.is_some_and(|child| known[child as usize]));
                }
            }
            if known.iter().filter(|&&known| known).count() == before {
                return known;
            }
        }
    }

    /// Plies that best play from a position goes on within the book, and the depth of the search at their end, with
    /// the move that led here.
    fn depth(&self, from: usize, values: &[Option<i32>]) -> u32 {
        let mut visited = std::collections::HashSet::new();
        let mut at = from;
        for plies in 1.. {
            if !visited.insert(at) {
                return REPETITION_DEPTH;
            }
            let value = values[at];
            let worth = |edge: &&Edge| match edge.child.and_then(|child| values[child as usize]) {
                Some(child) => Some(-child),
                None => edge.own,
            };
            let Some(best) = self.nodes[at].edges.iter().find(|edge| worth(edge).is_some() && worth(edge) == value)
            else {
                return plies;
            };
            match best.child.filter(|&child| values[child as usize].is_some()) {
                Some(child) => at = child as usize,
                None => return plies.saturating_add(best.depth).min(REPETITION_DEPTH - 1),
            }
        }
        REPETITION_DEPTH
    }
}
