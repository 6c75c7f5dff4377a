//! Kurosabi's own network files (`.kuro`), framed as `framing` describes.
//!
//! All numbers are little endian.
//!
//! | type | what |
//! |---|---|
//! | 8 bytes | `KUROSABI` |
//! | u32 | version, 2 |
//! | u32 | length of the header |
//! | bytes | the header: JSON, a [`KuroHeader`] |
//! | planes × width | biases of the first layer |
//! | planes × rows × width | weights of the first layer, row by row |
//! | … | the output, for each of the header's `output_buckets` |
//! | u32 | CRC-32 of all bytes before it |
//!
//! Which bucket a position is for follows from how many there are: see [`LayerStacks::ALL`]. A bucket has
//!
//! | type | what |
//! |---|---|
//! | i32 | bias of the output |
//! | planes × 2 width | weights of the output: the side to move's accumulators first, then the other side's |
//!
//! Planes are 16-bit numbers as bytes that compress well: each number n ≥ 0 is written as 2 n and each n < 0 as
//! -2 n - 1, so that the small ones of either sign have a high byte of 0, and the low bytes of all stand before their
//! high bytes. (The built-in network takes 1.30 MB in a gzip file; as plain numbers it took 1.66.)
//!
//! A side's accumulators are bias and rows, in parts of `feature_q` (2047); clamped to 0..=1 and squared
//! they are the activations ("SCReLU"), rounded down to parts of 2047² / 256. The output's weights are in parts of the
//! header's `output_q`, which is as large as the largest weight allows. The output, in parts of 2047² / 256 ·
//! `output_q`, is the logarithm of the odds of winning; times the header's scale it is a score.
//!
//! [`LayerStacks::ALL`]: crate::eval::nnue::LayerStacks::ALL

use std::io::Read;

use serde_core::de::{Deserialize, DeserializeOwned, Deserializer, Error};
use serde_core::ser::{Serialize, SerializeStruct, Serializer};
use serde_json::{Map, Value};

use super::reader::{NnueError, Reader};
use crate::eval::nnue::features::FeatureSet;
use crate::eval::nnue::network::{Architecture, LayerStacks, Layers, Network, NetworkHead, ScreluOutput, Transformer};
use crate::eval::nnue::simd::{I16Line, Line};
use crate::framing::{self, CHECKSUM};

/// What every file begins with.
pub(super) const MAGIC: &[u8; 8] = b"KUROSABI";
const VERSION: u32 = 2;

fn extend_planes(bytes: &mut Vec<u8>, numbers: &[i16]) {
    for plane in 0..2 {
        bytes.extend(numbers.iter().map(|&number| ((number << 1) ^ (number >> 15)).to_le_bytes()[plane]));
    }
}

fn from_planes(bytes: &[u8]) -> Vec<i16> {
    let (low, high) = bytes.split_at(bytes.len() / 2);
    let folded = low.iter().zip(high).map(|(&low, &high)| u16::from_le_bytes([low, high]));
    folded.map(|number| (number >> 1) as i16 ^ -((number & 1) as i16)).collect()
}

/// A network as it stands in a file.
#[derive(Clone, Debug, PartialEq)]
pub struct KuroNetwork {
    /// What it is.
    pub header: KuroHeader,
    /// Biases of the first layer.
    pub feature_biases: Vec<i16>,
    /// Weights of the first layer, row by row.
    pub feature_weights: Vec<i16>,
    /// Biases of the output, in its unit: one for each bucket.
    pub output_biases: Vec<i32>,
    /// Weights of the output, each at most ±1023: for each bias as many as both sides have accumulators.
    pub output_weights: Vec<i16>,
}

impl KuroNetwork {
    /// The bytes of a file.
    ///
    /// # Errors
    /// When the header is too long.
    pub fn to_bytes(&self) -> Result<Vec<u8>, NnueError> {
        let mut bytes = framing::FileHeader::new(MAGIC, VERSION, &self.header)?.bytes;
        extend_planes(&mut bytes, &self.feature_biases);
        extend_planes(&mut bytes, &self.feature_weights);
        let outputs = self.output_weights.chunks(2 * self.header.width.max(1));
        for (bias, weights) in self.output_biases.iter().zip(outputs) {
            bytes.extend(bias.to_le_bytes());
            extend_planes(&mut bytes, weights);
        }
        Ok(framing::sealed(bytes))
    }

