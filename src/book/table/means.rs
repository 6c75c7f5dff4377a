//! Mean scores of moves in games, for a book.

use std::collections::HashMap;

use super::{BookTable, GameChoice};
use crate::book::key;
use crate::book::moves::BookMove;
use crate::datagen::Game;
use crate::types::{Move, Outcome};

/// The scores with which games played their moves.
#[derive(Clone, Debug, Default)]
pub struct MeanScores(HashMap<String, HashMap<Move, Total>>);

/// Scores added up, in centipawns, and how many they are.
#[derive(Clone, Copy, Debug, Default)]
struct Total {
    score: i64,
    games: i64,
}

impl MeanScores {
    /// Takes in the scores of the moves of a game that [`BookTable::add_game`] counts, but for mates. Of a game with an
    /// illegal move the moves before it serve, as there.
    pub fn add_game(&mut self, game: &Game, choice: &GameChoice) {
        let mut ply = game.opening.len();
        let _ = game.replay(|position, played| {
            let is_taken = ply < choice.max_ply && choice.side.is_none_or(|side| side == position.side_to_move());
            ply += 1;
            if let (true, Outcome::Centipawns(score)) = (is_taken, played.score.outcome()) {
                let moves = self.0.entry(key(&position.to_sfen()).to_owned()).or_default();
                let total = moves.entry(played.mv).or_default();
                total.score += i64::from(score);
                total.games += 1;
            }
        });
    }
}

impl BookTable {
    /// Sets the moves' scores to these means. The depth of the searches is not known.
    pub fn set_means(&mut self, means: &MeanScores) {
        for (sfen, entry) in &mut self.entries {
            let Some(totals) = means.0.get(sfen) else { continue };
            for book_move in &mut entry.moves {
                let Some(total) = totals.get(&book_move.mv) else { continue };
                book_move.score = (total.score as f64 / total.games as f64).round() as i32;
                // One ply less than what stands for a move without a score.
                book_move.depth = BookMove::UNSEARCHED_DEPTH - 1;
            }
        }
    }
}
