//! How long a public file may be, by how it begins: of one that is longer, nothing else is read.

use super::classic;
use super::error::{Leb128Problem, NnueError};
use super::public::{Header, PublicArch, WIDTHS};
use super::reader::{Block, Reader};
use crate::eval::nnue::features::FeatureSet;
use crate::eval::nnue::layers::MAX_HIDDEN;
use crate::eval::nnue::network::LayerStacks;

/// Bytes from the beginning of a file that hold its description and, of an SFNN, its biases.
pub(super) const HEAD: usize = 1 << 17;
/// Bytes of a number in an SFNN's blocks, at most.
const MAX_NUMBER: usize = 3;

/// Fails where a file that begins with these bytes is longer than its network.
pub(super) fn check(start: &[u8], length: u64) -> Result<(), NnueError> {
    if length <= start.len() as u64 {
        return Ok(());
    }
    let length = usize::try_from(length).unwrap_or(usize::MAX);
    let mut reader = Reader::new(start);
    let header = Header::read(&mut reader)?;
    let end = if header.is_followed_by_blocks(&reader) {
        sfnn_end(reader, length)?
    } else {
        classic::end(&header, reader.offset(), length)?
    };
    if length > end {
        return Err(NnueError::Trailing { offset: end, extra: length - end });
    }
    Ok(())
}

/// Where an SFNN ends at the latest.
fn sfnn_end(mut reader: Reader<'_>, length: usize) -> Result<usize, NnueError> {
    let section = "biases of the feature transformer";
    let (biases, mut ahead) = (reader, reader);
    let bytes = Block::count(&mut ahead, section)?;
    let wrong = |offset, values, width| {
        Err(NnueError::Leb128 { section, offset, problem: Leb128Problem::Count { values, width } })
    };
    if bytes > MAX_NUMBER * WIDTHS.end() {
        return wrong(ahead.offset(), bytes, bytes);
    }
    let width = Block::read(&mut reader, section)?.values();
    if !WIDTHS.contains(&width) {
        return wrong(biases.offset(), width, width);
    }
    let section = "weights of the feature transformer";
    let bytes = Block::count(&mut reader, section)?;
    let most = MAX_NUMBER * width * FeatureSet::HalfKaHm1.rows().max(FeatureSet::HalfKaHm2.rows());
    if bytes > most {
        return wrong(reader.offset(), bytes, width);
    }
    let (offset, present) = (reader.offset(), length - reader.offset());
    if bytes > present {
        return Err(NnueError::Truncated { section, offset, needed: bytes, present });
    }
    let stacks = LayerStacks::KingThirds;
    let features = FeatureSet::HalfKaHm2;
    let largest = PublicArch { features, width: *WIDTHS.end(), hidden: [MAX_HIDDEN; 2], sfnn: Some(stacks) };
    Ok(offset + bytes + largest.stack_bytes() * stacks.count())
}
