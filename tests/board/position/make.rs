//! Making moves and taking them back.

use kurosabi::position::{CheckInfo, Position};
use kurosabi::types::{Color, MoveKind, Square};
use rand::RngExt;

use crate::games::visit_positions;
use crate::squares::{after, mv, position};

/// The keys of parts of the board.
fn part_keys(position: &Position) -> [u64; 4] {
    let [black, white] = Color::ALL.map(|color| position.non_pawn_key(color));
    [position.pawn_key(), position.minor_key(), black, white]
}

/// Everything about a position that can be asked.
fn facts(position: &Position) -> impl PartialEq + std::fmt::Debug + use<> {
    (
        position.to_sfen(),
        position.key(),
        part_keys(position),
        position.checkers(),
        position.moves_made(),
        (position.repetition(), position.search_repetition(100)),
        Color::ALL.map(|color| (position.king_square(color), position.pieces(color), position.blockers(color))),
        position.to_string(),
    )
}

#[test]
fn every_move_and_its_return() {
    visit_positions(3, 360, |position, moves, _| {
        let before = facts(position);
        let check_info = CheckInfo::new(position);
        for &mv in moves {
            let key_after = position.key_after(mv);
            let gives_check = position.gives_check(mv);
            assert_eq!(check_info.gives_check(position, mv), gives_check, "{mv} in {position:?}");
            position.do_move(mv);
            assert_eq!(position.key(), key_after, "{mv} to {position:?}");
            assert_eq!(position.in_check(), gives_check, "{mv} to {position:?}");
            position.undo_move(mv);
        }
        assert_eq!(facts(position), before);
        if !position.in_check() {
            let key = position.key();
            position.do_null_move();
            assert_ne!(position.key(), key);
            assert!(!position.in_check());
            position.undo_null_move();
            assert_eq!(facts(position), before);
        }
    });
}

#[test]
fn incremental_keys_and_checkers_equal_computed_ones() {
    visit_positions(4, 600, |position, moves, rng| {
        let Some(&mv) = moves.get(rng.random_range(0..moves.len().max(1))) else { return };
        position.do_move(mv);
        let computed = crate::squares::position(&position.to_sfen());
        assert_eq!(part_keys(position), part_keys(&computed), "{position:?}");
        assert_eq!(position.key(), computed.key(), "{mv} to {position:?}");
        assert_eq!(position.checkers(), computed.checkers(), "{mv} to {position:?}");
        for square in Square::all() {
            assert_eq!(position.piece_on(square), computed.piece_on(square));
        }
        for color in Color::ALL {
            assert_eq!(position.pieces(color), computed.pieces(color), "{mv} to {position:?}");
            assert_eq!(position.king_square(color), computed.king_square(color), "{mv} to {position:?}");
            assert_eq!(position.blockers(color), computed.blockers(color), "{mv} to {position:?}");
        }
        position.undo_move(mv);
    });
}

#[test]
fn the_delta_of_a_move_lists_its_changes() {
    visit_positions(5, 240, |position, moves, _| {
        for &mv in moves {
            let before = position.clone();
            let us = position.side_to_move();
            let delta = position.do_move(mv);
            assert_eq!(Some(delta.after), position.piece_on(mv.to()));
            assert_eq!((delta.from, delta.to), (mv.from(), mv.to()));
            assert_eq!(delta.captured, before.piece_on(mv.to()));
            let changed = match mv.kind() {
                MoveKind::Board { from, promote, .. } => {
                    assert_eq!(Some(delta.before), before.piece_on(from));
                    assert_eq!(delta.after, if promote { delta.before.promoted() } else { delta.before });
                    delta.captured.map(|victim| victim.piece_type().unpromoted())
                }
                MoveKind::Drop { piece_type, .. } => {
                    assert_eq!((delta.before, delta.after.piece_type()), (delta.after, piece_type));
                    Some(piece_type)
                }
            };
            let hand_count = changed.map_or(0, |kind| position.hand(us).count(kind));
            assert_eq!(delta.hand_count, hand_count, "{mv} to {position:?}");
            position.undo_move(mv);
        }
    });
}

#[test]
fn different_positions_have_different_keys() {
    let mut keys = std::collections::HashMap::new();
    visit_positions(6, 1200, |position, _, _| {
        // Board, turn and hands, without the move number.
        let sfen = position.to_sfen();
        let text = sfen.rsplit_once(' ').unwrap().0.to_owned();
        let known = keys.entry(position.key()).or_insert_with(|| text.clone());
        assert_eq!(*known, text);
    });
    assert!(keys.len() > 5_000, "{} positions", keys.len());
    // The turn and the owner of a piece in hand count.
    let keys = ["b P", "w P", "b p", "w p", "b -", "b PL", "b 2P", "b Pp"]
        .map(|rest| position(&format!("4k4/9/9/9/9/9/9/9/4K4 {rest} 1")).key());
    assert_eq!(std::collections::HashSet::from(keys).len(), keys.len());
}

#[test]
fn a_captured_piece_goes_to_hand_unpromoted() {
    for piece in ["p", "+p", "l", "+l", "n", "+n", "s", "+s", "g", "b", "+b", "r", "+r"] {
        let taken = after(&format!("8k/9/9/9/4{piece}4/4G4/9/9/K8 b - 1"), "5f5e");
        let letter = piece.trim_start_matches('+').to_uppercase();
        assert_eq!(taken.to_sfen(), format!("8k/9/9/9/4G4/9/9/9/K8 w {letter} 2"));
    }
}

#[test]
fn a_game_is_played_and_taken_back() {
    let moves = "7g7f 3c3d 8h2b+ 3a2b B*4e B*6e 4e6c+ 6e4g+ 6c4a 5a4a G*5h";
    let mut position = Position::startpos();
    let mut sfens = Vec::new();
    for mv in moves.split(' ').map(mv) {
        assert!(position.is_legal(mv), "{mv}");
        sfens.push((mv, position.to_sfen()));
        position.do_move(mv);
    }
    // As cshogi has it.
    assert_eq!(position.to_sfen(), "lnsg1k1nl/1r5s1/ppp1pp1pp/6p2/9/2P6/PP1PP+bPPP/4G2R1/LNSGKGSNL w Pbp 12");
    for (mv, sfen) in sfens.into_iter().rev() {
        position.undo_move(mv);
        assert_eq!(position.to_sfen(), sfen);
    }
}

#[test]
fn positions_are_equal_by_board_hands_turn_and_move_number() {
    let one = position("4k4/9/9/9/9/9/9/9/4K4 b P 5");
    assert_eq!(one, position("4k4/9/9/9/9/9/9/9/4K4 b P 5"));
    for other in [
        "4k4/9/9/9/9/9/9/9/3K5 b P 5",
        "4k4/9/9/9/9/9/9/9/4K4 b L 5",
        "4k4/9/9/9/9/9/9/9/4K4 w P 5",
        "4k4/9/9/9/9/9/9/9/4K4 b P 6",
    ] {
        assert_ne!(one, position(other));
    }
}
