//! Making and changing books.

use std::path::Path;
use std::process::Command;

use kurosabi::book::{Book, BookMove, BookTable, Cut};
use kurosabi::position::Position;
use kurosabi::types::{Color, Move};

use crate::{after, scratch};

fn played(text: &str) -> Vec<Move> {
    text.split_whitespace().map(|mv| mv.parse().unwrap()).collect()
}

pub(crate) fn scored(text: &str, score: i32) -> BookMove {
    BookMove { score, depth: 10, ..BookMove::unscored(text.parse().unwrap(), 1) }
}

pub(crate) fn score_of(table: &BookTable, position: &Position, mv: &str) -> (i32, u32) {
    let entry = table.get(position).unwrap();
    let book_move = entry.moves.iter().find(|book_move| book_move.mv.to_string() == mv).unwrap();
    (book_move.score, book_move.depth)
}

#[test]
fn making_a_book_counts_the_games_of_each_move() {
    let mut table = BookTable::default();
    for game in ["7g7f 3c3d 2g2f", "7g7f 8c8d", "2g2f 3c3d"] {
        table.add_game(&Position::startpos(), &played(game), 2, None);
    }
    let counts = |position: &Position| {
        let mut counts: Vec<_> =
            table.get(position).unwrap().moves.iter().map(|m| (m.mv.to_string(), m.count)).collect();
        counts.sort();
        counts
    };
    assert_eq!(counts(&after("")), [("2g2f".to_owned(), 1), ("7g7f".to_owned(), 2)]);
    assert_eq!(counts(&after("7g7f")), [("3c3d".to_owned(), 1), ("8c8d".to_owned(), 1)]);
    assert_eq!(table.len(), 3, "the third move is beyond the limit");
    let mut black = BookTable::default();
    black.add_game(&Position::startpos(), &played("7g7f 3c3d 2g2f"), 9, Some(Color::Black));
    assert_eq!((black.len(), black.moves()), (2, 2));
}

