//! Text files that are read whole.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// The text of a file; `None` where it has more bytes than `limit`, so that no file fills the memory, be it a device
/// without end.
///
/// # Errors
/// When the file cannot be read, or is not UTF-8.
pub(crate) fn read_text(path: &Path, limit: u64) -> io::Result<Option<String>> {
    let file = File::open(path)?;
    let metadata = file.metadata()?;
    if metadata.len() > limit {
        return Ok(None);
    }
    if metadata.is_file() && metadata.len() == 0 {
        // Not read: some files of /proc, whose length is 0, wait for ever.
        return Ok(Some(String::new()));
    }
    let mut bytes = Vec::new();
    file.take(limit + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > limit {
        return Ok(None);
    }
    String::from_utf8(bytes).map(Some).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error.utf8_error()))
}
