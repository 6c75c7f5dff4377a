//! The sets of features, and the numbers that they give to pieces.

use crate::types::Square;

/// A set of features: one of the public formats, or of Kurosabi's own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FeatureSet {
    /// Own king's square × every piece but the kings.
    HalfKp,
    /// Every piece but the kings, and the kings' squares.
    KP,
    /// Own king's square, mirrored to files 1 to 5, × every piece; a plane for each king.
    HalfKaHm1,
    /// The same with one plane for both kings.
    HalfKaHm2,
    /// Kurosabi's own: every piece, each type in a plane of its own, mirrored with the own king; no buckets.
    KaHm,
}

/// Numbers of pieces below this are those in hand; 0 stands for a piece that is not there at all.
pub(super) const BOARD: u16 = 90;
pub(super) const PLANE: u16 = Square::COUNT as u16;
/// Numbers of pieces without the kings (`fe_end` in the field); the kings' planes follow.
const PIECES: u16 = BOARD + 18 * PLANE;
/// Numbers of one side's pieces in [`FeatureSet::KaHm`]: 14 planes and 38 pieces in hand.
pub(super) const KURO_SIDE: u16 = 14 * PLANE + 38;
const KURO_KING: u16 = 7 * PLANE;
/// The number of a feature that a set does not have.
pub(super) const NONE: u16 = u16::MAX;

impl FeatureSet {
    /// The sets of the public formats, in the order in which they are tried.
    pub(in crate::eval::nnue) const PUBLIC: [FeatureSet; 4] =
        [FeatureSet::HalfKp, FeatureSet::KP, FeatureSet::HalfKaHm2, FeatureSet::HalfKaHm1];

    /// Whether it is that of Kurosabi's own format.
    pub(crate) fn is_kuro(self) -> bool {
        self == FeatureSet::KaHm
    }

    /// The name that files give it.
    pub fn name(self) -> &'static str {
        match self {
            FeatureSet::HalfKp => "HalfKP",
            FeatureSet::KP => "K+P",
            FeatureSet::HalfKaHm1 => "HalfKA_hm1",
            FeatureSet::HalfKaHm2 => "HalfKA_hm2",
            FeatureSet::KaHm => "Ka_hm",
        }
    }

    /// The hash that public files give it (combined with the width of the layer above).
    pub(in crate::eval::nnue) fn hash(self) -> u32 {
        match self {
            FeatureSet::HalfKp => 0x5d69_d5b8,
            FeatureSet::KP => {
                let (kings, pieces) = (0xd3ce_e169_u32, 0x764c_fb4b_u32);
                kings ^ (pieces << 1) ^ (pieces >> 31)
            }
            FeatureSet::HalfKaHm1 | FeatureSet::HalfKaHm2 => 0x5f13_4cb8,
            FeatureSet::KaHm => 0,
        }
    }

    /// Number of features: rows of the first layer.
    pub const fn rows(self) -> usize {
        self.buckets() * self.rows_per_bucket() as usize
    }

    pub(super) const fn buckets(self) -> usize {
        match self {
            FeatureSet::KP | FeatureSet::KaHm => 1,
            FeatureSet::HalfKp => 81,
            FeatureSet::HalfKaHm1 | FeatureSet::HalfKaHm2 => 45,
        }
    }

    pub(super) const fn rows_per_bucket(self) -> u16 {
        match self {
            FeatureSet::HalfKp => PIECES,
            FeatureSet::HalfKaHm2 => PIECES + PLANE,
            FeatureSet::KP | FeatureSet::HalfKaHm1 => PIECES + 2 * PLANE,
            FeatureSet::KaHm => 2 * KURO_SIDE,
        }
    }

    /// Planes of the own and the enemy king.
    pub(super) fn king_planes(self) -> [u16; 2] {
        match self {
            FeatureSet::HalfKp => [NONE; 2],
            FeatureSet::KP | FeatureSet::HalfKaHm1 => [PIECES, PIECES + PLANE],
            FeatureSet::HalfKaHm2 => [PIECES; 2],
            FeatureSet::KaHm => [KURO_KING, KURO_SIDE + KURO_KING],
        }
    }

    /// Whether a player whose king stands on files 6 to 9 sees the board mirrored.
    pub(super) fn is_mirrored(self) -> bool {
        match self {
            FeatureSet::HalfKp | FeatureSet::KP => false,
            FeatureSet::HalfKaHm1 | FeatureSet::HalfKaHm2 | FeatureSet::KaHm => true,
        }
    }

    /// The bucket of a king's square, as its player sees it.
    pub(super) fn bucket(self, king: Square) -> u32 {
        match self {
            FeatureSet::KP | FeatureSet::KaHm => 0,
            FeatureSet::HalfKp | FeatureSet::HalfKaHm1 | FeatureSet::HalfKaHm2 => king.index() as u32,
        }
    }

    /// How many pieces a full set has that count as 0 when they are not there.
    pub(super) fn full_set(self) -> u32 {
        match self {
            FeatureSet::HalfKp | FeatureSet::KP => 38,
            FeatureSet::HalfKaHm1 | FeatureSet::HalfKaHm2 => 40,
            FeatureSet::KaHm => 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn row_counts_are_those_of_the_formats() {
        assert_eq!(FeatureSet::PUBLIC.map(FeatureSet::rows), [125_388, 1710, 73_305, 76_950]);
        assert_eq!(FeatureSet::KaHm.rows(), 2344);
    }
}
