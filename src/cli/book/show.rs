//! `kurosabi book show`: what a book holds.

use std::cmp::Reverse;
use std::io::{BufWriter, Write};
use std::path::PathBuf;

use clap::Args;

use crate::book::{Book, BookMove, Lookup};
use crate::cli::arguments::{explained, number};
use crate::cli::failure::Result;
use crate::cli::records::files::naming;
use crate::cli::terminal::{Output, left, right};
use crate::language::{Language, text};
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
