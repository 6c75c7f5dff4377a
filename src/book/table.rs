//! A book in memory that can be made and changed.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};

use rayon::prelude::*;

use super::{BookRemark, key};
use crate::movegen::{MAX_MOVES, legal_moves};
use crate::position::{Position, Setup};
use crate::types::{Color, Move};

/// A position of a [`BookTable`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TableEntry {
    /// The smallest move number at which it came.
    pub ply: u32,
    /// Its moves, all legal.
    pub moves: Vec<BookMove>,
}

impl TableEntry {
    /// Whether a search has found a move of it.
    pub fn is_searched(&self) -> bool {
        self.moves.iter().any(BookMove::is_scored)
    }
}

/// Positions with their moves, in the order of their SFENs, which is that of a sorted text book.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BookTable {
    pub(super) entries: BTreeMap<String, TableEntry>,
}

/// Which part of a book a cut keeps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cut {
    /// Positions up to this move number.
    pub max_ply: Option<u32>,
    /// Moves played at least this often.
    pub min_count: u64,
    /// Moves at most this much worse than the best of their position.
    pub eval_diff: Option<i32>,
    /// Moves searched at least this deep.
    pub min_depth: u32,
    /// This many moves of a position, the best ones.
    pub max_moves: Option<usize>,
}

impl BookTable {
    /// How many positions there are.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// How many moves there are in all.
    pub fn moves(&self) -> usize {
        self.entries.values().map(|entry| entry.moves.len()).sum()
    }

    /// The positions, as SFENs without move number, with their entries.
    pub fn entries(&self) -> impl Iterator<Item = (&str, &TableEntry)> {
        self.entries.iter().map(|(sfen, entry)| (sfen.as_str(), entry))
    }

    /// The entry of a position.
    pub fn get(&self, position: &Position) -> Option<&TableEntry> {
        self.entries.get(&key(&position.setup()))
    }

    /// The entry of a position or, where there is none, that of the position turned around; with `true` for the latter.
    pub fn get_either_way(&self, position: &Position) -> Option<(&TableEntry, bool)> {
        let setup = position.setup();
        let entry = self.entries.get(&key(&setup)).map(|entry| (entry, false));
        entry.or_else(|| self.entries.get(&key(&setup.rotated())).map(|entry| (entry, true)))
    }

    /// Adds a legal move. Of a move that is there already the counts are added, and the score that was searched deeper
    /// stays; one that was not searched counts least.
    pub fn add(&mut self, position: &Position, ply: u32, book_move: BookMove) {
        self.add_to(key(&position.setup()), ply, book_move);
    }

    fn add_to(&mut self, sfen: String, ply: u32, book_move: BookMove) {
        let entry = self.entries.entry(sfen).or_insert(TableEntry { ply, moves: Vec::new() });
        entry.ply = entry.ply.min(ply);
        let Some(known) = entry.moves.iter_mut().find(|known| known.mv == book_move.mv) else {
            entry.moves.push(book_move);
            return;
        };
        let count = known.count.saturating_add(book_move.count);
        let rank = |book_move: &BookMove| (book_move.is_scored(), book_move.depth);
        if rank(&book_move) >= rank(known) {
            *known = BookMove { ponder: book_move.ponder.or(known.ponder), ..book_move };
        }
        known.count = count;
    }

    /// Puts in what a search found, in place of what was known of these moves; the counts stay.
    pub fn set_scores(&mut self, position: &Position, searched: &[BookMove]) {
        if searched.is_empty() {
            return;
        }
        let first = TableEntry { ply: position.game_ply(), moves: Vec::new() };
        let entry = self.entries.entry(key(&position.setup())).or_insert(first);
        for &book_move in searched {
            match entry.moves.iter_mut().find(|known| known.mv == book_move.mv) {
                Some(known) => *known = BookMove { count: known.count.max(book_move.count), ..book_move },
                None => entry.moves.push(book_move),
            }
        }
    }

    /// Adds up to `most` moves of a game from its start, or of them only those of one side: each counts once more.
    pub fn add_game(&mut self, start: &Position, moves: &[Move], most: usize, side: Option<Color>) {
        let mut position = start.clone();
        for &mv in moves.iter().take(most) {
            if !position.is_legal(mv) {
                break;
            }
            if side.is_none_or(|side| side == position.side_to_move()) {
                self.add(&position, position.game_ply(), BookMove::unscored(mv, 1));
            }
            position.do_move(mv);
        }
    }

    /// Takes in another book; see [`BookTable::add`].
    pub fn merge(&mut self, other: BookTable) {
        for (sfen, entry) in other.entries {
            entry.moves.into_iter().for_each(|book_move| self.add_to(sfen.clone(), entry.ply, book_move));
        }
    }

    /// Keeps only what a cut asks for.
    pub fn cut(&mut self, cut: &Cut) {
        for entry in self.entries.values_mut() {
            let best = entry.moves.iter().filter(|known| known.is_scored()).map(|known| known.score).max();
            let least = best.zip(cut.eval_diff).map(|(best, diff)| best.saturating_sub(diff));
            entry.moves.retain(|book_move| {
                book_move.count >= cut.min_count
                    && book_move.depth >= cut.min_depth
                    && least.is_none_or(|least| book_move.is_scored() && book_move.score >= least)
            });
            if let Some(most) = cut.max_moves {
                let rank = |known: &BookMove| (known.is_scored(), known.score, known.count);
                entry.moves.sort_by_key(|known| Reverse(rank(known)));
                entry.moves.truncate(most);
            }
        }
        self.entries.retain(|_, entry| !entry.moves.is_empty() && cut.max_ply.is_none_or(|most| entry.ply <= most));
    }

    /// Adds to each position the moves that lead to another position of the book with a searched move, whichever way
    /// round. They have no score: [`BookTable::minimax`] gives them that of the position that they lead to. Returns
    /// how many were added.
    pub fn add_transpositions(&mut self) -> usize {
        let missing: Vec<(String, Vec<BookMove>)> = self
            .entries
            .par_iter()
            .filter_map(|(sfen, entry)| {
                let position = Position::from_sfen(sfen).ok()?;
                let unlisted = |&mv: &Move| entry.moves.iter().all(|known| known.mv != mv);
                let legal = legal_moves(&position);
                let leading = legal.iter().copied().filter(unlisted).filter(|&mv| self.leads_to_scores(&position, mv));
                let moves: Vec<BookMove> = leading.map(|mv| BookMove::unscored(mv, 0)).collect();
                (!moves.is_empty()).then(|| (sfen.clone(), moves))
            })
            .collect();
        let added = missing.iter().map(|(_, moves)| moves.len()).sum();
        for (sfen, moves) in missing {
            if let Some(entry) = self.entries.get_mut(&sfen) {
                entry.moves.extend(moves);
            }
        }
        added
    }

    fn leads_to_scores(&self, position: &Position, mv: Move) -> bool {
        let mut after = position.clone();
        after.do_move(mv);
        self.get_either_way(&after).is_some_and(|(entry, _)| entry.is_searched())
    }
}

// What a book says of a position: its moves, with what is known of each.

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

// Minimax over a book: scores are propagated from the ends of its lines to the start.
//
// The book is a graph: lines meet again, and some go round in circles. A position is worth its best move; a move is
// worth minus the position that it leads to where the book has that one (either way round), else its own score. This
// is solved by iteration from the ends, like retrograde analysis: at first every position with moves into the book
// counts as a draw, and each sweep makes the scores right for lines that are one ply longer. A position whose score is
// still that of a draw at the end, since neither side gains by leaving a cycle, is a draw by repetition.

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
