//! SFNN: the compressed blocks give the width and the features, what follows them the rest.

use super::error::{Leb128Problem, NnueError};
use super::public::{Header, PublicArch, SFNN_STACK_HASH, WIDTHS, check_sizes, finish};
use super::reader::{Block, Reader};
use crate::eval::nnue::features::FeatureSet;
use crate::eval::nnue::layers::MAX_HIDDEN;
use crate::eval::nnue::network::{LayerStacks, Network, Transformer};
use crate::eval::nnue::simd::I16Line;

/// Reads what follows the header.
pub(super) fn read(header: &Header, mut reader: Reader<'_>) -> Result<Network, NnueError> {
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
