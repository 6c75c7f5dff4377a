//! `kurosabi bench` and `kurosabi perft`: how fast this machine searches and makes moves.

use std::io::Write;
use std::time::Instant;

use clap::Args;

use crate::cli::arguments::{hash_mb, number, threads, threads_or_all};
use crate::cli::failure::Result;
use crate::cli::terminal::{Output, output_language};
use crate::engine::{BenchSettings, MAX_PERFT_DEPTH, SearcherSize, bench, perft_divide, perft_total};
use crate::language::{Text, text};
use crate::position::Position;
use crate::search::Signals;
use crate::types::{Depth, MAX_PLY};

/// Search a fixed list of positions; the last line is `<N> nodes <M> nps`, and with one thread N is the same on every
/// machine
///
/// 決まった局面を探索して速度を測ります。最後の行は`<N> nodes <M> nps`で、1スレッドならNはどのコンピューターでも同じです
#[derive(Debug, Args)]
pub(super) struct BenchArgs {
    /// Depth of every search
    ///
    /// 探索の深さ
    #[arg(long, value_name = "PLIES", default_value_t = BenchSettings::default().depth,
          value_parser = number::<Depth>(1..=MAX_PLY as u64))]
    depth: Depth,
    /// Search threads
    ///
    /// 探索のスレッド数
    #[arg(long, default_value_t = 1, value_parser = threads())]
    threads: usize,
    /// Size of the transposition table
    ///
    /// 置換表の大きさ（MiB）
    #[arg(long, value_name = "MIB", default_value_t = BenchSettings::default().hash_mb,
          value_parser = hash_mb())]
    hash: usize,
}

pub(super) fn run(args: &BenchArgs) -> Result {
    // With fewer threads or a smaller table it would measure something else.
    let asked = SearcherSize { threads: args.threads, hash_mb: args.hash };
    if let Some(shortage) = asked.that_fits(1).shortage(asked).next() {
        Err(shortage)?;
    }
    let settings = BenchSettings { depth: args.depth, threads: args.threads, hash_mb: args.hash };
    let language = output_language();
    let mut out = Output::text();
    let mut written = Ok(());
    let control = Signals::new();
    let total = bench(&settings, &control, |entry| {
        let line = writeln!(out, "{}", language.say(entry));
        if line.is_err() {
            control.stop();
            written = line;
        }
    })?;
    written?;
    Ok(writeln!(out, "{total}")?)
}

// `kurosabi perft`.

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

pub(super) fn perft(args: &PerftArgs) -> Result {
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
