//! `kurosabi book` `convert`, `cut` and `minimax`.

use std::path::PathBuf;

use clap::Args;

use super::BookOutput;
use crate::book::{BookTable, Cut, Minimaxed};
use crate::cli::failure::Result;
use crate::language::{Language, text};

/// Write books as one, sorted and without illegal moves
///
/// Where several have a move, counts are added, and the score that was searched deepest is kept.
///
/// 定跡を、整列し非合法手を除いて、1つの定跡に書き込みます
///
/// 複数の定跡にある手は、回数を合計し、最も深く探索した評価値を残します。
#[derive(Debug, Args)]
#[command(visible_alias = "merge")]
pub(super) struct ConvertArgs {
    /// The books to read
    ///
    /// 読み込む定跡
    #[arg(required = true)]
    books: Vec<PathBuf>,
    /// The book to write: .db or .db.gz
    ///
    /// 書き込む定跡: .db、.db.gz
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
}

pub(super) fn convert(args: &ConvertArgs, language: Language) -> Result {
    let output = BookOutput::new(&args.output)?;
    let mut table = BookTable::default();
    for book in &args.books {
        table.merge(super::read(book, language)?.0);
    }
    output.save(&table, language)
}

/// Keep only part of a book; positions that keep no move are removed
///
/// 定跡の一部だけを残します。指し手がなくなった局面は削除します
#[derive(Debug, Args)]
pub(super) struct CutArgs {
    /// The book to read
    ///
    /// 読み込む定跡
    book: PathBuf,
    /// The book to write: .db or .db.gz
    ///
    /// 書き込む定跡: .db、.db.gz
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// Keep positions up to this move number
    ///
    /// この手数までの局面を残します
    #[arg(long, value_name = "N")]
    max_ply: Option<u32>,
    /// Keep moves that were played at least this often
    ///
    /// この回数以上指された手を残します
    #[arg(long, value_name = "N", default_value_t = 0)]
    min_count: u64,
    /// Keep moves that are at most this many centipawns worse than the best of their position
    ///
    /// その局面の最善手との評価値の差がこの値以内の手を残します
    #[arg(long, value_name = "CP")]
    diff: Option<i32>,
    /// Keep moves that were searched at least this deep
    ///
    /// この深さ以上で探索した手を残します
    #[arg(long, value_name = "PLIES", default_value_t = 0)]
    min_depth: u32,
    /// Keep this many moves of each position, the best ones
    ///
    /// 各局面で、良いほうからこの数の手を残します
    #[arg(long, value_name = "N")]
    max_moves: Option<usize>,
}

pub(super) fn cut(args: &CutArgs, language: Language) -> Result {
    let output = BookOutput::new(&args.output)?;
    let mut table = super::read(&args.book, language)?.0;
    let &CutArgs { max_ply, min_count, diff: eval_diff, min_depth, max_moves, .. } = args;
    table.cut(&Cut { max_ply, min_count, eval_diff, min_depth, max_moves });
    output.save(&table, language)
}

/// Propagate the scores at the ends of a book's lines back to the start (minimax)
///
/// Every move gets the score and depth of the line that follows from best play within the book, through transpositions
/// too. Moves that lead to another position of the book are added where it does not list them. A line in which best
/// play repeats positions is a draw, with depth 999.
///
/// 定跡の末端の評価値を、ミニマックスで開始局面まで伝えます
///
/// すべての手に、定跡内で最善を尽くした進行の評価値と深さを付けます。別の手順で合流する局面も考慮し、定跡の別の局面に進む手がなければ追加します。
/// 最善の進行が同じ局面を繰り返すときは、深さ999の引き分けとします。
#[derive(Debug, Args)]
pub(super) struct MinimaxArgs {
    /// The book to read
    ///
    /// 読み込む定跡
    book: PathBuf,
    /// The book to write: .db or .db.gz
    ///
    /// 書き込む定跡: .db、.db.gz
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// Do not add moves that the book does not list
    ///
    /// 定跡にない手を追加しません
    #[arg(long)]
    listed_only: bool,
}

pub(super) fn minimax(args: &MinimaxArgs, language: Language) -> Result {
    let output = BookOutput::new(&args.output)?;
    let mut table = super::read(&args.book, language)?.0;
    let added = if args.listed_only { 0 } else { table.add_transpositions() };
    let Minimaxed { inner_moves, changed, repetitions } = table.minimax();
    let summary = text!(
        "moves that lead to other positions of the book: {inner_moves} ({added} of them added), {changed} changed, \
         {repetitions} end in a repetition",
        "{inner_moves}手が定跡内の別の局面に進みます（うち{added}手を追加）。{changed}手の評価値を変更、{repetitions}手が千日手"
    );
    super::write_line(&summary, language)?;
    output.save(&table, language)
}
