//! What the public network files have in common.
//!
//! All numbers are little endian. A version, the architecture's hash, a description and its length;
//! then the first layer after its hash, as 16-bit numbers or (SFNN) in two LEB128 blocks; then each
//! stack of further layers after its hash; then the end of the file. The description and the hashes
//! are often wrong in files that circulate: they guide, but what fits the file's size decides.

use super::reader::{Block, MARKER, NnueError, Reader};
use crate::eval::nnue::features::FeatureSet;
use crate::eval::nnue::network::{
    Affine, Architecture, LayerStacks, Layers, MAX_HIDDEN, Network, NetworkHead, NnueWarning, Stack, Transformer,
};
use crate::eval::nnue::simd::{I8Line, I16Line, element};

/// The version of nodchip's format.
const VERSION: u32 = 0x7af3_2f16;
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
            let inputs = (self.feature_hash ^ features.numbers().hash) as usize;
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
    Ok(Network { warnings, ..Network::new(arch.into(), transformer, Layers::Stacks(stacks)) })
}

fn read_stack(reader: &mut Reader<'_>, arch: PublicArch) -> Result<Stack, NnueError> {
    let [first, second, output] = arch.layers();
    // The activations of each half of the inputs begin with a line of their own.
    let (half, half_places) = (first.inputs / 2, arch.padded_part());
    let place = |input: usize| input / half * half_places + input % half;
    Ok(Stack {
        first: read_affine(reader, first, 2 * half_places, place)?,
        second: read_affine(reader, second, second.inputs, |input| input)?,
        bias: reader.i32s("bias of the last layer", 1)?.sum(),
        output: {
            let mut weights = I8Line::zeros(output.inputs.div_ceil(64));
            let row = reader.take("weights of the last layer", output.row())?;
            row[..output.inputs].iter().enumerate().for_each(|(i, &weight)| *element(&mut weights, i) = weight as i8);
            weights
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
    /// Accumulators in the file that belong together: all of a side's, or those of one factor of the products.
    fn part(self) -> usize {
        if self.sfnn.is_some() { self.width / 2 } else { self.width }
    }

    /// Places that such a part takes: accumulators are turned into whole lines of activations.
    fn padded_part(self) -> usize {
        self.part().next_multiple_of(64)
    }

    /// Lines of a side's accumulators.
    pub(super) fn lines(self) -> usize {
        self.width / self.part() * self.padded_part() / 32
    }

    /// Decodes numbers to their places. They are doubled: activations of these networks go to 254.
    pub(super) fn decode(self, block: Block<'_>, lines: &mut [I16Line]) -> Result<(), NnueError> {
        let (part, padding) = (self.part(), self.padded_part() - self.part());
        let (mut at, mut left) = (0, part);
        block.decode(|value| {
            *element(lines, at) = value.wrapping_mul(2);
            at += 1;
            left -= 1;
            if left == 0 {
                at += padding;
                left = part;
            }
        })
    }

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
            None => self.features.numbers().hash ^ (2 * self.width as u32),
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
const SFNN_FEATURE_HASH: u32 = 0x5f13_4ab8;
pub(super) const SFNN_STACK_HASH: u32 = 0x6333_718a;

/// What a header's description says, as far as it can be made out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Description {
    pub(super) features: Option<FeatureSet>,
    pub(super) width: Option<usize>,
    pub(super) sfnn: bool,
    pub(super) hidden: Option<[usize; 2]>,
    pub(super) stacks: Option<usize>,
    /// A kind of layer stacks that is none of [`LayerStacks`].
    pub(super) foreign_stacks: bool,
}

impl Description {
    /// Reads texts such as `Features=HalfKP(Friend)[125388->256x2],Network=AffineTransform[1<-32](…`.
    pub(super) fn parse(text: &str) -> Description {
        let after = |key: &str| text.split_once(key).map(|(_, rest)| rest);
        let name = after("Features=").map_or("", |rest| rest.split(['(', '[']).next().unwrap_or(""));
        let network = after("Network=").unwrap_or("");
        let sfnn = text.contains("SFNN");
        let name_parts: Vec<&str> = network.split('{').next().unwrap_or("").split(['_', '-']).collect();
        let width = after("->").and_then(leading_number);
        let hidden = if sfnn { sfnn_hidden(&name_parts, width) } else { classic_hidden(network) };
        let known = |part: &&str| part.eq_ignore_ascii_case("k3k3");
        let stack_kind = |part: &&str| {
            let lower = part.to_ascii_lowercase();
            lower.starts_with("hand")
                || lower.starts_with("progress")
                || (lower.starts_with('k') && lower[1..].contains('k'))
        };
        Description {
            features: FeatureSet::PUBLIC.into_iter().find(|set| set.name() == name),
            width,
            sfnn,
            hidden,
            stacks: after("LayerStack=").and_then(leading_number),
            foreign_stacks: sfnn && name_parts.iter().skip(3).any(|part| stack_kind(part) && !known(part)),
        }
    }

    /// Whether nothing that it says contradicts a network.
    fn agrees_with(&self, arch: PublicArch) -> bool {
        let is_sfnn = arch.sfnn.is_some();
        self.features == Some(arch.features)
            && self.width == Some(arch.width)
            && self.sfnn == is_sfnn
            && self.hidden.is_none_or(|hidden| hidden == arch.hidden)
            && (is_sfnn || self.hidden.is_some())
            && self.stacks.is_none_or(|stacks| stacks == arch.stacks())
    }

    /// The classic network that it describes.
    pub(super) fn classic(&self) -> Option<PublicArch> {
        let hidden = self.hidden.filter(|_| !self.sfnn)?;
        Some(PublicArch { features: self.features?, width: self.width?, hidden, sfnn: None })
    }
}

fn leading_number(text: &str) -> Option<usize> {
    number(&text[..text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len())])
}

/// A size. None in such a file has more digits, and products of what is read cannot overflow.
fn number(digits: &str) -> Option<usize> {
    digits.parse().ok().filter(|&number| number < 1_000_000)
}

/// The sizes in `AffineTransform[1<-B](…[B<-A](…[A<-inputs](…`.
fn classic_hidden(network: &str) -> Option<[usize; 2]> {
    let layers: Vec<(usize, usize)> = network
        .match_indices("<-")
        .filter_map(|(at, arrow)| {
            let outputs = number(network[..at].rsplit('[').next()?)?;
            Some((outputs, leading_number(&network[at + arrow.len()..])?))
        })
        .collect();
    match layers[..] {
        [(1, second), (outer, first), (inner, _)] if second == outer && first == inner => Some([first, second]),
        _ => None,
    }
}

/// The sizes in `SFNN_HALFKAHM2_1024_7_64_K3K3`; `SFNN-1536` is the name of the first of its kind.
fn sfnn_hidden(name: &[&str], width: Option<usize>) -> Option<[usize; 2]> {
    if name == ["SFNN", "1536"] {
        return Some([15, 32]);
    }
    let at = name.iter().position(|part| width.is_some() && part.parse().ok() == width)?;
    Some([number(name.get(at + 1)?)?, number(name.get(at + 2)?)?])
}

// Classic networks (HalfKP, K-P): nothing is compressed, so the architecture gives the file's size and nearly
// the reverse.

/// Reads what follows the header.
pub(super) fn read_classic(header: &Header, mut reader: Reader<'_>) -> Result<Network, NnueError> {
    // The hash of the features, which has been read, belongs to what `plain_bytes` counts.
    let arch = classic_arch(header, reader.rest().len() + 4).ok_or_else(|| header.unknown())?;
    check_sizes(arch)?;
    let PublicArch { features, width, .. } = arch;
    let lines = arch.lines();
    let mut biases = I16Line::zeros(lines);
    for (i, bias) in reader.i16s("biases of the feature transformer", width)?.enumerate() {
        *element(&mut biases, i) = bias;
    }
    let source = reader.take("weights of the feature transformer", 2 * width * features.rows())?;
    let mut weights = I16Line::many_zeros(lines * features.rows())?;
    for (row, source) in weights.chunks_exact_mut(lines).zip(source.chunks_exact(2 * width)) {
        for (i, &weight) in source.as_chunks().0.iter().enumerate() {
            *element(row, i) = i16::from_le_bytes(weight);
        }
    }
    finish(header, arch, reader, Transformer { width: lines, biases, weights })
}

/// What the header and the size (of what follows the description) agree on.
fn classic_arch(header: &Header, bytes: usize) -> Option<PublicArch> {
    let fits = |arch: &PublicArch| arch.plain_bytes() == bytes;
    let described = header.description.classic();
    let mut hashed: Vec<PublicArch> = header
        .hash_features()
        .flat_map(|(features, width)| hidden_sizes().map(move |hidden| classic(features, width, hidden)))
        .filter(|arch| arch.stack_hash() == header.stack_hash())
        .collect();
    // Of several sizes with one hash the description's is meant, then the most usual.
    hashed.sort_by_key(|arch| (Some(*arch) != described, arch.hidden != [32, 32]));
    let recognised = !hashed.is_empty();
    let candidates = || described.iter().chain(&hashed).copied();
    let by_size = || by_features_alone(header).chain(any_classic()).find(fits);
    // Where the hash names a network that does not fit, the file is damaged, not another network.
    let found = candidates().find(fits).or_else(|| if recognised { None } else { by_size() });
    found.or_else(|| candidates().next())
}

fn classic(features: FeatureSet, width: usize, hidden: [usize; 2]) -> PublicArch {
    PublicArch { features, width, hidden, sfnn: None }
}

/// The sizes of hidden layers in use.
fn hidden_sizes() -> impl Iterator<Item = [usize; 2]> {
    let sizes = || (8..=MAX_HIDDEN).step_by(8);
    sizes().flat_map(move |first| sizes().map(move |second| [first, second]))
}

/// Networks with the features that the hash or the description names, where the rest is unreadable.
fn by_features_alone(header: &Header) -> impl Iterator<Item = PublicArch> {
    let described = header.description.features.zip(header.description.width);
    let known: Vec<_> = header.hash_features().chain(described).collect();
    known.into_iter().flat_map(|(features, width)| hidden_sizes().map(move |hidden| classic(features, width, hidden)))
}

/// Networks that the size alone may mean.
fn any_classic() -> impl Iterator<Item = PublicArch> {
    let usual = [256, 512, 768, 1024, 128, 384, 640, 896, 1536, 2048];
    FeatureSet::PUBLIC[..2].iter().flat_map(move |&features| {
        usual.into_iter().flat_map(move |width| {
            let sizes = [[32, 32], [16, 32], [8, 64], [8, 32], [15, 32], [16, 64], [32, 64], [64, 64]];
            sizes.map(|hidden| classic(features, width, hidden))
        })
    })
}

// SFNN: the compressed blocks give the width and the features, what follows them the rest.

/// Reads what follows the header.
pub(super) fn read_sfnn(header: &Header, mut reader: Reader<'_>) -> Result<Network, NnueError> {
    let biases = Block::read(&mut reader, "biases of the feature transformer")?;
    let weights = Block::read(&mut reader, "weights of the feature transformer")?;
    let width = biases.values();
    let wrong_count = |block: &Block<'_>| {
        let values = block.values();
        block.error(format!("{values} values, which is not a multiple of {width} for any known set of features"))
    };
    if !WIDTHS.contains(&width) || !width.is_multiple_of(2) {
        return Err(wrong_count(&biases));
    }
    let values = weights.values();
    let features = [FeatureSet::HalfKaHm2, FeatureSet::HalfKaHm1]
        .into_iter()
        .find(|set| set.rows() * width == values)
        .ok_or_else(|| wrong_count(&weights))?;
    let arch = sfnn_arch(header, features, width, reader)?;
    check_sizes(arch)?;
    let width = arch.lines();
    let mut transformer =
        Transformer { width, biases: I16Line::zeros(width), weights: I16Line::many_zeros(width * features.rows())? };
    arch.decode(biases, &mut transformer.biases)?;
    arch.decode(weights, &mut transformer.weights)?;
    finish(header, arch, reader, transformer)
}

/// Finds the layers that fill the rest of the file.
fn sfnn_arch(header: &Header, features: FeatureSet, width: usize, reader: Reader<'_>) -> Result<PublicArch, NnueError> {
    let description = &header.description;
    let rest = reader.rest();
    let stacks_of = |count| LayerStacks::ALL.into_iter().find(|kind| kind.count() == count);
    if description.foreign_stacks || description.stacks.is_some_and(|count| stacks_of(count).is_none()) {
        return Err(NnueError::Unsupported { reason: format!("layer stacks of {:?}", header.text) });
    }
    let arch = |hidden, stacks| PublicArch { features, width, hidden, sfnn: Some(stacks) };
    let fits = |arch: &PublicArch| arch.stack_bytes() * arch.stacks() == rest.len();
    let hash = SFNN_STACK_HASH.to_le_bytes();
    let hashes = rest.windows(hash.len()).filter(|window| *window == hash).count();
    let hashes_stand = |arch: &PublicArch| {
        hashes == arch.stacks() && rest.chunks(arch.stack_bytes()).all(|stack| stack.starts_with(&hash))
    };
    let stacks = match description.stacks.and_then(stacks_of) {
        Some(stacks) => vec![stacks],
        None => vec![LayerStacks::KingThirds, LayerStacks::One],
    };
    let hidden = description.hidden.filter(|_| description.width == Some(width));
    let described = || hidden.iter().flat_map(|&hidden| stacks.iter().map(move |&stacks| arch(hidden, stacks)));
    // A description that gives the right width is only disbelieved where the hashes name other stacks.
    // Stacks of the described size in another number are a cut file, not another network.
    let other = |other: &PublicArch| {
        let is_cut = |arch: PublicArch| hashes == 1 || arch.stack_bytes() == other.stack_bytes();
        !described().any(is_cut)
    };
    let candidates = || {
        let all_stacks = [LayerStacks::KingThirds, LayerStacks::One];
        sfnn_sizes().flat_map(move |hidden| all_stacks.map(|stacks| arch(hidden, stacks))).filter(other)
    };
    let found = described()
        .find(fits)
        .or_else(|| candidates().find(|arch| fits(arch) && hashes_stand(arch)))
        // Reading on as described says where the file ends too early or too late.
        .or_else(|| described().next())
        .or_else(|| candidates().find(|arch| fits(arch) && !rest.starts_with(&hash)));
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

#[cfg(test)]
mod tests {
    use crate::eval::nnue::network::LayerStacks;

    use super::*;

    #[test]
    fn hashes_and_sizes_are_those_of_known_files() {
        let halfkp = PublicArch { features: FeatureSet::HalfKp, width: 256, hidden: [32, 32], sfnn: None };
        assert_eq!(halfkp.feature_hash(), 0x5d69_d7b8);
        assert_eq!(halfkp.stack_hash(), 0x6333_7156);
        assert_eq!(halfkp.plain_bytes() - 8, 64_216_868);
    }

    const HALFKP: PublicArch = PublicArch { features: FeatureSet::HalfKp, width: 256, hidden: [32, 32], sfnn: None };

    #[test]
    fn the_descriptions_in_use_are_understood() {
        fn description(text: &str) -> Description {
            Description::parse(text)
        }
        let modern = "Features=HalfKP(Friend)[125388->256x2],Network=AffineTransform[1<-32](ClippedReLU[32](AffineTransform[32<-32](ClippedReLU[32](AffineTransformSparseInput[32<-512](InputSlice[512(0:512)])))))";
        let old = modern.replace("SparseInput", "");
        assert_eq!(description(modern).classic(), Some(HALFKP));
        assert_eq!(description(&old).classic(), Some(HALFKP));
        assert!(!description(&old.replace("125388->256", "125388->512")).agrees_with(HALFKP));
        let sfnn = |features, width, hidden, stacks| PublicArch { features, width, hidden, sfnn: Some(stacks) };
        let first =
            "ModelType=SFNNWithoutPsqt;Features=HalfKA_hm2(Friend)[73305->1536x2],Network=SFNN-1536{LayerStack=9}";
        assert!(description(first).agrees_with(sfnn(FeatureSet::HalfKaHm2, 1536, [15, 32], LayerStacks::KingThirds)));
        let other = "ModelType=SFNNWithoutPsqt;Features=HalfKA_hm2(Friend)[73305->768x2],Network=SFNN_HALFKAHM2_768_7_64{LayerStack=1}";
        assert!(description(other).agrees_with(sfnn(FeatureSet::HalfKaHm2, 768, [7, 64], LayerStacks::One)));
        assert!(description(&other.replace("64{", "64_K9K9Z{")).foreign_stacks);
        assert!(!description(&other.replace("64{", "64_K3K3{")).foreign_stacks);
    }

    #[test]
    fn nonsense_describes_nothing() {
        for text in ["", "Features=", "Network=[<-", "[99999999999999999999->1x2]", "Network=[1<-2]([3<-4", "SFNN_1_K"]
        {
            let description = Description::parse(text);
            assert!(description.classic().is_none() && !description.agrees_with(HALFKP), "{text}");
        }
    }
}
