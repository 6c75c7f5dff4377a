//! The file of `DebugLogFile`: what is said in both directions.

use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, Write};

/// Appends to a file, and never waits for it: a pipe that nobody reads must not hold up the engine.
pub(super) struct LogFile {
    name: String,
    file: File,
}

impl LogFile {
    /// Opens a file to append to, which is created when it is not there.
    ///
    /// # Errors
    /// Says why it cannot be written, as with a named pipe that nobody reads.
    pub(super) fn open(path: &str) -> io::Result<LogFile> {
        let mut options = File::options();
        options.create(true).append(true);
        #[cfg(unix)]
        {
            use std::os::unix::fs::OpenOptionsExt;
            options.custom_flags(rustix::fs::OFlags::NONBLOCK.bits() as i32);
        }
        Ok(LogFile { name: path.to_owned(), file: options.open(path)? })
    }

    /// The name of the file.
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// Writes lines, each behind a sign of its direction.
    pub(super) fn write(&mut self, direction: char, text: &str) -> io::Result<()> {
        let mut entry = String::new();
        for line in text.lines() {
            let _ = writeln!(entry, "{direction} {line}");
        }
        self.file.write_all(entry.as_bytes())
    }
}
