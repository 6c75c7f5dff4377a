//! `kurosabi perft`.

use std::io::Write;
use std::time::Instant;

use clap::Args;

use crate::cli::arguments::{number, threads_or_all};
use crate::cli::failure::Result;
use crate::cli::terminal::{Output, output_language};
use crate::engine::{MAX_PERFT_DEPTH, perft_divide, perft_total};
use crate::language::{Text, text};
use crate::position::Position;
use crate::search::Signals;

/// Count the leaves of the tree of legal moves
///
/// 合法手の木の葉の数を数えます
#[derive(Debug, Args)]
pub(super) struct PerftArgs {
    /// Depth of the tree
    ///
    /// 木の深さ
    #[arg(value_name = "DEPTH", value_parser = number::<u32>(0..=u64::from(MAX_PERFT_DEPTH)))]
    depth: u32,
    /// The position [default: the start of an even game]
    ///
    /// 局面 [既定値: 平手の開始局面]
    #[arg(long, value_parser = parse_position)]
    sfen: Option<Box<Position>>,
    /// Show the count below each move
    ///
    /// 手ごとの数を表示します
    #[arg(long)]
    divide: bool,
    /// Threads; 0 for one on each core
    ///
    /// スレッド数。0はコアの数
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = threads_or_all())]
    threads: usize,
}

fn parse_position(text: &str) -> Result<Box<Position>, Text> {
    let position = Position::from_sfen(text.strip_prefix("sfen ").unwrap_or(text));
    position.map(Box::new).map_err(|error| Text::new(&error))
}

pub(super) fn run(args: &PerftArgs) -> Result {
    let position = args.sfen.as_deref().cloned().unwrap_or_default();
    let start = Instant::now();
    let divided = perft_divide(&position, args.depth, args.threads, &Signals::new()).unwrap_or_default();
    let time = start.elapsed();
    let nodes = perft_total(args.depth, &divided);
    let mut out = Output::text();
    if args.divide {
        for (mv, nodes) in divided {
            writeln!(out, "{mv}: {nodes}")?;
        }
    }
    let nps = nodes as f64 / time.as_secs_f64().max(1e-9);
    let (seconds, millions) = (time.as_secs_f64(), nps / 1e6);
    let speed = text!(
        "Time: {seconds:.3} s, {millions:.1} million nodes a second",
        "時間: {seconds:.3}秒、毎秒{millions:.1}百万ノード"
    );
    writeln!(out, "{}", output_language().say(&speed))?;
    Ok(writeln!(out, "Nodes searched: {nodes}")?)
}
