//! Training positions as the first layer sees them.

use crate::eval::nnue::{FeatureMap, FeatureSet, LayerStacks};
use crate::position::Position;
use crate::types::{Color, Piece};

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
