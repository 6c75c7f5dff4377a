//! `kurosabi datagen`: self-play games and what is done with them.

mod exchange;
mod inspect;
mod play;

use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};

use crate::cli::arguments::LanguageArg;
use crate::cli::failure::Result;
use crate::cli::records::files::naming;
use crate::datagen::{Game, GameReader, RecordError, SourceError, open_source};
use crate::language::text;

/// Play games of the engine against itself, and show, shuffle, export or import such games
#[derive(Debug, Args)]
pub(super) struct DatagenArgs {
    #[command(flatten)]
    lang: LanguageArg,
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
    Manifest(inspect::ManifestArgs),
}

pub(super) fn run(args: &DatagenArgs) -> Result {
    let language = args.lang.language();
    match &args.command {
        DatagenCommand::Play(args) => play::run(args, language),
        DatagenCommand::Count(args) => inspect::count(args, language),
        DatagenCommand::Verify(args) => inspect::verify(args, language),
        DatagenCommand::Dump(args) => inspect::dump(args),
        DatagenCommand::Shuffle(args) => exchange::shuffle(args, language),
        DatagenCommand::Export(args) => exchange::export(args, language),
        DatagenCommand::Import(args) => exchange::import(args, language),
        DatagenCommand::Manifest(args) => inspect::manifest(args, language),
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

/// Refuses to write over a file.
fn must_be_new(path: &Path) -> Result {
    if path.exists() {
        let exists = text!("it exists; name a new file", "すでに存在します。新しいファイルを指定してください");
        return Err(naming(path, exists));
    }
    Ok(())
}
