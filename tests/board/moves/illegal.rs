//! Why a move is illegal: the rule for each case, and that it is named exactly where a move is illegal.

use kurosabi::position::Position;
use kurosabi::types::{Move, PieceType, Square};
use rand::RngExt;

use crate::games::visit_positions;
use crate::squares::{mv, position, turned, turned_move};

/// Every move that can be written.
fn all_moves() -> Vec<Move> {
    let pairs = || Square::all().flat_map(|from| Square::all().map(move |to| (from, to))).filter(|(a, b)| a != b);
    let board = [false, true].into_iter().flat_map(|promote| pairs().map(move |(a, b)| Move::board(a, b, promote)));
    let drops = PieceType::HAND.into_iter().flat_map(|kind| Square::all().map(move |to| Move::drop(kind, to)));
    board.chain(drops).collect()
}

#[test]
fn a_rule_is_named_exactly_where_a_move_is_illegal() {
    let all = all_moves();
    let mut kinds = std::collections::BTreeSet::new();
    visit_positions(5, 60, |position, moves, rng| {
        if rng.random_bool(0.05) {
            let mut legal = 0;
            for &mv in &all {
                let checked = position.check_legal(mv);
                assert_eq!(checked.is_ok(), position.is_legal(mv), "{mv} in {position:?}: {checked:?}");
                legal += usize::from(checked.is_ok());
                kinds.extend(checked.err().map(|reason| reason.kind()));
            }
            assert_eq!(legal, moves.len(), "{position:?}");
        }
    });
    assert!(kinds.len() >= 15, "{kinds:?}");
}

/// The same with colours changed.
#[track_caller]
fn breaks(sfen: &str, usi: &str, kind: &str, words: &str) {
    let start = position(sfen);
    let reason = start.check_legal(mv(usi)).unwrap_err();
    assert_eq!(reason.kind(), kind, "{reason}");
    assert!(reason.to_string().contains(words), "{reason}");
    let (turned_start, turned_mv) = (turned(&start), turned_move(mv(usi)));
    assert_eq!(turned_start.check_legal(turned_mv).unwrap_err().kind(), kind);
    let mut after = start.clone();
    assert_eq!(after.try_do_move(mv(usi)), Err(reason));
    assert!(after == start && after.moves_made() == 0);
}

/// One case for each rule that the rule texts name.
#[test]
fn each_broken_rule_is_named() {
    let start = Position::startpos().to_sfen();
    breaks(&start, "5e5d", "no_piece", "no piece on 5e");
    breaks(&start, "3c3d", "not_your_piece", "the pawn on 3c is the opponent's, and it is Black's turn");
    breaks(&start, "P*5e", "not_in_hand", "Black has no pawn in hand");
    breaks("4k4/9/9/9/4p4/9/9/9/4K4 b G 1", "G*5e", "occupied", "5e is occupied");
    breaks(&start, "2h2g", "own_piece", "Black's own pawn stands on 2g");
    breaks(&start, "7g7e", "wrong_movement", "a pawn does not move from 7g to 7e");
    breaks(&start, "8h2b+", "blocked", "the pawn on 7g blocks the way from 8h to 2b");
    breaks(&start, "4i4h+", "cannot_promote", "a gold does not promote");
    breaks("4k4/9/9/+R8/9/9/9/9/4K4 b - 1", "9d9c+", "cannot_promote", "a dragon");
    breaks(&start, "7g7f+", "outside_zone", "neither 7g nor 7f");
    breaks("8k/4P4/9/9/9/9/9/9/4K4 b - 1", "5b5a", "must_promote", "pawn must promote on 5a");
    breaks("8k/9/9/4N4/9/9/9/9/4K4 b - 1", "5d4b", "must_promote", "knight must promote on 4b");
    breaks("4k4/9/9/9/9/9/9/9/4K4 b N 1", "N*9b", "no_further_move", "knight dropped on 9b");
    breaks("4k4/9/9/9/9/9/4P4/9/4K4 b P 1", "P*5e", "nifu", "Black has a pawn on file 5 already, on 5g");
    // A tokin is no pawn.
    assert_eq!(position("4k4/9/9/9/9/9/4+P4/9/4K4 b P 1").check_legal(mv("P*5e")), Ok(()));
    breaks("3lkl3/9/4G4/9/9/9/9/9/4K4 b P 1", "P*5b", "drop_pawn_mate", "uchifuzume");
    breaks("4k4/9/9/9/4r4/9/9/4K4/9 b GP 1", "G*9i", "stays_in_check", "king on 5h stays in check from 5e");
    breaks("4k4/9/9/9/4r4/9/9/4K4/9 b GP 1", "5h5g", "king_into_check", "in check on 5g from 5e");
    breaks("9/9/4k4/9/4K4/9/9/9/9 b - 1", "5e5d", "king_into_check", "from 5c");
    breaks("4r3k/9/9/9/9/9/4G4/9/4K4 b - 1", "5g4g", "pinned", "the gold on 5g is pinned");
}

/// The rule that a player would name first.
#[test]
fn of_several_broken_rules_the_plainest_is_named() {
    // Nifu, which would mate besides; a pawn that neither stands there nor may be dropped in check.
    breaks("3lkl3/9/4G4/9/9/9/4P4/9/4K4 b P 1", "P*5b", "nifu", "file 5");
    breaks("4k4/9/9/9/4r4/9/9/4K4/9 b - 1", "P*9e", "not_in_hand", "pawn");
    // The pinned gold cannot even move so.
    breaks("4r3k/9/9/9/9/9/4G4/9/4K4 b - 1", "5g3g", "wrong_movement", "gold");
}

#[test]
fn a_checked_move_is_made() {
    let mut position = Position::startpos();
    let delta = position.try_do_move(mv("7g7f")).unwrap();
    assert_eq!((delta.to, position.moves_made()), (mv("7g7f").to(), 1));
}
