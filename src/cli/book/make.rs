//! `kurosabi book make`.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::BookOutput;
use crate::book::{BookTable, Cut};
use crate::cli::failure::{Failure, Result};
use crate::cli::records::inputs::{Input, Starts, for_each_record};
use crate::language::{Foreign, Language, counted, text};
use crate::types::{Color, Phrase};

/// Make a book from games: every move, with the number of games in which it was played
///
/// Games are KIF, KI2, CSA, JKF and USI records.
///
/// 対局から定跡を作成します。指されたすべての手と、その対局数を記録します
///
/// KIF、KI2、CSA、JKF、USIの棋譜を読み込みます。
#[derive(Debug, Args)]
pub(super) struct MakeArgs {
    /// Files of games, folders of records, patterns; - for standard input
    ///
    /// 対局のファイル、棋譜のフォルダ、またはパターン。- は標準入力
    #[arg(required = true)]
    games: Vec<OsString>,
    /// The book to write: .db or .db.gz
    ///
    /// 書き込む定跡: .db、.db.gz
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
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Side {
    Black,
    White,
    /// The side that won; games without a winner are left out.
    Winner,
}

pub(super) fn run(args: &MakeArgs, language: Language) -> Result {
    const READ: Phrase = Phrase::new("read", "読み込め");
    let output = BookOutput::new(&args.output)?;
    if let Some(name) = args.games.iter().find(|name| Input::named(name).is_empty()) {
        return Err(Failure::about(&Foreign(&name.to_string_lossy()), Input::MISSING));
    }
    let inputs: Vec<Input> = args.games.iter().flat_map(Input::named).collect();
    let (mut table, mut games) = (BookTable::default(), 0);
    let failures = for_each_record(&inputs, language, Starts::Allowed, |_, _, record| {
        let side = match (args.side, record.winner()) {
            (None, _) => None,
            (Some(Side::Black), _) => Some(Color::Black),
            (Some(Side::White), _) => Some(Color::White),
            (Some(Side::Winner), None) => return Ok(()),
            (Some(Side::Winner), winner) => winner,
        };
        if let Ok(start) = record.start() {
            table.add_game(start, &record.legal_moves(), args.max_ply, side);
            games += 1;
        }
        Ok(())
    })?;
    let of_games = counted(games, "game");
    super::write_line(&text!("{of_games}", "{games}局"), language)?;
    if games == 0 {
        failures.check(READ)?;
    }
    table.cut(&Cut { min_count: args.min_count, ..Cut::default() });
    output.save(&table, language)?;
    failures.check(READ)
}