    /// Reads a file's bytes.
    ///
    /// # Errors
    /// Says what is wrong and where.
    pub fn parse(mut bytes: &[u8]) -> Result<KuroNetwork, NnueError> {
        KuroNetwork::read(&mut bytes)
    }

    /// Reads a file: first its header, then as much as that asks for, and nothing more.
    pub(super) fn read(input: &mut impl Read) -> Result<KuroNetwork, NnueError> {
        let start = framing::FileHeader::read(input, MAGIC)?;
        if start.version != VERSION {
            let reason = format!("version {} of Kurosabi's format; this program reads {VERSION}", start.version);
            return Err(NnueError::Unsupported { reason });
        }
        let header: KuroHeader = start.parse()?;
        header.architecture()?;
        let mut bytes = start.bytes;
        let (offset, needed) = (bytes.len(), header.content_bytes() + CHECKSUM);
        // One byte more shows whether the file goes on.
        let present = input.take(needed as u64 + 1).read_to_end(&mut bytes).map_err(NnueError::Compression)?;
        if present < needed {
            return Err(NnueError::Truncated { section: "weights", offset, needed, present });
        }
        if present > needed {
            return Err(NnueError::Trailing { offset: offset + needed, extra: present - needed });
        }
        let KuroHeader { rows, width, output_buckets, .. } = header;
        let mut reader = Reader::new(&framing::checked(&bytes)?[offset..]);
        let feature_biases = from_planes(reader.take("biases of the first layer", 2 * width)?);
        let feature_weights = from_planes(reader.take("weights of the first layer", 2 * rows * width)?);
        let (mut output_biases, mut output_weights) = (Vec::new(), Vec::new());
        for _ in 0..output_buckets {
            output_biases.extend(reader.i32s("bias of the output", 1)?);
            output_weights.extend(from_planes(reader.take("weights of the output", 2 * 2 * width)?));
        }
        let network = KuroNetwork { header, feature_biases, feature_weights, output_biases, output_weights };
        network.check()?;
        Ok(network)
    }

    /// Fails unless there are as many numbers as the header says, none larger than can be used.
    fn check(&self) -> Result<Architecture, NnueError> {
        let arch = self.header.architecture()?;
        let KuroHeader { rows, width, output_buckets, .. } = self.header;
        let unsupported = |reason| Err(NnueError::Unsupported { reason });
        let sizes = [self.feature_biases.len(), self.feature_weights.len()];
        if sizes != [width, rows * width] {
            return unsupported(format!("{sizes:?} numbers for a width of {width}"));
        }
        let sizes = [self.output_biases.len(), self.output_weights.len()];
        if sizes != [output_buckets, 2 * width * output_buckets] {
            return unsupported(format!("outputs of {sizes:?} numbers for a width of {width}"));
        }
        let too_large = |weight: &&i16| weight.unsigned_abs() > MAX_OUTPUT_WEIGHT as u16;
        if let Some(weight) = self.output_weights.iter().find(too_large) {
            let most = MAX_OUTPUT_WEIGHT;
            return unsupported(format!("a weight of the output is {weight}, at most ±{most} can be used"));
        }
        Ok(arch)
    }

    /// The network, ready to evaluate.
    ///
    /// # Errors
    /// When the numbers are not as many as the header says, or the network is of an unknown kind.
    pub fn into_network(self) -> Result<Network, NnueError> {
        let arch = self.check()?;
        let KuroHeader { width, scale, output_q, .. } = self.header;
        let lines = |numbers: &[i16]| numbers.as_chunks().0.iter().copied().map(Line).collect::<Vec<_>>();
        let mut weights = I16Line::many_zeros(self.feature_weights.len() / LINE)?;
        weights.iter_mut().zip(self.feature_weights.as_chunks().0).for_each(|(line, numbers)| line.0 = *numbers);
        let outputs = self.output_biases.iter().zip(self.output_weights.chunks(2 * width));
        let layers = Layers::Screlu {
            outputs: outputs.map(|(&bias, row)| ScreluOutput { bias, weights: lines(row) }).collect(),
            scale: (256 * i64::from(scale), i64::from(FEATURE_Q) * i64::from(FEATURE_Q) * i64::from(output_q)),
        };
        let transformer = Transformer { width: width / LINE, biases: lines(&self.feature_biases), weights };
        Ok(Network { name: Some(self.header.name), ..Network::new(arch, transformer, layers) })
    }
}

