//! Kurosabi's own network files (`.kuro`).
//!
//! All numbers are little endian.
//!
//! | type | what |
//! |---|---|
//! | 8 bytes | `KUROSABI` |
//! | u32 | version, 1 |
//! | u32 | length of the header |
//! | bytes | the header: JSON, an [`OwnHeader`] |
//! | i16 × width | biases of the first layer |
//! | i16 × rows × width | weights of the first layer, row by row |
//! | i32 | bias of the output |
//! | i16 × 2 width | weights of the output: the side to move's sums first, then the other side's |
//! | u32 | CRC-32 of all bytes before it |
//!
//! A side's sums are bias and rows, in parts of `feature_q` (2047); clamped to 0..=1 and squared they are the
//! activations ("SCReLU"), rounded down to parts of 2047² / 256. The output's weights are in parts of the
//! header's `output_q`, which is as large as the largest weight allows. The output, in parts of 2047² / 256 ·
//! `output_q`, is the logarithm of the odds to win; times the header's scale it is a score.

use serde::{Deserialize, Serialize};

use super::NnueError;
use super::features::{FeatureMap, FeatureSet};
use super::network::{Layers, Network, ScreluOutput, Transformer};
use super::reader::Reader;
use super::simd::{I16Line, Kernels, element};
use super::topology::{Head, Topology};

/// What every file begins with.
pub(super) const MAGIC: &[u8; 8] = b"KUROSABI";
const VERSION: u32 = 1;
/// One in the unit of the first layer.
pub(crate) const FEATURE_Q: i32 = 2047;
const MAX_OUTPUT_Q: i32 = 1 << 14;
/// Larger weights of the output could carry their sums beyond 32 bits.
pub(crate) const MAX_OUTPUT_WEIGHT: i16 = 1023;
/// Sums that make whole lines, and no more than kernels add up without overflow.
const WIDTHS: std::ops::RangeInclusive<usize> = 32..=2048;
const LINE: usize = 32;
/// How much of a header is kept for messages.
const SHOWN: usize = 200;

/// What a file says of its network.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OwnHeader {
    /// The set of features, `Ka_hm`.
    pub features: String,
    /// Rows of the first layer.
    pub rows: usize,
    /// Sums of a side.
    pub width: usize,
    /// What follows the first layer, `screlu`.
    pub head: String,
    /// Sets of output weights; 1.
    pub output_buckets: usize,
    /// One in the unit of the first layer; 2047.
    pub feature_q: i32,
    /// One in the unit of the output's weights.
    pub output_q: i32,
    /// The score (90 is a pawn) at which the odds to win are e to 1.
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

impl OwnHeader {
    /// The header of a network of this width, with this unit of the output's weights.
    pub fn new(name: &str, width: usize, output_q: i32, scale: i32) -> OwnHeader {
        OwnHeader {
            features: FeatureSet::KaHm.name().to_owned(),
            rows: FeatureSet::KaHm.rows(),
            width,
            head: "screlu".to_owned(),
            output_buckets: 1,
            feature_q: FEATURE_Q,
            output_q,
            scale,
            name: name.to_owned(),
            description: String::new(),
            training: serde_json::Value::Null,
        }
    }

    /// Fails unless the network is one that this program evaluates.
    fn check(&self) -> Result<(), NnueError> {
        let known = OwnHeader::new("", self.width, self.output_q, self.scale);
        let same = (&self.features, self.rows, &self.head) == (&known.features, known.rows, &known.head)
            && (self.output_buckets, self.feature_q) == (known.output_buckets, known.feature_q);
        let fits = WIDTHS.contains(&self.width)
            && self.width.is_multiple_of(LINE)
            && (1..=MAX_OUTPUT_Q).contains(&self.output_q)
            && (1..=10_000).contains(&self.scale);
        if same && fits {
            return Ok(());
        }
        let OwnHeader { features, rows, width, head, output_buckets, feature_q, output_q, scale, .. } = self;
        let reason = format!(
            "{features} with {rows} rows, width {width}, {head}, {output_buckets} outputs, units {feature_q} and \
             {output_q}, scale {scale}"
        );
        Err(NnueError::Unsupported { reason })
    }
}

/// A network as it stands in a file.
#[derive(Clone, Debug, PartialEq)]
pub struct OwnNetwork {
    /// What it is.
    pub header: OwnHeader,
    /// Biases of the first layer.
    pub feature_biases: Vec<i16>,
    /// Weights of the first layer, row by row.
    pub feature_weights: Vec<i16>,
    /// Bias of the output, in the output's unit.
    pub output_bias: i32,
    /// Weights of the output, each at most ±1023.
    pub output_weights: Vec<i16>,
}

