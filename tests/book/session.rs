//! The engine playing from a book, as a GUI sees it.

use std::path::Path;

use kurosabi::book::{BookMove, BookTable};
use kurosabi::position::Position;

use crate::client::{Client, only_info_string};
use crate::{after, key, sbk, scratch};

/// A book of a few first moves.
fn book(name: &str) -> String {
    let mut table = BookTable::default();
    let mut add = |line: &str, mv: &str, score: i32| {
        let position = after(line);
        let book_move = BookMove { score, depth: 30, ..BookMove::unscored(mv.parse().unwrap(), 1) };
        table.add(&position, position.game_ply(), book_move);
    };
    add("", "7g7f", 50);
    add("", "2g2f", 40);
    add("", "5g5f", 10);
    add("7g7f", "3c3d", -50);
    add("2g2f", "8c8d", -40);
    add("7g7f 3c3d", "2g2f", 55);
    let path = scratch(name);
    table.save(&path).unwrap();
    path.display().to_string()
}

/// Whether a line has a score that nothing was searched for, and no figures of a search.
fn is_of_book(line: &str) -> bool {
    let has_figures = ["seldepth", "nodes", "nps", "hashfull", "time"].map(|key| line.contains(&format!(" {key} ")));
    assert!(has_figures == [true; 5] || has_figures == [false; 5], "{line}");
    line.contains(" score ") && has_figures == [false; 5]
}

fn client(book: &str) -> Client {
    let mut client = Client::ready();
    client.send("setoption name USI_OwnBook value true");
    client.send(&format!("setoption name BookFile value {book}"));
    client
}

#[test]
fn a_book_move_is_played_and_shown_once_with_score_depth_and_line() {
    let mut client = client(&book("shown.db"));
    assert_eq!(client.sync(), [""; 0]);
    client.send("setoption name BookEvalDiff value 0");
    let lines = client.go("startpos", "go btime 60000 wtime 60000");
    let [info, best] = &lines[..] else { panic!("{lines:#?}") };
    assert!(info.contains(" depth 30 ") && info.contains(" score cp 50 ") && is_of_book(info), "{info}");
    assert!(info.ends_with(" pv 7g7f 3c3d 2g2f"), "{info}");
    assert_eq!(best, "bestmove 7g7f ponder 3c3d");
    // With several lines, all of the position's moves; the one that is played is shown last.
    client.send("setoption name MultiPV value 5");
    let lines = client.go("startpos", "go byoyomi 1000");
    let pvs: Vec<_> = lines
        .iter()
        .filter(|line| line.starts_with("info "))
        .map(|line| line.split(" multipv ").nth(1).unwrap())
        .collect();
    assert_eq!(pvs.len(), 3, "{lines:#?}");
    assert!(pvs[0].starts_with("3 score cp 10 ") && pvs[2].starts_with("1 score cp 50 "), "{lines:#?}");
    client.finish();
}

#[test]
fn a_book_line_goes_on_with_the_expected_answer() {
    let mut table = BookTable::default();
    let mut add = |line: &str, mv: &str, ponder: Option<&str>| {
        let position = after(line);
        let ponder = ponder.map(|mv| mv.parse().unwrap());
        let book_move = BookMove { ponder, ..BookMove::unscored(mv.parse().unwrap(), 1) };
        table.add(&position, position.game_ply(), book_move);
    };
    add("", "2g2f", Some("3c3d"));
    add("2g2f", "8c8d", None);
    add("2g2f 3c3d", "7g7f", Some("4c4d"));
    let path = scratch("expects.db");
    table.save(&path).unwrap();
    let mut client = client(&path.display().to_string());
    let lines = client.go("startpos", "go byoyomi 1000");
    let [.., info, best] = &lines[..] else { panic!("{lines:#?}") };
    assert!(info.ends_with(" pv 2g2f 3c3d 7g7f 4c4d"), "{info}");
    assert_eq!(best, "bestmove 2g2f ponder 3c3d");
    client.finish();
}

