//! The public network files.
//!
//! All numbers are little endian. A version, the architecture's hash, a description and its length;
//! then the first layer after its hash, as 16-bit numbers or (SFNN) in two LEB128 blocks; then each
//! stack of further layers after its hash; then the end of the file. The description and the hashes
//! are often wrong in files that circulate: they guide, but what fits the file's size decides.

use super::error::Leb128Problem;
use super::features::{FeatureMap, FeatureSet};
use super::layers::{MAX_HIDDEN, Stack};
use super::leb128::{self, Block};
use super::network::{Layers, Transformer};
use super::reader::Reader;
use super::simd::{I16Line, Kernels, element};
use super::topology::{Description, Head, LayerStacks, SFNN_FEATURE_HASH, SFNN_STACK_HASH, Topology};
use super::{Network, NnueError, NnueWarning};

/// The version of nodchip's format.
pub(crate) const VERSION: u32 = 0x7af3_2f16;
/// Sums a side may have: limits what a damaged file can make us compute.
const WIDTHS: std::ops::RangeInclusive<usize> = 16..=8192;
/// How much of a description is kept for messages.
const SHOWN: usize = 200;

/// What a file says of itself.
struct Header {
    hash: u32,
    text: String,
    description: Description,
    feature_hash: u32,
}

pub(super) fn read(bytes: &[u8]) -> Result<Network, NnueError> {
    let mut reader = Reader::new(bytes);
    let header = read_header(&mut reader)?;
    if reader.rest().starts_with(leb128::MARKER) || (header.is_sfnn() && !header.is_classic()) {
        read_sfnn(header, reader)
    } else {
        read_classic(header, reader)
    }
}

fn read_header(reader: &mut Reader<'_>) -> Result<Header, NnueError> {
    let found = reader.u32("version")?;
    if found != VERSION {
        return Err(NnueError::Version { found, expected: VERSION });
    }
    let hash = reader.u32("hash")?;
    let length = reader.u32("length of the description")? as usize;
    let text = String::from_utf8_lossy(reader.take("description", length)?).into_owned();
    let description = Description::parse(&text);
    let text = text.chars().take(SHOWN).collect();
    Ok(Header { hash, text, description, feature_hash: reader.u32("hash of the feature transformer")? })
}

impl Header {
    fn is_sfnn(&self) -> bool {
        self.description.sfnn || self.feature_hash == SFNN_FEATURE_HASH
    }

    fn is_classic(&self) -> bool {
        self.description.classic().is_some() || self.hash_features().next().is_some()
    }

    /// The hash of the layers, which the file's hash combines with that of the features.
    fn stack_hash(&self) -> u32 {
        self.hash ^ self.feature_hash
    }

    /// Features and widths that the first layer's hash may stand for.
    fn hash_features(&self) -> impl Iterator<Item = (FeatureSet, usize)> {
        FeatureSet::PUBLIC[..2].iter().filter_map(|&features| {
            let inputs = (self.feature_hash ^ features.hash()) as usize;
            (inputs.is_multiple_of(2) && WIDTHS.contains(&(inputs / 2))).then_some((features, inputs / 2))
        })
    }

    fn unknown(&self) -> NnueError {
        NnueError::UnknownArchitecture {
            architecture: self.text.clone(),
            feature_hash: self.feature_hash,
            network_hash: self.hash,
        }
    }

    fn warnings(&self, topology: &Topology) -> Vec<NnueWarning> {
        let mut warnings = Vec::new();
        if !self.description.agrees_with(topology) {
            warnings.push(NnueWarning::Architecture { found: self.text.clone(), read: topology.to_string() });
        }
        let mut check = |section, found, expected| {
            if found != expected {
                warnings.push(NnueWarning::Hash { section, found, expected });
            }
        };
        check("file", self.hash, topology.feature_hash() ^ topology.stack_hash());
        check("feature transformer", self.feature_hash, topology.feature_hash());
        warnings
    }
}

// Classic networks: nothing is compressed, so the topology gives the file's size and nearly the reverse.

fn read_classic(header: Header, mut reader: Reader<'_>) -> Result<Network, NnueError> {
    // The hash of the features, which has been read, belongs to what `plain_bytes` counts.
    let topology = classic_topology(&header, reader.rest().len() + 4).ok_or_else(|| header.unknown())?;
    check_sizes(&topology)?;
    let Topology { features, width, .. } = topology;
    let layout = Layout::of(&topology);
    let mut biases = I16Line::zeros(layout.lines());
    for (i, bias) in reader.i16s("biases of the feature transformer", width)?.enumerate() {
        *element(&mut biases, i) = bias;
    }
    let source = reader.take("weights of the feature transformer", 2 * width * features.rows())?;
    let mut weights = I16Line::zeros(layout.lines() * features.rows());
    for (row, source) in weights.chunks_exact_mut(layout.lines()).zip(source.chunks_exact(2 * width)) {
        for (i, &weight) in source.as_chunks().0.iter().enumerate() {
            *element(row, i) = i16::from_le_bytes(weight);
        }
    }
    finish(header, topology, reader, Transformer { width: layout.lines(), biases, weights })
}

