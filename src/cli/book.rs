//! `kurosabi book`: opening books, looked at, made and changed.

use std::cmp::Reverse;
use std::ffi::OsString;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use clap::{Args, Subcommand, ValueEnum};

use crate::atomic_file::FileLock;
use crate::book::{Book, BookMove, BookTable, Cut, Lookup, Minimaxed, Thinker};
use crate::cli::arguments::{LanguageArg, at_least, hash_mb, number, threads_or_all};
use crate::cli::failure::{Failure, Result};
use crate::cli::records::files::{lock, naming};
use crate::cli::records::inputs::{Input, Starts, for_each_record};
use crate::cli::terminal::{Output, left, progress, remark, right};
use crate::eval::Evaluation;
use crate::eval::nnue::NnueEvaluator;
use crate::language::{Foreign, Language, Text, counted, text};
use crate::position::Position;
use crate::records::diagram;
use crate::records::notation::Notation;
use crate::rules::GameLine;
use crate::types::{Color, Move, Phrase, Square};

/// Show, make, improve and convert opening books
///
/// Books may be YaneuraOu's text (.db) or binary (.ybb) ones, Apery's (.bin) or ShogiGUI's (.sbk), and compressed with
/// gzip or Zstandard; they are recognised by their content. `builtin` names the one in the program. Books are written
/// as YaneuraOu's text (.db), compressed if the name ends in .db.gz. A .bin cannot be listed, only probed; a .sbk has
/// weights and no scores.
///
/// 定跡を表示、作成、改良、変換します
///
/// やねうら王のテキスト（.db）とバイナリ（.ybb）、Apery（.bin）、ShogiGUI（.sbk）の定跡を、gzipやZstandardで圧縮されたものも含めて読み込みます。
/// 種類は内容から判断します。`builtin`は内蔵の定跡です。書き込む形式はやねうら王のテキスト（.db）で、名前が .db.gz で終わるときはgzipで圧縮します。
/// .binは検索だけで一覧はできません。.sbkには重みだけで評価値がありません。
#[derive(Debug, Args)]
pub(super) struct BookArgs {
    #[command(flatten)]
    lang: LanguageArg,
    #[command(subcommand)]
    command: BookCommand,
}

#[derive(Debug, Subcommand)]
enum BookCommand {
    Convert(ConvertArgs),
    Cut(CutArgs),
    Make(MakeArgs),
    Minimax(MinimaxArgs),
    Show(ShowArgs),
    Think(ThinkArgs),
}

pub(super) fn run(args: &BookArgs) -> Result {
    let language = args.lang.language();
    match &args.command {
        BookCommand::Convert(args) => convert(args, language),
        BookCommand::Cut(args) => cut(args, language),
        BookCommand::Make(args) => make(args, language),
        BookCommand::Minimax(args) => minimax(args, language),
        BookCommand::Show(args) => show(args, language),
        BookCommand::Think(args) => think(args, language),
    }
}

/// How many remarks on one file are shown.
const REMARKS: usize = 10;

/// Opens a file or, where no file has that name, the book in the program.
fn open(path: &Path, on_the_fly: bool) -> Result<Book> {
    let is_builtin = path == Path::new("builtin") && !path.exists();
    let book = if is_builtin { Book::builtin() } else { Book::open(path, on_the_fly) };
    book.map_err(|error| naming(path, error))
}

/// Reads a whole book, with remarks on entries that are left out; with how many these are.
fn read(path: &Path, language: Language) -> Result<(BookTable, usize)> {
    let mut left_out = 0;
    let table = BookTable::read(open(path, false)?, &mut |text| {
        left_out += 1;
        if left_out <= REMARKS {
            remark(&Text::about(&Foreign(&path.to_string_lossy()), &text), language);
        }
    });
    if left_out > REMARKS {
        let more = left_out - REMARKS;
        let of_more = counted(more, "more line");
        let left_out = text!("and {of_more} left out", "ほかに{more}行を省きました");
        remark(&Text::about(&Foreign(&path.to_string_lossy()), &left_out), language);
    }
    Ok((table.map_err(|error| naming(path, error))?, left_out))
}

/// A book that this process alone writes.
struct BookOutput<'a> {
    path: &'a Path,
    _lock: FileLock,
}

