//! A book in memory that can be made and changed.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use rayon::prelude::*;

use super::key;
use super::moves::BookMove;
use crate::movegen::legal_moves;
use crate::position::Position;
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