#[test]
fn shallowly_searched_book_moves_are_preferred_to_unscored_ones() {
    let mut table = BookTable::default();
    let searched =
        |text: &str, score: i32| BookMove { score, depth: 9, ..BookMove::unscored(text.parse().unwrap(), 1) };
    for book_move in [searched("7g7f", 40), searched("2g2f", 30), BookMove::unscored("9g9f".parse().unwrap(), 1)] {
        table.add(&Position::startpos(), 1, book_move);
    }
    let path = scratch("shallow.db");
    table.save(&path).unwrap();
    let mut client = client(&path.display().to_string());
    client.send("setoption name BookEvalDiff value 1000");
    for _ in 0..30 {
        let best = client.go("startpos", "go nodes 50").pop().unwrap();
        assert!(best.starts_with("bestmove 7g7f") || best.starts_with("bestmove 2g2f"), "{best}");
    }
    client.send("setoption name BookDepthLimit value 16");
    let lines = client.go("startpos", "go nodes 50");
    let reason = "the book has this position, but plays nothing: 7g7f was searched to depth 9, BookDepthLimit is 16";
    assert!(lines.iter().any(|line| line == &format!("info string {reason}")), "{lines:#?}");
    client.send("setoption name BookDepthLimit value 0");
    client.send("setoption name BookEvalBlackLimit value 100");
    let lines = client.go("startpos", "go nodes 50");
    assert!(lines.iter().any(|line| line.ends_with("7g7f has the score 40, BookEvalBlackLimit is 100")), "{lines:#?}");
    client.finish();
}

#[test]
fn book_moves_are_chosen_at_random_within_the_limits_of_the_options() {
    let mut client = client(&book("chance.db"));
    client.sync();
    let mut seen = std::collections::BTreeSet::new();
    for _ in 0..60 {
        seen.insert(client.go("startpos", "go nodes 1000").pop().unwrap().split(' ').nth(1).unwrap().to_owned());
    }
    // 5g5f is 40 worse than the best, BookEvalDiff is 30.
    assert_eq!(seen.into_iter().collect::<Vec<_>>(), ["2g2f", "7g7f"]);
    client.finish();
}

#[test]
fn analysis_and_no_book_search_instead_of_probing() {
    let mut client = client(&book("analysis.db"));
    client.sync();
    let searched = |client: &mut Client, go: &str| {
        let lines = client.go("startpos", go);
        !is_of_book(lines.iter().rev().nth(1).unwrap())
    };
    assert!(!searched(&mut client, "go nodes 500"));
    assert!(searched(&mut client, "go depth 3"));
    assert!(searched(&mut client, "go nodes 500 searchmoves 9g9f"));
    client.send("setoption name ConsiderationMode value true");
    assert!(searched(&mut client, "go nodes 500"));
    client.send("setoption name ConsiderationMode value false");
    for (name, value, back) in [
        ("USI_OwnBook", "false", "true"),
        ("BookMoves", "0", "16"),
        ("BookDepthLimit", "31", "0"),
        ("BookEvalBlackLimit", "51", "0"),
    ] {
        client.send(&format!("setoption name {name} value {value}"));
        assert!(searched(&mut client, "go nodes 500"), "{name}");
        client.send(&format!("setoption name {name} value {back}"));
        assert!(!searched(&mut client, "go nodes 500"), "{name}");
    }
    client.send("setoption name BookFile value no_book");
    assert!(searched(&mut client, "go nodes 500"));
    client.send("position startpos");
    client.send("go infinite");
    client.unanswered_for(std::time::Duration::from_millis(50));
    client.send("stop");
    client.until("bestmove");
    client.finish();
}

#[test]
fn pondering_on_a_book_position_waits_for_ponderhit() {
    let mut client = client(&book("ponder.db"));
    client.sync();
    client.send("position startpos moves 7g7f 3c3d");
    client.send("go ponder btime 60000 wtime 60000");
    client.unanswered_for(std::time::Duration::from_millis(100));
    client.send("ponderhit");
    assert_eq!(client.until("bestmove").pop().unwrap(), "bestmove 2g2f");
    client.finish();
}

#[test]
fn a_position_that_repeats_in_the_game_is_searched_despite_the_book() {
    let mut client = client(&book("circle.db"));
    client.send("setoption name IgnoreBookPly value true");
    client.sync();
    let circle = "2h3h 8b7b 3h2h 7b8b";
    assert_eq!(
        client.go(&format!("startpos moves {circle}"), "go nodes 500").iter().filter(|line| is_of_book(line)).count(),
        0
    );
    let lines = client.go(&format!("startpos moves {circle} 7g7f"), "go nodes 500");
    assert_eq!(lines.last().unwrap(), "bestmove 3c3d ponder 2g2f");
    client.finish();
}

