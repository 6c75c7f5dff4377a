//! SHA-256, by which files are told apart: what `sha256sum` prints.

use std::io::{self, Read};
use std::path::Path;

use sha2::{Digest, Sha256};

use crate::open_file;

/// The digest of a file, in lower-case hexadecimal.
///
/// # Errors
/// When the file cannot be read, or is no regular file: what else is read a second time is another content.
pub fn of_file(path: &Path) -> io::Result<String> {
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

/// The digest of bytes, in lower-case hexadecimal.
pub fn of_bytes(bytes: &[u8]) -> String {
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
    fn digests_are_those_of_the_standard() {
        assert_eq!(of_bytes(b"abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    }
}
