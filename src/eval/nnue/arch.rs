//! The architectures of networks: what the first layer sees, and what follows it.

use std::fmt;

use super::features::FeatureSet;
use crate::position::Position;
use crate::types::Color;

/// The architecture of a network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Architecture {
    /// What the first layer sees.
    pub features: FeatureSet,
    /// Accumulators of each side: outputs of the first layer.
    pub width: usize,
    /// What follows.
    pub head: NetworkHead,
}

/// The layers after the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NetworkHead {
    /// Both sides' accumulators, clamped, through two hidden layers of these sizes.
    Classic {
        /// Sizes of the hidden layers.
        hidden: [usize; 2],
    },
    /// Products of each side's accumulators; the first hidden layer's outputs are used squared and plain, and
    /// one more (where the first size is one less than a multiple of 8) is added to the result.
    Sfnn {
        /// Sizes of the hidden layers.
        hidden: [usize; 2],
        /// How the layers depend on the position.
        stacks: LayerStacks,
    },
    /// Both sides' accumulators, clamped and squared, straight to the output: Kurosabi's own networks.
    Screlu {
        /// How the output's weights depend on the position.
        stacks: LayerStacks,
    },
}

/// Which of several sets of layers evaluates a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LayerStacks {
    /// There is only one.
    One,
    /// By the third of the board that each king stands in (`k3k3`).
    KingThirds,
}

impl LayerStacks {
    /// The stacks that `.kuro` networks may have.
    pub const KURO: [LayerStacks; 2] = [LayerStacks::One, LayerStacks::KingThirds];

    /// Which of them a position is for.
    #[inline]
    pub(crate) fn of(self, position: &Position) -> usize {
        match self {
            LayerStacks::One => 0,
            LayerStacks::KingThirds => {
                // A king that is not there counts as at home.
                let third =
                    |color: Color| position.king_square(color).map_or(2, |king| king.rank().relative(color) / 3);
                let us = position.side_to_move();
                third(us) * 3 + third(!us)
            }
        }
    }

    /// How many sets there are.
    pub fn count(self) -> usize {
        match self {
            LayerStacks::One => 1,
            LayerStacks::KingThirds => 9,
        }
    }

    /// `one` or `k3k3`.
    pub fn name(self) -> &'static str {
        match self {
            LayerStacks::One => "one",
            LayerStacks::KingThirds => "k3k3",
        }
    }

    /// The name as it follows an architecture that has several.
    fn suffix(self) -> String {
        if self == LayerStacks::One { String::new() } else { format!(" {}", self.name()) }
    }
}

impl NetworkHead {
    /// How the layers depend on the position.
    pub fn stacks(self) -> LayerStacks {
        match self {
            NetworkHead::Classic { .. } => LayerStacks::One,
            NetworkHead::Sfnn { stacks, .. } | NetworkHead::Screlu { stacks } => stacks,
        }
    }
}

/// `HalfKP 256x2-32-32`, `SFNN HalfKA_hm2 1536-15-32 k3k3`.
impl fmt::Display for Architecture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (features, width) = (self.features.name(), self.width);
        match self.head {
            NetworkHead::Classic { hidden: [first, second] } => write!(f, "{features} {width}x2-{first}-{second}"),
            NetworkHead::Sfnn { hidden: [first, second], stacks } => {
                write!(f, "SFNN {features} {width}-{first}-{second}{}", stacks.suffix())
            }
            NetworkHead::Screlu { stacks } => write!(f, "Kurosabi {features} {width}x2{}", stacks.suffix()),
        }
    }
}
