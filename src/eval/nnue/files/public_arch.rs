//! The architectures of the public formats: the sizes and hashes of their files.

use crate::eval::nnue::arch::{Architecture, LayerStacks, NetworkHead};
use crate::eval::nnue::features::FeatureSet;

/// The architecture of a public network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PublicArch {
    /// What the first layer sees.
    pub(super) features: FeatureSet,
    /// Accumulators of each side.
    pub(super) width: usize,
    /// Sizes of the hidden layers.
    pub(super) hidden: [usize; 2],
    /// Of an SFNN, how the layers depend on the position; `None` for a classic network.
    pub(super) sfnn: Option<LayerStacks>,
}

/// One fully connected layer.
#[derive(Clone, Copy)]
pub(super) struct LayerShape {
    pub(super) inputs: usize,
    pub(super) outputs: usize,
}

impl LayerShape {
    /// Weights a row has in the file.
    pub(super) fn row(self) -> usize {
        self.inputs.next_multiple_of(32)
    }

    fn bytes(self) -> usize {
        self.outputs * (4 + self.row())
    }
}

impl PublicArch {
    /// How many stacks of layers follow the first.
    pub(super) fn stacks(self) -> usize {
        self.sfnn.unwrap_or(LayerStacks::One).count()
    }

    /// The layers of a stack.
    pub(super) fn layers(self) -> [LayerShape; 3] {
        let PublicArch { width, hidden: [first, second], sfnn, .. } = self;
        // Of an SFNN's first hidden layer one more output may be added to the result (the shortcut).
        let (inputs, outputs, doubled) = match sfnn {
            None => (2 * width, first, first),
            Some(_) => (width, first + usize::from(first % 8 == 7), 2 * first),
        };
        [
            LayerShape { inputs, outputs },
            LayerShape { inputs: doubled, outputs: second },
            LayerShape { inputs: second, outputs: 1 },
        ]
    }

    /// Bytes of one stack in the file, its hash included.
    pub(super) fn stack_bytes(self) -> usize {
        4 + self.layers().into_iter().map(LayerShape::bytes).sum::<usize>()
    }

    /// Bytes of a file after its header, where the first layer is not compressed.
    pub(super) fn plain_bytes(self) -> usize {
        4 + 2 * self.width * (1 + self.features.rows()) + self.stacks() * self.stack_bytes()
    }

    /// The first layer's hash, as nodchip's format computes it. All SFNN files bear that of the
    /// first network of the kind.
    pub(super) fn feature_hash(self) -> u32 {
        match self.sfnn {
            None => self.features.hash() ^ (2 * self.width as u32),
            Some(_) => SFNN_FEATURE_HASH,
        }
    }

    /// The hash of the layers after the first.
    pub(super) fn stack_hash(self) -> u32 {
        if self.sfnn.is_some() {
            return SFNN_STACK_HASH;
        }
        let mut hash = 0xec42_e90d ^ (2 * self.width as u32);
        for (i, layer) in self.layers().into_iter().enumerate() {
            hash = 0xcc03_dae4_u32.wrapping_add(layer.outputs as u32) ^ (hash >> 1) ^ (hash << 31);
            if i < 2 {
                hash = hash.wrapping_add(0x538d_24c7);
            }
        }
        hash
    }
}

impl From<PublicArch> for Architecture {
    fn from(arch: PublicArch) -> Architecture {
        let PublicArch { features, width, hidden, sfnn } = arch;
        let head = match sfnn {
            None => NetworkHead::Classic { hidden },
            Some(stacks) => NetworkHead::Sfnn { hidden, stacks },
        };
        Architecture { features, width, head }
    }
}

/// The hashes that all SFNN files bear.
pub(super) const SFNN_FEATURE_HASH: u32 = 0x5f13_4ab8;
pub(super) const SFNN_STACK_HASH: u32 = 0x6333_718a;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_and_sizes_are_those_of_known_files() {
        let halfkp = PublicArch { features: FeatureSet::HalfKp, width: 256, hidden: [32, 32], sfnn: None };
        assert_eq!(halfkp.feature_hash(), 0x5d69_d7b8);
        assert_eq!(halfkp.stack_hash(), 0x6333_7156);
        assert_eq!(halfkp.plain_bytes() - 8, 64_216_868);
    }
}
