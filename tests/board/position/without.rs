//! Positions with one piece less.

use kurosabi::position::Position;
use kurosabi::types::{Color, Piece, PieceType, Square};

use crate::games::visit_positions;
use crate::squares::position;

fn square(name: &str) -> Square {
    name.parse().unwrap()
}

#[test]
fn a_piece_of_the_board_or_of_a_hand_goes_to_the_side_that_waits() {
    let start = position("4k4/9/4+P4/9/4n4/9/9/9/4K4 w 2Gr 9");
    let without = |piece, at: Option<&str>| start.without(piece, at.map(square)).map(|position| position.to_sfen());
    let tokin = Piece::new(Color::Black, PieceType::ProPawn);
    assert_eq!(without(tokin, Some("5c")).as_deref(), Some("4k4/9/9/9/4n4/9/9/9/4K4 w 2GPr 1"));
    let knight = Piece::new(Color::White, PieceType::Knight);
    assert_eq!(without(knight, Some("5e")).as_deref(), Some("4k4/9/4+P4/9/9/9/9/9/4K4 w 2GNr 1"));
    let rook = Piece::new(Color::White, PieceType::Rook);
    assert_eq!(without(rook, None).as_deref(), Some("4k4/9/4+P4/9/4n4/9/9/9/4K4 w R2G 1"));
    // Not there, a king, a promoted piece in hand.
    assert_eq!(without(tokin, Some("5d")), None);
    assert_eq!(without(knight, None), None);
    assert_eq!(without(Piece::new(Color::White, PieceType::King), Some("5a")), None);
    assert_eq!(without(Piece::new(Color::White, PieceType::Dragon), None), None);
}

#[test]
fn a_position_without_a_piece_is_allowed_by_the_rules() {
    // The gold stands between the rook and a king whose side is not to move.
    let start = position("4k4/4g4/9/9/9/9/9/4R4/4K4 b - 1");
    assert_eq!(start.without(Piece::new(Color::White, PieceType::Gold), Some(square("5b"))), None);
}

#[test]
fn a_position_without_a_piece_equals_the_one_of_its_sfen() {
    let mut count = 0;
    visit_positions(11, 20, |position, _, _| {
        for square in Square::all() {
            let Some(without) = position.piece_on(square).and_then(|piece| position.without(piece, Some(square)))
            else {
                continue;
            };
            let read = Position::from_sfen(&without.to_sfen()).unwrap();
            assert_eq!((&without, without.key(), without.pawn_key()), (&read, read.key(), read.pawn_key()));
            assert_eq!((without.checkers(), without.moves_made()), (read.checkers(), 0));
            count += 1;
        }
    });
    assert!(count > 10_000, "{count} positions");
}