#[test]
fn an_unusable_book_is_reported_and_the_game_goes_on() {
    let broken = scratch("broken 定跡.db");
    std::fs::write(&broken, "this is no book\n").unwrap();
    let mut client = client(&broken.display().to_string());
    let said = client.sync();
    let said = only_info_string(&said);
    assert!(
        said.contains("broken 定跡.db") && said.contains("it is not a book") && said.ends_with("no book is used"),
        "{said}"
    );
    assert!(client.go("startpos", "go nodes 500").last().unwrap().starts_with("bestmove "));
    // Mended, it is read at the next isready.
    std::fs::copy(book("mended.db"), &broken).unwrap();
    assert_eq!(client.sync(), [""; 0]);
    assert!(client.go("startpos", "go nodes 500").iter().any(|line| is_of_book(line)));
    // Illegal moves are reported, and the others played.
    let text = format!("sfen {} 1\n7g7e none 90 30 9\n2g2f none 20 30 1\n", key(&Position::startpos()));
    std::fs::write(scratch("illegal.db"), text).unwrap();
    client.send(&format!("setoption name BookFile value {}", scratch("illegal.db").display()));
    client.sync();
    let lines = client.go("startpos", "go nodes 500");
    assert!(only_info_string(&lines).contains("illegal move \"7g7e\""), "{lines:#?}");
    assert_eq!(lines.last().unwrap(), "bestmove 2g2f");
    client.finish();
}

#[test]
fn a_book_is_found_in_the_folder_that_bookdir_names() {
    let path = book("folder.db");
    let (folder, name) = (Path::new(&path).parent().unwrap(), Path::new(&path).file_name().unwrap());
    let mut client = client(&name.display().to_string());
    assert!(only_info_string(&client.sync()).contains("folder.db"));
    client.send(&format!("setoption name BookDir value {}", folder.display()));
    assert_eq!(client.sync(), [""; 0]);
    assert!(client.go("startpos", "go nodes 500").iter().any(|line| is_of_book(line)));
    client.finish();
}

#[test]
fn the_built_in_book_varies_the_first_moves() {
    let mut client = Client::ready();
    client.send("setoption name USI_OwnBook value true");
    assert_eq!(client.sync(), [""; 0]);
    let mut seen = std::collections::BTreeSet::new();
    for _ in 0..30 {
        let mut moves = String::new();
        for _ in 0..4 {
            let lines = client.go(&format!("startpos moves{moves}"), "go btime 600000 wtime 600000 byoyomi 10000");
            let [info, best] = &lines[..] else { panic!("{lines:#?}") };
            assert!(is_of_book(info), "{info}");
            moves = format!("{moves} {}", best.split(' ').nth(1).unwrap());
        }
        seen.insert(moves);
    }
    assert!(seen.len() > 5, "{seen:?}");
    // A position that a detour has led to is the same position.
    let late = "sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 7";
    let lines = client.go(late, "go btime 600000 wtime 600000 byoyomi 10000");
    assert!(lines.len() == 2 && is_of_book(&lines[0]), "{lines:#?}");
    client.finish();
}

#[test]
fn the_built_in_book_has_only_usable_entries() {
    let packed = include_bytes!("../../src/book/embedded/opening.db.gz");
    assert!(packed.len() < 300_000);
    let book = kurosabi::book::Book::builtin().unwrap();
    let mut table = BookTable::read(book, &mut |text| panic!("{text}")).unwrap();
    assert!(table.len() > 100);
    assert!(table.entries().all(|(_, entry)| entry.moves.iter().all(BookMove::is_scored)));
    assert_eq!(table.minimax().repetitions, 0);
}

#[test]
fn a_book_of_shogigui_is_played_by_its_weights() {
    let path = scratch("weights.sbk");
    std::fs::write(&path, sbk::weighted()).unwrap();
    let mut client = client(&path.display().to_string());
    client.send("setoption name ConsiderBookMoveCount value true");
    assert_eq!(client.sync(), [""; 0]);
    let lines = client.go("startpos", "go btime 60000 wtime 60000");
    assert_eq!(lines.last().unwrap(), "bestmove 2g2f ponder 8c8d");
    client.finish();
}
