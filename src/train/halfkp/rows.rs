//! Which rows of the first layer a training position switches on.

use crate::train::data::sample::Sample;
use crate::types::Square;

/// Numbers that a piece (but a king) may have, `BonaPiece` in the field.
pub(super) const PIECES: usize = 1548;
/// Rows of the first layer: the own king's square and a piece's number.
pub(super) const ROWS: usize = Square::COUNT * PIECES;
/// Rows that a position switches on for each side: all pieces but the kings.
pub(super) const ACTIVE: usize = 38;

/// What a side sees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Side {
    /// The first row of the own king's square.
    pub(super) base: u32,
    /// The pieces' numbers; 0 for one that is missing.
    pub(super) pieces: [u16; ACTIVE],
}

impl Side {
    /// Both sides of a sample, the side to move first.
    pub(super) fn both(sample: &Sample) -> [Side; 2] {
        [0, 1].map(|side| {
            let pieces = sample.rows[side].first_chunk().copied().unwrap_or([0; ACTIVE]);
            Side { base: sample.bases[side], pieces }
        })
    }

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
    pub(super) fn fill(&mut self, samples: &[Sample]) {
        self.sides.clear();
        self.sides.extend(samples.iter().map(Side::both));
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
