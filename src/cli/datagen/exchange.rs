//! `kurosabi datagen shuffle`, `export` and `import`.

use std::fs::File;
use std::io::{self, BufReader, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use rand::SeedableRng;
use rand::rngs::StdRng;
use rand::seq::SliceRandom;

use super::{games, games_or_positions, must_be_new, unwritable};
use crate::atomic_file::AtomicFile;
use crate::cli::terminal::Output;
use crate::datagen::psv::{Psv, PsvReader};
use crate::datagen::{Game, GameWriter, Header};

/// Put the games of files into one file in random order
#[derive(Debug, Args)]
pub(super) struct ShuffleArgs {
    /// Files of games
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// The new file
    #[arg(long, short)]
    output: PathBuf,
    /// Seed of the order
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

pub(super) fn shuffle(args: &ShuffleArgs) -> io::Result<()> {
    must_be_new(&args.output)?;
    let mut all = games(&args.files).collect::<Result<Vec<Game>, _>>().map_err(io::Error::other)?;
    all.shuffle(&mut StdRng::seed_from_u64(args.seed));
    let names: Vec<_> = args.files.iter().map(|file| file.display().to_string()).collect();
    let header = Header::mixed(&format!("shuffled from {}", names.join(", ")));
    write_games(&args.output, &header, |writer| {
        all.iter().try_for_each(|game| writer.write(game)).map_err(io::Error::other)
    })?;
    writeln!(Output::text(), "{} games", all.len())
}

/// Writes a new file of games, which has its name once it is whole: whatever fails, nothing is left.
fn write_games<T>(path: &Path, header: &Header, write: impl FnOnce(&mut GameWriter) -> io::Result<T>) -> io::Result<T> {
    let file = AtomicFile::create(path).map_err(|error| unwritable(path, error))?;
    let mut writer = GameWriter::over(file.handle()?, path, header).map_err(io::Error::other)?;
    let written = write(&mut writer)?;
    writer.flush().map_err(io::Error::other)?;
    // Windows renames no open file.
    drop(writer);
    file.commit().map_err(|error| unwritable(path, error))?;
    Ok(written)
}

/// Write all positions in the 40-byte format of other shogi trainers (PackedSfenValue)
#[derive(Debug, Args)]
pub(super) struct ExportArgs {
    /// Files of games, or of 40-byte positions (.psv, .bin)
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// The new file
    #[arg(long, short)]
    output: PathBuf,
    /// Shuffle the positions with this seed (40 bytes of memory each)
    #[arg(long)]
    shuffle: Option<u64>,
}

pub(super) fn export(args: &ExportArgs) -> io::Result<()> {
    must_be_new(&args.output)?;
    let mut out = AtomicFile::create(&args.output).map_err(|error| unwritable(&args.output, error))?;
    let (positions, refused) = write_positions(args, &mut out)?;
    out.commit()?;
    let note = if refused > 0 { format!(" ({refused} with pieces missing left out)") } else { String::new() };
    writeln!(Output::text(), "{positions} positions{note}")
}

/// Writes the positions; how many, and how many the format has no room for.
fn write_positions(args: &ExportArgs, out: &mut impl Write) -> io::Result<(u64, u64)> {
    let (mut positions, mut refused) = (0, 0);
    let mut kept = Vec::new();
    for game in games_or_positions(&args.files) {
        let game = game.map_err(io::Error::other)?;
        let mut written = Ok(());
        let replayed = game.replay(|position, scored| {
            match Psv::new(position, scored, game.result) {
                Ok(psv) if args.shuffle.is_some() => kept.push(psv),
                Ok(psv) if written.is_ok() => written = out.write_all(&psv.to_bytes()),
                Ok(_) => {}
                Err(_) => {
                    refused += 1;
                    return;
                }
            }
            positions += 1;
        });
        written?;
        replayed.map_err(io::Error::other)?;
    }
    if let Some(seed) = args.shuffle {
        kept.shuffle(&mut StdRng::seed_from_u64(seed));
        kept.iter().try_for_each(|psv| out.write_all(&psv.to_bytes()))?;
    }
    Ok((positions, refused))
}

/// Convert positions in the 40-byte format of other shogi trainers to a file of games
///
/// Positions that follow from each other by the moves played become one game, every other position a game of one move.
#[derive(Debug, Args)]
pub(super) struct ImportArgs {
    /// Files of 40-byte positions
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// The new file
    #[arg(long, short)]
    output: PathBuf,
    /// Leave out positions that are not legal instead of stopping at them
    #[arg(long)]
    skip_bad: bool,
}

pub(super) fn import(args: &ImportArgs) -> io::Result<()> {
    must_be_new(&args.output)?;
    let names: Vec<_> = args.files.iter().map(|file| file.display().to_string()).collect();
    let header = Header::mixed(&format!("imported from {}", names.join(", ")));
    let (positions, skipped, games) = write_games(&args.output, &header, |writer| {
        let (positions, skipped) = import_files(args, writer)?;
        Ok((positions, skipped, writer.games()))
    })?;
    let note = if skipped > 0 { format!(", {skipped} bad ones left out") } else { String::new() };
    writeln!(Output::text(), "{positions} positions in {games} games{note}")
}

/// Writes the games that the positions make up; how many positions were taken, and how many were bad.
fn import_files(args: &ImportArgs, writer: &mut GameWriter) -> io::Result<(u64, u64)> {
    let (mut positions, mut skipped) = (0, 0);
    for file in &args.files {
        let name = |error: String| io::Error::other(format!("{}: {error}", file.display()));
        let input = File::open(file).map_err(|error| name(error.to_string()))?;
        let mut joined: Option<Game> = None;
        for (index, psv) in PsvReader::new(BufReader::with_capacity(1 << 20, input)).enumerate() {
            let psv = psv.map_err(|error| name(error.to_string()))?;
            let next = match psv.to_game(index as u64 + 1) {
                Ok(game) => game,
                Err(_) if args.skip_bad => {
                    skipped += 1;
                    continue;
                }
                Err(error) => return Err(name(error.to_string())),
            };
            positions += 1;
            match joined.as_mut().filter(|game| game.continues_with(&next)) {
                Some(game) => game.moves.extend(next.moves),
                None => {
                    if let Some(game) = joined.replace(next) {
                        writer.write(&game).map_err(io::Error::other)?;
                    }
                }
            }
        }
        if let Some(game) = joined {
            writer.write(&game).map_err(io::Error::other)?;
        }
    }
    Ok((positions, skipped))
}
