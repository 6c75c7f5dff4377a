//! `kurosabi book think`.

use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use clap::Args;

use super::BookOutput;
use crate::book::{BookTable, Thinker};
use crate::cli::arguments::{at_least, hash_mb, number, threads_or_all};
use crate::cli::failure::Result;
use crate::cli::records::files::naming;
use crate::cli::terminal::progress;
use crate::eval::Evaluation;
use crate::eval::nnue::NnueEvaluator;
use crate::language::{Language, counted, text};
use crate::position::Position;
use crate::rules::GameLine;
use crate::types::Phrase;

/// Search the positions of a book, and extend it where its best lines end
///
/// Positions without a searched move are searched first. Then, with --until-size, positions that the book's moves lead
/// to are added, those reached by good moves first. The book is written every minute and at the end. After a stop
/// (Ctrl-C) the same command goes on from there.
///
/// 定跡の局面を探索し、良い進行の末端から定跡を広げます
///
/// 初めに、探索した手がない局面を探索します。--until-sizeを指定すると、その後、定跡の手で進んだ局面を、良い手で進むものから順に追加します。
/// 定跡は1分ごとと最後に書き込みます。Ctrl-Cで中断した後は、同じコマンドで続きから再開できます。
#[derive(Debug, Args)]
pub(super) struct ThinkArgs {
    /// The book, which is created if it does not exist
    ///
    /// 定跡。なければ作成します
    book: PathBuf,
    /// Nodes for each position
    ///
    /// 1局面あたりのノード数
    #[arg(long, value_name = "N", default_value_t = 100_000,
          value_parser = at_least::<u64>(1))]
    nodes: u64,
    /// How many best moves to find in each position
    ///
    /// 1局面あたりの候補手の数
    #[arg(long, value_name = "N", default_value_t = 3,
          value_parser = number::<usize>(1..=600))]
    multipv: usize,
    /// Extend the book to this many positions
    ///
    /// 定跡をこの局面数まで広げます
    #[arg(long, value_name = "N", default_value_t = 0)]
    until_size: usize,
    /// Where to extend it from, as in USI: an SFEN or startpos, and moves; may be given several times
    ///
    /// 広げ始める局面。USIと同じ形式（SFENかstartpos、続けて指し手）で、何度でも指定できます
    #[arg(long, value_name = "POSITION", default_value = "startpos")]
    start: Vec<String>,
    /// A move this many centipawns worse than the best one counts like one more ply in the order of extension
    ///
    /// 広げる順序で、最善手よりこの評価値だけ悪い手を1手余分に数えます
    #[arg(long, value_name = "CP", default_value_t = 20, value_parser = at_least::<u32>(1))]
    loss_per_ply: u32,
    /// Add no positions beyond this move number
    ///
    /// この手数より先の局面は追加しません
    #[arg(long, value_name = "N", default_value_t = 60)]
    max_ply: u32,
    /// Positions searched at once; 0 for one on each core
    ///
    /// 同時に探索する局面の数。0はコアの数
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = threads_or_all())]
    threads: usize,
    /// Table of each search in MiB
    ///
    /// 1つの探索の置換表の大きさ（MiB）
    #[arg(long, value_name = "MIB", default_value_t = 32, value_parser = hash_mb())]
    hash: usize,
    /// The network to search with, as EvalFile names it
    ///
    /// 探索に使う評価関数。EvalFileと同じ指定です
    #[arg(long, value_name = "FILE", default_value = "")]
    eval: String,
}

/// How often the book is written.
const SAVED_EVERY: Duration = Duration::from_secs(60);

pub(super) fn run(args: &ThinkArgs, language: Language) -> Result {
    let output = BookOutput::new(&args.book)?;
    let mut table = BookTable::default();
    if args.book.exists() {
        let (known, left_out) = super::read(&args.book, language)?;
        if left_out > 0 {
            let lost = text!(
                "think would lose this: `kurosabi book convert` makes a book without such entries",
                "thinkを実行するとこの内容が失われます。`kurosabi book convert` で、そのような項目を除いた定跡を作成できます"
            );
            return Err(naming(&args.book, lost));
        }
        table = known;
    }
    let start = |text: &String| Ok(text.parse::<GameLine>()?.end());
    let starts: Vec<Position> = args.start.iter().map(start).collect::<Result<_>>()?;
    let evaluation = Evaluation::named(&args.eval, NnueEvaluator::DEFAULT_FV_SCALE)
        .map_err(|error| naming(Path::new(&args.eval), error))?;
    let thinker = Thinker::new(args.threads, args.hash, &evaluation, args.nodes, args.multipv)?;
    let stop = crate::cli::stop_on_signals(|| ())?;
    let unsearched = table.entries().filter(|(_, entry)| !entry.is_searched()).count();
    let length = unsearched.saturating_add(args.until_size.saturating_sub(table.len()));
    let bar = progress(Phrase::new("positions", "局面"), Some(length as u64), false, language);
    let (mut done, mut saved) = (0, Instant::now());
    while !stop.load(Ordering::Relaxed) {
        // Large enough that threads seldom wait for each other and for the choice of what is next.
        let most = (thinker.threads() * 8).max(table.len() / 100);
        let mut batch: Vec<Position> = table.unsearched().take(most).collect();
        if batch.is_empty() {
            let room = args.until_size.saturating_sub(table.len());
            batch = table.leaves(&starts, args.max_ply, args.loss_per_ply, most.min(room));
        }
        let before = done;
        for (position, found) in batch.iter().zip(thinker.search(&batch, &stop)) {
            table.set_scores(position, &found);
            done += usize::from(!found.is_empty());
        }
        // Positions of which nothing is found would be chosen again and again.
        if done == before {
            break;
        }
        bar.set_position(done as u64);
        if saved.elapsed() > SAVED_EVERY {
            output.write(&table)?;
            saved = Instant::now();
        }
    }
    bar.finish_and_clear();
    let of_done = counted(done, "position");
    super::write_line(&text!("{of_done} searched", "{done}局面を探索しました"), language)?;
    output.save(&table, language)?;
    if stop.load(Ordering::Relaxed) {
        super::write_line(
            &text!("stopped: the same command continues", "中断しました。同じコマンドで続きから再開します"),
            language,
        )?;
    }
    Ok(())
}
