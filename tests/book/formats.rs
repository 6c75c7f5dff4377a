//! The formats, as others write them.

use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;
use kurosabi::book::{Book, BookMove, BookTable};
use kurosabi::position::Position;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use crate::{ANY_PLY, EITHER_WAY, EXACT, FILES, after, key, moves, positions, rotated, scratch};

/// A book as YaneuraOu writes it.
const TEXT: &str = "#YANEURAOU-DB2016 1.00
# a comment
// another
sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2
3c3d 2g2f -42 33 5
8c8d none -50 32
sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1
2g2f 8c8d 60 34 3
7g7f 3c3d 42 33 7
9g9f none
";

#[test]
fn a_text_book_is_read_and_missing_fields_have_defaults() {
    // Not sorted by SFEN: "...2P6/PP1" comes before "...9/PPPPPPPPP", but the reader does not count on it.
    let mut book = Book::from_bytes(TEXT.into()).unwrap();
    assert_eq!(book.format(), "db");
    let found = book.probe(&Position::startpos(), EXACT).unwrap().unwrap();
    let all: Vec<_> = found.moves.iter().map(|m| (m.mv.to_string(), m.score, m.depth, m.count)).collect();
    // The most played first, as YaneuraOu sorts them; missing numbers are 0, the count 1.
    let expected = [("7g7f", 42, 33, 7), ("2g2f", 60, 34, 3), ("9g9f", 0, 0, 1)];
    assert_eq!(all, expected.map(|(mv, score, depth, count)| (mv.to_owned(), score, depth, count)));
    assert_eq!(found.moves[0].ponder.unwrap().to_string(), "3c3d");
    assert_eq!(found.moves[2].ponder, None);
    assert_eq!(moves(&mut book, &after("7g7f"), EXACT), ["3c3d", "8c8d"]);
    assert_eq!(moves(&mut book, &after("2g2f"), EXACT), [""; 0]);
    let (crlf, bom) = (TEXT.replace('\n', "\r\n"), format!("\u{feff}{TEXT}"));
    for text in [crlf, bom] {
        let mut book = Book::from_bytes(text.into()).unwrap();
        assert_eq!(moves(&mut book, &after("7g7f"), EXACT), ["3c3d", "8c8d"]);
    }
}

#[test]
fn a_position_is_found_only_with_its_move_number_unless_that_is_ignored() {
    let sfen = Position::startpos().to_sfen();
    let numbered = |number: u32| Position::from_sfen(&sfen.replace(" 1", &format!(" {number}"))).unwrap();
    let text = format!("sfen {}\n2g2f\nsfen {}\n7g7f\n", numbered(3).to_sfen(), numbered(11).to_sfen());
    let mut book = Book::from_bytes(text.into()).unwrap();
    assert_eq!(moves(&mut book, &numbered(1), EXACT), [""; 0]);
    assert_eq!(moves(&mut book, &numbered(3), EXACT), ["2g2f"]);
    assert_eq!(moves(&mut book, &numbered(11), EXACT), ["7g7f"]);
    assert_eq!(moves(&mut book, &numbered(1), ANY_PLY).len(), 1);
}

#[test]
fn rotated_positions_are_found_with_rotated_moves() {
    let mut book = Book::from_bytes(TEXT.into()).unwrap();
    // White to move at the start: Black's 7g7f is its 3c3d.
    let position = Position::from_sfen("lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1").unwrap();
    assert_eq!(moves(&mut book, &position, EXACT), [""; 0]);
    assert_eq!(moves(&mut book, &position, EITHER_WAY), ["3c3d", "8c8d", "1c1d"]);
}

#[test]
fn rotating_a_position_twice_gives_it_back() {
    let mut rng = StdRng::seed_from_u64(5);
    let mut position = Position::startpos();
    for _ in 0..300 {
        let legal = kurosabi::movegen::legal_moves(&position);
        if legal.is_empty() {
            position = Position::startpos();
            continue;
        }
        let mv = legal[rng.random_range(0..legal.len())];
        let turned = rotated(&position);
        assert!(turned.is_legal(mv.rotated()), "{mv} in {}", position.to_sfen());
        assert_eq!(rotated(&turned).to_sfen(), position.to_sfen());
        assert_eq!(kurosabi::movegen::legal_moves(&turned).len(), legal.len());
        position.do_move(mv);
    }
}

