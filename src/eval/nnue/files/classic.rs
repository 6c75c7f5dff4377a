//! Classic networks (HalfKP, K-P): nothing is compressed, so the architecture gives the file's size and nearly
//! the reverse.

use super::error::NnueError;
use super::public::{Header, PublicArch, check_sizes, finish};
use super::reader::Reader;
use crate::eval::nnue::features::FeatureSet;
use crate::eval::nnue::layers::MAX_HIDDEN;
use crate::eval::nnue::network::{Network, Transformer};
use crate::eval::nnue::simd::{I16Line, element};

/// Reads what follows the header.
pub(super) fn read(header: &Header, mut reader: Reader<'_>) -> Result<Network, NnueError> {
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
