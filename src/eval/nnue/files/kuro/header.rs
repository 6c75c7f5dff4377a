//! What a `.kuro` file says of its network.

use serde_core::de::{Deserialize, DeserializeOwned, Deserializer, Error};
use serde_core::ser::{Serialize, SerializeStruct, Serializer};
use serde_json::{Map, Value};

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
            description: if fields.contains_key("description") {
                field(&mut fields, "description")?
            } else {
                String::new()
            },
            training: fields.remove("training").unwrap_or_default(),
        })
    }
}