impl OwnNetwork {
    /// The bytes of a file.
    pub fn to_bytes(&self) -> Vec<u8> {
        // A header is made of texts and numbers, which JSON has words for.
        let header = serde_json::to_vec(&self.header).unwrap_or_default();
        let mut bytes = MAGIC.to_vec();
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend((header.len() as u32).to_le_bytes());
        bytes.extend(header);
        let i16s = |numbers: &[i16]| numbers.iter().flat_map(|number| number.to_le_bytes()).collect::<Vec<u8>>();
        bytes.extend(i16s(&self.feature_biases));
        bytes.extend(i16s(&self.feature_weights));
        bytes.extend(self.output_bias.to_le_bytes());
        bytes.extend(i16s(&self.output_weights));
        let checksum = crc32fast::hash(&bytes);
        bytes.extend(checksum.to_le_bytes());
        bytes
    }

    /// Reads a file's bytes.
    ///
    /// # Errors
    /// Says what is wrong and where.
    pub fn parse(bytes: &[u8]) -> Result<OwnNetwork, NnueError> {
        let mut reader = Reader::new(bytes);
        reader.take("KUROSABI", MAGIC.len())?;
        let version = reader.u32("version")?;
        if version != VERSION {
            let reason = format!("version {version} of Kurosabi's format; this program reads {VERSION}");
            return Err(NnueError::Unsupported { reason });
        }
        let length = reader.u32("length of the header")? as usize;
        let text = reader.take("header", length)?;
        let header: OwnHeader = serde_json::from_slice(text).map_err(|error| NnueError::OwnHeader {
            text: String::from_utf8_lossy(text).chars().take(SHOWN).collect(),
            problem: error.to_string(),
        })?;
        header.check()?;
        let OwnHeader { rows, width, .. } = header;
        let feature_biases = reader.i16s("biases of the first layer", width)?.collect();
        let feature_weights = reader.i16s("weights of the first layer", rows * width)?.collect();
        let output_bias = reader.i32s("bias of the output", 1)?.sum();
        let output_weights: Vec<i16> = reader.i16s("weights of the output", 2 * width)?.collect();
        let expected = crc32fast::hash(&bytes[..reader.offset()]);
        let found = reader.u32("checksum")?;
        reader.finish()?;
        if found != expected {
            return Err(NnueError::Checksum { found, expected });
        }
        if let Some(weight) = output_weights.iter().find(|weight| weight.unsigned_abs() > MAX_OUTPUT_WEIGHT as u16) {
            let reason = format!("a weight of the output is {weight}, at most ±{MAX_OUTPUT_WEIGHT} can be used");
            return Err(NnueError::Unsupported { reason });
        }
        Ok(OwnNetwork { header, feature_biases, feature_weights, output_bias, output_weights })
    }

    /// The network, ready to evaluate.
    ///
    /// # Errors
    /// When the numbers are not as many as the header says, or the network is of an unknown kind.
    pub fn into_network(self) -> Result<Network, NnueError> {
        self.header.check()?;
        let OwnHeader { rows, width, scale, output_q, .. } = self.header;
        let sizes = [self.feature_biases.len(), self.feature_weights.len(), self.output_weights.len()];
        if sizes != [width, rows * width, 2 * width] {
            return Err(NnueError::Unsupported { reason: format!("{sizes:?} numbers for a width of {width}") });
        }
        let lines = |numbers: &[i16]| {
            let mut lines = I16Line::zeros(numbers.len() / LINE);
            numbers.iter().enumerate().for_each(|(i, &number)| *element(&mut lines, i) = number);
            lines
        };
        let output = ScreluOutput {
            bias: self.output_bias,
            weights: lines(&self.output_weights),
            scale: (256 * i64::from(scale), i64::from(FEATURE_Q) * i64::from(FEATURE_Q) * i64::from(output_q)),
        };
        Ok(Network {
            topology: Topology { features: FeatureSet::KaHm, width, head: Head::Screlu },
            name: Some(self.header.name),
            warnings: Vec::new(),
            kernels: Kernels::best(),
            features: FeatureMap::new(FeatureSet::KaHm),
            transformer: Transformer {
                width: width / LINE,
                biases: lines(&self.feature_biases),
                weights: lines(&self.feature_weights),
            },
            layers: Layers::Screlu(output),
        })
    }
}
