//! `kurosabi bench`.

use std::io::Write;

use clap::Args;

use crate::cli::arguments::{hash_mb, number, threads};
use crate::cli::failure::Result;
use crate::cli::terminal::{Output, output_language};
use crate::engine::{BenchSettings, SearcherSize, bench};
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