/// A table of random lines from the start, with everything that a move can say.
fn random_table(games: usize, plies: usize) -> (BookTable, Vec<Position>) {
    let mut rng = StdRng::seed_from_u64(7);
    let (mut table, mut positions) = (BookTable::default(), Vec::new());
    for _ in 0..games {
        let mut position = Position::startpos();
        for _ in 0..plies {
            let legal = kurosabi::movegen::legal_moves(&position);
            if legal.is_empty() {
                break;
            }
            let mv = legal[rng.random_range(0..legal.len())];
            let mut then = position.clone();
            then.do_move(mv);
            let ponder = kurosabi::movegen::legal_moves(&then).first().copied().filter(|_| rng.random());
            let score = rng.random_range(-3000..3000);
            let book_move =
                BookMove { mv, ponder, score, depth: rng.random_range(1..40), count: rng.random_range(1..9) };
            table.add(&position, position.game_ply(), book_move);
            positions.push(position);
            position = then;
        }
    }
    (table, positions)
}

#[test]
fn a_text_book_is_read_back_as_it_was_written() {
    let (table, positions) = random_table(60, 50);
    assert!(table.len() > 1000);
    for name in ["all.db", "all.db.gz"] {
        let path = scratch(name);
        table.save(&path).unwrap();
        for on_the_fly in [false, true] {
            let mut book = Book::open(&path, on_the_fly).unwrap();
            for position in &positions {
                let mut found = book.probe(position, ANY_PLY).unwrap().unwrap().moves;
                let mut expected = table.get(position).unwrap().moves.clone();
                found.sort_by_key(|book_move| book_move.mv);
                expected.sort_by_key(|book_move| book_move.mv);
                assert_eq!(found, expected, "{name} {}", position.to_sfen());
            }
            assert_eq!(moves(&mut book, &after("1g1f 9c9d 1f1e 9d9e 1e1d"), ANY_PLY), [""; 0]);
        }
        let again = BookTable::read(Book::open(&path, false).unwrap(), &mut |text| panic!("{text}")).unwrap();
        let entries = |table: &BookTable| {
            let entries = table.entries().map(|(sfen, entry)| {
                let mut moves = entry.moves.clone();
                moves.sort_by_key(|book_move| book_move.mv);
                (sfen.to_owned(), entry.ply, moves)
            });
            entries.collect::<Vec<_>>()
        };
        assert_eq!(entries(&again), entries(&table));
    }
}

#[test]
fn binary_books_have_the_moves_of_the_text() {
    let [mut text, mut ybb, mut apery] = [0, 1, 2].map(|file| Book::from_bytes(FILES[file].1.to_vec()).unwrap());
    assert_eq!([&text, &ybb, &apery].map(Book::format), ["db", "ybb", "bin"]);
    let positions = positions();
    assert_eq!(positions.len(), 26);
    for position in &positions {
        let sorted = |book: &mut Book| {
            let mut moves = book.probe(position, EXACT).unwrap().unwrap().moves;
            moves.sort_by_key(|book_move| book_move.mv);
            moves
        };
        let expected = sorted(&mut text);
        let without_ponder = || expected.iter().map(|known| BookMove { ponder: None, ..*known });
        let of_ybb: Vec<BookMove> = without_ponder().map(|known| BookMove { count: 0, ..known }).collect();
        assert_eq!(sorted(&mut ybb), of_ybb);
        let of_apery: Vec<BookMove> = without_ponder().map(|known| BookMove { depth: 256, ..known }).collect();
        assert_eq!(sorted(&mut apery), of_apery);
    }
    let later = Position::from_sfen(&format!("{} 31", key(&Position::startpos()))).unwrap();
    assert_eq!([&mut ybb, &mut apery].map(|book| moves(book, &later, EXACT).len()), [0, 3]);
    assert_eq!([&mut ybb, &mut apery].map(|book| moves(book, &later, ANY_PLY).len()), [3, 3]);
    for book in [&mut ybb, &mut apery] {
        assert_eq!(moves(book, &after("1g1f 9c9d 1f1e 9d9e 1e1d"), ANY_PLY), [""; 0]);
    }
    let table = BookTable::read(ybb, &mut |remark| panic!("{remark}")).unwrap();
    assert_eq!((table.len(), table.moves()), (26, 45));
}

