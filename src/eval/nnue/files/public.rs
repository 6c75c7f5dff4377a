//! What the public network files have in common.
//!
//! All numbers are little endian. A version, the architecture's hash, a description and its length;
//! then the first layer after its hash, as 16-bit numbers or (SFNN) in two LEB128 blocks; then each
//! stack of further layers after its hash; then the end of the file. The description and the hashes
//! are often wrong in files that circulate: they guide, but what fits the file's size decides.

use super::description::Description;
use super::error::NnueError;
use super::leb128::{Block, MARKER};
use super::public_arch::{LayerShape, PublicArch, SFNN_FEATURE_HASH};
use super::reader::Reader;
use crate::eval::nnue::arch::Architecture;
use crate::eval::nnue::features::{FeatureMap, FeatureSet};
use crate::eval::nnue::layers::{Affine, MAX_HIDDEN, Output, Stack};
use crate::eval::nnue::network::{Layers, Network, NnueWarning, Transformer};
use crate::eval::nnue::simd::{I16Line, Kernels, element};

/// The version of nodchip's format.
pub(crate) const VERSION: u32 = 0x7af3_2f16;
/// Accumulators a side may have: limits what a damaged file can make us compute.
pub(super) const WIDTHS: std::ops::RangeInclusive<usize> = 16..=8192;
/// How much of a description is kept for messages.
const SHOWN: usize = 200;
/// Bytes of a description, at most: those in use have some hundred.
const MAX_DESCRIPTION: usize = 1 << 16;

/// What a file says of itself.
pub(super) struct Header {
    hash: u32,
    pub(super) text: String,
    pub(super) description: Description,
    feature_hash: u32,
}

impl Header {
    pub(super) fn read(reader: &mut Reader<'_>) -> Result<Header, NnueError> {
        let found = reader.u32("version")?;
        if found != VERSION {
            return Err(NnueError::Version { found, expected: VERSION });
        }
        let hash = reader.u32("hash")?;
        let length = reader.u32("length of the description")? as usize;
        if length > MAX_DESCRIPTION {
            return Err(NnueError::Unsupported { reason: format!("a description of {length} bytes") });
        }
        let text = String::from_utf8_lossy(reader.take("description", length)?).into_owned();
        let description = Description::parse(&text);
        let text = text.chars().take(SHOWN).collect();
        Ok(Header { hash, text, description, feature_hash: reader.u32("hash of the feature transformer")? })
    }

    /// Whether what follows is that of an SFNN: compressed blocks.
    pub(super) fn is_followed_by_blocks(&self, reader: &Reader<'_>) -> bool {
        let is_sfnn = self.description.sfnn || self.feature_hash == SFNN_FEATURE_HASH;
        let is_classic = self.description.classic().is_some() || self.hash_features().next().is_some();
        reader.rest().starts_with(MARKER) || (is_sfnn && !is_classic)
    }

    /// The hash of the layers, which the file's hash combines with that of the features.
    pub(super) fn stack_hash(&self) -> u32 {
        self.hash ^ self.feature_hash
    }

    /// Features and widths that the first layer's hash may stand for.
    pub(super) fn hash_features(&self) -> impl Iterator<Item = (FeatureSet, usize)> {
        FeatureSet::PUBLIC[..2].iter().filter_map(|&features| {
            let inputs = (self.feature_hash ^ features.hash()) as usize;
            (inputs.is_multiple_of(2) && WIDTHS.contains(&(inputs / 2))).then_some((features, inputs / 2))
        })
    }

    pub(super) fn unknown(&self) -> NnueError {
        NnueError::UnknownArchitecture {
            architecture: self.text.clone(),
            feature_hash: self.feature_hash,
            network_hash: self.hash,
        }
    }

    fn warnings(&self, arch: PublicArch) -> Vec<NnueWarning> {
        let mut warnings = Vec::new();
        if !self.description.agrees_with(arch) {
            warnings.push(NnueWarning::Architecture {
                found: self.text.clone(),
                read: Architecture::from(arch).to_string(),
            });
        }
        let mut check = |section, found, expected| {
            if found != expected {
                warnings.push(NnueWarning::Hash { section, found, expected });
            }
        };
        check("file", self.hash, arch.feature_hash() ^ arch.stack_hash());
        check("feature transformer", self.feature_hash, arch.feature_hash());
        warnings
    }
}

