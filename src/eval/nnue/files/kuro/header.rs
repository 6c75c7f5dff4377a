//! What a `.kuro` file says of its network.

use serde::{Deserialize, Serialize};

use crate::eval::nnue::arch::{Architecture, LayerStacks, NetworkHead};
use crate::eval::nnue::features::FeatureSet;
use crate::eval::nnue::files::error::NnueError;

const SCRELU: &str = "screlu";
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
    /// The name of the set of features, that of [`FeatureSet::KaHm`].
    pub features: String,
    /// Rows of the first layer.
    pub rows: usize,
    /// Numbers of an accumulator: width of the first layer.
    pub width: usize,
    /// What follows the first layer: `screlu`.
    pub head: String,
    /// Sets of the output's weights: 1 or 9.
    pub output_buckets: usize,
    /// One in the unit of the first layer, 2047.
    pub feature_q: i32,
    /// One in the unit of the output's weights.
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

    /// The same with a set of layers for each kind of position.
    #[must_use]
    pub fn with_stacks(self, stacks: LayerStacks) -> KuroHeader {
        KuroHeader { output_buckets: stacks.count(), ..self }
    }

    /// Bytes of what follows the header, without the checksum.
    pub(super) fn content_bytes(&self) -> usize {
        let output = 4 + 2 * 2 * self.width;
        2 * self.width * (1 + self.rows) + self.output_buckets * output
    }

    /// The architecture, if this program evaluates it.
    ///
    /// # Errors
    /// Says what the network is, where it is another one.
    pub fn architecture(&self) -> Result<Architecture, NnueError> {
        let features = FeatureSet::KaHm;
        let stacks = LayerStacks::KURO.into_iter().find(|stacks| stacks.count() == self.output_buckets);
        let fits = (self.features.as_str(), self.rows) == (features.name(), features.rows())
            && (self.head.as_str(), self.feature_q) == (SCRELU, FEATURE_Q)
            && WIDTHS.contains(&self.width)
            && self.width.is_multiple_of(LINE)
            && (1..=MAX_OUTPUT_Q).contains(&self.output_q)
            && (1..=10_000).contains(&self.scale);
        if let (Some(stacks), true) = (stacks, fits) {
            return Ok(Architecture { features, width: self.width, head: NetworkHead::Screlu { stacks } });
        }
        let KuroHeader { features, rows, width, head, output_buckets, feature_q, output_q, scale, .. } = self;
        let reason = format!(
            "{features} with {rows} rows, width {width}, {head}, {output_buckets} outputs, units {feature_q} and \
             {output_q}, scale {scale}"
        );
        Err(NnueError::Unsupported { reason })
    }
}
