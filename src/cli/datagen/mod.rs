//! `kurosabi datagen`: self-play games and what is done with them.

mod exchange;
mod inspect;
mod manifest;
mod play;

use std::io;
use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};

use crate::datagen::{Game, GameReader, RecordError, SourceError, open_source};

/// Play games of the engine against itself, and show, shuffle, export or import such games
#[derive(Debug, Args)]
pub(super) struct DatagenArgs {
    #[command(subcommand)]
    command: DatagenCommand,
}

#[derive(Debug, Subcommand)]
enum DatagenCommand {
    Play(play::PlayArgs),
    Count(inspect::CountArgs),
    Verify(inspect::VerifyArgs),
    Dump(inspect::DumpArgs),
    Shuffle(exchange::ShuffleArgs),
    Export(exchange::ExportArgs),
    Import(exchange::ImportArgs),
    Manifest(manifest::ManifestArgs),
}

pub(super) fn run(args: &DatagenArgs) -> io::Result<()> {
    match &args.command {
        DatagenCommand::Play(args) => play::run(args),
        DatagenCommand::Count(args) => inspect::count(args),
        DatagenCommand::Verify(args) => inspect::verify(args),
        DatagenCommand::Dump(args) => inspect::dump(args),
        DatagenCommand::Shuffle(args) => exchange::shuffle(args),
        DatagenCommand::Export(args) => exchange::export(args),
        DatagenCommand::Import(args) => exchange::import(args),
        DatagenCommand::Manifest(args) => manifest::run(args),
    }
}

/// The games of several files, one after another. All their moves are legal.
fn games(files: &[PathBuf]) -> impl Iterator<Item = Result<Game, RecordError>> + '_ {
    files.iter().flat_map(|file| {
        let (reader, error) = match GameReader::open(file) {
            Ok(reader) => (Some(reader), None),
            Err(error) => (None, Some(Err(error))),
        };
        error.into_iter().chain(reader.into_iter().flatten())
    })
}

/// The games of several files, and single positions as games of one move, one after another. All their moves are legal.
fn games_or_positions(files: &[PathBuf]) -> impl Iterator<Item = Result<Game, SourceError>> + Send + '_ {
    files.iter().flat_map(|file| open_source(file).unwrap_or_else(|error| Box::new(std::iter::once(Err(error)))))
}

/// The error with the name of the file that cannot be written.
fn unwritable(path: &Path, error: io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{} cannot be written: {error}", path.display()))
}

/// Refuses to write over a file.
fn must_be_new(path: &Path) -> io::Result<()> {
    if path.exists() {
        let text = format!("{} exists; name a new file", path.display());
        return Err(io::Error::new(io::ErrorKind::AlreadyExists, text));
    }
    Ok(())
}