const SCRELU: &str = "screlu";
/// One in the unit of the first layer.
pub(crate) const FEATURE_Q: i32 = 2047;
const MAX_OUTPUT_Q: i32 = 1 << 14;
/// Larger weights of the output could carry their outputs beyond 32 bits.
pub(crate) const MAX_OUTPUT_WEIGHT: i16 = 1023;
/// Widths of an accumulator that make whole lines, and no more than kernels add up without overflow.
const WIDTHS: std::ops::RangeInclusive<usize> = 32..=2048;
const LINE: usize = 32;

/// What a file says of its network.
#[derive(Clone, Debug, PartialEq)]
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
    pub description: String,
    /// How it was trained: data, settings.
    pub training: Value,
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
            training: Value::Null,
        }
    }

    /// The same with a set of layers for each kind of position.
    #[must_use]
    pub fn with_stacks(self, stacks: LayerStacks) -> KuroHeader {
        KuroHeader { output_buckets: stacks.count(), ..self }
    }

    /// Bytes of what follows the header, without the checksum.
    fn content_bytes(&self) -> usize {
        let output = 4 + 2 * 2 * self.width;
        2 * self.width * (1 + self.rows) + self.output_buckets * output
    }

    /// The architecture, if this program evaluates it.
    ///
    /// # Errors
    /// Says what the network is, where it is another one.
    pub fn architecture(&self) -> Result<Architecture, NnueError> {
        let features = FeatureSet::KaHm;
        let stacks = LayerStacks::ALL.into_iter().find(|stacks| stacks.count() == self.output_buckets);
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

/// Written out, since deriving it would bring the macros of serde into the smallest build.
impl Serialize for KuroHeader {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_struct("KuroHeader", 11)?;
        fields.serialize_field("features", &self.features)?;
        fields.serialize_field("rows", &self.rows)?;
        fields.serialize_field("width", &self.width)?;
        fields.serialize_field("head", &self.head)?;
        fields.serialize_field("output_buckets", &self.output_buckets)?;
        fields.serialize_field("feature_q", &self.feature_q)?;
        fields.serialize_field("output_q", &self.output_q)?;
        fields.serialize_field("scale", &self.scale)?;
        fields.serialize_field("name", &self.name)?;
        fields.serialize_field("description", &self.description)?;
        fields.serialize_field("training", &self.training)?;
        fields.end()
    }
}

impl<'de> Deserialize<'de> for KuroHeader {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<KuroHeader, D::Error> {
        let mut fields = Map::deserialize(deserializer)?;
        fields.entry("description").or_insert_with(|| "".into());
        fields.entry("training").or_insert(Value::Null);
        fn field<T: DeserializeOwned, E: Error>(fields: &mut Map<String, Value>, name: &'static str) -> Result<T, E> {
            let value = fields.remove(name).ok_or_else(|| E::missing_field(name))?;
            serde_json::from_value(value).map_err(|error| E::custom(format_args!("{name}: {error}")))
        }
        Ok(KuroHeader {
            features: field(&mut fields, "features")?,
            rows: field(&mut fields, "rows")?,
            width: field(&mut fields, "width")?,
            head: field(&mut fields, "head")?,
            output_buckets: field(&mut fields, "output_buckets")?,
            feature_q: field(&mut fields, "feature_q")?,
            output_q: field(&mut fields, "output_q")?,
            scale: field(&mut fields, "scale")?,
            name: field(&mut fields, "name")?,
            description: field(&mut fields, "description")?,
            training: field(&mut fields, "training")?,
        })
    }
}
