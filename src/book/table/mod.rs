//! A book in memory that can be made and changed.

mod means;
mod minimax;
mod sbk;
mod transpositions;
mod write;

use std::collections::{BTreeMap, HashSet};

pub use means::MeanScores;
pub use minimax::{DrawValues, Minimaxed};

use super::files::{Book, Found};
use super::flip::flipped_sfen;
use super::moves::BookMove;
use super::{BookError, BookRemark, key};
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

    /// Its moves in the order of [`BookMove::sort`].
    fn sorted(&self) -> Vec<BookMove> {
        let mut moves = self.moves.clone();
        BookMove::sort(&mut moves);
        moves
    }
}

/// The position of an entry.
fn position(sfen: &str) -> Result<Position, BookError> {
    Position::from_sfen(sfen).map_err(|_| BookError::Unwritable { format: "a book", sfen: sfen.to_owned() })
}

/// Positions with their moves, in the order of their SFENs, which is that of a sorted text book.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BookTable {
    entries: BTreeMap<String, TableEntry>,
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
    /// Reads a whole book. Positions that came at several move numbers become one. Entries that are no legal moves or
    /// positions are left out, and `remark` is called for each.
    ///
    /// # Errors
    /// When the file cannot be read, is damaged, or is Apery's.
    pub fn read(book: Book, remark: &mut dyn FnMut(BookRemark)) -> Result<BookTable, BookError> {
        let mut table = BookTable::default();
        book.for_each(&mut |sfen, ply, found| {
            let Found { moves, unreadable } = found;
            if sfen.is_empty() {
                unreadable.into_iter().for_each(|text| remark(BookRemark::Entry(text)));
                return Ok(());
            }
            unreadable.into_iter().for_each(|text| remark(BookRemark::NoMove { text, sfen: sfen.to_owned() }));
            let position = match Position::from_sfen(sfen) {
                Ok(position) => position,
                Err(error) => {
                    remark(BookRemark::Position { sfen: sfen.to_owned(), error });
                    return Ok(());
                }
            };
            for book_move in moves {
                if let Err(reason) = position.check_legal(book_move.mv) {
                    remark(BookRemark::Illegal { mv: book_move.mv, reason, sfen: sfen.to_owned() });
                } else {
                    table.add(&position, ply.unwrap_or(1), book_move);
                }
            }
            Ok(())
        })?;
        Ok(table)
    }

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
        self.entries.get(key(&position.to_sfen()))
    }

    /// The entry of a position or, where there is none, that of the position turned around; with `true` for the latter.
    pub fn get_either_way(&self, position: &Position) -> Option<(&TableEntry, bool)> {
        let sfen = position.to_sfen();
        let found = self.entries.get(key(&sfen)).map(|entry| (entry, false));
        found.or_else(|| self.entries.get(key(&flipped_sfen(position))).map(|entry| (entry, true)))
    }

    /// Adds a legal move. Of a move that is there already the counts are added, and the score that was searched deeper
    /// stays; one that was not searched counts least.
    pub fn add(&mut self, position: &Position, ply: u32, book_move: BookMove) {
        let sfen = position.to_sfen();
        let entry = self.entries.entry(key(&sfen).to_owned()).or_insert(TableEntry { ply, moves: Vec::new() });
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
        for &book_move in searched {
            let sfen = position.to_sfen();
            let ply = position.game_ply();
            let entry = self.entries.entry(key(&sfen).to_owned()).or_insert(TableEntry { ply, moves: Vec::new() });
            match entry.moves.iter_mut().find(|known| known.mv == book_move.mv) {
                Some(known) => *known = BookMove { count: known.count.max(book_move.count), ..book_move },
                None => entry.moves.push(book_move),
            }
        }
    }

    /// Adds the moves of a game from its start: each counts once more. Returns how many were added.
    pub fn add_game(&mut self, start: &Position, moves: &[Move], choice: &GameChoice) -> usize {
        let mut position = start.clone();
        let mut added = 0;
        for &mv in moves.iter().take(choice.max_ply) {
            if !position.is_legal(mv) {
                break;
            }
            if choice.side.is_none_or(|side| side == position.side_to_move()) {
                self.add(&position, position.game_ply(), BookMove::unscored(mv, 1));
                added += 1;
            }
            position.do_move(mv);
        }
        added
    }

    /// Takes in another book; see [`BookTable::add`].
    pub fn merge(&mut self, other: BookTable) {
        for (sfen, entry) in other.entries {
            match self.entries.get_mut(&sfen) {
                None => {
                    self.entries.insert(sfen, entry);
                }
                Some(_) => {
                    let Ok(position) = Position::from_sfen(&sfen) else { continue };
                    entry.moves.into_iter().for_each(|book_move| self.add(&position, entry.ply, book_move));
                }
            }
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
                entry.moves.sort_by_key(|known| std::cmp::Reverse(rank(known)));
                entry.moves.truncate(most);
            }
        }
        self.entries.retain(|_, entry| !entry.moves.is_empty() && cut.max_ply.is_none_or(|most| entry.ply <= most));
    }

    /// Keeps the positions that can be reached from a start by moves of the book, including those that the book holds
    /// turned around. Returns how many others were removed.
    pub fn keep_reachable(&mut self, start: &Position) -> usize {
        let (mut reached, mut kept) = (HashSet::new(), HashSet::new());
        // As text: there may be many, and a position takes some 10 KiB.
        let mut open = vec![start.to_sfen()];
        while let Some(sfen) = open.pop() {
            let Ok(mut position) = Position::from_sfen(&sfen) else { continue };
            let Some((entry, turned)) = self.get_either_way(&position) else { continue };
            if !reached.insert(key(&sfen).to_owned()) {
                continue;
            }
            for book_move in &entry.moves {
                let mv = if turned { book_move.flipped().mv } else { book_move.mv };
                position.do_move(mv);
                open.push(position.to_sfen());
                position.undo_move(mv);
            }
            kept.insert(key(&if turned { flipped_sfen(&position) } else { sfen }).to_owned());
        }
        let before = self.entries.len();
        self.entries.retain(|sfen, _| kept.contains(sfen));
        before - self.entries.len()
    }
}

/// Which moves of games to take into a book.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameChoice {
    /// This many moves of each game.
    pub max_ply: usize,
    /// Moves of this side only.
    pub side: Option<Color>,
}