/// What the header and the size (of what follows the description) agree on.
fn classic_topology(header: &Header, bytes: usize) -> Option<Topology> {
    let fits = |topology: &Topology| topology.plain_bytes() == bytes;
    let described = header.description.classic();
    let mut hashed: Vec<Topology> = header
        .hash_features()
        .flat_map(|(features, width)| hidden_sizes().map(move |hidden| classic(features, width, hidden)))
        .filter(|topology| topology.stack_hash() == header.stack_hash())
        .collect();
    // Of several sizes with one hash the description's is meant, then the most usual.
    hashed.sort_by_key(|topology| (Some(*topology) != described, topology.head != Head::Classic { hidden: [32, 32] }));
    let recognised = !hashed.is_empty();
    let candidates = || described.iter().chain(&hashed).copied();
    let by_size = || by_features_alone(header).chain(any_classic()).find(fits);
    // Where the hash names a network that does not fit, the file is damaged, not another network.
    let found = candidates().find(fits).or_else(|| if recognised { None } else { by_size() });
    found.or_else(|| candidates().next())
}

fn classic(features: FeatureSet, width: usize, hidden: [usize; 2]) -> Topology {
    Topology { features, width, head: Head::Classic { hidden } }
}

/// The sizes of hidden layers in use.
fn hidden_sizes() -> impl Iterator<Item = [usize; 2]> {
    let sizes = || (8..=MAX_HIDDEN).step_by(8);
    sizes().flat_map(move |first| sizes().map(move |second| [first, second]))
}

/// Networks with the features that the hash or the description tells, where the rest is unreadable.
fn by_features_alone(header: &Header) -> impl Iterator<Item = Topology> {
    let described = header.description.features.zip(header.description.width);
    let known: Vec<_> = header.hash_features().chain(described).collect();
    known.into_iter().flat_map(|(features, width)| hidden_sizes().map(move |hidden| classic(features, width, hidden)))
}

/// Networks that the size alone may tell.
fn any_classic() -> impl Iterator<Item = Topology> {
    let usual = [256, 512, 768, 1024, 128, 384, 640, 896, 1536, 2048];
    FeatureSet::PUBLIC[..2].iter().flat_map(move |&features| {
        usual.into_iter().flat_map(move |width| {
            let sizes = [[32, 32], [16, 32], [8, 64], [8, 32], [15, 32], [16, 64], [32, 64], [64, 64]];
            sizes.map(|hidden| classic(features, width, hidden))
        })
    })
}

// SFNN: the compressed blocks tell the width and the features, what follows them the rest.

fn read_sfnn(header: Header, mut reader: Reader<'_>) -> Result<Network, NnueError> {
    let biases = Block::read(&mut reader, "biases of the feature transformer")?;
    let weights = Block::read(&mut reader, "weights of the feature transformer")?;
    let width = biases.values();
    if !WIDTHS.contains(&width) || !width.is_multiple_of(2) {
        return Err(biases.error(Leb128Problem::Count { values: width, width }));
    }
    let values = weights.values();
    let features = [FeatureSet::HalfKaHm2, FeatureSet::HalfKaHm1]
        .into_iter()
        .find(|set| set.rows() * width == values)
        .ok_or_else(|| weights.error(Leb128Problem::Count { values, width }))?;
    let topology = sfnn_topology(&header, features, width, reader)?;
    check_sizes(&topology)?;
    let layout = Layout::of(&topology);
    let mut transformer = Transformer {
        width: layout.lines(),
        biases: I16Line::zeros(layout.lines()),
        weights: I16Line::zeros(layout.lines() * features.rows()),
    };
    layout.decode(biases, &mut transformer.biases)?;
    layout.decode(weights, &mut transformer.weights)?;
    finish(header, topology, reader, transformer)
}

