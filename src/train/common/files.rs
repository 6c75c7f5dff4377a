//! Files that a run writes: never over a device or a folder, and never partly.

use std::fs;
use std::io;
use std::path::Path;

use super::error::TrainError;
use crate::atomic_file::{self, AtomicFile};

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

/// Replaces a file by what the function writes: a crash leaves either the old or the new one.
///
/// # Errors
/// When the file cannot be written, or is something other than a plain file.
pub(crate) fn write_whole(
    path: &Path,
    write: impl FnOnce(&mut AtomicFile) -> io::Result<()>,
) -> Result<(), TrainError> {
    check_plain(path)?;
    let written: io::Result<()> = atomic_file::replace(path, |file| {
        write(file)?;
        file.sync()
    });
    written.map_err(|error| TrainError::Io { path: path.to_owned(), error })
}
