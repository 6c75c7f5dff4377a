//! `kurosabi book think`.

use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use clap::Args;
use indicatif::ProgressBar;

use super::BookOutput;
use crate::book::{BookFormat, BookTable, Growth, ThinkSettings, Thinker};
use crate::cli::arguments::{at_least, hash_mb, number, threads_or_all};
use crate::cli::failure::{Failure, Result};
use crate::cli::records::files::naming;
use crate::cli::records::inputs::open_input;
use crate::cli::terminal::progress;
use crate::eval::Evaluation;
use crate::eval::nnue::NnueEvaluator;
use crate::language::{Foreign, Language, Text, counted, text};
use crate::position::Position;
use crate::rules::GameLine;
use crate::types::Phrase;
use crate::usi::lines::{InputLine, LineReader};

/// Search the positions of a book, and extend it where its best lines end
///
/// Positions without a searched move are searched first. Then, with --until-size or --extend, positions that the book's
/// moves lead to are added, those reached by good moves first. The book is written every minute and at the end. After a
/// stop (Ctrl-C) the same command goes on from there, but --extend then counts from the book as it is.
///
/// 定跡の局面を探索し、良い進行の末端から定跡を広げます
///
/// 初めに、探索した手がない局面を探索します。--until-sizeか--extendを指定すると、その後、定跡の手で進んだ局面を、良い手で進むものから順に追加します。定跡は1分ごとと最後に書き込みます。Ctrl-Cで中断した後は、
/// 同じコマンドで続きから再開できます。ただし--extendは再開したときの定跡から数えます。
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
    /// Extend the book by this many positions; after a stop the program says how many are left
    ///
    /// 定跡にこの数の局面を追加します。中断すると残りの数を表示します
    #[arg(long, value_name = "N", default_value_t = 0, conflicts_with = "until_size")]
    extend: usize,
    /// Search only those positions of this file, one per line as in USI, for which the book has no searched move, even
    /// with the board turned around; - for standard input
    ///
    /// このファイルにある局面（USIと同じ形式で1行に1つ）のうち、左右や先後を入れ替えても定跡に探索した手がないものだけを探索します。- は標準入力
    #[arg(long, value_name = "FILE", conflicts_with_all = ["until_size", "extend"])]
    only: Option<PathBuf>,
    #[command(flatten)]
    growth: GrowthArgs,
    /// Positions chosen at a time, which affects what is chosen [default: eight for each thread, or a hundredth of the
    /// book if that is more]
    ///
    /// 一度に選ぶ局面の数。選ばれる局面に影響します [既定値: スレッドあたり8、または定跡の100分の1の多いほう]
    #[arg(long, value_name = "N", value_parser = at_least::<usize>(1))]
    batch: Option<usize>,
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

/// Where a book grows.
#[derive(Debug, Args)]
pub(super) struct GrowthArgs {
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
}

impl GrowthArgs {
    pub(super) fn starts(&self) -> Result<Vec<Position>> {
        self.start.iter().map(|text| position(text)).collect()
    }

    pub(super) fn growth(&self) -> Growth {
        Growth { loss_per_ply: self.loss_per_ply, max_ply: self.max_ply }
    }
}

fn position(text: &str) -> Result<Position> {
    Ok(text.parse::<GameLine>()?.end())
}

/// The lines of a file with the positions that the book has no searched move of, this way round or the other.
fn listed(path: &Path, table: &BookTable) -> Result<Vec<String>> {
    let input: Box<dyn Read> = if path == Path::new("-") {
        Box::new(io::stdin())
    } else {
        open_input(path).map_err(|error| naming(path, error))?
    };
    let mut found = Vec::new();
    for (line, number) in LineReader::new(input).zip(1..) {
        let wrong = |error: Failure| {
            let Text { en, ja } = error.text();
            naming(path, text!("line {number}: {en}", "{number}行目: {ja}"))
        };
        let text = match line.map_err(|error| wrong(error.into()))? {
            InputLine::Text(text) => text,
            InputLine::TooLong { limit } => {
                let long = text!("longer than {limit} bytes", "{limit}バイトを超えています");
                return Err(wrong(long.into()));
            }
        };
        let text = text.trim_start_matches('\u{feff}').trim();
        if text.is_empty() || text.starts_with('#') {
            continue;
        }
        let position = position(text).map_err(wrong)?;
        if !table.get_either_way(&position).is_some_and(|(entry, _)| entry.is_searched()) {
            found.push(text.to_owned());
        }
    }
    Ok(found)
}

