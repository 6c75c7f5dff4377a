//! Training positions as the first layer sees them.

use crate::datagen::ScoredMove;
use crate::eval::nnue::{FeatureMap, FeatureSet, LayerStacks};
use crate::position::Position;
use crate::types::{Color, Piece, Score};

/// Rows that a position switches on for each side when no piece is missing.
pub(super) const PIECES: usize = 40;

/// A position with what a search and its game said of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sample {
    /// The rows of both sides, the side to move's first.
    pub(super) rows: [[u16; PIECES]; 2],
    /// Score for the side to move, in the internal unit.
    pub score: i16,
    /// Twice the points that the side to move got: 0, 1 or 2.
    points: u8,
    /// Which of the stacks of [`LayerStacks::KingThirds`] it is for.
    king_thirds: u8,
}

impl Sample {
    /// What the side to move made of its game: 1, 0.5 or 0.
    pub(super) fn result(&self) -> f32 {
        f32::from(self.points) / 2.0
    }

    /// Which of several stacks of layers it is for.
    pub(super) fn stack(&self, stacks: LayerStacks) -> usize {
        if stacks == LayerStacks::One { 0 } else { usize::from(self.king_thirds) }
    }
}

/// Makes samples of positions, with the rows that inference would switch on.
pub struct Features {
    map: FeatureMap,
    /// The row of a missing piece, which stays 0: it follows those of the network.
    absent: u16,
}

impl Default for Features {
    fn default() -> Features {
        Features::new()
    }
}

impl Features {
    /// Samples for networks of Kurosabi's own format.
    pub fn new() -> Features {
        let set = FeatureSet::KaHm;
        Features { map: FeatureMap::new(set), absent: set.rows() as u16 }
    }

    /// The sample of a position; `points` are those of the side to move (0, 0.5 or 1).
    pub fn sample(&self, position: &Position, score: i16, points: f32) -> Sample {
        let us = position.side_to_move();
        let views = [us, !us].map(|color| self.map.view(color, position.king_square(color)));
        let mut rows = [[self.absent; PIECES]; 2];
        let mut counts = [0; 2];
        let mut add = |side: usize, row: u32| {
            if let Some(place) = rows[side].get_mut(counts[side]) {
                *place = row as u16;
                counts[side] += 1;
            }
        };
        for square in position.occupied() {
            let Some(piece) = position.piece_on(square) else { continue };
            for (side, &view) in views.iter().enumerate() {
                if let Some(row) = self.map.on_board(view, piece, square) {
                    add(side, row);
                }
            }
        }
        for color in Color::ALL {
            for (held, count) in position.hand(color).iter() {
                for number in 1..=count {
                    for (side, &view) in views.iter().enumerate() {
                        add(side, self.map.in_hand(view, Piece::new(color, held), number));
                    }
                }
            }
        }
        let king_thirds = LayerStacks::KingThirds.index(position) as u8;
        Sample { rows, score, points: (2.0 * points) as u8, king_thirds }
    }
}

// Between scores and win probabilities; and TD(λ): scores in which the later searches of a game have a share.
//
// The error of a search of a thousand nodes is larger than what a move changes. The searches of the next plies have
// seen further along the same line and err in other ways, so that their mean is closer to a deep search than any of
// them: against 40,000 nodes, the squared error of the win probability in 3,000 positions falls from 0.0046 to 0.0030
// at λ = 0.5, which is what a search of twice the nodes reaches. Sutton, "Learning to predict by the methods of
// temporal differences" (1988), has the formula.

/// The score (90 is a pawn) at which the odds of winning are taken to be e to 1.
pub(super) const SCORE_UNIT: f32 = 600.0;

/// The win probability at a score, in units of the score at which the odds are e to 1.
pub(super) fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

/// The score with this win probability: the inverse of [`sigmoid`].
fn logit(probability: f32) -> f32 {
    (probability / (1.0 - probability)).ln()
}

/// Scores are limited to this: 32-bit win probabilities are the same for higher ones.
const MOST: f32 = 8_000.0;

/// Changes the scores of a game's moves. A position's win probability becomes (1 − λ) times that of its own search and
/// λ times what is found so for the next position, seen from this side; the last position keeps its own.
pub(super) fn td_lambda(moves: &mut [ScoredMove], lambda: f32) {
    if lambda <= 0.0 {
        return;
    }
    let mut next = None;
    for scored in moves.iter_mut().rev() {
        let own = sigmoid(scored.score.value() as f32 / SCORE_UNIT);
        let win_probability = match next {
            None => own,
            Some(next) => {
                let win_probability = (1.0 - lambda) * own + lambda * (1.0 - next);
                scored.score =
                    Score::from_value((SCORE_UNIT * logit(win_probability)).clamp(-MOST, MOST).round() as i32);
                win_probability
            }
        };
        next = Some(win_probability);
    }
}

#[cfg(test)]
mod tests {
    use crate::types::Move;

    use super::*;

    fn scores(scores: &[i32], lambda: f32) -> Vec<i32> {
        let mv: Move = "7g7f".parse().unwrap();
        let mut moves: Vec<_> =
            scores.iter().map(|&score| ScoredMove { mv, score: Score::from_value(score) }).collect();
        td_lambda(&mut moves, lambda);
        moves.iter().map(|scored| scored.score.value()).collect()
    }

    #[test]
    fn td_lambda_mixes_in_the_scores_of_later_plies() {
        // Nothing changes where all searches agree, or where they have no share.
        assert_eq!(scores(&[300, -300, 300, -300], 0.7), [300, -300, 300, -300]);
        assert_eq!(scores(&[300, 50, -2000], 0.0), [300, 50, -2000]);
        // By hand: from the end the probabilities are 0.7311; 0.5 · 0.5 + 0.5 · 0.2689 = 0.3845; 0.5 · 0.6225 + 0.5 ·
        // 0.6155.
        assert_eq!(scores(&[300, 0, 600], 0.5), [291, -282, 600]);
        // With all of the share, the last score is everyone's.
        assert_eq!(scores(&[300, 50, -2000], 1.0), [-2000, 2000, -2000]);
    }

    #[test]
    fn td_lambda_keeps_scores_of_mates_within_bounds() {
        assert_eq!(scores(&[30_000, -30_000, 30_000], 0.5), [8000, -8000, 30_000]);
        assert_eq!(scores(&[30_000, -30_000, -30_000], 0.5)[0], 659);
    }
}