impl BookOutput<'_> {
    /// Sees to it that the book can be written, before the work that goes into it.
    ///
    /// # Errors
    /// When its name ends like no text book, or another process works on it.
    fn new(path: &Path) -> Result<BookOutput<'_>> {
        let name = path.to_string_lossy().to_lowercase();
        if !name.ends_with(".db") && !name.ends_with(".db.gz") {
            let endings = text!(
                "the name of a book to write ends in .db or .db.gz",
                "書き込む定跡の名前は .db か .db.gz で終わる必要があります"
            );
            return Err(naming(path, endings));
        }
        Ok(BookOutput { path, _lock: lock(path)? })
    }

    /// Writes the book.
    fn write(&self, table: &BookTable) -> Result {
        table.save(self.path).map_err(|error| naming(self.path, error))
    }

    /// Writes the book and says so.
    fn save(&self, table: &BookTable, language: Language) -> Result {
        self.write(table)?;
        let (positions, moves) = (table.len(), table.moves());
        let (of_positions, of_moves) = (counted(positions, "position"), counted(moves, "move"));
        let saved = text!("{of_positions}, {of_moves}", "{positions}局面、{moves}手");
        write_line(&Text::about(&Foreign(&self.path.to_string_lossy()), &saved), language)
    }
}

/// Writes a line of the result.
fn write_line(text: &Text, language: Language) -> Result {
    Ok(writeln!(Output::text(), "{}", language.say(text))?)
}

// `kurosabi book make`.

