//! What rows of the first layer have in common while they are trained.
//!
//! To a row's own weights are added shared ones: those of the piece, wherever it stands or is held, and of the piece on
//! a rank and on a file. What many rows agree on is learnt from all their positions, so that rare rows (promoted
//! minors, last pawns in hand) begin where others of their piece are instead of at random. The network has the weights
//! added up; inference knows nothing of their parts.

use std::collections::HashMap;

use arrayvec::ArrayVec;
use serde::{Deserialize, Serialize};

use crate::train::data::sample::{Feature, features};

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

/// Which shared rows each row has.
pub(super) struct SharedRows {
    of_row: Vec<ArrayVec<u16, 3>>,
    len: usize,
}

impl SharedRows {
    pub(super) fn new(factoriser: Factoriser) -> SharedRows {
        // What rows have in common, in the order in which it is first met.
        let mut numbers = HashMap::new();
        let of_row = features().into_iter().map(|feature| {
            let mut shared = ArrayVec::<_, 3>::new();
            if factoriser != Factoriser::None {
                match feature {
                    Feature::InHand(piece) => shared.push((piece, Place::Hand)),
                    Feature::OnBoard(piece, rank, file) => {
                        shared.push((piece, Place::Board));
                        if factoriser == Factoriser::Lines {
                            shared.extend([(piece, Place::Rank(rank)), (piece, Place::File(file))]);
                        }
                    }
                }
            }
            let mut number = |what| {
                let next = numbers.len() as u16;
                *numbers.entry(what).or_insert(next)
            };
            shared.into_iter().map(&mut number).collect()
        });
        SharedRows { of_row: of_row.collect(), len: numbers.len() }
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// How many rows have them.
    pub(super) fn rows(&self) -> usize {
        self.of_row.len()
    }

    /// Those of a row.
    #[inline]
    pub(super) fn of(&self, row: usize) -> &[u16] {
        &self.of_row[row]
    }
}

/// Where a piece has weights in common with itself elsewhere.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Place {
    Hand,
    Board,
    Rank(usize),
    File(usize),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shared_rows_are_those_of_the_piece() {
        for (factoriser, lines) in [(Factoriser::None, 0), (Factoriser::Piece, 0), (Factoriser::Lines, 28 * 18)] {
            let shared = SharedRows::new(factoriser);
            let mut rows = vec![0; shared.len()];
            (0..2344).flat_map(|row| shared.of(row)).for_each(|&shared| rows[usize::from(shared)] += 1);
            let count = |wanted: usize| rows.iter().filter(|&&rows| rows == wanted).count();
            // 81 squares, or 9 of a rank or file, or as many as there are of the piece in hand.
            let pieces = if factoriser == Factoriser::None { 0 } else { 1 };
            let expected = [(81, 28 * pieces), (9, lines), (18, 2 * pieces), (4, 8 * pieces), (2, 4 * pieces)];
            assert_eq!(expected.map(|(rows, _)| (rows, count(rows))), expected);
            assert_eq!(rows.len(), expected.iter().map(|(_, count)| count).sum::<usize>());
        }
    }
}
