//! `kurosabi book make`.

use std::ffi::OsString;
use std::fs::File;
use std::io::{Cursor, Read};
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use indicatif::ProgressBar;

use super::BookOutput;
use crate::book::{BookTable, Cut, GameChoice, MeanScores};
use crate::cli::failure::{Failure, Result};
use crate::cli::records::inputs::Input;
use crate::cli::terminal::{progress, remark};
use crate::datagen::{GameReader, GameResult, MAGIC};
use crate::language::{Foreign, Language, Text, counted, text};
use crate::open_file;
use crate::position::Position;
use crate::records::{ReadError, Records};
use crate::types::{Color, Move, Phrase};

/// Make a book from games: every move, with the number of games in which it was played
///
/// Games are KIF, KI2, CSA, JKF and USI records, and the files of `kurosabi datagen play`.
///
/// 対局から定跡を作成します。指されたすべての手と、その対局数を記録します
///
/// KIF、KI2、CSA、JKF、USIの棋譜と、`kurosabi datagen play`のファイルを読み込みます。
#[derive(Debug, Args)]
pub(super) struct MakeArgs {
    /// Files of games, folders of records, patterns; - for standard input
    ///
    /// 対局のファイル、棋譜のフォルダ、またはパターン。- は標準入力
    #[arg(required = true)]
    games: Vec<OsString>,
    /// The book to write: .db, .db.gz, .ybb, .bin or .sbk
    ///
    /// 書き込む定跡: .db、.db.gz、.ybb、.bin、.sbk
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// Take this many moves of each game
    ///
    /// 各対局から使う手数
    #[arg(long, value_name = "N", default_value_t = 40)]
    max_ply: usize,
    /// Leave out moves that were played less often than this
    ///
    /// 指された回数がこれより少ない手を省きます
    #[arg(long, value_name = "N", default_value_t = 1)]
    min_count: u64,
    /// Take only the moves of one side
    ///
    /// 片方の手だけを使います
    ///
    /// winner: 勝った側。勝者のない対局は省きます
    #[arg(long, value_enum)]
    side: Option<Side>,
    /// Give moves the mean of the scores that files of `datagen play` have for them
    ///
    /// `datagen play`のファイルにある評価値の平均を手に付けます
    #[arg(long)]
    scores: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Side {
    Black,
    White,
    /// The side that won; games without a winner are left out.
    Winner,
}

pub(super) fn run(args: &MakeArgs, language: Language) -> Result {
    let output = BookOutput::new(&args.output)?;
    let (inputs, missing) = Input::all(&args.games);
    if let Some(name) = missing.first() {
        return Err(Failure::about(&Foreign(name), Input::MISSING));
    }
    let bar = progress(Phrase::new("games", "局"), None, false, language);
    let mut making =
        Making { args, table: BookTable::default(), scores: MeanScores::default(), games: 0, unread: 0, bar, language };
    for input in &inputs {
        if let Err(error) = making.read(input) {
            making.note_unread(error.text());
        }
    }
    making.bar.finish_and_clear();
    let (games, of_games) = (making.games, counted(making.games as usize, "game"));
    super::write_line(&text!("{of_games}", "{games}局"), language)?;
    if making.games == 0 && making.unread > 0 {
        Err(text!(
            "no game could be read: no book was written",
            "棋譜を読み込めなかったため、定跡を書き込みませんでした"
        ))?;
    }
    making.table.set_means(&making.scores);
    making.table.cut(&Cut { min_count: args.min_count, ..Cut::default() });
    output.save(&making.table, language)?;
    match making.unread {
        0 => Ok(()),
        unread => Err(text!(
            "games or files that could not be read, so that the book is without them: {unread}",
            "{unread}件の対局またはファイルを読み込めませんでした。定跡には含まれていません"
        ))?,
    }
}

struct Making<'a> {
    args: &'a MakeArgs,
    table: BookTable,
    scores: MeanScores,
    games: u64,
    /// Games and files that could not be read.
    unread: u64,
    bar: ProgressBar,
    language: Language,
}

impl Making<'_> {
    fn read(&mut self, input: &Input) -> Result {
        match input {
            Input::Stdin => self.read_records(input, input.records()),
            Input::File(path) => {
                let naming = |error| Failure::about(input, error);
                let mut file = open_file::to_read(path).map_err(naming)?;
                // Opened once: a pipe gives what it holds only once.
                let mut start = Vec::new();
                (&mut file).take(MAGIC.len() as u64).read_to_end(&mut start).map_err(naming)?;
                if start == MAGIC {
                    self.read_games(input, &start, file)
                } else {
                    self.read_records(input, Records::open(Cursor::new(start).chain(file)))
                }
            }
        }
    }

    fn read_games(&mut self, input: &Input, start: &[u8], file: File) -> Result {
        let naming = |error| Failure::about(input, error);
        for game in GameReader::continued(start, file).map_err(naming)? {
            let game = game.map_err(naming)?;
            let winner = match game.result {
                GameResult::Win(color) => Some(color),
                GameResult::Draw => None,
            };
            let Some(choice) = self.choice(winner) else { continue };
            let moves = game.opening.iter().copied().chain(game.moves.iter().map(|scored| scored.mv));
            self.add(&game.start_position(), &moves.collect::<Vec<Move>>(), &choice);
            if self.args.scores {
                self.scores.add_game(&game, &choice);
            }
        }
        Ok(())
    }

    fn read_records(&mut self, input: &Input, records: Result<Records, ReadError>) -> Result {
        for record in records.map_err(|error| Failure::about(input, error))? {
            match record {
                Ok(record) => {
                    let damage = record.start().err().or(record.cut());
                    damage.into_iter().for_each(|error| self.note_unread(&Text::about(input, error)));
                    if let (Ok(start), Some(choice)) = (record.start(), self.choice(record.winner())) {
                        self.add(start, &record.legal_moves(), &choice);
                    }
                }
                Err(error) => self.note_unread(&Text::about(input, &error)),
            }
        }
        Ok(())
    }

    fn note_unread(&mut self, error: &Text) {
        self.unread += 1;
        self.bar.suspend(|| remark(error, self.language));
    }

    /// Which moves of a game with this winner to take; `None` where the whole game is left.
    fn choice(&self, winner: Option<Color>) -> Option<GameChoice> {
        let side = match self.args.side {
            None => None,
            Some(Side::Black) => Some(Color::Black),
            Some(Side::White) => Some(Color::White),
            Some(Side::Winner) => Some(winner?),
        };
        Some(GameChoice { max_ply: self.args.max_ply, side })
    }

    fn add(&mut self, start: &Position, moves: &[Move], choice: &GameChoice) {
        self.table.add_game(start, moves, choice);
        self.games += 1;
        self.bar.inc(1);
    }
}
