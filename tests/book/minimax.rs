//! Scores carried up through the graph of a book.

use kurosabi::book::{BookMove, BookTable};
use kurosabi::types::Color;

use crate::table::{score_of, scored};
use crate::{after, rotated};

#[test]
fn minimax_carries_scores_up_through_transpositions() {
    let mut table = BookTable::default();
    // Black: 7g7f or 2g2f; both with 3c3d and the other move lead to one position, in which Black has +120.
    table.add(&after(""), 1, scored("7g7f", 10));
    table.add(&after(""), 1, scored("2g2f", 70));
    table.add(&after("7g7f"), 2, scored("3c3d", 0));
    table.add(&after("7g7f"), 2, scored("8c8d", -30));
    table.add(&after("2g2f"), 2, scored("3c3d", 5));
    table.add(&after("7g7f 3c3d"), 3, scored("2g2f", 0));
    table.add(&after("2g2f 3c3d"), 3, scored("7g7f", 0));
    table.add(&after("7g7f 3c3d 2g2f"), 4, scored("8c8d", -120));
    let done = table.minimax();
    assert_eq!(done.inner_moves, 6);
    assert_eq!(score_of(&table, &after("7g7f 3c3d"), "2g2f"), (120, 11));
    assert_eq!(score_of(&table, &after("7g7f"), "3c3d"), (-120, 12));
    // White does better with 8c8d there, and has nothing better after 2g2f.
    assert_eq!(score_of(&table, &after(""), "7g7f"), (30, 11));
    assert_eq!(score_of(&table, &after(""), "2g2f"), (120, 13));
}

#[test]
fn transpositions_into_the_book_are_added() {
    let mut table = BookTable::default();
    table.add(&after(""), 1, scored("7g7f", 10));
    table.add(&after("7g7f 3c3d 2g2f"), 4, scored("8c8d", -120));
    // From here 2g2f leads there, which this position does not list; from the other one 3c3d, with the colours
    // exchanged.
    table.add(&after("7g7f 3c3d"), 3, scored("6g6f", 7));
    table.add(&after("2g2f 3c3d 7g7f 8c8d"), 5, scored("2f2e", 40));
    table.add(&after("7g7f 8c8d 2g2f"), 4, scored("8d8e", 15));
    assert_eq!(table.add_transpositions(), 2);
    assert_eq!(table.add_transpositions(), 0);
    table.minimax();
    assert_eq!(score_of(&table, &after("7g7f 3c3d"), "2g2f"), (40, 12));
    assert_eq!(score_of(&table, &after("7g7f 8c8d 2g2f"), "3c3d"), (-40, 11));
}

/// Both sides walk their rooks to and fro, or leave the circle.
fn circle(leave_black: i32, leave_white: i32) -> BookTable {
    let mut table = BookTable::default();
    let start = after("");
    table.add(&start, 1, scored("2h3h", 33));
    table.add(&after("2h3h"), 2, scored("8b7b", 33));
    table.add(&after("2h3h 8b7b"), 3, scored("3h2h", 33));
    table.add(&after("2h3h 8b7b 3h2h"), 4, scored("7b8b", 33));
    table.add(&start, 1, scored("7g7f", leave_black));
    table.add(&after("2h3h"), 2, scored("3c3d", leave_white));
    table
}

#[test]
fn a_cycle_that_nobody_gains_by_leaving_is_a_draw() {
    let mut table = circle(-50, -50);
    let done = table.minimax();
    assert_eq!(score_of(&table, &after(""), "2h3h"), (0, 999), "{done:?}");
    assert!(done.repetitions >= 4);
    // Whoever gains by leaving leaves.
    let mut table = circle(80, -50);
    table.minimax();
    assert_eq!(score_of(&table, &after("2h3h 8b7b 3h2h"), "7b8b").0, -80);
    assert_eq!(score_of(&table, &after(""), "2h3h").0, 50, "White leaves at a cost of 50 rather than of 80");
}

#[test]
fn a_line_that_ends_is_preferred_to_a_cycle_of_equal_value() {
    let mut table = circle(0, -50);
    let done = table.minimax();
    assert_eq!(score_of(&table, &after("2h3h 8b7b 3h2h"), "7b8b"), (0, 11), "7g7f ends it at once");
    assert_eq!(score_of(&table, &after(""), "2h3h"), (0, 14), "once round");
    assert_eq!(done.repetitions, 0);
}

/// A book may have every position with Black to move, so that each move leads to one with the players exchanged.
#[test]
fn draws_are_found_in_rotated_positions() {
    let mut table = BookTable::default();
    let line = ["2h3h", "8b7b", "3h2h", "7b8b"];
    let positions: Vec<_> = (0..line.len()).map(|ply| after(&line[..ply].join(" "))).collect();
    for (position, mv) in positions.iter().zip(line) {
        match position.side_to_move() {
            Color::Black => table.add(position, 1, scored(mv, 33)),
            Color::White => table.add(&rotated(position), 1, scored(mv, 33).rotated()),
        }
    }
    let done = table.minimax();
    assert_eq!((done.inner_moves, done.repetitions), (4, 4));
    for (position, mv) in positions.iter().zip(line).step_by(2) {
        assert_eq!(score_of(&table, position, mv), (0, 999));
    }
    for (position, mv) in positions.iter().zip(line).skip(1).step_by(2) {
        let turned = scored(mv, 0).rotated().mv.to_string();
        assert_eq!(score_of(&table, &rotated(position), &turned), (0, 999));
    }
}

/// Books may hold any number, the least one has no opposite.
#[test]
fn minimax_carries_up_the_least_score_of_an_i32() {
    let mut table = BookTable::default();
    table.add(&after(""), 1, scored("7g7f", 10));
    table.add(&after("7g7f"), 2, scored("3c3d", i32::MIN));
    table.minimax();
    assert_eq!(score_of(&table, &after(""), "7g7f"), (i32::MAX, 11));
}

/// 0 at depth 32 stands for a move that was not searched.
#[test]
fn minimax_never_gives_a_searched_move_the_mark_of_an_unsearched_one() {
    let mut table = BookTable::default();
    table.add(&after(""), 1, scored("7g7f", 10));
    table.add(&after("7g7f"), 2, BookMove { score: 0, depth: 31, ..scored("3c3d", 0) });
    table.minimax();
    assert_eq!(score_of(&table, &after(""), "7g7f").0, 0);
    assert!(table.get(&after("")).unwrap().moves[0].is_scored());
}