/// Make a book from games: every move, with the number of games in which it was played
///
/// Games are KIF, KI2, CSA, JKF and USI records.
///
/// 対局から定跡を作成します。指されたすべての手と、その対局数を記録します
///
/// KIF、KI2、CSA、JKF、USIの棋譜を読み込みます。
#[derive(Debug, Args)]
struct MakeArgs {
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

fn make(args: &MakeArgs, language: Language) -> Result {
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
    write_line(&text!("{of_games}", "{games}局"), language)?;
    if games == 0 {
        failures.check(READ)?;
    }
    table.cut(&Cut { min_count: args.min_count, ..Cut::default() });
    output.save(&table, language)?;
    failures.check(READ)
}

// `kurosabi book` `convert`, `cut` and `minimax`.

/// Write books as one, sorted and without illegal moves
///
/// Where several have a move, counts are added, and the score that was searched deepest is kept.
///
/// 定跡を、整列し非合法手を除いて、1つの定跡に書き込みます
///
/// 複数の定跡にある手は、回数を合計し、最も深く探索した評価値を残します。
#[derive(Debug, Args)]
#[command(visible_alias = "merge")]
struct ConvertArgs {
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

fn convert(args: &ConvertArgs, language: Language) -> Result {
    let output = BookOutput::new(&args.output)?;
    let mut table = BookTable::default();
    for book in &args.books {
        table.merge(read(book, language)?.0);
    }
    output.save(&table, language)
}

/// Keep only part of a book; positions that keep no move are removed
///
/// 定跡の一部だけを残します。指し手がなくなった局面は削除します
#[derive(Debug, Args)]
struct CutArgs {
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

fn cut(args: &CutArgs, language: Language) -> Result {
    let output = BookOutput::new(&args.output)?;
    let mut table = read(&args.book, language)?.0;
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
struct MinimaxArgs {
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

fn minimax(args: &MinimaxArgs, language: Language) -> Result {
    let output = BookOutput::new(&args.output)?;
    let mut table = read(&args.book, language)?.0;
    let added = if args.listed_only { 0 } else { table.add_transpositions() };
    let Minimaxed { inner_moves, changed, repetitions } = table.minimax();
    let summary = text!(
        "moves that lead to other positions of the book: {inner_moves} ({added} of them added), {changed} changed, \
         {repetitions} end in a repetition",
        "{inner_moves}手が定跡内の別の局面に進みます（うち{added}手を追加）。{changed}手の評価値を変更、{repetitions}手が千日手"
    );
    write_line(&summary, language)?;
    output.save(&table, language)
}

// `kurosabi book show`: what a book holds.

/// Show what a book says about a position
///
/// 局面についての定跡の内容を表示します
#[derive(Debug, Args)]
struct ShowArgs {
    /// The book
    ///
    /// 定跡
    book: PathBuf,
    /// The position, as in USI: an SFEN or startpos, and moves
    ///
    /// USIと同じ形式の局面: SFENかstartpos、続けて指し手
    #[arg(default_value = "startpos", num_args = 1..)]
    position: Vec<String>,
    /// How many plies of the tree to show
    ///
    /// 何手先まで表示するか
    #[arg(long, value_name = "PLIES", default_value_t = 1, value_parser = number::<u32>(1..=100))]
    depth: u32,
    /// How moves are written [default: usi; japanese with --lang ja]
    ///
    /// 指し手の表記 [既定値: usi。--lang jaのときはjapanese]
    ///
    /// usi: USIの表記（7g7f、8h2b+、P*5e）
    ///
    /// japanese: 日本語の表記（▲７六歩、△同　銀不成）。KI2と同じ
    ///
    /// western: 英語の表記。マスは数字と英字（P-7f、Bx2b+、S-2c=、P*5e）
    ///
    /// numeric: 英語の表記。マスは数字（P-76、Bx22+、S-23=、P*55）
    ///
    /// kif: KIFの表記（７六歩(77)）。手数と時間は除きます
    #[arg(long, value_name = "NOTATION", value_enum, ignore_case = true)]
    notation: Option<Notation>,
}

fn show(args: &ShowArgs, language: Language) -> Result {
    let line: GameLine = args.position.join(" ").parse()?;
    let notation = args.notation.unwrap_or(language.choose(Notation::Usi, Notation::Japanese));
    let mut tree = Tree {
        book: open(&args.book, true).or_else(|_| open(&args.book, false))?,
        args,
        notation,
        out: BufWriter::new(Output::text()),
    };
    let position = line.end();
    let drawing = language.choose(format!("{}\n", position.diagram()), diagram(&position));
    writeln!(tree.out, "{drawing}{}\n", position.to_sfen())?;
    if tree.moves(&position)?.is_empty() {
        let unknown = text!("the book does not have this position", "この局面は定跡にありません");
        return Err(naming(&args.book, unknown));
    }
    let [mv, score, depth, count, answer] = language
        .choose(["move", "score", "depth", "count", "answer"], ["指し手", "評価値", "深さ", "回数", "予想される応手"]);
    tree.row(mv, score, depth, count, answer)?;
    tree.show(&position, line.moves().last().map(|mv| mv.to()), 0)?;
    Ok(tree.out.flush()?)
}

struct Tree<'a, W: Write> {
    book: Book,
    args: &'a ShowArgs,
    notation: Notation,
    out: W,
}

/// Columns of a move: the tree may be several plies deep.
const MOVE: usize = 12;

impl<W: Write> Tree<'_, W> {
    /// The moves of a position, the best first: by their scores where there are any, else by how often they were
    /// played.
    fn moves(&mut self, position: &Position) -> Result<Vec<BookMove>> {
        let lookup = Lookup { ignore_ply: true, flipped: true };
        let found = self.book.probe(position, lookup).map_err(|error| naming(&self.args.book, error))?;
        let mut moves = found.map_or(Vec::new(), |found| found.moves);
        moves.sort_by_key(|book_move| {
            (Reverse(book_move.is_scored().then_some(book_move.score)), Reverse(book_move.count))
        });
        Ok(moves)
    }

    fn row(&mut self, mv: &str, score: &str, depth: &str, count: &str, answer: &str) -> Result {
        let row = format!("{} {} {} {}  {answer}", left(mv, MOVE), right(score, 7), right(depth, 6), right(count, 8));
        Ok(writeln!(self.out, "{}", row.trim_end())?)
    }

    fn show(&mut self, position: &Position, last: Option<Square>, ply: u32) -> Result {
        if ply == self.args.depth {
            return Ok(());
        }
        let board = position.setup();
        for book_move in self.moves(position)? {
            let BookMove { mv, ponder, score, depth, count } = book_move;
            let name = "  ".repeat(ply as usize) + &self.notation.write(&board, mv, last);
            let mut after = position.clone();
            after.do_move(mv);
            let write = |answer: Move| self.notation.write(&after.setup(), answer, Some(mv.to()));
            let answer = ponder.map_or(String::new(), write);
            // Without a search the two numbers only stand for none.
            let shown = |number: String| if book_move.is_scored() { number } else { "-".to_owned() };
            let (score, depth) = (shown(score.to_string()), shown(depth.to_string()));
            self.row(&name, &score, &depth, &count.to_string(), &answer)?;
            self.show(&after, Some(mv.to()), ply + 1)?;
        }
        Ok(())
    }
}

// `kurosabi book think`.

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
struct ThinkArgs {
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

fn think(args: &ThinkArgs, language: Language) -> Result {
    let output = BookOutput::new(&args.book)?;
    let mut table = BookTable::default();
    if args.book.exists() {
        let (known, left_out) = read(&args.book, language)?;
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
    write_line(&text!("{of_done} searched", "{done}局面を探索しました"), language)?;
    output.save(&table, language)?;
    if stop.load(Ordering::Relaxed) {
        write_line(
            &text!("stopped: the same command continues", "中断しました。同じコマンドで続きから再開します"),
            language,
        )?;
    }
    Ok(())
}
