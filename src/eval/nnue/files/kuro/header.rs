//! What a `.kuro` file says of its network.

use serde::{Deserialize, Serialize};

use crate::eval::nnue::arch::{Architecture, LayerStacks, NetworkHead};
use crate::eval::nnue::features::FeatureSet;
use crate::eval::nnue::files::error::NnueError;
use crate::eval::nnue::pairwise::{self, DOUBLED, FIRST, SECOND};

const SCRELU: &str = "screlu";
const PAIRWISE: &str = "pairwise";
/// One in the unit of the first layer.
pub(crate) const FEATURE_Q: i32 = 2047;
const MAX_OUTPUT_Q: i32 = 1 << 14;
/// Larger weights of the output could carry their outputs beyond 32 bits.
pub(crate) const MAX_OUTPUT_WEIGHT: i16 = 1023;
/// Widths of an accumulator that make whole lines, and no more than kernels add up without overflow.
const WIDTHS: std::ops::RangeInclusive<usize> = 32..=2048;
pub(super) const LINE: usize = 32;

/// What a file says of its network.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct KuroHeader {
    /// The name of the set of features, one of [`FeatureSet::KURO`].
    pub features: String,
    /// Rows of the first layer.
    pub rows: usize,
    /// Numbers of an accumulator: width of the first layer.
    pub width: usize,
    /// What follows the first layer, `screlu` or `pairwise`.
    pub head: String,
    /// Sets of the layers after the first: 1, 8 or 9.
    pub output_buckets: usize,
    /// One in the unit of the first layer; 2047, or 2040 where it is pairwise.
    pub feature_q: i32,
    /// One in the unit of the output's weights; 1024 where the first layer is pairwise.
    pub output_q: i32,
    /// The score (90 is a pawn) at which the odds of winning are e to 1.
    pub scale: i32,
    /// What the network is called.
    pub name: String,
    /// What else there is to say of it.
    #[serde(default)]
    pub description: String,
    /// How it was trained: data, settings.
    #[serde(default)]
    pub training: serde_json::Value,
}

impl KuroHeader {
    /// The header of a network of this width with squares of clamped accumulators and one output, with this unit of the
    /// output's weights.
    pub fn new(name: &str, width: usize, output_q: i32, scale: i32) -> KuroHeader {
        KuroHeader {
            features: FeatureSet::KaHm.name().to_owned(),
            rows: FeatureSet::KaHm.rows(),
            width,
            head: SCRELU.to_owned(),
            output_buckets: 1,
            feature_q: FEATURE_Q,
            output_q,
            scale,
            name: name.to_owned(),
            description: String::new(),
            training: serde_json::Value::Null,
        }
    }

    /// The header of a pairwise network of this width.
    pub fn pairwise(name: &str, width: usize, scale: i32) -> KuroHeader {
        let (head, feature_q) = (PAIRWISE.to_owned(), pairwise::FEATURE_Q);
        KuroHeader { head, feature_q, ..KuroHeader::new(name, width, pairwise::OUTPUT_Q, scale) }
    }

    /// The same with a set of layers for each kind of position.
    #[must_use]
    pub fn with_stacks(self, stacks: LayerStacks) -> KuroHeader {
        KuroHeader { output_buckets: stacks.count(), ..self }
    }

    /// The same with these features.
    #[must_use]
    pub fn with_features(self, features: FeatureSet) -> KuroHeader {
        KuroHeader { features: features.name().to_owned(), rows: features.rows(), ..self }
    }

    /// The set of features, where this program knows it by this name and with as many rows.
    pub fn feature_set(&self) -> Option<FeatureSet> {
        FeatureSet::KURO.into_iter().find(|set| (set.name(), set.rows()) == (self.features.as_str(), self.rows))
    }

    /// Bytes of what follows the header, without the checksum.
    pub(super) fn content_bytes(&self, head: NetworkHead) -> usize {
        let bucket = match head {
            NetworkHead::Pairwise { .. } => {
                4 * FIRST + FIRST * self.width + 4 * SECOND + 2 * SECOND * DOUBLED + 4 + 2 * SECOND
            }
            _ => 4 + 2 * 2 * self.width,
        };
        2 * self.width * (1 + self.rows) + self.output_buckets * bucket
    }

    /// The architecture, if this program evaluates it.
    ///
    /// # Errors
    /// Says what the network is, where it is another one.
    pub fn architecture(&self) -> Result<Architecture, NnueError> {
        let stacks = LayerStacks::KURO.into_iter().find(|stacks| stacks.count() == self.output_buckets);
        let head = stacks.and_then(|stacks| match self.head.as_str() {
            SCRELU if self.feature_q == FEATURE_Q => Some(NetworkHead::Screlu { stacks }),
            PAIRWISE if self.feature_q == pairwise::FEATURE_Q && self.output_q == pairwise::OUTPUT_Q => {
                Some(NetworkHead::Pairwise { stacks })
            }
            _ => None,
        });
        // Each half of a pairwise layer makes whole lines of activations.
        let line = if self.head == PAIRWISE { 4 * LINE } else { LINE };
        let fits = WIDTHS.contains(&self.width)
            && self.width.is_multiple_of(line)
            && (1..=MAX_OUTPUT_Q).contains(&self.output_q)
            && (1..=10_000).contains(&self.scale);
        if let (Some(features), Some(head), true) = (self.feature_set(), head, fits) {
            return Ok(Architecture { features, width: self.width, head });
        }
        let KuroHeader { features, rows, width, head, output_buckets, feature_q, output_q, scale, .. } = self;
        let reason = format!(
            "{features} with {rows} rows, width {width}, {head}, {output_buckets} outputs, units {feature_q} and \
             {output_q}, scale {scale}"
        );
        Err(NnueError::Unsupported { reason })
    }
}