/// Where the accumulators lie in their lines.
#[derive(Clone, Copy)]
pub(super) struct Layout {
    /// Accumulators in the file that belong together: all of a side's, or those of one factor of the products.
    part: usize,
    parts: usize,
}

impl Layout {
    pub(super) fn of(arch: PublicArch) -> Layout {
        match arch.sfnn {
            None => Layout { part: arch.width, parts: 1 },
            Some(_) => Layout { part: arch.width / 2, parts: 2 },
        }
    }

    /// Places a part takes: accumulators are turned into whole lines of activations.
    fn padded(self) -> usize {
        self.part.next_multiple_of(64)
    }

    pub(super) fn lines(self) -> usize {
        self.parts * self.padded() / 32
    }

    /// Decodes numbers to their places. They are doubled: activations of these networks go to 254.
    pub(super) fn decode(self, block: Block<'_>, lines: &mut [I16Line]) -> Result<(), NnueError> {
        let padding = self.padded() - self.part;
        let (mut at, mut left) = (0, self.part);
        block.decode(|value| {
            *element(lines, at) = value.wrapping_mul(2);
            at += 1;
            left -= 1;
            if left == 0 {
                at += padding;
                left = self.part;
            }
        })
    }
}

/// Fails where a layer is empty or larger than this program evaluates.
pub(super) fn check_sizes(arch: PublicArch) -> Result<(), NnueError> {
    let [first, second, _] = arch.layers();
    let hidden_fit = [first.outputs, second.outputs].iter().all(|n| (1..=MAX_HIDDEN).contains(n));
    if hidden_fit && WIDTHS.contains(&arch.width) {
        return Ok(());
    }
    Err(NnueError::Unsupported {
        reason: format!("{} has layers that are too large or empty", Architecture::from(arch)),
    })
}

/// Reads the layers after the first, and puts the network together.
pub(super) fn finish(
    header: &Header,
    arch: PublicArch,
    mut reader: Reader<'_>,
    transformer: Transformer,
) -> Result<Network, NnueError> {
    let mut warnings = header.warnings(arch);
    let mut stacks = Vec::new();
    for _ in 0..arch.stacks() {
        let (found, expected) = (reader.u32("hash of a layer stack")?, arch.stack_hash());
        let warning = NnueWarning::Hash { section: "layer stack", found, expected };
        if found != expected && !warnings.contains(&warning) {
            warnings.push(warning);
        }
        stacks.push(read_stack(&mut reader, arch)?);
    }
    reader.finish()?;
    Ok(Network {
        arch: arch.into(),
        name: None,
        warnings,
        kernels: Kernels::chosen(),
        features: FeatureMap::new(arch.features),
        transformer,
        layers: Layers::Stacks(stacks),
    })
}

fn read_stack(reader: &mut Reader<'_>, arch: PublicArch) -> Result<Stack, NnueError> {
    let [first, second, output] = arch.layers();
    // The activations of each half of the inputs begin with a line of their own.
    let (half, half_places) = (first.inputs / 2, Layout::of(arch).padded());
    let place = |input: usize| input / half * half_places + input % half;
    Ok(Stack {
        first: read_affine(reader, first, 2 * half_places, place)?,
        second: read_affine(reader, second, second.inputs, |input| input)?,
        output: {
            let bias = reader.i32s("bias of the last layer", 1)?.sum();
            let row = reader.take("weights of the last layer", output.row())?;
            Output::new(bias, row[..output.inputs].iter().map(|&weight| weight as i8))
        },
        squared: arch.sfnn.map(|_| arch.hidden[0]),
    })
}

/// Reads the biases and, row by row, the weights; see [`Affine::with_places`].
fn read_affine(
    reader: &mut Reader<'_>,
    shape: LayerShape,
    places: usize,
    place: impl Fn(usize) -> usize,
) -> Result<Affine, NnueError> {
    let biases: Vec<i32> = reader.i32s("biases of a layer", shape.outputs)?.collect();
    let rows = reader.take("weights of a layer", shape.outputs * shape.row())?;
    let rows = rows.chunks_exact(shape.row()).map(|row| row[..shape.inputs].iter().map(|&weight| weight as i8));
    Ok(Affine::with_places(&biases, rows, places, place))
}
