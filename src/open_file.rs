//! Opening files that people name. None is waited for without end: a pipe may have nobody at its other end, and some
//! files of the system never answer.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read};
use std::path::Path;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use thiserror::Error;

/// How long a pipe may wait for its other end.
const PATIENCE: Duration = Duration::from_secs(5);

/// Why a file is not opened that the system would open.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub(crate) enum OpenError {
    /// A pipe that nobody writes to, or nobody reads.
    #[error("nobody has opened the other end of this pipe")]
    Alone,
    /// A folder, a pipe or a device where the file is read twice, or changed in place.
    #[error("not a regular file")]
    NotRegular,
}

impl From<OpenError> for io::Error {
    fn from(error: OpenError) -> io::Error {
        let kind = match error {
            OpenError::Alone => io::ErrorKind::TimedOut,
            OpenError::NotRegular => io::ErrorKind::InvalidInput,
        };
        io::Error::new(kind, error)
    }
}

/// Opens a file to read.
///
/// # Errors
/// When the system refuses, or nobody writes to a pipe.
pub(crate) fn to_read(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true);
    let metadata = fs::metadata(path)?;
    #[cfg(all(unix, feature = "memory"))]
    if metadata.is_file() && metadata.len() == 0 {
        use std::os::unix::fs::OpenOptionsExt;
        // Some files of /proc, whose length is 0, would wait for ever when they are read.
        options.custom_flags(rustix::fs::OFlags::NONBLOCK.bits() as i32);
    }
    if metadata.is_file() || metadata.is_dir() { options.open(path) } else { open_soon(path, options) }
}

/// Opens a file to read that is to stay as it is meanwhile.
///
/// # Errors
/// When the system refuses, or it is no regular file.
pub(crate) fn regular(path: &Path) -> io::Result<File> {
    require_regular(path)?;
    to_read(path)
}

/// Sees to it that a file is a regular one.
///
/// # Errors
/// When it is none, or not there.
pub(crate) fn require_regular(path: &Path) -> io::Result<()> {
    if fs::metadata(path)?.is_file() { Ok(()) } else { Err(OpenError::NotRegular.into()) }
}

/// Opens a pipe or a device to write to.
///
/// # Errors
/// When the system refuses, or nobody reads a pipe.
pub(crate) fn to_append(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.append(true);
    open_soon(path, options)
}

/// Opens a pipe when its other end is open, which is waited for.
fn open_soon(path: &Path, options: OpenOptions) -> io::Result<File> {
    let (sender, opened) = mpsc::channel();
    let path = path.to_owned();
    // The system waits without end: a pipe without anybody is left to the thread, which ends with the process.
    thread::Builder::new().spawn(move || sender.send(options.open(path)))?;
    opened.recv_timeout(PATIENCE).unwrap_or_else(|_| Err(OpenError::Alone.into()))
}

/// The text of a file; `None` where it has more bytes than `limit`, so that no file fills the memory, be it a device
/// without end.
///
/// # Errors
/// When the file cannot be read, or is not UTF-8.
pub(crate) fn read_text(path: &Path, limit: u64) -> io::Result<Option<String>> {
    let file = to_read(path)?;
    if file.metadata()?.len() > limit {
        return Ok(None);
    }
    let mut bytes = Vec::new();
    file.take(limit + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > limit {
        return Ok(None);
    }
    String::from_utf8(bytes).map(Some).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error.utf8_error()))
}
