//! `kurosabi datagen count`, `verify` and `dump`.

use std::io::{self, Write};
use std::path::PathBuf;

use clap::Args;

use super::games;
use crate::cli::terminal::{Output, write_error};
use crate::datagen::statistics::Statistics;
use crate::datagen::{GameReader, RecordError};

/// Count the games and positions of files, and show histograms of results, lengths and scores
#[derive(Debug, Args)]
pub(super) struct CountArgs {
    /// Files of games
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Also count the distinct positions (8 bytes of memory each)
    #[arg(long)]
    unique: bool,
}

pub(super) fn count(args: &CountArgs) -> io::Result<()> {
    let mut statistics = Statistics::default();
    let mut keys = Vec::new();
    // Games are counted while more are played: those of the block being written are left out, and it is said.
    let mut growing = Vec::new();
    for game in games(&args.files) {
        let game = match game {
            Err(error @ RecordError::Locked { .. }) => {
                growing.push(error);
                continue;
            }
            game => game.map_err(io::Error::other)?,
        };
        statistics.add(&game);
        if args.unique {
            game.replay(|position, _| keys.push(position.key())).map_err(io::Error::other)?;
        }
    }
    let mut out = Output::text();
    write!(out, "{statistics}")?;
    if args.unique {
        keys.sort_unstable();
        keys.dedup();
        let share = 100.0 * keys.len() as f64 / statistics.positions.max(1) as f64;
        writeln!(out, "different positions: {} ({share:.1} %)", keys.len())?;
    }
    out.flush()?;
    growing.iter().for_each(|error| write_error(&format!("{error}: its newest games are not counted\n")));
    Ok(())
}

/// Replay all games, and check that every move is legal and every result right
#[derive(Debug, Args)]
pub(super) struct VerifyArgs {
    /// Files of games
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
}

pub(super) fn verify(args: &VerifyArgs) -> io::Result<()> {
    for file in &args.files {
        let mut reader = GameReader::open(file).map_err(io::Error::other)?;
        let mut positions = 0;
        while let Some(game) = reader.next() {
            let game = game.map_err(io::Error::other)?;
            let number = reader.games();
            game.verify().map_err(|error| io::Error::other(format!("{}: game {number}: {error}", file.display())))?;
            positions += game.moves.len();
        }
        writeln!(Output::text(), "{}: {} games, {positions} positions, all sound", file.display(), reader.games())?;
    }
    Ok(())
}

/// Write games as lines: start and opening | moves with scores (90 = a pawn, mover's view) | result
#[derive(Debug, Args)]
pub(super) struct DumpArgs {
    /// Files of games
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Skip this many games
    #[arg(long, default_value_t = 0)]
    skip: usize,
    /// At most this many games
    #[arg(long)]
    games: Option<usize>,
    /// Write a line for each position instead: SFEN, move, score, result for the side to move (1, 0.5 or 0)
    #[arg(long)]
    positions: bool,
}

pub(super) fn dump(args: &DumpArgs) -> io::Result<()> {
    let mut out = io::BufWriter::new(Output::data());
    for game in games(&args.files).skip(args.skip).take(args.games.unwrap_or(usize::MAX)) {
        let game = game.map_err(io::Error::other)?;
        if !args.positions {
            writeln!(out, "{game}")?;
            continue;
        }
        let mut written = Ok(());
        let replayed = game.replay(|position, scored| {
            let points = game.result.points(position.side_to_move());
            let (sfen, score) = (position.to_sfen(), scored.score.value());
            if written.is_ok() {
                written = writeln!(out, "{sfen}\t{}\t{score}\t{points}", scored.mv);
            }
        });
        written?;
        replayed.map_err(io::Error::other)?;
    }
    out.flush()
}
