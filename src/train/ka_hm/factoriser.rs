//! What rows of the first layer have in common while they are trained.
//!
//! A row's weights are the sum of its own and of shared ones: those of the piece, wherever it stands or is held, and
//! of the piece on a rank and on a file. What many rows agree on is learnt from all their positions, so that rare
//! rows (promoted minors, last pawns in hand) begin where their kind is instead of at random. The sums alone are the
//! network; inference knows nothing of it.

use serde::{Deserialize, Serialize};

use crate::train::data::sample::{HANDS, SIDE, hand_base};
use crate::types::{PieceType, Square};

/// Which shared weights rows have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
pub enum Factoriser {
    /// None.
    None,
    /// Those of their piece.
    Piece,
    /// Those of their piece, and of their piece on their rank and on their file.
    Lines,
}

/// Planes of pieces on the board, of both sides.
const PLANES: usize = 28;
const HAND_ROWS: usize = PLANES;
const RANKS: usize = HAND_ROWS + 14;
const FILES: usize = RANKS + 9 * PLANES;

impl Factoriser {
    /// How many shared rows there are.
    pub(super) fn shared_rows(self) -> usize {
        match self {
            Factoriser::None => 0,
            Factoriser::Piece => RANKS,
            Factoriser::Lines => FILES + 9 * PLANES,
        }
    }

    /// The shared rows of a row.
    pub(super) fn shared_of(self, row: usize) -> impl Iterator<Item = usize> {
        let (side, place) = (row / SIDE, row % SIDE);
        let plane = side * PLANES / 2 + place / Square::COUNT;
        let square = place % Square::COUNT;
        let mut shared = [None; 3];
        if self != Factoriser::None {
            if place >= HANDS {
                let held = PieceType::HAND.iter().filter(|&&kind| place - HANDS >= hand_base(kind));
                shared[0] = Some(HAND_ROWS + side * 7 + held.count() - 1);
            } else {
                shared[0] = Some(plane);
                if self == Factoriser::Lines {
                    shared[1] = Some(RANKS + plane * 9 + square % 9);
                    shared[2] = Some(FILES + plane * 9 + square / 9);
                }
            }
        }
        shared.into_iter().flatten()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::train::ROWS;

    #[test]
    fn shared_rows_are_those_of_the_piece() {
        for factoriser in [Factoriser::Piece, Factoriser::Lines] {
            let mut seen = vec![0; factoriser.shared_rows()];
            (0..ROWS).flat_map(|row| factoriser.shared_of(row)).for_each(|shared| seen[shared] += 1);
            // 81 squares, or as many as there are of the piece, or 9 squares of a rank or file.
            assert!(seen[..PLANES].iter().all(|&rows| rows == 81));
            let mut hands = seen[HAND_ROWS..RANKS].to_vec();
            hands.sort_unstable();
            assert_eq!(hands, [2, 2, 2, 2, 4, 4, 4, 4, 4, 4, 4, 4, 18, 18]);
            assert!(seen[RANKS..].iter().all(|&rows| rows == 9));
        }
        assert_eq!((0..ROWS).flat_map(|row| Factoriser::None.shared_of(row)).count(), 0);
    }
}
