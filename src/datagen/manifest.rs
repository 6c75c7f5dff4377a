//! Manifests: what files of games hold and where it comes from, one line of JSON for each file.

use std::io::{self, Read};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use thiserror::Error;

use super::record::{GameReader, RecordError, RecordHeader};
use crate::open_file::{self, read_text};

/// The largest manifest, in bytes: room for fifty thousand files.
const MAX_FILE: u64 = 64 << 20;

/// What a manifest says of a file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ManifestEntry {
    /// The file, from the manifest's folder.
    pub file: PathBuf,
    /// SHA-256 of the file.
    pub sha256: String,
    /// Games in it.
    pub games: u64,
    /// Positions with a score in it.
    pub positions: u64,
    /// The generation of networks that played.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub generation: Option<String>,
    /// What others may do with it, as an SPDX expression.
    pub licence: String,
    /// Who played, and how.
    #[serde(flatten)]
    pub header: RecordHeader,
}

/// Why a manifest cannot be made, or is wrong.
#[derive(Debug, Error)]
pub enum ManifestError {
    /// The system says so.
    #[error("{path}: {error}", path = path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// It is larger than any manifest.
    #[error("{path} is larger than {limit} MiB, which no manifest is", path = path.display())]
    TooLarge {
        /// The manifest.
        path: PathBuf,
        /// The size of the largest manifest, in MiB.
        limit: u64,
    },
    /// A file of games cannot be read.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// A line is none of a manifest.
    #[error("{path}, line {line}: {error}", path = path.display())]
    Line {
        /// The manifest.
        path: PathBuf,
        /// Number of the line, from 1.
        line: usize,
        /// What is wrong.
        error: serde_json::Error,
    },
    /// A file is another one than the manifest says.
    #[error("{path} is not the file of the manifest: its SHA-256 is {found}, not {expected}", path = path.display())]
    Changed {
        /// The file.
        path: PathBuf,
        /// Its digest.
        found: String,
        /// What the manifest says.
        expected: String,
    },
}

impl ManifestEntry {
    /// What a manifest is to say of a file. All its games are read.
    ///
    /// # Errors
    /// When the file cannot be read to its end.
    pub fn from_file(path: &Path, generation: Option<&str>, licence: &str) -> Result<ManifestEntry, ManifestError> {
        let mut reader = GameReader::open(path)?;
        let mut positions = 0;
        for game in reader.by_ref() {
            positions += game?.moves.len() as u64;
        }
        Ok(ManifestEntry {
            file: path.to_owned(),
            sha256: digest(path)?,
            games: reader.games(),
            positions,
            generation: generation.map(str::to_owned),
            licence: licence.to_owned(),
            header: reader.header().clone(),
        })
    }

    /// Whether the file is still the one that the manifest names.
    ///
    /// # Errors
    /// When it is not, or cannot be read.
    pub fn check(&self) -> Result<(), ManifestError> {
        let found = digest(&self.file)?;
        if found == self.sha256 {
            return Ok(());
        }
        Err(ManifestError::Changed { path: self.file.clone(), found, expected: self.sha256.clone() })
    }
}

/// Reads a manifest. The files of its entries are then named from the working folder.
///
/// # Errors
/// Names the line that is none.
pub fn read_manifest(path: &Path) -> Result<Vec<ManifestEntry>, ManifestError> {
    let text = match read_text(path, MAX_FILE) {
        Ok(Some(text)) => text,
        Ok(None) => return Err(ManifestError::TooLarge { path: path.to_owned(), limit: MAX_FILE >> 20 }),
        Err(error) => return Err(ManifestError::Io { path: path.to_owned(), error }),
    };
    let folder = path.parent().unwrap_or(Path::new(""));
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let entry = |(index, line): (usize, &str)| {
        let wrong = |error| ManifestError::Line { path: path.to_owned(), line: index + 1, error };
        let entry: ManifestEntry = serde_json::from_str(line).map_err(wrong)?;
        Ok(ManifestEntry { file: folder.join(&entry.file), ..entry })
    };
    lines.map(entry).collect()
}

fn digest(path: &Path) -> Result<String, ManifestError> {
    file_sha256(path).map_err(|error| ManifestError::Io { path: path.to_owned(), error })
}

/// The SHA-256 of a file, in lower-case hexadecimal, as `sha256sum` prints it.
///
/// # Errors
/// When the file cannot be read, or is no regular file: what else is read a second time is another content.
pub fn file_sha256(path: &Path) -> io::Result<String> {
    let mut file = open_file::regular(path)?;
    let mut hasher = Sha256::new();
    let mut buffer = vec![0; 1 << 16];
    loop {
        match file.read(&mut buffer) {
            Ok(0) => return Ok(hexadecimal(&hasher.finalize())),
            Ok(count) => hasher.update(&buffer[..count]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

/// The SHA-256 of bytes, in lower-case hexadecimal.
pub fn sha256(bytes: &[u8]) -> String {
    hexadecimal(&Sha256::digest(bytes))
}

fn hexadecimal(digest: &[u8]) -> String {
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// From FIPS 180-4's examples.
    #[test]
    fn sha256_of_the_example_of_the_standard() {
        assert_eq!(sha256(b"abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    }
}
