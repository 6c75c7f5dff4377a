//! `kurosabi datagen shuffle`, `export` and `import`.

use std::io::{BufReader, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use rand::SeedableRng;
use rand::rngs::StdRng;
use rand::seq::SliceRandom;

use super::{games, games_or_positions, must_be_new};
use crate::atomic_file::AtomicFile;
use crate::cli::failure::Result;
use crate::cli::records::files::naming;
use crate::cli::terminal::Output;
use crate::datagen::psv::{Psv, PsvReader};
use crate::datagen::{Game, GameWriter, RecordHeader};
use crate::language::{Language, counted, text};
use crate::open_file;

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

pub(super) fn shuffle(args: &ShuffleArgs, language: Language) -> Result {
    must_be_new(&args.output)?;
    let mut all = games(&args.files).collect::<Result<Vec<Game>, _>>()?;
    all.shuffle(&mut StdRng::seed_from_u64(args.seed));
    let names: Vec<_> = args.files.iter().map(|file| file.display().to_string()).collect();
    let header = RecordHeader::mixed(&format!("shuffled from {}", names.join(", ")));
    write_games(&args.output, &header, |writer| Ok(all.iter().try_for_each(|game| writer.write(game))?))?;
    let (games, counted) = (all.len(), counted(all.len(), "game"));
    Ok(writeln!(Output::text(), "{}", language.say(&text!("{counted}", "{games}局")))?)
}

/// Writes a new file of games, which has its name once it is whole: a failure leaves nothing.
fn write_games<T>(path: &Path, header: &RecordHeader, write: impl FnOnce(&mut GameWriter) -> Result<T>) -> Result<T> {
    let file = AtomicFile::create(path).map_err(|error| naming(path, error))?;
    let mut writer = GameWriter::over(file.handle()?, path, header)?;
    let written = write(&mut writer)?;
    writer.flush()?;
    // Windows renames no open file.
    drop(writer);
    file.commit().map_err(|error| naming(path, error))?;
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

pub(super) fn export(args: &ExportArgs, language: Language) -> Result {
    must_be_new(&args.output)?;
    let mut out = AtomicFile::create(&args.output).map_err(|error| naming(&args.output, error))?;
    let (positions, refused) = write_positions(args, &mut out)?;
    out.commit().map_err(|error| naming(&args.output, error))?;
    let counted = counted(positions as usize, "position");
    let written = text!("{counted}", "{positions}局面");
    let left_out = text!(" ({refused} with pieces missing left out)", "（駒が足りない{refused}局面は省きました）");
    let note = if refused > 0 { language.say(&left_out) } else { String::new() };
    Ok(writeln!(Output::text(), "{}{note}", language.say(&written))?)
}

/// Writes the positions; how many, and how many the format has no room for.
fn write_positions(args: &ExportArgs, out: &mut impl Write) -> Result<(u64, u64)> {
    let (mut positions, mut refused) = (0, 0);
    let mut kept = Vec::new();
    for game in games_or_positions(&args.files) {
        let game = game?;
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
        written.map_err(|error| naming(&args.output, error))?;
        replayed?;
    }
    if let Some(seed) = args.shuffle {
        kept.shuffle(&mut StdRng::seed_from_u64(seed));
        let written = kept.iter().try_for_each(|psv| out.write_all(&psv.to_bytes()));
        written.map_err(|error| naming(&args.output, error))?;
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

pub(super) fn import(args: &ImportArgs, language: Language) -> Result {
    must_be_new(&args.output)?;
    let names: Vec<_> = args.files.iter().map(|file| file.display().to_string()).collect();
    let header = RecordHeader::mixed(&format!("imported from {}", names.join(", ")));
    let (positions, skipped, games) = write_games(&args.output, &header, |writer| {
        let (positions, skipped) = import_files(args, writer)?;
        Ok((positions, skipped, writer.games()))
    })?;
    let [of_positions, of_games] = [counted(positions as usize, "position"), counted(games as usize, "game")];
    let read = text!("{of_positions} in {of_games}", "{positions}局面、{games}局");
    let left_out = text!(", {skipped} bad ones left out", "（正しくない{skipped}局面は省きました）");
    let note = if skipped > 0 { language.say(&left_out) } else { String::new() };
    Ok(writeln!(Output::text(), "{}{note}", language.say(&read))?)
}

/// Writes the games that the positions make up; how many positions were taken, and how many were bad.
fn import_files(args: &ImportArgs, writer: &mut GameWriter) -> Result<(u64, u64)> {
    let (mut positions, mut skipped) = (0, 0);
    for file in &args.files {
        let input = open_file::to_read(file).map_err(|error| naming(file, error))?;
        let mut joined: Option<Game> = None;
        for (index, psv) in PsvReader::new(BufReader::with_capacity(1 << 20, input)).enumerate() {
            let psv = psv.map_err(|error| naming(file, error))?;
            let next = match psv.to_game(index as u64 + 1) {
                Ok(game) => game,
                Err(_) if args.skip_bad => {
                    skipped += 1;
                    continue;
                }
                Err(error) => return Err(naming(file, error)),
            };
            positions += 1;
            match joined.as_mut().filter(|game| game.continues_with(&next)) {
                Some(game) => game.moves.extend(next.moves),
                None => {
                    if let Some(game) = joined.replace(next) {
                        writer.write(&game)?;
                    }
                }
            }
        }
        if let Some(game) = joined {
            writer.write(&game)?;
        }
    }
    Ok((positions, skipped))
}
