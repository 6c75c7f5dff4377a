//! Files that are there whole or not at all.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The name of a file that is not yet whole.
pub(in crate::cli) fn part(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".part");
    PathBuf::from(name)
}

/// An error that names its file.
pub(in crate::cli) fn naming(path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}

/// Writes a file under another name and gives it its own when it is whole.
pub(in crate::cli) fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let part = part(path);
    let written = fs::write(&part, bytes).and_then(|()| fs::rename(&part, path));
    if written.is_err() {
        let _ = fs::remove_file(&part);
    }
    written.map_err(|error| naming(path, &error))
}
