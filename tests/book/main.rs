//! Opening books: formats, probing, choosing, making.

#[path = "../session/client.rs"]
#[allow(dead_code, reason = "not every test program needs all of it")]
mod client;

mod formats;
mod hostile;
mod minimax;
mod packed_sfen;
mod sbk;
mod session;
mod table;

use std::path::PathBuf;

use kurosabi::book::{Book, BookEntry, BookTable, Lookup};
use kurosabi::position::Position;

/// One book in each format, by the usual ending of its files. Kurosabi wrote the first three when it wrote all formats
/// (commit 04f025c), ShogiHome the last.
const FILES: [(&str, &[u8]); 4] = [
    ("db", include_bytes!("../data/lines.db")),
    ("ybb", include_bytes!("../data/lines.ybb")),
    ("bin", include_bytes!("../data/lines.bin")),
    ("sbk", include_bytes!("../data/shogihome.sbk")),
];

/// The positions of the first three.
fn positions() -> Vec<Position> {
    let table = BookTable::read(Book::from_bytes(FILES[0].1.to_vec()).unwrap(), &mut |remark| panic!("{remark}"));
    table
        .unwrap()
        .entries()
        .map(|(sfen, entry)| Position::from_sfen(&format!("{sfen} {}", entry.ply)).unwrap())
        .collect()
}

/// A path for a file of this name, for one test alone.
fn scratch(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("book");
    std::fs::create_dir_all(&folder).unwrap();
    folder.join(name)
}

/// The position after moves from the start of an even game.
fn after(moves: &str) -> Position {
    let mut position = Position::startpos();
    for mv in moves.split_whitespace() {
        position.try_do_move(mv.parse().unwrap()).unwrap();
    }
    position
}

/// The position with the board turned around and the players exchanged.
fn rotated(position: &Position) -> Position {
    Position::from_setup(&position.setup().rotated()).unwrap()
}

/// The SFEN of a line of a text book, without the move number.
fn key(position: &Position) -> String {
    position.to_sfen().rsplit_once(' ').unwrap().0.to_owned()
}

const EXACT: Lookup = Lookup { ignore_ply: false, flipped: false };
const ANY_PLY: Lookup = Lookup { ignore_ply: true, flipped: false };
const EITHER_WAY: Lookup = Lookup { ignore_ply: false, flipped: true };

/// The moves that a book has in a position, as text.
fn moves(book: &mut Book, position: &Position, lookup: Lookup) -> Vec<String> {
    let entry: Option<BookEntry> = book.probe(position, lookup).unwrap();
    entry.map_or(Vec::new(), |entry| entry.moves.iter().map(|book_move| book_move.mv.to_string()).collect())
}
