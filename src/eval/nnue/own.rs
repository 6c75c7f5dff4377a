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
//! | … | the layers after it, for each of the header's `output_buckets` |
//! | u32 | CRC-32 of all bytes before it |
//!
//! Which bucket a position is for follows from how many there are: see [`LayerStacks::OWN`]. Where the header's `head`
//! is `screlu`, a bucket has
//!
//! | type | what |
//! |---|---|
//! | i32 | bias of the output |
//! | i16 × 2 width | weights of the output: the side to move's sums first, then the other side's |
//!
//! and where it is `pairwise`, a first and a second hidden layer and the output (see [`super::pairwise`]):
//!
//! | type | what |
//! |---|---|
//! | i32 × 16 | biases of the first hidden layer |
//! | i8 × 16 × width | its weights, row by output |
//! | i32 × 32 | biases of the second hidden layer |
//! | i16 × 32 × 30 | its weights, row by output |
//! | i32 | bias of the output |
//! | i16 × 32 | weights of the output |
//!
//! Of `screlu`: a side's sums are bias and rows, in parts of `feature_q` (2047); clamped to 0..=1 and squared they are the
//! activations ("SCReLU"), rounded down to parts of 2047² / 256. The output's weights are in parts of the
//! header's `output_q`, which is as large as the largest weight allows. The output, in parts of 2047² / 256 ·
//! `output_q`, is the logarithm of the odds to win; times the header's scale it is a score.

use serde::{Deserialize, Serialize};

use super::NnueError;
use super::features::{FeatureMap, FeatureSet};
use super::network::{Layers, Network, ScreluOutput, Transformer};
use super::pairwise::{self, DOUBLED, FIRST, PairwiseLayers, PairwiseStack, SECOND};
use super::reader::Reader;
use super::simd::{I16Line, Kernels, element};
use super::topology::{Head, LayerStacks, Topology};

