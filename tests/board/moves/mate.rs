//! Mate in one move, against trying every move.

use kurosabi::bitboard::king_attacks;
use kurosabi::mate::mate_in_one;
use kurosabi::movegen::legal_moves;
use kurosabi::position::Position;
use kurosabi::types::{Move, PieceType};

use crate::games::visit_positions;
use crate::squares::{mv, position, turned, turned_move};

fn mates(position: &mut Position, mv: Move) -> bool {
    position.do_move(mv);
    let mated = position.in_check() && legal_moves(position).is_empty();
    position.undo_move(mv);
    mated
}

/// Whether a drop is a knight's or next to the enemy king.
fn is_contact_drop(position: &Position, mv: Move) -> bool {
    let near = position.king_square(!position.side_to_move()).is_some_and(|king| king_attacks(king).contains(mv.to()));
    mv.dropped().is_some_and(|kind| near || kind == PieceType::Knight)
}

#[test]
fn mate_in_one_is_mate_and_finds_every_mating_drop() {
    let (mut by_drop, mut by_move) = (0, 0);
    visit_positions(16, 600, |position, moves, _| {
        if position.in_check() {
            return;
        }
        match mate_in_one(position) {
            Some(mv) => {
                assert!(moves.contains(&mv) && mates(position, mv), "{mv} does not mate in {position:?}");
                *if mv.is_drop() { &mut by_drop } else { &mut by_move } += 1;
            }
            None => {
                let missed = moves.iter().find(|&&mv| is_contact_drop(position, mv) && mates(position, mv));
                assert_eq!(missed, None, "{position:?}");
            }
        }
    });
    assert!(by_drop > 100 && by_move > 100, "{by_drop} by a drop, {by_move} by a move");
}

#[test]
fn the_textbook_mates() {
    for (sfen, expected) in [
        // A gold dropped on the head.
        ("4k4/9/4P4/9/9/9/9/9/4K4 b G 1", "G*5b"),
        // A smothered king and a knight.
        ("7nk/7nl/9/9/9/9/9/9/4K4 b N 1", "N*2c"),
        // A pawn may mate by moving, not by a drop.
        ("3lkl3/9/3GPG3/9/9/9/9/9/4K4 b - 1", "5c5b+"),
    ] {
        let mut position = position(sfen);
        let mut turned = turned(&position);
        let found = mate_in_one(&mut position).unwrap_or_else(|| panic!("{sfen}"));
        assert!(mates(&mut position, found), "{found} in {sfen}");
        assert!(mates(&mut position, mv(expected)), "{expected} in {sfen}");
        let found = mate_in_one(&mut turned).unwrap_or_else(|| panic!("{sfen} turned"));
        assert!(mates(&mut turned, found) && mates(&mut turned, turned_move(mv(expected))), "{found} in {turned:?}");
    }
    assert_eq!(mate_in_one(&mut position("3lkl3/9/4G4/9/9/9/9/9/4K4 b P 1")).filter(|mv| mv.is_drop()), None);
}
