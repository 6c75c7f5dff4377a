//! Training positions in memory.

use crate::eval::nnue::LayerStacks;
use crate::position::Position;
use crate::types::{Color, Piece, PieceType, Square};

/// Rows of the first layer: what [`crate::eval::nnue::FeatureSet::KaHm`] describes.
pub const ROWS: usize = 2344;
/// Rows that a position switches on for each side when no man is missing.
pub(in crate::train) const MEN: usize = 40;
pub(in crate::train) const SIDE: usize = ROWS / 2;
pub(in crate::train) const HANDS: usize = 14 * Square::COUNT;

/// The order of the planes.
const KINDS: [PieceType; 14] = {
    use PieceType::*;
    [Pawn, Lance, Knight, Silver, Gold, Bishop, Rook, King, ProPawn, ProLance, ProKnight, ProSilver, Horse, Dragon]
};

/// A position with what a search and its game said of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sample {
    /// The rows of all men as Black sees them on the unmirrored board; [`ABSENT`] where fewer than 40 are there.
    men: [u16; MEN],
    /// Score for the side to move, in the internal unit.
    pub score: i16,
    /// Twice the points that the side to move got: 0, 1 or 2.
    pub points: u8,
    /// By kind of layer stacks, which of them it is for.
    stacks: [u8; 2],
    /// Bit 0: White is to move; bits 1 and 2: Black's, White's view is mirrored.
    flags: u8,
}

/// Stands for a man that is not there.
const ABSENT: u16 = ROWS as u16;

impl Sample {
    /// The sample of a position; `points` are those of the side to move (0, 0.5 or 1).
    pub fn new(position: &Position, score: i16, points: f32) -> Sample {
        let mut men = [ABSENT; MEN];
        let board = position.occupied().into_iter().filter_map(|square| Some((position.piece_on(square)?, square)));
        let on_board = board.map(|(piece, square)| on_board(piece, square));
        let in_hand = Color::ALL.into_iter().flat_map(|color| {
            position.hand(color).iter().flat_map(move |(kind, count)| {
                (0..count as usize).map(move |n| color.index() * SIDE + HANDS + hand_base(kind) + n)
            })
        });
        for (place, row) in men.iter_mut().zip(on_board.chain(in_hand)) {
            *place = row as u16;
        }
        let mirrored =
            |color: Color| position.king_square(color).is_some_and(|king| king.relative(color).file().index() > 4);
        let flags = position.side_to_move().index() as u8
            | u8::from(mirrored(Color::Black)) << 1
            | u8::from(mirrored(Color::White)) << 2;
        let stacks = [LayerStacks::KingThirds, LayerStacks::Hands].map(|stacks| stacks.of(position) as u8);
        Sample { men, score, points: (2.0 * points) as u8, stacks, flags }
    }

    /// Which of several stacks of layers it is for.
    pub(in crate::train) fn stack(&self, stacks: LayerStacks) -> u8 {
        match stacks {
            LayerStacks::One => 0,
            LayerStacks::KingThirds => self.stacks[0],
            LayerStacks::Hands => self.stacks[1],
        }
    }

    /// What the side to move made of its game: 1, 0.5 or 0.
    pub(in crate::train) fn result(&self) -> f32 {
        f32::from(self.points) / 2.0
    }

    /// The rows of all men as Black sees them on the unmirrored board; [`ROWS`] for missing ones.
    pub(in crate::train) fn rows(&self) -> &[u16] {
        &self.men
    }

    pub(in crate::train) fn side_to_move(&self) -> Color {
        Color::ALL[usize::from(self.flags & 1)]
    }
}

/// A man that a row of a sample stands for.
pub(in crate::train) enum Man {
    /// On the board.
    OnBoard(Piece, Square),
    /// The how many-th (from 1) man of its kind in its owner's hand.
    InHand(Piece, u32),
}

impl Man {
    /// The man of a row; `None` for a missing one.
    pub(in crate::train) fn of_row(row: usize) -> Option<Man> {
        let color = *Color::ALL.get(row / SIDE)?;
        let place = row % SIDE;
        if place < HANDS {
            let square = Square::new((place % Square::COUNT) as u8)?;
            return Some(Man::OnBoard(Piece::new(color, KINDS[place / Square::COUNT]), square));
        }
        let in_hand = place - HANDS;
        let kind = PieceType::HAND
            .into_iter()
            .find(|&kind| (hand_base(kind)..hand_base(kind) + usize::from(kind.count_in_set())).contains(&in_hand))?;
        Some(Man::InHand(Piece::new(color, kind), (in_hand - hand_base(kind)) as u32 + 1))
    }
}

fn kind_number(kind: PieceType) -> usize {
    KINDS.iter().position(|&other| other == kind).unwrap_or(0)
}

fn on_board(piece: Piece, square: Square) -> usize {
    piece.color().index() * SIDE + kind_number(piece.piece_type()) * Square::COUNT + square.index()
}

/// Where a kind's men in hand begin.
pub(in crate::train) fn hand_base(kind: PieceType) -> usize {
    KINDS
        .iter()
        .take_while(|&&other| other != kind)
        .filter(|kind| PieceType::HAND.contains(kind))
        .map(|kind| usize::from(kind.count_in_set()))
        .sum()
}

/// What each row is for the other views.
pub(in crate::train) struct Views {
    /// By view (bit 0: White's, bit 1: mirrored), the row of each of Black's unmirrored rows.
    rows: [Vec<u16>; 4],
}

impl Views {
    pub(in crate::train) fn new() -> Views {
        let seen = |row: usize, view: usize| -> u16 {
            let (white, mirrored) = (view & 1 == 1, view & 2 == 2);
            let (side, place) = (row / SIDE, row % SIDE);
            let side = if white { 1 - side } else { side };
            let place = match Square::new((place % Square::COUNT) as u8) {
                Some(square) if place < HANDS => {
                    let square = if white { square.relative(Color::White) } else { square };
                    let square = if mirrored { square.mirrored() } else { square };
                    place / Square::COUNT * Square::COUNT + square.index()
                }
                _ => place,
            };
            (side * SIDE + place) as u16
        };
        Views {
            rows: [0, 1, 2, 3].map(|view| {
                (0..ROWS).map(|row| seen(row, view)).chain([ABSENT as usize].map(|row| row as u16)).collect()
            }),
        }
    }

    /// The rows of a sample, of the side to move first. Missing men have the row [`ROWS`].
    #[inline]
    pub(in crate::train) fn rows(&self, sample: &Sample) -> [[u16; MEN]; 2] {
        let us = usize::from(sample.flags & 1);
        [us, 1 - us].map(|color| {
            let mirrored = usize::from(sample.flags >> (1 + color) & 1);
            let table = &self.rows[color | mirrored << 1];
            sample.men.map(|row| table[usize::from(row)])
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_is_small() {
        assert_eq!(size_of::<Sample>(), 86);
    }

    #[test]
    fn hands_begin_where_the_format_says() {
        assert_eq!(PieceType::HAND.map(hand_base), [0, 18, 22, 26, 34, 36, 30]);
    }
}