#[test]
fn files_that_cannot_be_read_are_named_and_the_book_is_made_of_the_rest() {
    let folder = scratch("unread");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("a.usi"), "startpos moves 7g7f 3c3d\n").unwrap();
    std::fs::write(folder.join("b.kif"), "").unwrap();
    std::fs::write(folder.join("c.usi"), "startpos moves 2g2f\n").unwrap();
    let book = scratch("unread.db");
    let make = |games: &Path| {
        let arguments = ["book".as_ref(), "make".as_ref(), games.as_os_str(), "-o".as_ref(), book.as_os_str()];
        Command::new(env!("CARGO_BIN_EXE_kurosabi")).args(arguments).output().unwrap()
    };
    let output = make(&folder);
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.code() == Some(1) && stderr.contains("b.kif: the file is empty"), "{stderr}");
    let table = BookTable::read(Book::open(&book, false).unwrap(), &mut |text| panic!("{text}")).unwrap();
    assert_eq!(table.get(&after("")).unwrap().moves.len(), 2, "of the first and of the third file");
    std::fs::remove_file(&book).unwrap();
    let output = make(&folder.join("b.kif"));
    assert!(output.status.code() == Some(1) && !book.exists(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn books_are_cut_and_merged() {
    let mut table = BookTable::default();
    for (mv, score, count) in [("7g7f", 50, 9), ("2g2f", 30, 5), ("5g5f", -20, 1)] {
        table.add(&after(""), 1, BookMove { count, ..scored(mv, score) });
    }
    table.add(&after("7g7f"), 2, scored("3c3d", 0));
    table.add(&after("9g9f"), 2, scored("3c3d", 0));
    let left = |cut: Cut| {
        let mut table = table.clone();
        table.cut(&cut);
        (table.len(), table.moves())
    };
    assert_eq!(left(Cut { max_ply: Some(1), ..Cut::default() }), (1, 3));
    assert_eq!(left(Cut { min_count: 5, ..Cut::default() }), (1, 2));
    assert_eq!(left(Cut { eval_diff: Some(20), ..Cut::default() }), (3, 4));
    assert_eq!(left(Cut { max_moves: Some(1), ..Cut::default() }), (3, 3));
    assert_eq!(left(Cut { min_depth: 11, ..Cut::default() }), (0, 0));
    let mut other = BookTable::default();
    other.add(&after(""), 1, BookMove { score: 44, depth: 20, ..BookMove::unscored("7g7f".parse().unwrap(), 2) });
    other.add(&after(""), 1, BookMove::unscored("2g2f".parse().unwrap(), 2));
    table.merge(other);
    assert_eq!(score_of(&table, &after(""), "7g7f"), (44, 20), "the deeper search counts");
    assert_eq!(score_of(&table, &after(""), "2g2f"), (30, 10), "a search counts more than none");
    let counts: Vec<u64> = table.get(&after("")).unwrap().moves.iter().map(|book_move| book_move.count).collect();
    assert_eq!(counts, [11, 7, 1]);
}

/// A mated king has no move to search: such a position would be found again and again.
#[test]
fn leaves_leave_out_positions_where_the_game_is_over() {
    let start = Position::from_sfen("4k4/9/4P4/9/9/9/9/9/4K4 b G 1").unwrap();
    let mut table = BookTable::default();
    table.set_scores(&start, &[scored("G*5b", 31_999), scored("G*4b", 500)]);
    let leaves = table.leaves(&[start], 60, 20, 10);
    let found: Vec<String> = leaves.iter().map(Position::to_sfen).collect();
    assert_eq!(found, ["4k4/5G3/4P4/9/9/9/9/9/4K4 w - 2"]);
}

#[test]
fn leaves_come_first_where_moves_lose_least() {
    let mut table = BookTable::default();
    let moves = [("7g7f", 50), ("2g2f", 30), ("1g1f", 50), ("9g9f", -50)];
    table.set_scores(&after(""), &moves.map(|(mv, score)| scored(mv, score)));
    table.set_scores(&after("7g7f"), &[scored("3c3d", 0), scored("8c8d", -10)]);
    table.set_scores(&after("2g2f"), &[scored("8c8d", 0), scored("9c9d", 0)]);
    let leaves = |starts: &[Position], max_ply, most| -> Vec<String> {
        table.leaves(starts, max_ply, 20, most).iter().map(Position::to_sfen).collect()
    };
    // Of equals the first SFEN comes first.
    let expected = ["1g1f", "7g7f 3c3d", "7g7f 8c8d", "2g2f 9c9d", "2g2f 8c8d", "9g9f"];
    let expected = expected.map(|moves| after(moves).to_sfen());
    assert_eq!(leaves(&[after("")], 60, 10), expected);
    assert_eq!(leaves(&[after("")], 60, 2), expected[..2]);
    assert_eq!(leaves(&[after("")], 2, 10), [expected[0].clone(), expected[5].clone()]);
    assert_eq!(leaves(&[after("7g7f 3c3d"), after("")], 1, 10), [""; 0]);
}

/// The same command, given again after a stop, is to end at the same book.
#[test]
fn think_reaches_the_requested_size_over_several_runs() {
    let path = scratch("size.db");
    let _ = std::fs::remove_file(&path);
    let think = |options: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_kurosabi"));
        command
            .args(["book", "think"])
            .arg(&path)
            .args(["--nodes", "100", "--hash", "1", "--threads", "1"])
            .args(options);
        let output = command.output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let table = BookTable::read(Book::open(&path, false).unwrap(), &mut |text| panic!("{text}")).unwrap();
        (String::from_utf8(output.stdout).unwrap().lines().next().unwrap().to_owned(), table.len())
    };
    assert_eq!(think(&["--until-size", "3"]), ("3 positions searched".to_owned(), 3));
    assert_eq!(think(&["--until-size", "5"]), ("2 positions searched".to_owned(), 5));
    assert_eq!(think(&["--until-size", "5"]), ("0 positions searched".to_owned(), 5));
}

#[test]
fn books_are_only_written_as_text() {
    let path = scratch("think.bin");
    let _ = std::fs::remove_file(&path);
    let mut command = Command::new(env!("CARGO_BIN_EXE_kurosabi"));
    let output = command.args(["book", "think", "--nodes", "10", "--until-size", "9"]).arg(&path).output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(
        !output.status.success() && said.contains("think.bin: the name of a book to write ends in .db or .db.gz"),
        "{said}"
    );
    assert!(!path.exists());
}

#[test]
fn a_book_locked_by_think_is_not_written_by_other_processes() {
    let path = scratch("locked.db");
    let lock = scratch("locked.db.kurosabi-lock");
    let _ = std::fs::remove_file(&path);
    let command = || {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_kurosabi"));
        command
            .env("LC_ALL", "C")
            .arg("book")
            .stdout(std::process::Stdio::piped())
            .stderr(std::process::Stdio::piped());
        command
    };
    let think = |nodes: &str| {
        let mut command = command();
        command.arg("think").arg(&path).args(["--nodes", nodes, "--hash", "1", "--threads", "1", "--until-size", "2"]);
        command
    };
    let mut first = think("1000000000").spawn().unwrap();
    while !lock.exists() {
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    let second = think("10").output().unwrap();
    let said = String::from_utf8_lossy(&second.stderr);
    assert!(!second.status.success() && said.contains("locked.db: another process is working on this file"), "{said}");
    let games = scratch("locked.usi");
    std::fs::write(&games, "startpos moves 7g7f\n").unwrap();
    assert!(!command().arg("make").arg(&games).arg("-o").arg(&path).output().unwrap().status.success());
    // The lock of a killed process is none.
    first.kill().unwrap();
    first.wait().unwrap();
    assert!(lock.exists() && think("10").output().unwrap().status.success());
    assert!(BookTable::read(Book::open(&path, false).unwrap(), &mut |remark| panic!("{remark}")).unwrap().len() == 2);
}

#[test]
fn think_refuses_a_book_with_unreadable_entries() {
    let path = scratch("damaged.db");
    let text = "#YANEURAOU-DB2016 1.00\nsfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1\n\
                7g7f 3c3d 20 10 1\n2g2x none 10 10 1\n";
    std::fs::write(&path, text).unwrap();
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_kurosabi"))
        .env("LC_ALL", "C")
        .args(["book", "think", "--nodes", "10", "--until-size", "9"])
        .arg(&path)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success() && said.contains("2g2x") && said.contains("book convert"), "{said}");
    assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
}
