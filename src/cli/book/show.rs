//! `kurosabi book show`.

use std::io::{self, BufWriter, Write};
use std::path::PathBuf;

use clap::Args;

use crate::book::{Book, BookMove, Lookup};
use crate::position::Position;
use crate::rules::GameLine;

/// Show what a book says about a position
#[derive(Debug, Args)]
pub(super) struct ShowArgs {
    /// The book
    book: PathBuf,
    /// The position, as in USI: an SFEN or startpos, and moves
    #[arg(default_value = "startpos", num_args = 1..)]
    position: Vec<String>,
    /// How many plies of the tree to show
    #[arg(long, value_name = "PLIES", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=100))]
    depth: u32,
    /// Show at most this many moves of each position
    #[arg(long, value_name = "N", default_value_t = 100)]
    moves: usize,
    /// Count only positions with the same move number
    #[arg(long)]
    exact_ply: bool,
}

pub(super) fn run(args: &ShowArgs) -> io::Result<()> {
    let line: GameLine = args.position.join(" ").parse().map_err(io::Error::other)?;
    let mut tree = Tree {
        book: super::open(&args.book, true).or_else(|_| super::open(&args.book, false))?,
        lookup: Lookup { ignore_ply: !args.exact_ply, flipped: true },
        args,
        out: BufWriter::new(io::stdout().lock()),
    };
    let position = line.end();
    writeln!(tree.out, "{position}\n{}\n", position.to_sfen())?;
    if tree.moves(&position)?.is_empty() {
        return Err(super::named(&args.book, "the book does not have this position"));
    }
    writeln!(tree.out, "move      score  depth   count  answer")?;
    tree.show(&position, 0)?;
    tree.out.flush()
}

struct Tree<'a, W: Write> {
    book: Book,
    lookup: Lookup,
    args: &'a ShowArgs,
    out: W,
}

impl<W: Write> Tree<'_, W> {
    fn moves(&mut self, position: &Position) -> io::Result<Vec<BookMove>> {
        let found = self.book.probe(position, self.lookup).map_err(|error| super::named(&self.args.book, error))?;
        Ok(found.map_or(Vec::new(), |found| found.moves))
    }

    fn show(&mut self, position: &Position, ply: u32) -> io::Result<()> {
        if ply == self.args.depth {
            return Ok(());
        }
        for BookMove { mv, ponder, score, depth, count } in self.moves(position)?.into_iter().take(self.args.moves) {
            let indent = "  ".repeat(ply as usize);
            let name = format!("{indent}{mv}");
            let ponder = ponder.map_or(String::new(), |mv| mv.to_string());
            writeln!(self.out, "{}", format!("{name:8} {score:6} {depth:6} {count:7}  {ponder}").trim_end())?;
            let mut after = position.clone();
            after.do_move(mv);
            self.show(&after, ply + 1)?;
        }
        Ok(())
    }
}
