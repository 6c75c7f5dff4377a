//! Network files: the public formats and Kurosabi's own, recognised by how they begin.

mod kuro;
mod public;
mod reader;

pub use kuro::{KuroHeader, KuroNetwork};
pub use reader::NnueError;

#[cfg(feature = "train")]
pub(crate) use kuro::{FEATURE_Q, MAX_OUTPUT_WEIGHT};

use std::fs;
use std::io::Read;
use std::path::Path;

use flate2::read::GzDecoder;

use super::network::Network;
use public::Header;
use reader::Reader;

/// What gzip's files begin with.
const GZIP: [u8; 2] = [0x1f, 0x8b];
/// The largest file that is read, in bytes: room for HalfKP of width 2048.
const MAX_FILE: u64 = 512 << 20;
/// The largest compressed file of a public format when expanded, in bytes. (Those of Kurosabi's own format say how
/// large they are.)
const MAX_EXPANDED: u64 = 256 << 20;
/// Trained networks shrink to a half or a quarter. What expands to more than this many times its size, and a few MiB
/// more, is made to fill memory.
const MOST_TIMES: u64 = 50;
const SLACK: u64 = 8 << 20;

impl Network {
    /// Reads a network from the bytes of a file: one of the public formats, or Kurosabi's own, which may be
    /// compressed by gzip.
    ///
    /// # Errors
    /// Says what is wrong and where; offsets count from the start of the (unpacked) file.
    pub fn read(bytes: &[u8]) -> Result<Network, NnueError> {
        if bytes.starts_with(&GZIP) {
            read_compressed(bytes)
        } else if bytes.starts_with(kuro::MAGIC) {
            KuroNetwork::parse(bytes)?.into_network()
        } else {
            read_public(bytes)
        }
    }

    /// Reads a network file, or the `nn.bin` of a folder.
    ///
    /// # Errors
    /// As [`Network::read`], and where the file cannot be read or is larger than any network.
    pub fn load(path: impl AsRef<Path>) -> Result<Network, NnueError> {
        let mut path = path.as_ref().to_owned();
        if path.is_dir() {
            path.push("nn.bin");
            if !path.exists() {
                return Err(NnueError::NoFile);
            }
        }
        let metadata = fs::metadata(&path)?;
        if !metadata.is_file() {
            return Err(NnueError::NotAFile);
        }
        match metadata.len() {
            // Not read at all: some files of /proc, whose length is 0, wait for ever.
            0 => read_public(&[]),
            bytes if bytes > MAX_FILE => Err(NnueError::TooLarge(bytes)),
            _ => Network::read(&fs::read(&path)?),
        }
    }
}

/// Reads a compressed file; damage to it shows while it is expanded.
fn read_compressed(bytes: &[u8]) -> Result<Network, NnueError> {
    let mut expanded = GzDecoder::new(bytes);
    let mut start = Vec::new();
    (&mut expanded).take(kuro::MAGIC.len() as u64).read_to_end(&mut start).map_err(NnueError::Compression)?;
    let mut whole = start.chain(expanded);
    if start == kuro::MAGIC {
        return KuroNetwork::read(&mut whole)?.into_network();
    }
    let limit = (bytes.len() as u64).saturating_mul(MOST_TIMES).saturating_add(SLACK).min(MAX_EXPANDED);
    let mut content = Vec::new();
    whole.take(limit + 1).read_to_end(&mut content).map_err(NnueError::Compression)?;
    if content.len() as u64 > limit {
        return Err(NnueError::Unsupported { reason: format!("more than {limit} bytes when expanded") });
    }
    read_public(&content)
}

fn read_public(bytes: &[u8]) -> Result<Network, NnueError> {
    let mut reader = Reader::new(bytes);
    let header = Header::read(&mut reader)?;
    if header.is_followed_by_blocks(&reader) {
        public::read_sfnn(&header, reader)
    } else {
        public::read_classic(&header, reader)
    }
}
