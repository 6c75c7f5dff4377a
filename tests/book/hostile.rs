//! Files that are no books, or damaged ones: a message, no panic, and an answer in no time.

use std::fs::File;
use std::io::Write;
use std::time::{Duration, Instant};

use flate2::Compression;
use flate2::write::GzEncoder;
use kurosabi::book::{Book, BookTable};
use kurosabi::position::Position;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use crate::{ANY_PLY, FILES, key, moves, positions, scratch};

fn error_of(bytes: impl Into<Vec<u8>>) -> String {
    Book::from_bytes(bytes.into()).err().expect("it is refused").to_string()
}

#[test]
fn files_that_are_no_books_are_refused_with_a_reason() {
    assert!(error_of("").contains("empty"));
    for text in [
        "# KIF version=2.0 encoding=UTF-8\n手合割：平手\n",
        "hello\n",
        "7g7f 3c3d 0 0\n",
        "startpos moves 7g7f\n",
        "sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1 moves 7g7f\n",
    ] {
        assert!(error_of(text).contains("it is not a book"), "{text}");
    }
    assert!(error_of(vec![0; 160]).contains("it is not a book"));
    assert!(error_of(&b"\x1f\x8b not gzip"[..]).contains("damaged"));
    assert!(error_of(&b"\x28\xb5\x2f\xfdnot zstd"[..]).contains("damaged"));
    let mut zeros = GzEncoder::new(Vec::new(), Compression::fast());
    zeros.write_all(&vec![0; 64 << 20]).unwrap();
    assert!(error_of(zeros.finish().unwrap()).contains("damaged at byte 0"));
    let mut text = GzEncoder::new(Vec::new(), Compression::best());
    text.write_all(b"#YANEURAOU-DB2016 1.00\n").unwrap();
    let entry = b"sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1\n7g7f none 0 32 1\n";
    text.write_all(&entry.repeat(300_000)).unwrap();
    assert!(error_of(text.finish().unwrap()).contains("more than 50 times its size"));
    assert!(Book::open(&scratch("missing.db"), true).is_err());
    assert!(Book::open(&std::env::temp_dir(), true).err().unwrap().to_string().contains("regular file"));
}

#[test]
fn unreadable_lines_of_an_entry_are_listed_and_the_others_used() {
    let start = key(&Position::startpos());
    let text = format!("sfen {start} 1\n7g7f 3c3d 42 33 1\n7g7e none 10 20 1\n7g\nP*5e none\nresign\n2g2f xx yy zz\n");
    let mut book = Book::from_bytes(text.into()).unwrap();
    let found = book.probe(&Position::startpos(), ANY_PLY).unwrap().unwrap();
    let texts: Vec<String> = found.moves.iter().map(|book_move| book_move.mv.to_string()).collect();
    assert_eq!(texts, ["7g7f", "2g2f"]);
    assert_eq!(found.unreadable, ["7g", "7g7e", "P*5e"]);
}

#[test]
fn a_sparse_file_of_ten_gigabytes_is_refused_at_once() {
    let began = Instant::now();
    for (name, beginning) in [
        ("zeros.db", String::new()),
        ("begun.db", format!("#YANEURAOU-DB2016 1.00\nsfen {} 1\n7g7f\n", key(&Position::startpos()))),
        ("begun.sbk", "\u{1a}\u{2}\u{8}\0".to_owned()),
        ("binary.ybb", "YANE-BINBOOK-V1\0\u{1}\0\0\0\0\0\0\u{1}".to_owned()),
    ] {
        let path = scratch(name);
        let mut file = File::create(&path).unwrap();
        file.write_all(beginning.as_bytes()).unwrap();
        file.set_len(10 << 30).unwrap();
        for on_the_fly in [false, true] {
            let book = Book::open(&path, on_the_fly);
            assert!(book.is_err(), "{name}");
        }
        std::fs::remove_file(&path).unwrap();
    }
    // Ten gigabytes cannot be read in this time, by far.
    assert!(began.elapsed() < Duration::from_secs(8), "{:?}", began.elapsed());
}

#[test]
fn damaged_books_do_not_panic() {
    let mut rng = StdRng::seed_from_u64(11);
    let positions = positions();
    for (name, whole) in FILES {
        let path = scratch(&format!("damaged.{name}"));
        for round in 0..120 {
            let mut bytes = whole.to_vec();
            for _ in 0..rng.random_range(1..6) {
                let at = rng.random_range(0..bytes.len());
                bytes[at] = rng.random();
            }
            if round % 3 == 0 {
                bytes.truncate(rng.random_range(0..bytes.len()));
            }
            std::fs::write(&path, &bytes).unwrap();
            let Ok(mut book) = Book::open(&path, round % 2 == 0) else { continue };
            for position in &positions {
                if let Ok(Some(found)) = book.probe(position, ANY_PLY) {
                    assert!(found.moves.iter().all(|book_move| position.is_legal(book_move.mv)));
                }
            }
            let _ = BookTable::read(book, &mut |_| {});
        }
    }
}

#[test]
fn an_unsorted_text_book_is_read_whole_but_not_searched_on_disk() {
    let start = key(&Position::startpos());
    let text = format!("sfen {start} 2\n7g7f\nsfen 4k4/9/9/9/9/9/9/9/4K4 b - 1\n5i5h\n");
    let path = scratch("unsorted.db");
    std::fs::write(&path, text).unwrap();
    assert!(Book::open(&path, true).err().unwrap().to_string().contains("sorted"));
    let mut book = Book::open(&path, false).unwrap();
    assert_eq!(moves(&mut book, &Position::startpos(), ANY_PLY), ["7g7f"]);
}
