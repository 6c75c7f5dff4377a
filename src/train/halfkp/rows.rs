//! Which rows of the first layer a training position switches on.

use rayon::prelude::*;

use crate::eval::nnue::{FeatureMap, FeatureSet};
use crate::train::data::sample::{Man, ROWS as MAN_ROWS, Sample};
use crate::types::{Color, Square};

/// Numbers that a man (but a king) may have, `BonaPiece` in the field.
pub(super) const PIECES: usize = 1548;
/// Rows of the first layer: the own king's square and a man's number.
pub(super) const ROWS: usize = Square::COUNT * PIECES;
/// Rows that a position switches on for each side.
pub(super) const MEN: usize = 38;

/// Marks of what is no man with a number.
const NONE: u16 = u16::MAX;
const OWN_KING: u16 = 1 << 12;

/// What a side sees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Side {
    /// The first row of the own king's square.
    pub(super) base: u32,
    /// The men's numbers; 0 for a man that is missing.
    pub(super) pieces: [u16; MEN],
}

impl Side {
    /// The rows of the first layer.
    #[inline(always)]
    pub(super) fn rows(&self) -> impl Iterator<Item = usize> + '_ {
        self.pieces.iter().map(|&piece| self.base as usize + usize::from(piece))
    }
}

/// Samples as their sides see them.
#[derive(Default)]
pub(super) struct Chunk {
    /// Both sides of each sample, the side to move first.
    sides: Vec<[Side; 2]>,
    /// Places (twice the sample's, plus the side) by the own king's square: rows of one square fit a core's cache,
    /// those of all do not.
    order: Vec<u32>,
}

impl Chunk {
    /// Takes these samples in place of others.
    pub(super) fn fill(&mut self, numbers: &Numbers, samples: &[Sample]) {
        samples.par_iter().map(|sample| numbers.sides(sample)).collect_into_vec(&mut self.sides);
        self.order.clear();
        self.order.extend(0..2 * samples.len() as u32);
        let sides = self.sides.as_flattened();
        self.order.sort_unstable_by_key(|&place| (sides[place as usize].base, place));
    }

    pub(super) fn len(&self) -> usize {
        self.sides.len()
    }

    /// All sides.
    pub(super) fn sides(&self) -> &[Side] {
        self.sides.as_flattened()
    }

    /// The places of sides with the king on one square, square by square.
    pub(super) fn by_king(&self) -> impl Iterator<Item = &[u32]> {
        let base = |place: u32| self.sides()[place as usize].base;
        self.order.chunk_by(move |&one, &other| base(one) == base(other))
    }
}

/// By color, what each row of a sample is for that color.
pub(super) struct Numbers([Vec<u16>; 2]);

impl Numbers {
    pub(super) fn new() -> Numbers {
        let map = FeatureMap::new(FeatureSet::HalfKp);
        Numbers(Color::ALL.map(|color| {
            let first = Square::all().find(|square| square.relative(color).index() == 0);
            let view = map.view(color, first);
            let number = |row: usize| match Man::of_row(row) {
                Some(Man::OnBoard(piece, square)) => match map.on_board(view, piece, square) {
                    Some(number) => number as u16,
                    None if piece.color() == color => OWN_KING + square.relative(color).index() as u16,
                    None => NONE,
                },
                Some(Man::InHand(piece, number)) => map.in_hand(view, piece, number) as u16,
                None => NONE,
            };
            (0..=MAN_ROWS).map(number).collect()
        }))
    }

    /// What both sides of a sample see, the side to move first.
    pub(super) fn sides(&self, sample: &Sample) -> [Side; 2] {
        let us = sample.side_to_move();
        [us, !us].map(|color| {
            let numbers = &self.0[color.index()];
            // Where there is no king (tsume), it counts as at home.
            let mut king = 4 * 9 + 8;
            let mut pieces = [0; MEN];
            let mut places = pieces.iter_mut();
            for &row in sample.rows() {
                match numbers[usize::from(row)] {
                    NONE => {}
                    number if number >= OWN_KING => king = u32::from(number - OWN_KING),
                    number => {
                        if let Some(place) = places.next() {
                            *place = number;
                        }
                    }
                }
            }
            Side { base: king * PIECES as u32, pieces }
        })
    }
}
