//! Network files: the public formats and Kurosabi's own, recognised by how they begin.

mod classic;
mod error;
mod kuro;
mod length;
mod public;
mod reader;
mod sfnn;

pub use error::{Leb128Problem, NnueError};
#[cfg(feature = "train")]
pub(crate) use kuro::{FEATURE_Q, MAX_OUTPUT_WEIGHT};
pub use kuro::{KuroHeader, KuroNetwork};

use std::fs::{self, File};
use std::io::{BufReader, Read};
use std::path::Path;

use flate2::read::GzDecoder;

use super::network::Network;
use public::{Header, VERSION};
use reader::Reader;

/// What gzip's files begin with.
const GZIP: [u8; 2] = [0x1f, 0x8b];
/// Bytes by which the kinds of files are recognised.
const START: usize = 8;
/// The largest file that is read, in bytes.
const MAX_FILE: u64 = 2 << 30;
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
            read_compressed(bytes, bytes.len() as u64)
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
        let path = path.as_ref();
        let path = if path.is_dir() { path.join("nn.bin") } else { path.to_owned() };
        let io = |error| NnueError::Io { path: path.clone(), error };
        let metadata = fs::metadata(&path).map_err(io)?;
        if !metadata.is_file() {
            return Err(NnueError::NotAFile { path });
        }
        let bytes = metadata.len();
        if bytes > MAX_FILE {
            return Err(NnueError::TooLarge { bytes, limit: MAX_FILE, path });
        }
        if bytes < 4 {
            // Not read at all: some files of /proc, whose length is 0, wait for ever.
            let (needed, present) = (4, bytes as usize);
            return Err(NnueError::Truncated { section: "version", offset: 0, needed, present });
        }
        let mut file = File::open(&path).map_err(io)?;
        let mut start = Vec::new();
        (&mut file).take(START as u64).read_to_end(&mut start).map_err(io)?;
        let whole = start.chain(file);
        if start.starts_with(&GZIP) {
            return read_compressed(BufReader::new(whole), bytes);
        }
        if start == kuro::MAGIC {
            return KuroNetwork::read(&mut BufReader::new(whole), io)?.into_network();
        }
        // Nothing of a file that is no network is read but its beginning.
        check_version(&start)?;
        let mut content = Vec::new();
        let mut whole = whole.take(MAX_FILE);
        whole.by_ref().take(length::HEAD as u64).read_to_end(&mut content).map_err(io)?;
        length::check(&content, bytes)?;
        content.reserve_exact((bytes as usize).saturating_sub(content.len()));
        whole.read_to_end(&mut content).map_err(io)?;
        read_public(&content)
    }
}

/// Reads a compressed file of this length; damage to it shows while it is expanded.
fn read_compressed(input: impl Read, length: u64) -> Result<Network, NnueError> {
    let mut expanded = GzDecoder::new(input);
    let mut start = Vec::new();
    (&mut expanded).take(START as u64).read_to_end(&mut start).map_err(NnueError::Compression)?;
    let whole = start.chain(expanded);
    if start == kuro::MAGIC {
        return KuroNetwork::read(&mut BufReader::new(whole), NnueError::Compression)?.into_network();
    }
    check_version(&start)?;
    let limit = length.saturating_mul(MOST_TIMES).saturating_add(SLACK).min(MAX_EXPANDED);
    let mut content = Vec::new();
    whole.take(limit + 1).read_to_end(&mut content).map_err(NnueError::Compression)?;
    if content.len() as u64 > limit {
        return Err(NnueError::Unsupported { reason: format!("more than {limit} bytes when expanded") });
    }
    read_public(&content)
}

/// Fails where a file does not begin as those of the public formats do.
fn check_version(start: &[u8]) -> Result<(), NnueError> {
    match Reader::new(start).u32("version")? {
        VERSION => Ok(()),
        found => Err(NnueError::Version { found, expected: VERSION }),
    }
}

fn read_public(bytes: &[u8]) -> Result<Network, NnueError> {
    let mut reader = Reader::new(bytes);
    let header = Header::read(&mut reader)?;
    if header.is_followed_by_blocks(&reader) { sfnn::read(&header, reader) } else { classic::read(&header, reader) }
}