/// Finds the layers that fill the rest of the file.
fn sfnn_topology(
    header: &Header,
    features: FeatureSet,
    width: usize,
    reader: Reader<'_>,
) -> Result<Topology, NnueError> {
    let description = &header.description;
    let rest = reader.rest();
    let stacks_of = |count| [LayerStacks::KingThirds, LayerStacks::One].into_iter().find(|kind| kind.count() == count);
    if description.foreign_stacks || description.stacks.is_some_and(|count| stacks_of(count).is_none()) {
        return Err(NnueError::Unsupported { reason: format!("layer stacks of {:?}", header.text) });
    }
    let topology = |hidden, stacks| Topology { features, width, head: Head::Sfnn { hidden, stacks } };
    let fits = |topology: &Topology| topology.stack_bytes() * topology.head.stacks().count() == rest.len();
    let hash = SFNN_STACK_HASH.to_le_bytes();
    let hashes = rest.windows(hash.len()).filter(|window| *window == hash).count();
    let hashes_stand = |topology: &Topology| {
        hashes == topology.head.stacks().count()
            && rest.chunks(topology.stack_bytes()).all(|stack| stack.starts_with(&hash))
    };
    let stacks = match description.stacks.and_then(stacks_of) {
        Some(stacks) => vec![stacks],
        None => vec![LayerStacks::KingThirds, LayerStacks::One],
    };
    let hidden = description.hidden.filter(|_| description.width == Some(width));
    let described = || hidden.iter().flat_map(|&hidden| stacks.iter().map(move |&stacks| topology(hidden, stacks)));
    // A description that gives the right width is only disbelieved where the hashes tell of other stacks.
    // Stacks of the described size in another number are a cut file, not another network.
    let other = |other: &Topology| {
        let is_cut = |topology: Topology| hashes == 1 || topology.stack_bytes() == other.stack_bytes();
        !described().any(is_cut)
    };
    let candidates = || {
        let all_stacks = [LayerStacks::KingThirds, LayerStacks::One];
        sfnn_sizes().flat_map(move |hidden| all_stacks.map(|stacks| topology(hidden, stacks))).filter(other)
    };
    let found = described()
        .find(fits)
        .or_else(|| candidates().find(|topology| fits(topology) && hashes_stand(topology)))
        // Reading on as described says where the file ends too early or too late.
        .or_else(|| described().next())
        .or_else(|| candidates().find(|topology| fits(topology) && !rest.starts_with(&hash)));
    found.ok_or_else(|| NnueError::Unsupported {
        reason: format!("layers of {} bytes after {} {width} do not make up an SFNN", rest.len(), features.name()),
    })
}

/// The sizes of hidden layers in use. Of those that take the same room (15 outputs with shortcut, 16
/// without), the one with the shortcut comes first.
fn sfnn_sizes() -> impl Iterator<Item = [usize; 2]> {
    let usual = [[15, 32], [7, 64], [7, 32], [15, 64], [31, 32], [31, 64]];
    let firsts = (1..=MAX_HIDDEN / 8).flat_map(|n| [8 * n - 1, 8 * n]);
    usual.into_iter().chain(firsts.flat_map(|first| (1..=MAX_HIDDEN / 8).map(move |n| [first, 8 * n])))
}

// Both.

/// Where the first layer's sums lie in their lines.
#[derive(Clone, Copy)]
struct Layout {
    /// Sums in the file that belong together: all of a side's, or those of one factor of the products.
    part: usize,
    parts: usize,
}

impl Layout {
    fn of(topology: &Topology) -> Layout {
        match topology.head {
            Head::Classic { .. } | Head::Screlu { .. } | Head::Pairwise { .. } => {
                Layout { part: topology.width, parts: 1 }
            }
            Head::Sfnn { .. } => Layout { part: topology.width / 2, parts: 2 },
        }
    }

    /// Places a part takes: sums are turned into whole lines of activations.
    fn padded(self) -> usize {
        self.part.next_multiple_of(64)
    }

    fn lines(self) -> usize {
        self.parts * self.padded() / 32
    }

    /// Decodes numbers to their places. They are doubled: activations of these networks go to 254.
    fn decode(self, block: Block<'_>, lines: &mut [I16Line]) -> Result<(), NnueError> {
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

fn check_sizes(topology: &Topology) -> Result<(), NnueError> {
    let [first, second, _] = topology.layers();
    let hidden_fit = [first.outputs, second.outputs].iter().all(|n| (1..=MAX_HIDDEN).contains(n));
    if hidden_fit && WIDTHS.contains(&topology.width) {
        return Ok(());
    }
    Err(NnueError::Unsupported { reason: format!("{topology} has layers that are too large or empty") })
}

fn finish(
    header: Header,
    topology: Topology,
    mut reader: Reader<'_>,
    transformer: Transformer,
) -> Result<Network, NnueError> {
    let mut warnings = header.warnings(&topology);
    let squared = match topology.head {
        Head::Classic { .. } | Head::Screlu { .. } | Head::Pairwise { .. } => None,
        Head::Sfnn { hidden: [first, _], .. } => Some(first),
    };
    let half_places = Layout::of(&topology).padded();
    let mut stacks = Vec::new();
    for _ in 0..topology.head.stacks().count() {
        let (found, expected) = (reader.u32("hash of a layer stack")?, topology.stack_hash());
        let warning = NnueWarning::Hash { section: "layer stack", found, expected };
        if found != expected && !warnings.contains(&warning) {
            warnings.push(warning);
        }
        stacks.push(Stack::read(&mut reader, topology.layers(), half_places, squared)?);
    }
    reader.finish()?;
    let features = FeatureMap::new(topology.features);
    Ok(Network {
        topology,
        name: None,
        warnings,
        kernels: Kernels::chosen(),
        features,
        transformer,
        layers: Layers::Stacks(stacks),
    })
}
