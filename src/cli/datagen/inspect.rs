//! `kurosabi datagen count`, `verify` and `dump`: what files of games hold.

use std::io::{BufWriter, Write};
use std::path::PathBuf;

use clap::Args;

use super::games;
use crate::cli::failure::{Failure, Result};
use crate::cli::records::files::naming;
use crate::cli::terminal::{Output, remark};
use crate::datagen::{GameReader, RecordError, Statistics};
use crate::language::{Language, Text, counted, text};

/// Count the games and positions of files, and show histograms of results, lengths and scores
///
/// ファイルの対局数と局面数を数え、結果、手数、評価値の分布を表示します
#[derive(Debug, Args)]
pub(super) struct CountArgs {
    /// Files of games
    ///
    /// 対局ファイル
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Also count the distinct positions (8 bytes of memory each)
    ///
    /// 異なる局面の数も数えます（1局面あたり8バイトのメモリを使用します）
    #[arg(long)]
    unique: bool,
}

pub(super) fn count(args: &CountArgs, language: Language) -> Result {
    let mut statistics = Statistics::default();
    let mut keys = Vec::new();
    // Games are counted while more are played: those of the block being written are left out, and it is said.
    let mut growing = Vec::new();
    for file in &args.files {
        for game in GameReader::open(file).map_err(|error| naming(file, error))? {
            let game = match game {
                Err(error @ RecordError::Locked) => {
                    growing.push(naming(file, error));
                    break;
                }
                game => game.map_err(|error| naming(file, error))?,
            };
            statistics.add(&game);
            if args.unique {
                game.replay(|position, _| keys.push(position.key()))?;
            }
        }
    }
    let mut out = Output::text();
    write!(out, "{}", language.say(&statistics))?;
    if args.unique {
        keys.sort_unstable();
        keys.dedup();
        let share = 100.0 * keys.len() as f64 / statistics.positions.max(1) as f64;
        let different = keys.len();
        let text = text!("different positions: {different} ({share:.1} %)", "異なる局面: {different}（{share:.1} %）");
        writeln!(out, "{}", language.say(&text))?;
    }
    out.flush()?;
    for failure in growing {
        let Text { en, ja } = failure.text();
        remark(&text!("{en}: its newest games are not counted", "{ja}。最新の対局は数えていません"), language);
    }
    Ok(())
}

/// Replay all games, and check that every move is legal and every result right
///
/// すべての対局を再現し、指し手が合法で結果が正しいことを確認します
#[derive(Debug, Args)]
pub(super) struct VerifyArgs {
    /// Files of games
    ///
    /// 対局ファイル
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
}

pub(super) fn verify(args: &VerifyArgs, language: Language) -> Result {
    for file in &args.files {
        let (mut games, mut positions) = (0, 0);
        for game in super::games(std::slice::from_ref(file)) {
            let game = game?;
            games += 1;
            game.verify()
                .map_err(|error| naming(file, Failure::about(&text!("game {games}", "{games}局目"), error)))?;
            positions += game.moves.len();
        }
        let [of_games, of_positions] = [counted(games, "game"), counted(positions, "position")];
        let sound = text!("{of_games}, {of_positions}, all sound", "{games}局、{positions}局面、問題はありません");
        writeln!(Output::text(), "{}: {}", file.display(), language.say(&sound))?;
    }
    Ok(())
}

/// Write games as lines: start and opening | moves with scores (90 = a pawn, mover's view) | result
///
/// 対局を1行ずつ書き出します: 開始局面と序盤の手 | 手と評価値（90が歩1枚、指した側から見た値） | 結果
#[derive(Debug, Args)]
pub(super) struct DumpArgs {
    /// Files of games
    ///
    /// 対局ファイル
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Skip this many games
    ///
    /// 初めのこの数の対局を飛ばします
    #[arg(long, default_value_t = 0)]
    skip: usize,
    /// At most this many games
    ///
    /// 書き出す対局の数の上限
    #[arg(long)]
    games: Option<usize>,
    /// Write a line for each position instead: SFEN, move, score, result for the side to move (1, 0.5 or 0)
    ///
    /// 代わりに1行に1局面を書き出します: SFEN、指し手、評価値、手番側から見た結果（1、0.5、0）
    #[arg(long)]
    positions: bool,
}

pub(super) fn dump(args: &DumpArgs) -> Result {
    let mut out = BufWriter::new(Output::data());
    for game in games(&args.files).skip(args.skip).take(args.games.unwrap_or(usize::MAX)) {
        let game = game?;
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
        replayed?;
    }
    Ok(out.flush()?)
}
