//! Self-play games: playing them, and keeping them in compact records.
//!
//! A record file ([`GameReader`], [`GameWriter`]) holds games; a training position is made from it by replaying.
//! Playing ([`Generation`]) is a function of the settings and the game's number alone, so that a run can be stopped at
//! any time and goes on where it was, and so that many machines can share the games between them.

mod game;
mod record;
mod selfplay;

pub use game::{Game, GameError, GameResult, ScoredMove, Statistics, Termination};
pub use record::{GameReader, GameWriter, RecordError, RecordHeader};
pub use selfplay::{Openings, OpeningsError, SelfPlaySettings};

use std::io::{self, Read};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard};

use rayon::prelude::*;
use selfplay::{PlayedGame, Player};
use sha2::{Digest, Sha256};

use crate::eval::Evaluation;
use crate::open_file;
use crate::search::search_pool;
use crate::threads::lock;

/// The commit that the program was built from, with a plus sign where changes had not been committed; `debug` in
/// test builds, `unknown` where git was not at hand.
pub const BUILD: &str = env!("KUROSABI_BUILD");

/// The SHA-256 of a file, in lower-case hexadecimal, as `sha256sum` prints it.
///
/// # Errors
/// When the file cannot be read, or is no regular file: what else is read a second time is another content.
pub fn file_sha256(path: &Path) -> io::Result<String> {
    let mut bytes = Vec::new();
    open_file::regular(path)?.read_to_end(&mut bytes)?;
    Ok(sha256(&bytes))
}

/// The SHA-256 of bytes, in lower-case hexadecimal.
pub fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

// Playing many games on all cores.

/// What to generate.
pub struct Generation<'a> {
    /// How games are played.
    pub settings: &'a SelfPlaySettings,
    /// Where they may start; its checksum is to be in the settings.
    pub openings: &'a Openings,
    /// What the players evaluate with.
    pub evaluation: &'a Evaluation,
    /// Who plays, for the file, and the number of its first game: files of different games of the same settings can be
    /// played anywhere. The settings are added to it.
    pub header: RecordHeader,
    /// Threads; 0 for one on each core.
    pub threads: usize,
    /// Positions that the file shall hold; `None` for as many as `games` have.
    pub positions: Option<u64>,
    /// Games that the file shall hold.
    pub games: Option<u64>,
}

/// How far a run is: what its file holds, and the work that this took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Games in the file, those of earlier runs included.
    pub games: u64,
    /// Positions in the file, those of earlier runs included.
    pub positions: u64,
    /// Nodes searched in this run.
    pub nodes: u64,
    /// Searches of this run.
    pub searches: u64,
}

/// Games each thread plays between two writes. Enough that waiting for the last one costs little.
const GAMES_PER_THREAD: u64 = 24;

/// The player of the present thread of the pool, which no other thread asks for.
fn own_player<'p, 'a>(players: &'p [Mutex<Player<'a>>]) -> MutexGuard<'p, Player<'a>> {
    let index = rayon::current_thread_index().unwrap_or(0);
    // A player that panicked is cleared before the next game.
    lock(&players[index])
}

impl Generation<'_> {
    /// Plays games and appends them to a file until it holds what is asked for or `stop` is set. A stop takes effect at
    /// once: unfinished games are played again in the next run. `seen` is called with every game of the file, those of
    /// earlier runs first, and the progress after it.
    ///
    /// Game *n* of a file depends on the settings and *n* alone, so neither the number of threads nor
    /// stopping and going on changes the file.
    ///
    /// # Errors
    /// When the file cannot be written, or holds other games.
    pub fn run(
        &self,
        path: &Path,
        stop: &AtomicBool,
        mut seen: impl FnMut(&Game, &Progress),
    ) -> Result<Progress, RecordError> {
        let header = RecordHeader { settings: Some(self.settings.clone()), ..self.header.clone() };
        let pool = search_pool(self.threads)?;
        let player = |_| Player::new(self.settings, self.openings, self.evaluation).map(Mutex::new);
        let players: Vec<_> = (0..pool.current_num_threads()).map(player).collect::<Result<_, _>>()?;
        let mut progress = Progress::default();
        let mut note = |game: &Game, nodes: u64, searches: u64| {
            progress.games += 1;
            progress.positions += game.moves.len() as u64;
            progress.nodes += nodes;
            progress.searches += searches;
            seen(game, &progress);
            progress
        };
        let mut so_far = Progress::default();
        let mut writer = GameWriter::resume(path, &header, |game| so_far = note(game, 0, 0))?;
        while !self.is_done(&so_far) && !stop.load(Ordering::Relaxed) {
            let first = writer.games;
            let batch = GAMES_PER_THREAD * pool.current_num_threads() as u64;
            let last = first.saturating_add(batch).min(self.games.unwrap_or(u64::MAX));
            let played: Vec<Option<PlayedGame>> = pool.install(|| {
                let numbers = (0..(last - first) as usize).into_par_iter().with_max_len(1);
                let number = |index: usize| header.first_game.wrapping_add(first + index as u64);
                numbers.map(|index| own_player(&players).play(number(index), stop)).collect()
            });
            // Of the games that a stop leaves unfinished, the first one ends the file.
            for PlayedGame { game, nodes, searches } in played.iter().map_while(Option::as_ref) {
                if self.is_done(&so_far) {
                    break;
                }
                writer.write(game)?;
                so_far = note(game, *nodes, *searches);
            }
            writer.flush()?;
        }
        Ok(so_far)
    }

    fn is_done(&self, progress: &Progress) -> bool {
        self.positions.is_some_and(|positions| progress.positions >= positions)
            || self.games.is_some_and(|games| progress.games >= games)
    }
}
