//! `kurosabi book make`.

use std::collections::HashMap;
use std::io::{self, Write};
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use indicatif::ProgressBar;

use crate::book::{BookMove, BookTable, Cut, GameChoice};
use crate::cli::records::inputs::Input;
use crate::datagen::{Game, GameReader, GameResult, RecordError, ScoredMove};
use crate::position::Position;
use crate::types::{Color, Move, Outcome};

/// Make a book from games: every move with the number of games in which it was played
///
/// Games are KIF, KI2, CSA, JKF and USI records, and the files of `kurosabi datagen play`.
#[derive(Debug, Args)]
pub(super) struct MakeArgs {
    /// Files of games, folders of records, patterns; - for standard input
    #[arg(required = true)]
    games: Vec<String>,
    /// The book to write: .db, .db.gz, .ybb or .bin
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// Take so many moves of each game
    #[arg(long, value_name = "N", default_value_t = 40)]
    max_ply: usize,
    /// Leave moves that were played less often
    #[arg(long, value_name = "N", default_value_t = 1)]
    min_count: u64,
    /// Take only the moves of one side
    #[arg(long, value_enum)]
    side: Option<Side>,
    /// Give the moves of `datagen` files the mean of the scores with which they were played
    #[arg(long)]
    scores: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Side {
    Black,
    White,
    /// Whoever won; games without a winner are left.
    Winner,
}

pub(super) fn run(args: &MakeArgs) -> io::Result<()> {
    super::format_of(&args.output)?;
    let (inputs, missing) = Input::all(&args.games);
    if let Some(name) = missing.first() {
        return Err(io::Error::new(io::ErrorKind::NotFound, format!("{name}: there is no such file")));
    }
    let bar = super::progress("games", None);
    let mut making = Making { args, table: BookTable::default(), scores: MeanScores::default(), games: 0, bar };
    for input in &inputs {
        making.read(input)?;
    }
    making.bar.finish_and_clear();
    writeln!(io::stdout(), "{} games", making.games)?;
    making.scores.put_into(&mut making.table);
    making.table.cut(&Cut { min_count: args.min_count, ..Cut::default() });
    super::save(&making.table, &args.output)
}

struct Making<'a> {
    args: &'a MakeArgs,
    table: BookTable,
    scores: MeanScores,
    games: u64,
    bar: ProgressBar,
}

impl Making<'_> {
    fn read(&mut self, input: &Input) -> io::Result<()> {
        if let Input::File(path) = input {
            match GameReader::open(path) {
                Err(RecordError::Foreign { .. }) => {}
                reader => {
                    for game in reader.map_err(io::Error::other)? {
                        let game = game.map_err(io::Error::other)?;
                        let winner = match game.result {
                            GameResult::Win(color) => Some(color),
                            GameResult::Draw => None,
                        };
                        let moves = game.opening.iter().copied().chain(game.moves.iter().map(|scored| scored.mv));
                        self.add(&game.start_position(), &moves.collect::<Vec<Move>>(), winner);
                        if self.args.scores {
                            self.scores.add(&game, self.args.max_ply);
                        }
                    }
                    return Ok(());
                }
            }
        }
        let records = input.records().map_err(|error| io::Error::other(format!("{}: {error}", input.name())))?;
        for record in records {
            match record {
                Ok(record) => self.add(record.start(), &record.legal_moves(), record.winner()),
                Err(error) => self.bar.suspend(|| writeln!(io::stderr(), "{}: {error}", input.name()))?,
            }
        }
        Ok(())
    }

    fn add(&mut self, start: &Position, moves: &[Move], winner: Option<Color>) {
        let side = match self.args.side {
            None => None,
            Some(Side::Black) => Some(Color::Black),
            Some(Side::White) => Some(Color::White),
            Some(Side::Winner) if winner.is_none() => return,
            Some(Side::Winner) => winner,
        };
        self.table.add_game(start, moves, &GameChoice { max_ply: self.args.max_ply, side });
        self.games += 1;
        self.bar.inc(1);
    }
}

/// The scores with which moves were played, in centipawns: their total and number by position (an SFEN without
/// move number).
#[derive(Default)]
struct MeanScores(HashMap<String, HashMap<Move, (i64, i64)>>);

impl MeanScores {
    /// Takes in a game's scores up to a number of plies; mates are left out.
    fn add(&mut self, game: &Game, max_ply: usize) {
        let mut position = game.start_position();
        for &mv in &game.opening {
            position.do_move(mv);
        }
        for &ScoredMove { mv, score } in game.moves.iter().take(max_ply.saturating_sub(game.opening.len())) {
            if let Outcome::Centipawns(score) = score.outcome() {
                let sfen = position.to_sfen();
                let board = sfen.rsplit_once(' ').map_or(sfen.as_str(), |(board, _ply)| board);
                let (total, count) = self.0.entry(board.to_owned()).or_default().entry(mv).or_default();
                *total += i64::from(score);
                *count += 1;
            }
            position.do_move(mv);
        }
    }

    /// Gives the moves that the book has their means.
    fn put_into(&self, table: &mut BookTable) {
        for (sfen, totals) in &self.0 {
            let Ok(position) = Position::from_sfen(sfen) else { continue };
            let Some(entry) = table.get(&position) else { continue };
            let scored = entry.moves.iter().filter_map(|book_move| {
                let (total, count) = totals.get(&book_move.mv)?;
                Some(BookMove { score: i32::try_from(total / count).ok()?, ..*book_move })
            });
            let scored: Vec<BookMove> = scored.collect();
            table.set_scores(&position, &scored);
        }
    }
}
