//! Opening books of all formats, read at once and as they are asked: the moves found are legal.
#![no_main]

#[path = "../file.rs"]
mod file;

use kurosabi::book::{Book, BookTable, Lookup};
use kurosabi::position::Position;
use libfuzzer_sys::fuzz_target;

fn probe(book: &mut Book) {
    let mut position = Position::startpos();
    for mv in ["7g7f", "3c3d", "2g2f", "8c8d", "2f2e"] {
        for (ignore_ply, flipped) in [(false, false), (true, true)] {
            if let Ok(Some(found)) = book.probe(&position, Lookup { ignore_ply, flipped }) {
                assert!(found.moves.iter().all(|book_move| position.is_legal(book_move.mv)));
            }
        }
        position.do_move(mv.parse().unwrap());
    }
}

fuzz_target!(|bytes: &[u8]| {
    if let Ok(mut book) = Book::from_bytes(bytes.to_vec()) {
        probe(&mut book);
        if let Ok(table) = BookTable::read(book, &mut |_| {}) {
            let mut written = Vec::new();
            table.write(&mut written).expect("memory takes all");
            Book::from_bytes(written).expect("what is written is read");
        }
    }
    let file = file::File::with_content("book", bytes);
    if let Ok(mut book) = Book::open(file.path(), true) {
        probe(&mut book);
    }
});
