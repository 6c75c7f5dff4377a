//! Moves that lead back into a book although it does not list them.

use rayon::prelude::*;

use super::BookTable;
use crate::book::moves::BookMove;
use crate::movegen::legal_moves;
use crate::position::Position;
use crate::types::Move;

impl BookTable {
    /// Adds to each position the moves that lead to another position of the book with a searched move, whichever way
    /// round. They have no score: [`BookTable::minimax`] gives them that of the position that they lead to. Returns
    /// how many were added.
    pub fn add_transpositions(&mut self) -> usize {
        let found: Vec<(String, Vec<BookMove>)> = self
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
        let added = found.iter().map(|(_, moves)| moves.len()).sum();
        for (sfen, moves) in found {
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