#[test]
fn apery_keys_equal_those_of_apery() {
    // YaneuraOu 9.70 finds these two in a book called `book.bin`: the start, and White with a pawn in hand.
    let line = "7g7f 8c8d 2g2f 8d8e 2f2e 4a3b 2e2d 2c2d 2h2d";
    let mut bytes = Vec::new();
    for (key, code) in [(0x1c5c_4483_85f5_f183u64, 11u16 | 81 << 7), (0xeebe_8ee7_e1ad_7e15, 59 | 60 << 7)] {
        bytes.extend(key.to_le_bytes());
        bytes.extend(code.to_le_bytes());
        bytes.extend(5u16.to_le_bytes());
        bytes.extend((-40i32).to_le_bytes());
    }
    let mut book = Book::from_bytes(bytes).unwrap();
    assert_eq!(book.format(), "bin");
    assert_eq!(moves(&mut book, &Position::startpos(), EXACT), ["7g7f"]);
    let found = book.probe(&after(line), EXACT).unwrap().unwrap();
    assert_eq!((found.moves[0].mv.to_string().as_str(), found.moves[0].score, found.moves[0].count), ("P*2c", -40, 5));
    assert_eq!(moves(&mut book, &after("7g7f"), EXACT), [""; 0]);
}

#[test]
fn every_position_of_a_sorted_text_book_is_found_on_disk() {
    let (table, positions) = random_table(300, 30);
    let path = scratch("sorted.db");
    table.save(&path).unwrap();
    assert!(std::fs::metadata(&path).unwrap().len() > 500_000);
    let mut book = Book::open(&path, true).unwrap();
    for position in &positions {
        assert_eq!(moves(&mut book, position, ANY_PLY).len(), table.get(position).unwrap().moves.len());
    }
    // Comments, long ones too, and blank lines do not matter.
    let text = std::fs::read_to_string(&path).unwrap();
    let commented: String = text
        .lines()
        .enumerate()
        .map(|(n, line)| {
            format!("{line}\n{}", if n % 7 == 0 { format!("# {}\n\n", "x".repeat(n % 3000)) } else { String::new() })
        })
        .collect();
    std::fs::write(&path, commented).unwrap();
    let mut book = Book::open(&path, true).unwrap();
    for position in positions.iter().step_by(5) {
        assert_eq!(moves(&mut book, position, ANY_PLY).len(), table.get(position).unwrap().moves.len());
    }
}

#[test]
fn books_compressed_with_zstandard_or_gzip_are_read() {
    // A frame with one raw block, as RFC 8878 describes it.
    let text = format!("sfen {} 1\n7g7f\n", key(&Position::startpos()));
    let mut frame = vec![0x28, 0xb5, 0x2f, 0xfd, 0x20, text.len() as u8];
    frame.extend(((text.len() as u32) << 3 | 1).to_le_bytes()[..3].iter());
    frame.extend(text.as_bytes());
    let mut book = Book::from_bytes(frame).unwrap();
    assert_eq!(moves(&mut book, &Position::startpos(), EXACT), ["7g7f"]);
    let mut gzip = GzEncoder::new(Vec::new(), Compression::fast());
    gzip.write_all(text.as_bytes()).unwrap();
    let mut book = Book::from_bytes(gzip.finish().unwrap()).unwrap();
    assert_eq!(moves(&mut book, &Position::startpos(), EXACT), ["7g7f"]);
}
