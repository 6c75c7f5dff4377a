//! `kurosabi book` `show`, `check` and `waiting`: what a book holds.

use std::cmp::Reverse;
use std::io::{BufWriter, Write};
use std::path::PathBuf;

use clap::Args;

use super::think::GrowthArgs;
use crate::book::{Book, BookError, BookFormat, BookMove, BookTable, DrawValues, Lookup};
use crate::cli::arguments::{explained, number};
use crate::cli::failure::Result;
use crate::cli::records::files::naming;
use crate::cli::terminal::{Output, left, right};
use crate::language::{Language, counted, text};
use crate::position::Position;
use crate::records::diagram;
use crate::records::notation::Notation;
use crate::rules::GameLine;
use crate::types::{Move, Square};

/// Show what a book says about a position
///
/// 局面についての定跡の内容を表示します
#[derive(Debug, Args)]
pub(super) struct ShowArgs {
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
    /// Show at most this many moves of each position
    ///
    /// 各局面で表示する手の数の上限
    #[arg(long, value_name = "N", default_value_t = 100)]
    moves: usize,
    /// Count only positions with the same move number
    ///
    /// 手数も同じ局面だけを表示します
    #[arg(long)]
    exact_ply: bool,
    /// How moves are written: usi, japanese, western, numeric, kif or ki2 [default: usi; japanese with --lang ja]
    ///
    /// 指し手の表記: usi、japanese、western、numeric、kif、ki2 [既定値: usi。--lang jaのときはjapanese]
    #[arg(long, value_name = "NOTATION", value_parser = explained(str::parse::<Notation>))]
    notation: Option<Notation>,
}

pub(super) fn show(args: &ShowArgs, language: Language) -> Result {
    let line: GameLine = args.position.join(" ").parse()?;
    let notation = args.notation.unwrap_or(language.choose(Notation::Usi, Notation::Japanese));
    let mut tree = Tree {
        book: super::open(&args.book, true).or_else(|_| super::open(&args.book, false))?,
        lookup: Lookup { ignore_ply: !args.exact_ply, flipped: true },
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
    lookup: Lookup,
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
        let found = self.book.probe(position, self.lookup).map_err(|error| naming(&self.args.book, error))?;
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
        for book_move in self.moves(position)?.into_iter().take(self.args.moves) {
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

/// Check that a book is sorted and has only legal moves of legal positions, and count the best lines that repeat
/// positions
///
/// 定跡の局面が整列され、すべての指し手が合法であることを確認し、千日手になる最善の進行を数えます
#[derive(Debug, Args)]
pub(super) struct CheckArgs {
    /// The book
    ///
    /// 定跡
    book: PathBuf,
}

pub(super) fn check(args: &CheckArgs, language: Language) -> Result {
    let path = &args.book;
    let mut out = BufWriter::new(Output::text());
    let (book, mut defects) = match super::open_named(path, true) {
        Err(error @ BookError::NotSorted(_)) => {
            writeln!(out, "{}", language.say(&error))?;
            (super::open(path, false)?, 1)
        }
        opened => (opened.map_err(|error| naming(path, error))?, 0),
    };
    let format = book.format();
    if format == BookFormat::Apery {
        return Err(naming(path, BookError::Unlistable));
    }
    let mut remarks = Vec::new();
    let mut table = BookTable::read(book, &mut |text| remarks.push(text)).map_err(|error| naming(path, error))?;
    for remark in &remarks {
        writeln!(out, "{}", language.say(remark))?;
    }
    defects += remarks.len();
    let scored = table.entries().flat_map(|(_, entry)| &entry.moves).filter(|book_move| book_move.is_scored()).count();
    let plies = table.entries().map(|(_, entry)| entry.ply).max().unwrap_or(0);
    let (positions, moves) = (table.len(), table.moves());
    let [of_positions, of_moves] = [(positions, "position"), (moves, "move")].map(|(count, noun)| counted(count, noun));
    let content = text!(
        "format {format}, {of_positions} up to move {plies}, {of_moves}, {scored} of them searched",
        "形式{format}、{plies}手目まで{positions}局面、{moves}手（うち{scored}手は探索済み）"
    );
    writeln!(out, "{}", language.say(&content))?;
    let solved = table.minimax(DrawValues::default());
    let (inner, repetitions) = (solved.inner_moves, solved.repetitions);
    let lines = text!(
        "moves that lead on within the book: {inner}, {repetitions} of them to a repetition by best play",
        "{inner}手が定跡内で続き、そのうち{repetitions}手は最善の進行で千日手になります"
    );
    writeln!(out, "{}", language.say(&lines))?;
    out.flush()?;
    if defects > 0 {
        let of_defects = counted(defects, "defect");
        return Err(naming(path, text!("{of_defects}", "{defects}件の問題があります")));
    }
    Ok(())
}

/// List the positions of a book that have not been searched yet
///
/// Those without a searched move or, with --leaves, positions that the book's moves lead to, the best first. They are
/// written one per line, as `book think --only` reads them, for programs that share the work among machines.
///
/// まだ探索していない定跡の局面を一覧します
///
/// 探索した手がない局面、または--leavesを指定すると定跡の手で進んだ局面を、良いものから順に出力します。`book think --only`が読み込む形式で1行に1つです。複数のコンピューターで作業を分担するプログラム用です。
#[derive(Debug, Args)]
pub(super) struct WaitingArgs {
    /// The book; one that does not exist counts as empty
    ///
    /// 定跡。ないファイルは空の定跡とみなします
    book: PathBuf,
    /// List up to this many positions that would extend the book, instead of its own
    ///
    /// 定跡の局面の代わりに、定跡を広げる局面をこの数まで一覧します
    #[arg(long, value_name = "N")]
    leaves: Option<usize>,
    #[command(flatten)]
    growth: GrowthArgs,
}

pub(super) fn waiting(args: &WaitingArgs, language: Language) -> Result {
    let table = super::read_or_empty(&args.book, language)?;
    let mut out = BufWriter::new(Output::data());
    let mut write = |position: Position| writeln!(out, "sfen {}", position.to_sfen());
    match args.leaves {
        Some(most) => {
            table.leaves(&args.growth.starts()?, &args.growth.growth(), most).into_iter().try_for_each(&mut write)?;
        }
        None => table.unsearched().try_for_each(&mut write)?,
    }
    Ok(out.flush()?)
}
