//! `kurosabi datagen planes`.

use std::io::{self, BufWriter, Write};
use std::path::PathBuf;

use clap::Args;
use rayon::ThreadPoolBuilder;
use rayon::prelude::*;

use super::play::parse_share;
use super::{create_new, games_or_positions};
use crate::cli::ranges::threads_or_all;
use crate::datagen::planes::{RECORD_BYTES, RecordMaker, Records};
use crate::datagen::{Game, GameError, SourceError};
use crate::eval::Evaluation;
use crate::eval::nnue::NnueEvaluator;

/// Write all positions as records of 512 bytes, from which convolutional networks make their input planes
///
/// A record has the board, the hands and who attacks which square, all from the side to move's view, the game's
/// result, a static evaluation, the score and the move. `datagen export` writes the same positions in the same order.
#[derive(Debug, Args)]
pub(super) struct PlanesArgs {
    /// Files of games, or of 40-byte positions (.psv, .bin)
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// The new file
    #[arg(long, short)]
    output: PathBuf,
    /// What evaluates the positions: a network file, `material`, or the built-in network when not given
    #[arg(long, default_value = "")]
    eval: String,
    /// TD(λ): weight of the later searches of a game in a position's score
    #[arg(long, default_value_t = 0.75, value_parser = parse_share)]
    lambda: f64,
    /// Threads; 0 for one on each core
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = threads_or_all())]
    threads: usize,
}

/// Positions that each thread takes between two writes, about.
const POSITIONS_PER_THREAD: usize = 1024;
/// Positions that a thread takes at once, about.
const POSITIONS_AT_ONCE: usize = 128;

/// Games that are made into records one after another.
type Chunk = Vec<Game>;

pub(super) fn run(args: &PlanesArgs) -> io::Result<()> {
    let evaluation = Evaluation::named(&args.eval, NnueEvaluator::DEFAULT_FV_SCALE).map_err(io::Error::other)?;
    let pool = ThreadPoolBuilder::new().num_threads(args.threads).build().map_err(io::Error::other)?;
    let chunks = pool.current_num_threads() * POSITIONS_PER_THREAD / POSITIONS_AT_ONCE;
    let mut source = games_or_positions(&args.files);
    let mut read = || (0..chunks).map_while(|_| next_chunk(&mut source).transpose()).collect::<Result<Vec<_>, _>>();
    let mut batch = read().map_err(io::Error::other)?; // before a file is made
    let mut out = BufWriter::with_capacity(1 << 20, create_new(&args.output)?);
    let (mut positions, mut refused) = (0, 0);
    while !batch.is_empty() {
        let (made, next) = pool.install(|| rayon::join(|| records(&batch, &evaluation, args.lambda as f32), &mut read));
        for of_chunk in made.map_err(io::Error::other)? {
            out.write_all(&of_chunk.bytes)?;
            positions += of_chunk.bytes.len() / RECORD_BYTES;
            refused += of_chunk.refused;
        }
        batch = next.map_err(io::Error::other)?;
    }
    out.flush()?;
    let note = if refused > 0 { format!(" ({refused} with pieces missing left out)") } else { String::new() };
    writeln!(io::stdout(), "{positions} positions{note}")
}

/// The next games, of so many positions; `None` where there are no more.
fn next_chunk(source: &mut impl Iterator<Item = Result<Game, SourceError>>) -> Result<Option<Chunk>, SourceError> {
    let (mut chunk, mut positions) = (Chunk::new(), 0);
    while positions < POSITIONS_AT_ONCE
        && let Some(game) = source.next().transpose()?
    {
        positions += game.moves.len().max(1);
        chunk.push(game);
    }
    Ok((!chunk.is_empty()).then_some(chunk))
}

/// The records of each chunk of games.
fn records(chunks: &[Chunk], evaluation: &Evaluation, lambda: f32) -> Result<Vec<Records>, GameError> {
    let maker = || RecordMaker::new(evaluation, lambda);
    let make = |maker: &mut RecordMaker, chunk: &Chunk| {
        let mut records = Records::default();
        chunk.iter().try_for_each(|game| maker.append(game, &mut records))?;
        Ok(records)
    };
    chunks.par_iter().map_init(maker, make).collect()
}
