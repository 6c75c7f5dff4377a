//! Files that a run writes: never over a device or a folder, never by halves, none shared with another run.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::error::TrainError;

/// The file beside another whose name goes on with this. (Replacing an extension would give `net.1` and `net.2` the
/// same one.)
pub(crate) fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(suffix);
    name.into()
}

/// Fails where something other than a plain file stands at this path. A path at which nothing stands is fine.
///
/// # Errors
/// Names the path.
pub(crate) fn check_plain(path: &Path) -> Result<(), TrainError> {
    match fs::metadata(path) {
        Ok(metadata) if metadata.is_file() => Ok(()),
        Ok(_) => Err(TrainError::NotAFile { path: path.to_owned() }),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(TrainError::Io { path: path.to_owned(), error }),
    }
}

/// Writes a file by way of a temporary one beside it: a crash leaves either the old or the new one.
///
/// # Errors
/// When the file cannot be written, or is something other than a plain file.
pub(crate) fn write_whole(path: &Path, write: impl FnOnce(&Path) -> io::Result<()>) -> Result<(), TrainError> {
    check_plain(path)?;
    let temporary = beside(path, ".tmp");
    check_plain(&temporary)?;
    let written = write(&temporary).and_then(|()| fs::rename(&temporary, path));
    if written.is_err() {
        // On a full disk it would leave others no room.
        let _ = fs::remove_file(&temporary);
    }
    written.map_err(|error| TrainError::Io { path: path.to_owned(), error })
}