/// What every file begins with.
pub(super) const MAGIC: &[u8; 8] = b"KUROSABI";
const VERSION: u32 = 1;
const SCRELU: &str = "screlu";
const PAIRWISE: &str = "pairwise";
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
    /// What follows the first layer, `screlu` or `pairwise`.
    pub head: String,
    /// Sets of the layers after the first: 1, 8 or 9.
    pub output_buckets: usize,
    /// One in the unit of the first layer; 2047, or 2040 where it is pairwise.
    pub feature_q: i32,
    /// One in the unit of the output's weights; 1024 where the first layer is pairwise.
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
    /// The header of a network of this width with squares of clamped sums and one output, with this unit of the
    /// output's weights.
    pub fn new(name: &str, width: usize, output_q: i32, scale: i32) -> OwnHeader {
        OwnHeader {
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
    pub fn pairwise(name: &str, width: usize, scale: i32) -> OwnHeader {
        let (head, feature_q) = (PAIRWISE.to_owned(), pairwise::FEATURE_Q);
        OwnHeader { head, feature_q, ..OwnHeader::new(name, width, pairwise::OUTPUT_Q, scale) }
    }

    /// The same with a set of layers for each kind of position.
    #[must_use]
    pub fn with_stacks(self, stacks: LayerStacks) -> OwnHeader {
        OwnHeader { output_buckets: stacks.count(), ..self }
    }

    /// What follows the first layer, if this program evaluates it.
    ///
    /// # Errors
    /// Says what the network is, where it is another one.
    pub fn head(&self) -> Result<Head, NnueError> {
        let stacks = LayerStacks::OWN.into_iter().find(|stacks| stacks.count() == self.output_buckets);
        let head = stacks.and_then(|stacks| match self.head.as_str() {
            SCRELU if self.feature_q == FEATURE_Q => Some(Head::Screlu { stacks }),
            PAIRWISE if self.feature_q == pairwise::FEATURE_Q && self.output_q == pairwise::OUTPUT_Q => {
                Some(Head::Pairwise { stacks })
            }
            _ => None,
        });
        // Each half of a pairwise layer makes whole lines of activations.
        let line = if self.head == PAIRWISE { 4 * LINE } else { LINE };
        let fits = WIDTHS.contains(&self.width)
            && self.width.is_multiple_of(line)
            && (1..=MAX_OUTPUT_Q).contains(&self.output_q)
            && (1..=10_000).contains(&self.scale);
        let same = (self.features.as_str(), self.rows) == (FeatureSet::KaHm.name(), FeatureSet::KaHm.rows());
        if let Some(head) = head.filter(|_| same && fits) {
            return Ok(head);
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
    /// The layers after it.
    pub layers: OwnLayers,
}

/// The layers of an own network after the first, as they stand in a file.
#[derive(Clone, Debug, PartialEq)]
pub enum OwnLayers {
    /// Of a `screlu` network.
    Screlu {
        /// Biases of the output, in the output's unit.
        biases: Vec<i32>,
        /// Weights of the output, each at most ±1023: for each bias as many as both sides have sums.
        weights: Vec<i16>,
    },
    /// Of a `pairwise` network.
    Pairwise(Vec<PairwiseLayers>),
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
        let i32s = |numbers: &[i32]| numbers.iter().flat_map(|number| number.to_le_bytes()).collect::<Vec<u8>>();
        match &self.layers {
            OwnLayers::Screlu { biases, weights } => {
                for (bias, weights) in biases.iter().zip(weights.chunks(2 * self.header.width.max(1))) {
                    bytes.extend(bias.to_le_bytes());
                    bytes.extend(i16s(weights));
                }
            }
            OwnLayers::Pairwise(stacks) => {
                for layers in stacks {
                    bytes.extend(i32s(&layers.first_biases));
                    bytes.extend(layers.first_weights.iter().map(|weight| *weight as u8));
                    bytes.extend(i32s(&layers.second_biases));
                    bytes.extend(i16s(&layers.second_weights));
                    bytes.extend(layers.output_bias.to_le_bytes());
                    bytes.extend(i16s(&layers.output_weights));
                }
            }
        }
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
        let head = header.head()?;
        let OwnHeader { rows, width, .. } = header;
        let feature_biases = reader.i16s("biases of the first layer", width)?.collect();
        let feature_weights = reader.i16s("weights of the first layer", rows * width)?.collect();
        let layers = OwnLayers::read(&mut reader, head, width)?;
        let expected = crc32fast::hash(&bytes[..reader.offset()]);
        let found = reader.u32("checksum")?;
        reader.finish()?;
        if found != expected {
            return Err(NnueError::Checksum { found, expected });
        }
        let network = OwnNetwork { header, feature_biases, feature_weights, layers };
        network.check()?;
        Ok(network)
    }

    /// Fails unless there are as many numbers as the header says, none larger than can be used.
    fn check(&self) -> Result<Head, NnueError> {
        let head = self.header.head()?;
        let OwnHeader { rows, width, output_buckets, .. } = self.header;
        let unsupported = |reason| Err(NnueError::Unsupported { reason });
        let sizes = [self.feature_biases.len(), self.feature_weights.len()];
        if sizes != [width, rows * width] {
            return unsupported(format!("{sizes:?} numbers for a width of {width}"));
        }
        match (&self.layers, head) {
            (OwnLayers::Screlu { biases, weights }, Head::Screlu { .. }) => {
                let sizes = [biases.len(), weights.len()];
                if sizes != [output_buckets, 2 * width * output_buckets] {
                    return unsupported(format!("outputs of {sizes:?} numbers for a width of {width}"));
                }
                if let Some(weight) = weights.iter().find(|weight| weight.unsigned_abs() > MAX_OUTPUT_WEIGHT as u16) {
                    let most = MAX_OUTPUT_WEIGHT;
                    return unsupported(format!("a weight of the output is {weight}, at most ±{most} can be used"));
                }
            }
            (OwnLayers::Pairwise(stacks), Head::Pairwise { .. }) => {
                if stacks.len() != output_buckets || !stacks.iter().all(|layers| layers.fits(width)) {
                    return unsupported(
                        "hidden layers of the wrong size, or with weights that are too large".to_owned(),
                    );
                }
            }
            _ => return unsupported(format!("other layers than {:?}", self.header.head)),
        }
        Ok(head)
    }

    /// The network, ready to evaluate.
    ///
    /// # Errors
    /// When the numbers are not as many as the header says, or the network is of an unknown kind.
    pub fn into_network(self) -> Result<Network, NnueError> {
        let head = self.check()?;
        let OwnHeader { width, scale, output_q, .. } = self.header;
        let lines = |numbers: &[i16]| {
            let mut lines = I16Line::zeros(numbers.len() / LINE);
            numbers.iter().enumerate().for_each(|(i, &number)| *element(&mut lines, i) = number);
            lines
        };
        let layers = match &self.layers {
            OwnLayers::Screlu { biases, weights } => {
                let outputs = biases.iter().zip(weights.chunks(2 * width));
                Layers::Screlu {
                    outputs: outputs.map(|(&bias, row)| ScreluOutput { bias, weights: lines(row) }).collect(),
                    scale: (256 * i64::from(scale), i64::from(FEATURE_Q) * i64::from(FEATURE_Q) * i64::from(output_q)),
                }
            }
            OwnLayers::Pairwise(stacks) => Layers::Pairwise {
                stacks: stacks.iter().map(PairwiseStack::new).collect(),
                scale: PairwiseStack::scale(scale),
            },
        };
        Ok(Network {
            topology: Topology { features: FeatureSet::KaHm, width, head },
            name: Some(self.header.name),
            warnings: Vec::new(),
            kernels: Kernels::chosen(),
            features: FeatureMap::new(FeatureSet::KaHm),
            transformer: Transformer {
                width: width / LINE,
                biases: lines(&self.feature_biases),
                weights: lines(&self.feature_weights),
            },
            layers,
        })
    }
}

impl OwnLayers {
    fn read(reader: &mut Reader<'_>, head: Head, width: usize) -> Result<OwnLayers, NnueError> {
        let count = head.stacks().count();
        if matches!(head, Head::Screlu { .. }) {
            let (mut biases, mut weights) = (Vec::new(), Vec::new());
            for _ in 0..count {
                biases.extend(reader.i32s("bias of the output", 1)?);
                weights.extend(reader.i16s("weights of the output", 2 * width)?);
            }
            return Ok(OwnLayers::Screlu { biases, weights });
        }
        let mut layers = || {
            let first_biases = reader.i32s("biases of the first hidden layer", FIRST)?.collect();
            let first_weights = reader.take("weights of the first hidden layer", FIRST * width)?;
            Ok(PairwiseLayers {
                first_biases,
                first_weights: first_weights.iter().map(|weight| *weight as i8).collect(),
                second_biases: reader.i32s("biases of the second hidden layer", SECOND)?.collect(),
                second_weights: reader.i16s("weights of the second hidden layer", SECOND * DOUBLED)?.collect(),
                output_bias: reader.i32s("bias of the output", 1)?.sum(),
                output_weights: reader.i16s("weights of the output", SECOND)?.collect(),
            })
        };
        Ok(OwnLayers::Pairwise((0..count).map(|_| layers()).collect::<Result<_, NnueError>>()?))
    }
}