/// Reads the book that is going to be written over; there may be none yet.
///
/// # Errors
/// When something in it cannot be kept.
fn read_all_or_empty(path: &Path) -> Result<BookTable> {
    if !path.exists() {
        return Ok(BookTable::default());
    }
    let mut first = None;
    let table = BookTable::read(super::open(path, false)?, &mut |remark| {
        first.get_or_insert(remark);
    });
    let table = table.map_err(|error| naming(path, error))?;
    match first {
        None => Ok(table),
        Some(remark) => {
            let Text { en, ja } = Text::about(&Foreign(&path.to_string_lossy()), &remark);
            Err(text!(
                "{en}; think would lose it: `kurosabi book convert` makes a book without such entries",
                "{ja}。thinkを実行するとこの内容が失われます。`kurosabi book convert` で、そのような項目を除いた定跡を作成できます"
            ))?
        }
    }
}

/// How often the book is written.
const SAVED_EVERY: Duration = Duration::from_secs(60);

pub(super) fn run(args: &ThinkArgs, language: Language) -> Result {
    let unfit = match super::format_of(&args.book)? {
        BookFormat::Text | BookFormat::Ybb => None,
        BookFormat::Apery => Some(text!(
            "a .bin cannot be listed: think keeps its results in a .db, .db.gz or .ybb",
            ".binは一覧できません。thinkの結果は .db、.db.gz、.ybb に保存してください"
        )),
        BookFormat::Sbk => Some(text!(
            "a .sbk has no scores: think keeps its results in a .db, .db.gz or .ybb",
            ".sbkには評価値がありません。thinkの結果は .db、.db.gz、.ybb に保存してください"
        )),
    };
    if let Some(reason) = unfit {
        return Err(naming(&args.book, reason));
    }
    let output = BookOutput::new(&args.book)?;
    let mut table = read_all_or_empty(&args.book)?;
    let starts = args.growth.starts()?;
    // As text: there may be millions, and a position takes some 10 KiB.
    let waiting = match &args.only {
        Some(path) => listed(path, &table)?,
        None => table.unsearched().map(|position| position.to_sfen()).collect(),
    };
    let evaluation = Evaluation::named(&args.eval, NnueEvaluator::DEFAULT_FV_SCALE)?;
    let settings = ThinkSettings { nodes: args.nodes, lines: args.multipv, hash_mb: args.hash, threads: args.threads };
    let thinker = Thinker::new(&settings, &evaluation)?;
    let stop = crate::cli::stop_on_signals()?;
    let size = if args.extend > 0 { table.len().saturating_add(args.extend) } else { args.until_size };
    let length = waiting.len().saturating_add(size.saturating_sub(table.len())) as u64;
    let bar = progress(Phrase::new("positions", "局面"), Some(length), false, language);
    let target = Target { starts, growth: args.growth.growth(), size, batch: args.batch };
    let done = think(&target, &output, &mut table, waiting, &thinker, &stop, &bar)?;
    let of_done = counted(done, "position");
    super::write_line(&text!("{of_done} searched", "{done}局面を探索しました"), language)?;
    output.save(&table, language)?;
    if stop.load(Ordering::Relaxed) {
        let left = size.saturating_sub(table.len());
        let with = if args.extend > 0 { format!(" with --extend {left}") } else { String::new() };
        let stopped =
            text!("stopped: the same command{with} continues", "中断しました。同じコマンド{with}で続きから再開します");
        super::write_line(&stopped, language)?;
    }
    Ok(())
}

/// How a book grows.
struct Target {
    /// Where its games begin.
    starts: Vec<Position>,
    growth: Growth,
    /// Positions of the whole book.
    size: usize,
    /// Positions searched at once, where the user says so.
    batch: Option<usize>,
}

/// Searches until nothing is left to do, and returns how many positions were searched.
fn think(
    target: &Target,
    output: &BookOutput,
    table: &mut BookTable,
    waiting: Vec<String>,
    thinker: &Thinker,
    stop: &AtomicBool,
    bar: &ProgressBar,
) -> Result<usize> {
    let mut saved = Instant::now();
    let mut waiting = waiting.into_iter();
    let mut done = 0;
    while !stop.load(Ordering::Relaxed) {
        // Large enough that threads seldom wait for each other and for the choice of what is next.
        let most = target.batch.unwrap_or_else(|| (thinker.threads() * 8).max(table.len() / 100));
        let mut batch = waiting.by_ref().take(most).map(|text| position(&text)).collect::<Result<Vec<_>>>()?;
        let is_growth = batch.is_empty();
        if is_growth {
            let room = target.size.saturating_sub(table.len());
            batch = table.leaves(&target.starts, &target.growth, most.min(room));
        }
        let done_before = done;
        for (position, found) in batch.iter().zip(thinker.search(&batch, stop)) {
            table.set_scores(position, &found);
            done += usize::from(!found.is_empty());
        }
        // Leaves of which nothing is found would be chosen again and again.
        if is_growth && done == done_before {
            break;
        }
        bar.set_position(done as u64);
        if saved.elapsed() > SAVED_EVERY {
            output.write(table)?;
            saved = Instant::now();
        }
    }
    bar.finish_and_clear();
    Ok(done)
}
