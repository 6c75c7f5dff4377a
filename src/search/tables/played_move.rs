//! Moves as the histories index them: by piece and destination.

use crate::position::Position;
use crate::types::{Move, Piece, PieceType, Square};

/// A move as the histories know it: the piece that it put down, and where.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PlayedMove {
    /// The piece as it stands after the move.
    pub(crate) piece: Piece,
    pub(crate) to: Square,
}

impl PlayedMove {
    /// That of a pseudo-legal move of this position.
    #[inline(always)]
    pub(crate) fn of(position: &Position, mv: Move) -> PlayedMove {
        PlayedMove { piece: position.moved_piece_after(mv), to: mv.to() }
    }

    /// Tells moves apart, below [`PIECE_TO`].
    #[inline(always)]
    pub(crate) fn index(self) -> usize {
        place(self.piece) * Square::COUNT + self.to.index()
    }
}

/// The entries of a piece, by destination, out of those of all moves.
#[inline(always)]
pub(crate) fn of_piece<T>(entries: &[T; PIECE_TO], piece: Piece) -> &[T; Square::COUNT] {
    &entries.as_chunks().0[place(piece)]
}

/// Where the entries of a coloured piece lie among those of all.
#[inline(always)]
fn place(piece: Piece) -> usize {
    usize::from(PLACES[piece.index()])
}

/// Piece types that history scores tell apart. Promoted lances, knights and silvers are rare; they are treated
/// as promoted pawns, which attack the same squares and are as little lost when taken. The tables of pairs of moves
/// are 0.6 times as large for that.
const PIECE_TYPES: usize = 11;

/// How many moves the histories tell apart.
pub(crate) const PIECE_TO: usize = 2 * PIECE_TYPES * Square::COUNT;

/// The place of a coloured piece, by [`Piece::index`]; 0 for numbers that are none.
const PLACES: [u8; Piece::TABLE_LEN] = {
    let mut places = [0; Piece::TABLE_LEN];
    let mut index = 0;
    while index < Piece::TABLE_LEN {
        if let Some(piece_type) = PieceType::new(index as u8 & 15) {
            let place = match piece_type {
                PieceType::ProPawn | PieceType::ProLance | PieceType::ProKnight | PieceType::ProSilver => 8,
                PieceType::Horse => 9,
                PieceType::Dragon => 10,
                _ => piece_type.index() - 1,
            };
            places[index] = (index / 16 * PIECE_TYPES + place) as u8;
        }
        index += 1;
    }
    places
};

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::types::Color;

    #[test]
    fn only_promoted_small_pieces_share_their_places() {
        let mut pieces: BTreeMap<usize, Vec<Piece>> = BTreeMap::new();
        for color in [Color::Black, Color::White] {
            for piece in PieceType::ALL.map(|piece_type| Piece::new(color, piece_type)) {
                for to in Square::all() {
                    pieces.entry(PlayedMove { piece, to }.index()).or_default().push(piece);
                }
            }
        }
        assert!(pieces.len() == PIECE_TO && pieces.keys().all(|&index| index < PIECE_TO));
        for sharing in pieces.values().filter(|pieces| pieces.len() > 1) {
            let names: Vec<_> = sharing.iter().map(|piece| piece.piece_type().name()).collect();
            assert_eq!(names, ["promoted pawn", "promoted lance", "promoted knight", "promoted silver"]);
            assert!(sharing.iter().all(|piece| piece.color() == sharing[0].color()));
        }
    }
}
