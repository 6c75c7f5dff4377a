//! Files that commands write, and errors that name them.

use std::io::{self, Write};
use std::path::Path;

use crate::atomic_file;

/// An error that names its file.
pub(in crate::cli) fn naming(path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}

/// Writes a file, which is there whole or not at all.
pub(in crate::cli) fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let written: io::Result<()> = atomic_file::replace(path, |file| file.write_all(bytes));
    written.map_err(|error| naming(path, &error))
}

/// Sees to it that no file is emptied for the output before it is read.
///
/// # Errors
/// When the output is one of the inputs.
pub(in crate::cli) fn refuse_input_as_output<'a>(
    output: Option<&Path>,
    inputs: impl IntoIterator<Item = &'a Path>,
) -> io::Result<()> {
    // A device, such as a terminal, may be both.
    let Some(output) = output.filter(|output| output.is_file()) else { return Ok(()) };
    let path = output.canonicalize().map_err(|error| naming(output, &error))?;
    if inputs.into_iter().any(|input| input.canonicalize().is_ok_and(|input| input == path)) {
        return Err(io::Error::other(format!("{}: cannot be both input and output", output.display())));
    }
    Ok(())
}
