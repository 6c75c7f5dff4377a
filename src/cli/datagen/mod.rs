//! `kurosabi datagen`: self-play games and what is done with them.

mod inspect;
mod play;

use std::path::PathBuf;

use clap::{Args, Subcommand};

use crate::cli::arguments::LanguageArg;
use crate::cli::failure::Result;
use crate::cli::records::files::naming;
use crate::datagen::{Game, GameReader};

/// Play games of the engine against itself, and show such games
///
/// エンジン同士の自己対局を行い、対局ファイルを表示します。評価関数を作る人のための道具です
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
}

pub(super) fn run(args: &DatagenArgs) -> Result {
    let language = args.lang.language();
    match &args.command {
        DatagenCommand::Play(args) => play::run(args, language),
        DatagenCommand::Count(args) => inspect::count(args, language),
        DatagenCommand::Verify(args) => inspect::verify(args, language),
        DatagenCommand::Dump(args) => inspect::dump(args),
    }
}

/// The games of files, one after another. All their moves are legal.
pub(super) fn games(files: &[PathBuf]) -> impl Iterator<Item = Result<Game>> + '_ {
    files.iter().flat_map(|file| {
        let (reader, error) = match GameReader::open(file) {
            Ok(reader) => (Some(reader), None),
            Err(error) => (None, Some(Err(error))),
        };
        reader.into_iter().flatten().chain(error).map(|game| game.map_err(|error| naming(file, error)))
    })
}
